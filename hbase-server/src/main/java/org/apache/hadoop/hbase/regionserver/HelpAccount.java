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

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What help with gets served from memory cost handlers, less what it gained them. A server can't
 * see whether processors are idle, as it doesn't know what else runs on its machine; if they
 * aren't, a handler waits for a helper that waits for a processor. While this is in debt, such gets
 * have no help, and a hundredth of the time that they take pays it back: so help costs at most
 * that. Thread-safe.
 */
@InterfaceAudience.Private
final class HelpAccount {
  private static final long GREATEST_CREDIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long GREATEST_DEBT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int PAID_BACK_PART = 100;

  private final AtomicLong debtNanos = new AtomicLong();

  /** Returns True if gets served from memory are to have no help. */
  boolean isInDebt() {
    return debtNanos.get() > 0;
  }

  /**
   * Adds a request that had help.
   * @param costNanos   how long its handler invited and waited
   * @param gainedNanos how long it would have taken for what helpers served
   */
  void addHelped(long costNanos, long gainedNanos) {
    add(costNanos - gainedNanos);
  }

  /**
   * Adds a request that had no help because of the debt.
   * @param nanos how long its gets took
   */
  void addServedAlone(long nanos) {
    add(-nanos / PAID_BACK_PART);
  }

  private void add(long nanos) {
    debtNanos.accumulateAndGet(nanos, (debt, more) -> Math
      .max(-GREATEST_CREDIT_NANOS, Math.min(GREATEST_DEBT_NANOS, debt + more)));
  }
}
