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
package org.apache.hadoop.hbase.io.hfile;

import org.apache.hadoop.hbase.io.hfile.bucket.BlockCacheKeys;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What the block cache has of the file of an open reader. It spares a cache that keeps blocks by
 * file from looking for the file by its name at each block. Thread-safe.
 */
@InterfaceAudience.Private
public final class ReaderFile {
  private static volatile boolean wanted;

  private final String name;
  /** The file that a reference file refers to; null for another file. */
  private final ReaderFile referred;
  /** Two, as a cache may have two tiers. */
  private volatile Object ofFirst;
  private volatile Object ofSecond;

  private ReaderFile(String name, ReaderFile referred) {
    this.name = name;
    this.referred = referred;
  }

  /** Has readers that are opened from now on keep it, since there is a cache that asks for it. */
  public static void want() {
    wanted = true;
  }

  /** Returns what the reader of a file keeps while it is open; null if no cache asks for it. */
  public static ReaderFile of(String name) {
    if (!wanted) {
      return null;
    }
    String referred = BlockCacheKeys.referredKey(new BlockCacheKey(name, 0)).getHfileName();
    return new ReaderFile(name, referred.equals(name) ? null : new ReaderFile(referred, null));
  }

  /**
   * Returns the key in the file that a reference file refers to; {@code key} for other files. If
   * the key is a reader's, no name is looked at.
   */
  public static BlockCacheKey referredKey(BlockCacheKey key) {
    ReaderFile file = key.getReaderFile();
    if (file == null) {
      return BlockCacheKeys.referredKey(key);
    }
    if (file.referred == null) {
      return key;
    }
    BlockCacheKey referred = new BlockCacheKey(file.referred.name, key.getOffset(),
      key.isPrimary(), key.getBlockType());
    referred.setReaderFile(file.referred);
    return referred;
  }

  /** Returns what a tier has set. Another cache may have set it: the caller has to check that. */
  public Object get(boolean secondTier) {
    return secondTier ? ofSecond : ofFirst;
  }

  /** Keeps what a tier wants to have at hand at the next block. */
  public void set(boolean secondTier, Object ofTier) {
    if (secondTier) {
      ofSecond = ofTier;
    } else {
      ofFirst = ofTier;
    }
  }
}
