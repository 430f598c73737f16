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
import java.util.Optional;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.yetus.audience.InterfaceAudience;

/** Tells which coprocessors see the readers of store files when they are opened. Thread-safe. */
@InterfaceAudience.Private
final class ReaderObservers {
  private static final ClassValue<Boolean> HAS_HOOK = new ClassValue<Boolean>() {
    @Override
    protected Boolean computeValue(Class<?> observer) {
      for (Method method : observer.getMethods()) {
        String name = method.getName();
        boolean isHook =
          name.equals("preStoreFileReaderOpen") || name.equals("postStoreFileReaderOpen");
        if (isHook && method.getDeclaringClass() != RegionObserver.class) {
          return true;
        }
      }
      return false;
    }
  };

  private ReaderObservers() {
  }

  /** @param host of the region; may be null */
  static boolean observeReaders(RegionCoprocessorHost host) {
    return host != null && host.findCoprocessors(RegionCoprocessor.class).stream()
      .anyMatch(ReaderObservers::observes);
  }

  static boolean observes(RegionCoprocessor coprocessor) {
    Optional<RegionObserver> observer = coprocessor.getRegionObserver();
    return observer.isPresent() && HAS_HOOK.get(observer.get().getClass());
  }
}
