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

import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** A tier of the cache. Immutable. */
@InterfaceAudience.Private
public final class TierSizing {
  private final String name;
  private final String blocks;
  private final boolean enabled;
  private final long capacity;
  private final long used;
  private final double measuredPercent;
  private final List<CurvePoint> curve;

  TierSizing(String name, String blocks, boolean enabled, long capacity, long used,
    double measuredPercent, List<CurvePoint> curve) {
    this.name = name;
    this.blocks = blocks;
    this.enabled = enabled;
    this.capacity = capacity;
    this.used = used;
    this.measuredPercent = measuredPercent;
    this.curve = curve;
  }

  /** Returns {@code L1} or {@code L2}. */
  public String getName() {
    return name;
  }

  /** Returns the kinds of blocks that it is for, for people. */
  public String getBlocks() {
    return blocks;
  }

  /** Returns false if errors of its device have turned it off. */
  public boolean isEnabled() {
    return enabled;
  }

  /** Returns the bytes that it may take. */
  public long getCapacity() {
    return capacity;
  }

  /** Returns the bytes that it takes. */
  public long getUsed() {
    return used;
  }

  /**
   * Returns the part of the references of the last minutes, up to five, that this tier or one
   * before it served.
   */
  public double getMeasuredPercent() {
    return measuredPercent;
  }

  /** Returns what it would serve at other sizes, the smallest in front. */
  public List<CurvePoint> getCurve() {
    return curve;
  }
}
