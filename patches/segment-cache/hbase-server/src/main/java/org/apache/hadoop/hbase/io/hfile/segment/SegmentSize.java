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
package org.apache.hadoop.hbase.io.hfile.segment;

import org.apache.yetus.audience.InterfaceAudience;

/** How big the segments of a cache, or of one of its files, are by its size. In bytes. */
@InterfaceAudience.Private
final class SegmentSize {
  private static final int LEAST_IN_MEMORY = 1 << 17;
  /** Small, as a scanner keeps its block, and so the segment, between calls. */
  private static final int MOST_IN_MEMORY = 1 << 21;
  private static final int LEAST_ON_DEVICE = 1 << 22;
  private static final int FEWEST_IN_MEMORY = 64;
  /** Many, as some are kept free, and some are being filled. */
  private static final int FEWEST_ON_DEVICE = 512;
  /** Of a file whose segments were made for a greater size. */
  private static final int FEWEST_OF_BIGGER = 64;
  /** Bytes that segments are multiples of. */
  private static final int ALIGNMENT = 4096;

  private SegmentSize() {
  }

  static int inMemory(long size) {
    return of(size, MOST_IN_MEMORY, LEAST_IN_MEMORY, FEWEST_IN_MEMORY);
  }

  static int onDevice(long size) {
    return of(size, EntryWord.MAX_SEGMENT_SIZE, LEAST_ON_DEVICE, FEWEST_ON_DEVICE);
  }

  /**
   * Returns true if segments of this size, which files have, do for another size of these files.
   * @param size of each file
   */
  static boolean isUsable(int segmentSize, long size, int files) {
    boolean isPossible = segmentSize >= LEAST_ON_DEVICE
      && segmentSize <= EntryWord.MAX_SEGMENT_SIZE && segmentSize % ALIGNMENT == 0;
    return isPossible && size / segmentSize * files <= EntryWord.MAX_SEGMENTS
      && (segmentSize <= onDevice(size) || size / segmentSize >= FEWEST_OF_BIGGER);
  }

  private static int of(long size, int most, int least, int fewest) {
    long bySize = Math.max(least, Math.min(most, size / fewest));
    while (size / bySize > EntryWord.MAX_SEGMENTS) {
      bySize *= 2;
    }
    return (int) (bySize / ALIGNMENT * ALIGNMENT);
  }
}
