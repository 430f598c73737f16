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
package org.apache.hadoop.hbase.filter;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.testclassification.FilterTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * Scans with FuzzyRowFilter, above all reversed ones. Of these, each test but the last didn't end
 * on 2.6.4.
 */
@Category({ FilterTests.class, SmallTests.class })
public class TestFuzzyRowsReversed {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestFuzzyRowsReversed.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] F = Bytes.toBytes("f");
  private static final int TIMEOUT_MS = 50_000;
  /** Those at which a byte overflows, or is taken for a negative number or for none. */
  private static final byte[] BYTES = { 0, 1, 0x7f, (byte) 0x80, (byte) 0xff };
  private static final int LENGTH = 3;
  private static final byte ANY = 1;

  private HRegion region;

  @Before
  public void open() throws IOException {
    TableName table = TableName.valueOf("t");
    RegionInfo info = RegionInfoBuilder.newBuilder(table).build();
    region = HBaseTestingUtility.createRegionAndWAL(info, UTIL.getDataTestDir(),
      UTIL.getConfiguration(), TableDescriptorBuilder.newBuilder(table)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)).build());
  }

  @After
  public void close() throws IOException {
    HBaseTestingUtility.closeRegionAndWAL(region);
    UTIL.cleanupTestDir();
  }

  private void put(byte[] row) throws IOException {
    region.put(new Put(row).setDurability(Durability.SKIP_WAL).addColumn(F, F, F));
  }

  private static List<Pair<byte[], byte[]>> rules(String... rules) {
    return Arrays.stream(rules).map(TestFuzzyRowsReversed::rule).collect(Collectors.toList());
  }

  /** A byte of ? may be any. */
  private static Pair<byte[], byte[]> rule(String text) {
    byte[] key = Bytes.toBytes(text);
    byte[] mask = new byte[key.length];
    for (int i = 0; i < key.length; i++) {
      mask[i] = key[i] == '?' ? ANY : 0;
    }
    return new Pair<>(key, mask);
  }

  private List<byte[]> rows(Scan scan, List<Pair<byte[], byte[]>> rules) throws IOException {
    List<byte[]> rows = new ArrayList<>();
    List<Cell> cells = new ArrayList<>();
    scan.setFilter(new FuzzyRowFilter(rules));
    try (RegionScanner scanner = region.getScanner(scan)) {
      boolean more;
      do {
        cells.clear();
        more = scanner.next(cells);
        if (!cells.isEmpty()) {
          rows.add(CellUtil.cloneRow(cells.get(0)));
        }
      } while (more);
    }
    return rows;
  }

  private static List<String> strings(List<byte[]> rows) {
    return rows.stream().map(Bytes::toStringBinary).collect(Collectors.toList());
  }

  @Test(timeout = TIMEOUT_MS)
  public void aReversedScanEndsThoughTheHintWouldBeTheRowThatItIsAt() throws IOException {
    for (String row : Arrays.asList("kzl", "kyl", "kxk", "kaa")) {
      put(Bytes.toBytes(row));
    }
    Scan scan = new Scan().setReversed(true);
    assertEquals(Arrays.asList("kxk"), strings(rows(scan, rules("k?k"))));
    scan = new Scan().setReversed(true).withStartRow(Bytes.toBytes("kyl"));
    assertEquals(Arrays.asList("kxk"), strings(rows(scan, rules("k?k"))));
  }

  @Test(timeout = TIMEOUT_MS)
  public void rowsOfAllRulesAreFoundReversed() throws IOException {
    for (String row : Arrays.asList("aab", "bab", "bbb", "bbc", "cbb", "cbc", "ddd")) {
      put(Bytes.toBytes(row));
    }
    assertEquals(Arrays.asList("ddd", "cbb", "bbb", "aab"),
      strings(rows(new Scan().setReversed(true), rules("?bb", "d?d", "aa?"))));
  }

  @Test(timeout = TIMEOUT_MS)
  public void rowsThatFitAreFoundReversed() throws IOException {
    assertAllRules(true);
  }

  @Test(timeout = TIMEOUT_MS)
  public void rowsThatFitAreFound() throws IOException {
    assertAllRules(false);
  }

  /** All rows of three bytes, with every rule of three. */
  private void assertAllRules(boolean reversed) throws IOException {
    List<byte[]> all = all();
    for (byte[] row : all) {
      put(row);
    }
    if (reversed) {
      Collections.reverse(all);
    }
    for (byte[] key : all) {
      for (int fixed = 0; fixed < 1 << LENGTH; fixed++) {
        byte[] mask = new byte[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
          mask[i] = (fixed & 1 << i) == 0 ? ANY : 0;
        }
        List<byte[]> fitting =
          all.stream().filter(row -> fits(row, key, mask)).collect(Collectors.toList());
        assertEquals(Bytes.toStringBinary(key) + " " + Bytes.toStringBinary(mask), strings(fitting),
          strings(rows(new Scan().setReversed(reversed),
            Collections.singletonList(new Pair<>(key, mask)))));
      }
    }
  }

  private static boolean fits(byte[] row, byte[] key, byte[] mask) {
    for (int i = 0; i < LENGTH; i++) {
      if (mask[i] != ANY && row[i] != key[i]) {
        return false;
      }
    }
    return true;
  }

  private static List<byte[]> all() {
    List<byte[]> all = new ArrayList<>();
    for (byte first : BYTES) {
      for (byte second : BYTES) {
        for (byte third : BYTES) {
          all.add(new byte[] { first, second, third });
        }
      }
    }
    return all;
  }
}
