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

import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.yetus.audience.InterfaceAudience;

/** The keys that a block may be cached with. */
@InterfaceAudience.Private
public final class BlockCacheKeys {
  private BlockCacheKeys() {
  }

  /** Returns true if the block belongs to a reference file, which half of a split region reads. */
  static boolean isOfReference(BlockCacheKey key) {
    String file = key.getHfileName();
    // The name of a reference has a dot before the name of its region. The dot is checked first,
    // since each look-up comes here, and matching the pattern takes longer than the look-up.
    return file.indexOf('.') >= 0 && StoreFileInfo.isReference(file);
  }

  /** Returns the key in the file that a reference file refers to; {@code key} for other files. */
  public static BlockCacheKey referredKey(BlockCacheKey key) {
    String file = key.getHfileName();
    return isOfReference(key)
      ? new BlockCacheKey(StoreFileInfo.getReferredToRegionAndFile(file).getSecond(),
        key.getOffset(), key.isPrimary(), key.getBlockType())
      : key;
  }
}
