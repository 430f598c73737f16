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
package org.apache.hadoop.hbase.regionserver.wal;

import static org.junit.Assert.assertEquals;

import java.util.Comparator;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * Whether a sync is to reach the disks. AsyncFSWAL compares with syncs that it makes for that, and
 * counts those of the same transactions, at both ends, or not, by chance.
 */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestForcedSyncs {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestForcedSyncs.class);

  private static final int SETS = 100_000;
  private static final int MOST_TXID = 12;

  @Rule
  public final RandomSeed seed = new RandomSeed();

  /** As AsyncFSWAL finds out, for one of the ways in which the ends may be counted. */
  private static boolean isForced(NavigableSet<SyncFuture> pending, long first, long last,
    boolean countFirst, boolean countBehindLast, boolean otherwise) {
    boolean empty = true;
    for (SyncFuture future : pending) {
      long txid = future.getTxid();
      if (
        txid > first && txid <= last || countFirst && txid == first
          || countBehindLast && txid == last + 1
      ) {
        if (future.isForceSync()) {
          return true;
        }
        empty = false;
      }
    }
    return empty && otherwise;
  }

  @Test
  public void itIsForcedIfItIsInAnyWayOfCounting() {
    Random random = seed.newRandom();
    for (int i = 0; i < SETS; i++) {
      NavigableSet<SyncFuture> pending = new TreeSet<>(
        Comparator.comparingLong(SyncFuture::getTxid).thenComparingInt(System::identityHashCode));
      for (int j = random.nextInt(8); j > 0; j--) {
        pending.add(new SyncFuture().reset(random.nextInt(MOST_TXID), random.nextInt(4) == 0));
      }
      long first = random.nextInt(MOST_TXID);
      long last = first + random.nextInt(3);
      boolean otherwise = random.nextBoolean();
      boolean expected = false;
      for (int ends = 0; ends < 4; ends++) {
        expected |= isForced(pending, first, last, (ends & 1) > 0, ends > 1, otherwise);
      }
      assertEquals(expected, ForcedSyncs.any(pending, first, last, otherwise));
    }
  }
}
