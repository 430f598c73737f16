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
package org.apache.hadoop.hbase.io.hfile.segment;

import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.annotations.Validate;

/** Operations of threads on one block, which is the only one of its file, in a cache with room. */
public class EntryRaces {
  private final SegmentsAtRest cache = SegmentsAtRest.take();

  public EntryRaces() {
    cache.cacheBlock();
  }

  @Operation
  public void cacheBlock() {
    cache.cacheBlock();
  }

  @Operation
  public boolean read() {
    return cache.read();
  }

  @Operation
  public boolean evictBlock() {
    return cache.evictBlock();
  }

  @Operation
  public int evictFile() {
    return cache.evictFile();
  }

  @Validate
  public void allCanBeEvicted() {
    cache.empty();
  }

  /** The expected effects, one operation after the other. */
  public static class OneByOne {
    private boolean held = true;

    public void cacheBlock() {
      held = true;
    }

    public boolean read() {
      return held;
    }

    public boolean evictBlock() {
      boolean was = held;
      held = false;
      return was;
    }

    public int evictFile() {
      return evictBlock() ? 1 : 0;
    }
  }
}
