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
package org.apache.hadoop.hbase.io.hfile;

import java.util.Map;
import java.util.WeakHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.yetus.audience.InterfaceAudience;

/** The settings of {@link CoprocessorCells}, of a server, not of a table. Immutable. */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class CoprocessorCellsSettings {
  public static final Setting<Boolean> HELD =
    Setting.ofBoolean("hbase.coprocessor.scanner.cells.held", false,
      "Whether the cells of a scanner that is closed during a call, in a region with coprocessors,"
        + " stay valid until the call has been answered. Of a server; a table's own value isn't"
        + " read.");

  /**
   * A system property: whether cells of regions with coprocessors are overwritten when what they
   * are in is released, and throw when they are used then. For tests and authors of coprocessors.
   */
  public static final String GUARDED_PROPERTY = "coprocessor.cells.guarded";

  /** Less only in tests. */
  static volatile int defaultMaxBytes = 8 << 20;

  /** By server, so that a value that is changed while the server runs closes no region. */
  private static final Map<Configuration, CoprocessorCellsSettings> OF_SERVERS =
    new WeakHashMap<>();

  private final boolean held;
  private final int maxBytes = defaultMaxBytes;
  private final boolean guarded;

  /**
   * Reads the settings.
   * @throws IllegalArgumentException if a value isn't allowed; the message names the key, the value
   *                                  and what to do
   */
  public CoprocessorCellsSettings(Configuration conf) {
    held = HELD.read(conf);
    guarded = Boolean.getBoolean(GUARDED_PROPERTY);
  }

  /**
   * Returns the settings that a server has had since its first region. Thread-safe.
   * @param conf of the server, always the same object; null for what has none, as a mock
   * @return null if cells are neither held nor guarded
   */
  public static CoprocessorCellsSettings of(Configuration conf) {
    if (conf == null) {
      return null;
    }
    CoprocessorCellsSettings settings;
    synchronized (OF_SERVERS) {
      settings = OF_SERVERS.computeIfAbsent(conf, CoprocessorCellsSettings::new);
    }
    if (!settings.held && !settings.guarded) {
      return null;
    }
    MetricsCoprocessorCells.register();
    return settings;
  }

  public boolean isHeld() {
    return held;
  }

  /**
   * Returns the bytes of blocks that a call holds for scanners of coprocessors. Further blocks for
   * these are copied to the heap.
   */
  public int getMaxBytes() {
    return maxBytes;
  }

  public boolean isGuarded() {
    return guarded;
  }
}
