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

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.MultiVersionConcurrencyControl;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.ScopeType;

/** Keys of a log's entries, as they are written and as their messages are. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestWALKeyOutput {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestWALKeyOutput.class);

  private static final int KEYS = 20_000;
  private static final byte[] REGION = Bytes.toBytes("0123456789abcdef0123456789abcdef");
  private static final TableName TABLE = TableName.valueOf("n", "t");
  private static final WALCellCodec.ByteStringCompressor PLAIN = WALCellCodec.getNoneCompressor();

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private final WALKeyOutput output = new WALKeyOutput();

  private static WALKeyImpl key(byte[] region, long sequence, long time, List<UUID> clusters,
    long nonceGroup, long nonce, NavigableMap<byte[], Integer> scopes) {
    return new WALKeyImpl(region, TABLE, sequence, time, clusters, nonceGroup, nonce,
      new MultiVersionConcurrencyControl(), scopes);
  }

  private static byte[] asMessage(WALKeyImpl key, int cells) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    key.getBuilder(PLAIN).setFollowingKvCount(cells).build().writeDelimitedTo(bytes);
    return bytes.toByteArray();
  }

  private void assertWrittenAsItsMessage(WALKeyImpl key, int cells) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    assertTrue(output.write(key, cells, PLAIN, bytes));
    assertArrayEquals(asMessage(key, cells), bytes.toByteArray());
  }

  private void assertNotWritten(WALKeyImpl key, WALCellCodec.ByteStringCompressor compressor)
    throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    assertFalse(output.write(key, 1, compressor, bytes));
    assertEquals(0, bytes.size());
  }

  private static long number(Random random) {
    return random.nextInt(4) == 0 ? 0 : random.nextLong() >>> random.nextInt(64);
  }

  @Test
  public void randomKeysAreWrittenAsTheirMessages() throws Exception {
    Random random = seed.newRandom();
    for (int i = 0; i < KEYS; i++) {
      byte[] region = new byte[random.nextInt(40)];
      random.nextBytes(region);
      NavigableMap<byte[], Integer> scopes = null;
      if (random.nextBoolean()) {
        scopes = new TreeMap<>(Bytes.BYTES_COMPARATOR);
        for (int j = random.nextInt(4); j > 0; j--) {
          byte[] family = new byte[random.nextInt(random.nextInt(20) == 0 ? 5000 : 10)];
          random.nextBytes(family);
          scopes.put(family, random.nextInt(ScopeType.values().length));
        }
      }
      WALKeyImpl key = key(region, number(random), number(random), Collections.emptyList(),
        number(random), number(random), scopes);
      assertWrittenAsItsMessage(key, random.nextInt() >>> random.nextInt(32));
    }
  }

  @Test
  public void keysOfRecoveredEditsAreWrittenAsTheirMessages() throws Exception {
    for (long original : new long[] { -1, 0, 5, Long.MAX_VALUE }) {
      WALKeyImpl key = key(REGION, 3, 1, Collections.emptyList(), 0, 0, null);
      key.setOrigLogSeqNum(original);
      assertWrittenAsItsMessage(key, 1);
    }
  }

  @Test
  public void whatOnlyMessagesHaveIsLeftToThem() throws Exception {
    NavigableMap<byte[], Integer> scopes = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    List<UUID> none = Collections.emptyList();
    WALKeyImpl plain = key(REGION, 5, 1, none, 0, 0, scopes);
    assertWrittenAsItsMessage(plain, 1);
    assertNotWritten(plain, (bytes, index) -> null);
    assertNotWritten(key(REGION, 5, 1, Collections.singletonList(new UUID(1, 2)), 0, 0, scopes),
      PLAIN);
    WALKeyImpl withAttribute = key(REGION, 5, 1, none, 0, 0, scopes);
    withAttribute.addExtendedAttribute("a", REGION);
    assertNotWritten(withAttribute, PLAIN);
    assertNotWritten(new WALKeyImpl(REGION, TABLE, 1) {
    }, PLAIN);
    scopes.put(REGION, 17);
    assertNotWritten(plain, PLAIN);
  }
}
