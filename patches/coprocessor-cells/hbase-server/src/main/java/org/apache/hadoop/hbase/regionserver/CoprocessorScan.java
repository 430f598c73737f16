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

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.io.hfile.CoprocessorCells;
import org.apache.hadoop.hbase.io.hfile.CoprocessorCellsSettings;
import org.apache.hadoop.hbase.io.hfile.HeldCells;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.token.TokenProvider;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Goes around the methods of a {@link RegionScannerImpl} of a region with coprocessors, so that
 * {@link CoprocessorCells} knows which scanner a thread is in. Not thread-safe, as the scanner; it
 * may be closed by any thread.
 */
@InterfaceAudience.Private
final class CoprocessorScan extends CoprocessorCells.Reader {
  /** HBase's own, which use cells only while their scanner is open. */
  private static final Set<Class<?>> HARMLESS = new HashSet<>(
    Arrays.asList(AccessController.class, MultiRowMutationEndpoint.class, TokenProvider.class));

  /** HBase's own whose {@code postScannerOpen} returns the scanner as it is. */
  private static final Set<Class<?>> NO_WRAPPERS =
    new HashSet<>(Arrays.asList(AccessController.class, VisibilityController.class));

  /** Of the cells given back since the last response; null unless cells are guarded. */
  private volatile CellGuard guard;

  private static final ClassValue<Boolean> WRAPS_SCANNERS = new ClassValue<Boolean>() {
    @Override
    protected Boolean computeValue(Class<?> observer) {
      if (NO_WRAPPERS.contains(observer)) {
        return false;
      }
      for (Method method : observer.getMethods()) {
        if (
          method.getName().equals("postScannerOpen")
            && method.getDeclaringClass() != RegionObserver.class
        ) {
          return true;
        }
      }
      return false;
    }
  };

  /** @param coprocessors of the region */
  CoprocessorScan(CoprocessorCellsSettings settings, Scan scan,
    Iterable<RegionCoprocessorEnvironment> coprocessors) {
    super(settings, scan, wrapsScanners(coprocessors));
    if (settings.isGuarded()) {
      guard = new CellGuard();
    }
  }

  /**
   * Returns true if a scanner of a region needs this.
   * @param coprocessors of the region
   */
  static boolean isNeeded(CoprocessorCellsSettings settings,
    Iterable<RegionCoprocessorEnvironment> coprocessors) {
    for (RegionCoprocessorEnvironment coprocessor : coprocessors) {
      if (settings.isGuarded() || !HARMLESS.contains(coprocessor.getInstance().getClass())) {
        return true;
      }
    }
    return false;
  }

  /** Returns true if one of the coprocessors may wrap a client's scanner. */
  static boolean wrapsScanners(Iterable<RegionCoprocessorEnvironment> coprocessors) {
    for (RegionCoprocessorEnvironment coprocessor : coprocessors) {
      Optional<RegionObserver> observer = coprocessor.getInstance().getRegionObserver();
      if (observer.isPresent() && WRAPS_SCANNERS.get(observer.get().getClass())) {
        return true;
      }
    }
    return false;
  }

  /** A method of the scanner. */
  interface ScannerMethod<T> {
    /** Calls the method. */
    T call() throws IOException;
  }

  /** A method of the scanner that gives cells back. */
  interface NextMethod {
    /**
     * Calls the method.
     * @param cells the method adds to them
     */
    boolean next(List<Cell> cells) throws IOException;
  }

  /** Calls a method that moves the scanner. */
  <T> T read(ScannerMethod<T> method) throws IOException {
    CoprocessorCells.Reader outer = enter(false);
    try {
      return method.call();
    } finally {
      leave(outer);
    }
  }

  /** Calls a method that gives cells back, which are added to the list. */
  boolean next(List<Cell> cells, NextMethod method) throws IOException {
    CoprocessorCells.Reader outer = enter(false);
    try {
      CellGuard current = guard;
      if (current == null) {
        return method.next(cells);
      }
      List<Cell> unguarded = new ArrayList<>();
      boolean more = method.next(unguarded);
      for (Cell cell : unguarded) {
        cells.add(current.guard(cell));
      }
      return more;
    } finally {
      leave(outer);
    }
  }

  /** Calls the method that closes the scanner. */
  void close(Runnable method) {
    CoprocessorCells.Reader outer = enter(true);
    try {
      HeldCells held = beginClose();
      if (guard != null && !isCopied()) {
        endGuard(held);
      }
      method.run();
    } finally {
      leave(outer);
    }
  }

  /** The cells that were given back are in a response. Only edits that aren't written use them. */
  void shipped() {
    HeldCells held = onResponse();
    if (guard != null && !isCopied()) {
      endGuard(held);
    }
  }

  /** @param held what the cells' memory is left to, or null */
  private void endGuard(HeldCells held) {
    CellGuard ended = guard;
    guard = new CellGuard();
    if (held == null) {
      ended.release();
    } else {
      held.add(ended, ended::release);
    }
  }
}
