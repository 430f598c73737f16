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
package org.apache.hadoop.hbase.regionserver;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Counts the blocks that a compaction has read. The limit in its {@link ScannerContext} is one of
 * each call of next, so that a call doesn't read on for long. The same limit holds for the blocks
 * that were read since the scanner last released those it had. Used by one thread.
 */
@InterfaceAudience.Private
public final class ScannedBlocks {
  private final ScannerContext context;
  private final long maxBytes;
  private long bytesHeld;

  /** @param maxBytes of blocks after which they must be released */
  public ScannedBlocks(ScannerContext context, long maxBytes) {
    this.context = context;
    this.maxBytes = maxBytes;
  }

  /**
   * Counts the blocks of the last call of next, and sets back the context for another. Called after
   * each.
   * @return true if the scanner is to release its blocks
   */
  public boolean mustBeReleased() {
    bytesHeld += context.getBlockSizeProgress();
    context.clearBlockSizeProgress();
    return bytesHeld >= maxBytes;
  }

  /** Called when the scanner has released its blocks. */
  public void released() {
    bytesHeld = 0;
  }
}
