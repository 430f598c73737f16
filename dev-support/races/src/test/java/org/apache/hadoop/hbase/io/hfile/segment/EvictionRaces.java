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

/**
 * Operations of threads on one block of a full cache, which evicts segments to make room. Whether
 * the block is there isn't told; if it is, it is the right one, at most once, and when its file is
 * evicted while nobody caches it, it is gone.
 */
public class EvictionRaces {
  private static final int SEGMENTS = 8;

  private final SegmentsAtRest cache = SegmentsAtRest.take();

  public EvictionRaces() {
    cache.cacheBlock();
    for (int i = 0; i < SEGMENTS; i++) {
      cache.read();
      cache.fillASegment();
    }
  }

  @Operation(nonParallelGroup = "writer")
  public void fillASegment() {
    cache.fillASegment();
  }

  @Operation(nonParallelGroup = "writer")
  public void cacheBlock() {
    cache.cacheBlock();
  }

  @Operation
  public void read() {
    cache.read();
  }

  @Operation(nonParallelGroup = "writer")
  public boolean evictFileAndRead() {
    cache.evictFile();
    return cache.read();
  }

  @Operation
  public boolean isThereOnce() {
    return cache.countOfFile() <= 1;
  }

  @Operation
  public void evictBlock() {
    cache.evictBlock();
  }

  @Validate
  public void allCanBeEvicted() {
    cache.empty();
  }

  /** The expected effects, one operation after the other. */
  public static class OneByOne {
    public void fillASegment() {
      // Evicts what may be anything.
    }

    public void cacheBlock() {
      // May be evicted at once.
    }

    public void read() {
      // Throws an exception if it isn't the block.
    }

    public boolean evictFileAndRead() {
      return false;
    }

    public boolean isThereOnce() {
      return true;
    }

    public void evictBlock() {
      // It may have been evicted.
    }
  }
}
