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
package org.apache.hadoop.hbase.io.hfile.bucket;

import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/** A block cache that can list its files, and the blocks of a file. Thread-safe. */
@InterfaceAudience.Private
public interface FileBlockSource {
  /** Is told of a file's blocks. */
  interface Visitor {
    /**
     * Called for a cached block.
     * @param size bytes on disk, with the header; -1 if unknown
     * @param data whether it is a data block, not one of an index or a bloom filter
     * @param heat the higher, the hotter, among the blocks of this cache
     */
    void visit(long offset, int size, boolean data, long heat);
  }

  /** Visits the blocks of a file, in no order. Reads none, and counts none as hit or miss. */
  void visitBlocks(String hfileName, Visitor visitor);

  /** Returns the names of the files that have blocks. */
  Set<String> getFiles();
}
