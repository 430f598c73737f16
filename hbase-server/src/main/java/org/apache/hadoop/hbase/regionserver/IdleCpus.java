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
 * Which processors the server leaves idle when it doesn't use them for help. Its own threads don't
 * tell: a client beside it, the kernel or another JVM may have what they leave. The system's count
 * tells, but not while helpers are part of it. So nobody gets help while this looks, a period long;
 * if processors were idle then, there may be help for some periods, and then this looks again.
 * While too few are idle it goes on looking, so that a busy server pays nothing. Thread-safe, but
 * for {@link #tick}.
 */
@InterfaceAudience.Private
final class IdleCpus {
  /** How often to call {@link #tick}. */
  static final int PERIOD_MILLIS = 200;

  private static final int PERIODS_OF_HELP = 10;

  /** Share of the processors that must be idle: help takes more of them than what it replaces. */
  private static final double LEAST_IDLE = 0.25;

  private final int cpus;
  private final DoubleSupplier load;
  private int periodsOfHelp;
  private volatile int idle;

  /**
   * @param cpus processors that the JVM may use
   * @param load share of the processors' time that was used since the last call, negative if the
   *             system doesn't tell
   */
  IdleCpus(int cpus, DoubleSupplier load) {
    this.cpus = cpus;
    this.load = load;
  }

  /** A period is over; for one thread. */
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

  /** Whoever calls {@link #tick} would do so no more after an exception. */
  private double askSystem() {
    try {
      return load.getAsDouble();
    } catch (RuntimeException e) {
      return -1;
    }
  }

  /** Returns How many may be used for help; 0 while this looks, or if the system doesn't tell. */
  int get() {
    return idle;
  }
}
