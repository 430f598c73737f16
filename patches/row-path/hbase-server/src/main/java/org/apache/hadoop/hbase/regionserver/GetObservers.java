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
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Tells which coprocessors have a hook that is called for gets, and whether it needs a region
 * scanner; and which are given the rows of scans. Those that observe only writes, and endpoints,
 * have none. Thread-safe.
 */
@InterfaceAudience.Private
final class GetObservers {
  /** Are called around the reading of a row, and see no cells. */
  private static final Set<String> ROW_HOOKS = Collections.unmodifiableSet(
    new HashSet<>(Arrays.asList("preGetOp", "preExists", "postExists")));

  /** Are called by scanners, or see cells. */
  private static final Set<String> CELL_HOOKS =
    Collections.unmodifiableSet(new HashSet<>(Arrays.asList("postGetOp", "preStoreScannerOpen",
      "postInstantiateDeleteTracker", "postScannerFilterRow")));

  private static final Set<String> OPERATION_HOOKS = Collections.unmodifiableSet(
    new HashSet<>(Arrays.asList("postStartRegionOperation", "postCloseRegionOperation")));

  /** Are given the cells that increments and appends add to, and may return them. */
  private static final Set<String> ADDING_HOOKS =
    Collections.unmodifiableSet(new HashSet<>(Arrays.asList("postIncrementBeforeWAL",
      "postAppendBeforeWAL", "postMutationBeforeWAL")));

  private static final Set<String> SCAN_HOOKS = Collections.singleton("postScannerNext");

  private static final ClassValue<Boolean> HAS_ROW_HOOK = of(ROW_HOOKS);
  private static final ClassValue<Boolean> HAS_CELL_HOOK = of(CELL_HOOKS);
  private static final ClassValue<Boolean> HAS_OPERATION_HOOK = of(OPERATION_HOOKS);

  private static final ClassValue<Boolean> HAS_ADDING_HOOK = of(ADDING_HOOKS);

  private static final ClassValue<Boolean> HAS_SCAN_HOOK = of(SCAN_HOOKS);

  private static ClassValue<Boolean> of(Set<String> hooks) {
    return new ClassValue<Boolean>() {
      @Override
      protected Boolean computeValue(Class<?> observer) {
        for (Method method : observer.getMethods()) {
          boolean isHook = hooks.contains(method.getName());
          if (isHook && method.getDeclaringClass() != RegionObserver.class) {
            return true;
          }
        }
        return false;
      }
    };
  }

  private GetObservers() {
  }

  /** Returns true if the coprocessor's observer, if it has one, has a hook for gets. */
  static boolean observesGets(RegionCoprocessor coprocessor) {
    return has(HAS_ROW_HOOK, coprocessor) || observesCells(coprocessor);
  }

  /** Returns true if such a hook sees the cells of a get, or is called by its scanners. */
  static boolean observesCells(RegionCoprocessor coprocessor) {
    return has(HAS_CELL_HOOK, coprocessor);
  }

  /** Returns true if the coprocessor's observer has a hook for the operations of a region. */
  static boolean observesOperations(RegionCoprocessor coprocessor) {
    return has(HAS_OPERATION_HOOK, coprocessor);
  }

  /** Returns true if such a hook is given the cells that increments and appends add to. */
  static boolean observesAdding(RegionCoprocessor coprocessor) {
    return has(HAS_ADDING_HOOK, coprocessor);
  }

  /** Returns true if the coprocessor's observer is given the rows that a scan answers. */
  static boolean observesScans(RegionCoprocessor coprocessor) {
    return has(HAS_SCAN_HOOK, coprocessor);
  }

  private static boolean has(ClassValue<Boolean> hook, RegionCoprocessor coprocessor) {
    Optional<RegionObserver> observer = coprocessor.getRegionObserver();
    return observer.isPresent() && hook.get(observer.get().getClass());
  }
}
