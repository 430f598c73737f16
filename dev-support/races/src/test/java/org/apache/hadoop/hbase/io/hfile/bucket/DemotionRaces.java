/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.io.hfile.bucket;

import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.annotations.Validate;

/** Operations of threads on one block of the first tier, which evicts it to make room. */
public class DemotionRaces {
  private final TiersAtRest tiers = TiersAtRest.take();

  public DemotionRaces() {
    tiers.cacheIn(tiers.first());
    tiers.write(tiers.first());
  }

  @Operation(nonParallelGroup = "first writer")
  public void makeRoom() {
    tiers.makeRoomInFirst();
  }

  @Operation(nonParallelGroup = "first writer")
  public void writeFirst() {
    tiers.write(tiers.first());
  }

  @Operation(nonParallelGroup = "second writer")
  public void writeSecond() {
    tiers.write(tiers.second());
  }

  @Operation
  public void evictFile() {
    tiers.evictFile();
  }

  @Operation
  public boolean read() {
    return tiers.read(true);
  }

  @Validate
  public void allCanBeEvicted() {
    tiers.empty();
  }

  /** The expected effects, one operation after the other. */
  public static class OneByOne {
    private boolean held = true;

    public void makeRoom() {
      // The block moves to the second tier.
    }

    public void writeFirst() {
      // Has no visible effect.
    }

    public void writeSecond() {
      // Has no visible effect.
    }

    public void evictFile() {
      held = false;
    }

    public boolean read() {
      return held;
    }
  }
}
