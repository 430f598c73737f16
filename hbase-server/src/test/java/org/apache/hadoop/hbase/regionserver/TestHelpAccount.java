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

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** When {@link HelpAccount} is in debt. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestHelpAccount {
  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestHelpAccount.class);

  private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

  private final HelpAccount account = new HelpAccount();

  @Test
  public void isNotInDebtWhileHelpGains() {
    assertFalse(account.isInDebt());
    account.addHelped(10, 10);
    assertFalse(account.isInDebt());
    account.addHelped(11, 10);
    assertTrue(account.isInDebt());
  }

  @Test
  public void aHundredthOfTheTimeServedAlonePaysBack() {
    account.addHelped(4 * MILLISECOND, 0);
    account.addServedAlone(399 * MILLISECOND);
    assertTrue(account.isInDebt());
    account.addServedAlone(MILLISECOND);
    assertFalse(account.isInDebt());
  }

  @Test
  public void aLongTimeOfGainIsForgottenSoon() {
    account.addHelped(0, TimeUnit.DAYS.toNanos(1));
    account.addHelped(MILLISECOND + 1, 0);
    assertTrue(account.isInDebt());
  }

  @Test
  public void aLongPauseIsForgivenInTheEnd() {
    account.addHelped(TimeUnit.DAYS.toNanos(1), 0);
    account.addServedAlone(100 * 100 * MILLISECOND);
    assertFalse(account.isInDebt());
  }
}
