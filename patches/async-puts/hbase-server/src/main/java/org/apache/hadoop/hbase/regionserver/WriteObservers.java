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

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.yetus.audience.InterfaceAudience;

/** Tells which coprocessors have a hook that is called for writes. Thread-safe. */
@InterfaceAudience.Private
final class WriteObservers {
  static final List<String> HOOKS = Collections.unmodifiableList(
    Arrays.asList("prePut", "preDelete", "preBatchMutate", "prePrepareTimeStampForDeleteVersion"));

  /** Are called when a write has been synced and can be read, or while it is appended. */
  static final List<String> HOOKS_AFTER_SYNC =
    Collections.unmodifiableList(Arrays.asList("preWALAppend", "postPut", "postDelete",
      "postBatchMutate", "postBatchMutateIndispensably", "postStartRegionOperation",
      "postCloseRegionOperation"));

  static final List<String> HOOKS_OF_DELTAS =
    Collections.unmodifiableList(Arrays.asList("preIncrement", "preIncrementAfterRowLock",
      "postIncrementBeforeWAL", "postIncrement", "preAppend", "preAppendAfterRowLock",
      "postAppendBeforeWAL", "postAppend", "postMutationBeforeWAL"));

  static final List<String> HOOKS_OF_CHECKS = Collections.unmodifiableList(Arrays.asList(
    "preCheckAndPut", "preCheckAndPutAfterRowLock", "postCheckAndPut", "preCheckAndDelete",
    "preCheckAndDeleteAfterRowLock", "postCheckAndDelete", "preCheckAndMutate",
    "preCheckAndMutateAfterRowLock", "postCheckAndMutate"));

  private static final ClassValue<Boolean> HAS_HOOK = of(HOOKS);
  private static final ClassValue<Boolean> HAS_HOOK_AFTER_SYNC = of(HOOKS_AFTER_SYNC);
  private static final ClassValue<Boolean> HAS_HOOK_OF_DELTAS = of(HOOKS_OF_DELTAS);
  private static final ClassValue<Boolean> HAS_HOOK_OF_CHECKS = of(HOOKS_OF_CHECKS);

  private static ClassValue<Boolean> of(List<String> names) {
    return new ClassValue<Boolean>() {
      @Override
      protected Boolean computeValue(Class<?> observer) {
        for (Method method : observer.getMethods()) {
          if (
            names.contains(method.getName()) && method.getDeclaringClass() != RegionObserver.class
          ) {
            return true;
          }
        }
        return false;
      }
    };
  }

  private WriteObservers() {
  }

  /** Returns true if the coprocessor's observer has a hook for puts or deletes. */
  static boolean observesWrites(RegionCoprocessor coprocessor) {
    Optional<RegionObserver> observer = coprocessor.getRegionObserver();
    return observer.isPresent() && (HAS_HOOK.get(observer.get().getClass())
      || HAS_HOOK_AFTER_SYNC.get(observer.get().getClass()));
  }

  /** Returns true if such a hook may rely on it that the write has been synced. */
  static boolean observesSyncedWrites(RegionCoprocessor coprocessor) {
    Optional<RegionObserver> observer = coprocessor.getRegionObserver();
    return observer.isPresent() && HAS_HOOK_AFTER_SYNC.get(observer.get().getClass())
      // Which looks at writes to its own table alone, a system table.
      && observer.get().getClass() != AccessController.class;
  }

  /** Returns true if the coprocessor's observer has a hook for increments or appends. */
  static boolean observesDeltas(RegionCoprocessor coprocessor) {
    Optional<RegionObserver> observer = coprocessor.getRegionObserver();
    return observer.isPresent() && HAS_HOOK_OF_DELTAS.get(observer.get().getClass());
  }

  /** Returns true if it has one for mutations with a condition. */
  static boolean observesChecks(RegionCoprocessor coprocessor) {
    Optional<RegionObserver> observer = coprocessor.getRegionObserver();
    return observer.isPresent() && HAS_HOOK_OF_CHECKS.get(observer.get().getClass());
  }
}
