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

import java.util.function.DoubleSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Tells how many processors are idle when no helper runs. The server can't tell that from its own
 * threads, since a client, the kernel or another JVM on the host may use the other processors. The
 * system's load tells it, but not while helpers are part of the load. So this class measures for a
 * period in which nobody gets helpers. If processors were idle, helpers are allowed for some
 * periods, and then it measures again. While too few are idle it keeps measuring, so that a busy
 * server pays nothing. Thread-safe, except for {@link #tick}.
 */
@InterfaceAudience.Private
final class IdleCpus {
  /** How often to call {@link #tick}. */
  static final int PERIOD_MILLIS = 200;

  private static final int PERIODS_OF_HELP = 10;

  /** Minimum share of idle processors: helpers use more processor time than they save. */
  private static final double LEAST_IDLE = 0.25;

  private final int cpus;
  private final DoubleSupplier load;
  private int periodsOfHelp;
  private volatile int idle;

  /**
   * Begins without idle processors.
   * @param cpus number of processors that the JVM may use
   * @param load used share of the processors' time since its last call; negative if unknown
   */
  IdleCpus(int cpus, DoubleSupplier load) {
    this.cpus = cpus;
    this.load = load;
  }

  /** Ends a period. For one thread. */
  void tick() {
    if (periodsOfHelp > 1) {
      periodsOfHelp--;
      return;
    }
    double used = askSystem();
    if (periodsOfHelp == 1) {
      periodsOfHelp = 0;
      idle = 0;
    } else if (used >= 0 && 1 - used >= LEAST_IDLE) {
      periodsOfHelp = PERIODS_OF_HELP;
      idle = (int) Math.ceil(cpus * (1 - used));
    }
  }

  /** Catches exceptions, since the scheduler wouldn't call {@link #tick} again after one. */
  private double askSystem() {
    try {
      return load.getAsDouble();
    } catch (RuntimeException e) {
      return -1;
    }
  }

  /** Returns the number of processors for helpers; 0 while measuring, or if the load is unknown. */
  int get() {
    return idle;
  }
}
