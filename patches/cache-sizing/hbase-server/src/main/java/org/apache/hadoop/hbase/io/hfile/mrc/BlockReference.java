/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.io.hfile.mrc;

import org.apache.yetus.audience.InterfaceAudience;

/** Something that happened to a sampled block, or to a file with such blocks. Immutable. */
@InterfaceAudience.Private
final class BlockReference {
  /** What happened. */
  enum Kind {
    /** The block was found in the cache. */
    HIT,
    /** It wasn't; its size isn't known yet. */
    MISS,
    /** It was read from its file, by whomever. */
    LOAD,
    /** The file's blocks have left the cache, since the file is no more. */
    FILE_GONE
  }

  final Kind kind;
  final long hash;
  final int file;
  final int table;
  final int bytes;
  final boolean metadata;

  /**
   * @param hash     of the file and the offset
   * @param bytes    that the block takes in the cache; 0 if not known
   * @param metadata whether the block isn't a data block; false if not known
   */
  BlockReference(Kind kind, long hash, int file, int table, int bytes, boolean metadata) {
    this.kind = kind;
    this.hash = hash;
    this.file = file;
    this.table = table;
    this.bytes = bytes;
    this.metadata = metadata;
  }
}
