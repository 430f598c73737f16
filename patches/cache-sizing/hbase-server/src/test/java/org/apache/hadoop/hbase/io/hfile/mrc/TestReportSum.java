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
package org.apache.hadoop.hbase.io.hfile.mrc;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ IOTests.class, SmallTests.class })
public class TestReportSum {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestReportSum.class);

  private static final double DELTA = 0.01;
  private static final long GB = 1L << 30;
  private static final SampleQuality SAMPLE = new SampleQuality(1000, 100, 6.25, 6.25, 9000, 5, 2,
    7);

  /** A tier that serves a part of metadata at any size, and of data as its size says. */
  static TierSizing tier(String name, String blocks, long capacity, double metadataPercent,
    double dataPercent, long metadata, long data) {
    List<CurvePoint> curve = new ArrayList<>();
    for (double factor : CacheSizingPage.FACTORS) {
      double ofData = Math.min(100, dataPercent * factor);
      curve.add(new CurvePoint(factor, Math.round(capacity * factor),
        CacheCurve.percent(metadataPercent * metadata + ofData * data, 100.0 * (metadata + data)),
        metadata == 0 ? -1 : metadataPercent, ofData));
    }
    return new TierSizing(name, blocks, true, capacity, capacity / 2, 0, curve);
  }

  static ServerReport server(String name, CacheAdvice.State state, long metadata, long data,
    List<TableSizing> tables, List<HeldBytes> held, List<CacheMinute> minutes,
    TierSizing... tiers) {
    return new ServerReport(name, new CacheSizingReport("Advice of " + name, state.name(),
      Arrays.asList(tiers), metadata, data, tables, held, minutes, SAMPLE),
      Collections.emptyList());
  }

  private static ServerReport server(String name, CacheAdvice.State state, long metadata,
    long data, TierSizing... tiers) {
    return server(name, state, metadata, data, Collections.emptyList(), Collections.emptyList(),
      Collections.emptyList(), tiers);
  }

  private static ServerReport small() {
    return server("small", CacheAdvice.State.KNOWN, 0, 1000,
      tier("L1", "all blocks", GB, 100, 40, 0, 1000));
  }

  private static ServerReport big() {
    return server("big", CacheAdvice.State.KNOWN, 1000, 3000,
      tier("L1", "all blocks", 4 * GB, 80, 20, 1000, 3000));
  }

  private static CurvePoint at(double factor, TierSizing tier) {
    return CacheAdvice.at(factor, tier);
  }

  @Test
  public void hitsAreAddedAtTheSameMultipleOfEachServersSize() {
    TierSizing sum = ReportSum.of(Arrays.asList(small(), big())).getTiers().get(0);
    assertEquals(5 * GB, sum.getCapacity());
    assertEquals(5 * GB / 2, sum.getUsed());
    assertEquals(10 * GB, at(2, sum).getBytes());
    // 40 % of 1,000 and 20 % of 3,000 reads of data, 80 % of 1,000 of metadata.
    assertEquals(100 * 1000.0 / 4000, at(1, sum).getDataHitPercent(), DELTA);
    assertEquals(80, at(1, sum).getMetadataHitPercent(), DELTA);
    assertEquals(100 * 1800.0 / 5000, at(1, sum).getHitPercent(), DELTA);
    assertEquals(100 * (800 + 400 * 2 + 600 * 2) / 5000.0, at(2, sum).getHitPercent(), DELTA);
  }

  @Test
  public void oneServersReportIsItsOwn() {
    ServerReport server = big();
    assertSame(server.getReport(), ReportSum.of(Collections.singletonList(server)));
  }

  @Test
  public void theSumsAdviceIsThatOfItsCurve() {
    CacheSizingReport sum = ReportSum.of(Arrays.asList(small(), big()));
    assertEquals("KNOWN", sum.getState());
    assertEquals("L1 5.0 GB: 20 GB would serve 84 % of reads from memory instead of 36 %",
      sum.getAdvice());
  }

  @Test
  public void whatAServerDoesNotKnowIsInNoCurve() {
    ServerReport cold = server("cold", CacheAdvice.State.COLD, 0, 1_000_000,
      tier("L1", "all blocks", GB, 100, 1, 0, 1_000_000));
    CacheSizingReport sum = ReportSum.of(Arrays.asList(small(), cold, big()));
    assertEquals(36, at(1, sum.getTiers().get(0)).getHitPercent(), DELTA);
    assertEquals("its size counts", 6 * GB, sum.getTiers().get(0).getCapacity());
    assertTrue(sum.getAdvice(),
      sum.getAdvice().startsWith("By 2 of 3 servers, others don't know: L1 "));
    CacheSizingReport all = ReportSum.of(Arrays.asList(cold, cold));
    assertEquals("COLD", all.getState());
    assertEquals("Not known on any of the servers", all.getAdvice());
    assertEquals(1, at(1, all.getTiers().get(0)).getHitPercent(), DELTA);
  }

  @Test
  public void serversWithoutReadsAddNoPercentage() {
    ServerReport idle =
      server("idle", CacheAdvice.State.COLD, 0, 0, tier("L1", "all blocks", GB, 0, 0, 0, 0));
    CacheSizingReport sum = ReportSum.of(Arrays.asList(idle, idle));
    assertEquals(-1, at(1, sum.getTiers().get(0)).getHitPercent(), 0);
    assertEquals(-1, sum.getTiers().get(0).getMeasuredPercent(), 0);
  }

  @Test
  public void tiersOfDifferentKindsAreNotAdded() {
    ServerReport two = server("two", CacheAdvice.State.KNOWN, 0, 1000,
      tier("L1", "indexes and bloom filters", GB, 100, 0, 0, 1000),
      tier("L2", "data", 8 * GB, 100, 90, 0, 1000));
    List<TierSizing> tiers = ReportSum.of(Arrays.asList(small(), two, two)).getTiers();
    assertEquals(Arrays.asList("L1 all blocks", "L1 indexes and bloom filters", "L2 data"), tiers
      .stream().map(tier -> tier.getName() + " " + tier.getBlocks()).collect(Collectors.toList()));
    assertEquals(GB, tiers.get(0).getCapacity());
    assertEquals(2 * GB, tiers.get(1).getCapacity());
    assertEquals(90, at(1, tiers.get(2)).getHitPercent(), DELTA);
  }

  @Test
  public void tablesFamiliesAndMinutesAreAdded() {
    long minute = TimeUnit.MINUTES.toMillis(100);
    TierSizing tier = tier("L1", "all blocks", GB, 0, 50, 0, 1000);
    ServerReport one = server("one", CacheAdvice.State.KNOWN, 0, 1000,
      Collections.singletonList(new TableSizing("t", 100, 1, 2, 3, 4, 5)),
      Arrays.asList(new HeldBytes("L1", "t", "f", 10, 100), new HeldBytes("L1", "t", "g", 1, 5)),
      Arrays.asList(new CacheMinute(minute - 60_000, 7, 7, 0, 0, 0, 0),
        new CacheMinute(minute + 1000, 10, 5, 4, 3, 2, 1)),
      tier);
    ServerReport other = server("other", CacheAdvice.State.CHANGED, 0, 3000,
      Collections.singletonList(new TableSizing("u", 100, 1, 1, 1, 1, 1)),
      Collections.singletonList(new HeldBytes("L1", "t", "f", 20, 200)),
      Collections.singletonList(new CacheMinute(minute + 59_000, 30, 10, 10, 10, 10, 10)), tier);
    ServerReport third = server("third", CacheAdvice.State.KNOWN, 0, 3000,
      Arrays.asList(new TableSizing("t", 50, 10, 20, 30, 40, -1),
        new TableSizing("v", 50, 9, 9, 9, 9, 9)),
      Collections.emptyList(), Collections.emptyList(), tier);
    CacheSizingReport sum = ReportSum.of(Arrays.asList(one, other, third));

    assertEquals(2, sum.getMinutes().size());
    CacheMinute last = sum.getMinutes().get(1);
    assertEquals(minute, last.getTime());
    assertEquals(40, last.getReferences());
    assertEquals(15, last.getL1Hits());
    assertEquals(14, last.getL2Hits());
    assertEquals(13, last.getEvictions());
    assertEquals(12, last.getPromotions());
    assertEquals(11, last.getDemotions());
    assertEquals(100.0 * 22 / 47, sum.getTiers().get(0).getMeasuredPercent(), DELTA);

    assertEquals(2, sum.getHeld().size());
    assertEquals("f", sum.getHeld().get(0).getFamily());
    assertEquals(30, sum.getHeld().get(0).getBlocks());
    assertEquals(300, sum.getHeld().get(0).getBytes());

    assertEquals("the second server doesn't know", 2, sum.getTables().size());
    TableSizing table = sum.getTables().get(0);
    assertEquals("t", table.getTable());
    assertEquals(62.5, table.getReferencePercent(), DELTA);
    assertEquals(11, table.getMetadataBytes());
    assertEquals(33, table.getBytes90());
    assertEquals(-1, table.getBytes99());
  }

  @Test
  public void theTextHasEachPartAndAlignsIt() {
    TierSizing off = new TierSizing("L1", "all blocks", false, GB, 0, -1,
      tier("L1", "all blocks", GB, 0, 0, 0, 1).getCurve());
    List<ServerReport> servers =
      Arrays.asList(small(), server("broken", CacheAdvice.State.COLD, 0, 0, off));
    String text = new ReportText(servers, ReportSum.of(servers)).toString();
    assertFalse(text, text.contains("NaN") || text.contains(" \n"));
    text = text.replaceAll(" +", " ");
    for (
      String part : new String[] { "Block cache of 2 servers\nBy 1 of 2 servers",
        "\n small 0 0.0 % 0.0 % KNOWN Advice of small\n",
        "\nL1: all blocks\n512 MB of 2.0 GB used", "Off, after errors of its device: broken\n",
        "on each server\n", "\n 1 x 2.0 GB 40.0 % - 40.0 %\n",
        "No reads yet", "Nothing yet", "first minute", "None is running" }
    ) {
      assertTrue(part + " in\n" + text, text.contains(part));
    }
  }
}
