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

/** What a tier would serve at a size. Immutable. */
@InterfaceAudience.Private
public final class CurvePoint {
  private final double factor;
  private final long bytes;
  private final double hitPercent;
  private final double metadataHitPercent;
  private final double dataHitPercent;

  CurvePoint(double factor, long bytes, double hitPercent, double metadataHitPercent,
    double dataHitPercent) {
    this.factor = factor;
    this.bytes = bytes;
    this.hitPercent = hitPercent;
    this.metadataHitPercent = metadataHitPercent;
    this.dataHitPercent = dataHitPercent;
  }

  /** Returns the size as a multiple of the present one. */
  public double getFactor() {
    return factor;
  }

  /** Returns the size. */
  public long getBytes() {
    return bytes;
  }

  /** Returns the part of all references that this tier or one before it would serve. */
  public double getHitPercent() {
    return hitPercent;
  }

  /** Returns the same of index, bloom and other metadata blocks. */
  public double getMetadataHitPercent() {
    return metadataHitPercent;
  }

  /** Returns the same of data blocks. */
  public double getDataHitPercent() {
    return dataHitPercent;
  }
}
