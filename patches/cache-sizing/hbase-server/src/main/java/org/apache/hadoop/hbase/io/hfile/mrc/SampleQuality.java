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

/** How good the sample is. Immutable. */
@InterfaceAudience.Private
public final class SampleQuality {
  private final long dataBlocks;
  private final long metadataBlocks;
  private final double dataPercent;
  private final double metadataPercent;
  private final long references;
  private final long dropped;
  private final double unknownPercent;
  private final long usedBytes;

  SampleQuality(long dataBlocks, long metadataBlocks, double dataPercent, double metadataPercent,
    long references, long dropped, double unknownPercent, long usedBytes) {
    this.dataBlocks = dataBlocks;
    this.metadataBlocks = metadataBlocks;
    this.dataPercent = dataPercent;
    this.metadataPercent = metadataPercent;
    this.references = references;
    this.dropped = dropped;
    this.unknownPercent = unknownPercent;
    this.usedBytes = usedBytes;
  }

  /** Returns the number of sampled data blocks. */
  public long getDataBlocks() {
    return dataBlocks;
  }

  /** Returns the number of sampled metadata blocks. */
  public long getMetadataBlocks() {
    return metadataBlocks;
  }

  /** Returns the sampled part of data blocks. */
  public double getDataPercent() {
    return dataPercent;
  }

  /** Returns the sampled part of metadata blocks. */
  public double getMetadataPercent() {
    return metadataPercent;
  }

  /** Returns the references to sampled blocks. */
  public long getReferences() {
    return references;
  }

  /** Returns the references that were lost, as they came too fast. */
  public long getDropped() {
    return dropped;
  }

  /**
   * Returns the part of all references that were the first ones to blocks that were cached
   * before.
   */
  public double getUnknownPercent() {
    return unknownPercent;
  }

  /** Returns the bytes of heap that the sample takes. */
  public long getUsedBytes() {
    return usedBytes;
  }
}
