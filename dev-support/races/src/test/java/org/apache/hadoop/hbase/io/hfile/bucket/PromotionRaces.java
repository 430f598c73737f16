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

/**
 * What threads do with one block that a read promotes: it is in the second tier at first.
 */
public class PromotionRaces {
  private final TiersAtRest tiers = TiersAtRest.take();

  public PromotionRaces() {
    tiers.cacheIn(tiers.second());
    tiers.write(tiers.second());
  }

  @Operation
  public boolean readPromoting() {
    return tiers.read(true);
  }

  @Operation
  public boolean read() {
    return tiers.read(false);
  }

  @Operation
  public void evictFile() {
    tiers.evictFile();
  }

  @Operation
  public void evictBlock() {
    tiers.evictBlock();
  }

  @Operation(nonParallelGroup = "first writer")
  public void writeFirst() {
    tiers.write(tiers.first());
  }

  @Validate
  public void allCanBeEvicted() {
    tiers.empty();
  }

  /** What they do one after the other. */
  public static class OneByOne {
    private boolean held = true;

    public boolean readPromoting() {
      return held;
    }

    public boolean read() {
      return held;
    }

    public void evictFile() {
      held = false;
    }

    public void evictBlock() {
      held = false;
    }

    public void writeFirst() {
      // Changes nothing that others see.
    }
  }
}
