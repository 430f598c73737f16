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

import java.util.concurrent.atomic.LongAdder;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Misses of references that may fill the cache, as far as a cache's statistics have them twice: a
 * CombinedBlockCache counts the look-up that is repeated under a lock, too. Thread-safe.
 */
@InterfaceAudience.Private
final class RepeatedMisses {
  private final boolean areCounted;
  private final LongAdder ofMetadata = new LongAdder();
  private final LongAdder ofData = new LongAdder();

  /** @param areCounted whether the cache counts misses that are repeated */
  RepeatedMisses(boolean areCounted) {
    this.areCounted = areCounted;
  }

  void add(boolean metadata) {
    if (areCounted) {
      (metadata ? ofMetadata : ofData).increment();
    }
  }

  long ofMetadata() {
    return ofMetadata.sum();
  }

  long all() {
    return ofMetadata.sum() + ofData.sum();
  }
}
