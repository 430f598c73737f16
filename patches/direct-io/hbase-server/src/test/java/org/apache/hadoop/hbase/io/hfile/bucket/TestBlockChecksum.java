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
package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;

/** The checksum is a CRC32C of the bytes alone, with any kind of buffer and JDK. */
@Category({ IOTests.class, SmallTests.class })
public class TestBlockChecksum {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestBlockChecksum.class);

  /** The check input of the CRC's specification, and its value. */
  private static final byte[] CHECK = "123456789".getBytes(StandardCharsets.US_ASCII);
  private static final int CHECK_CRC = 0xE3069283;
  private static final ByteBuffer NO_METADATA = ByteBuffer.allocate(0);

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private final byte[] bytes = new byte[10_001];

  @Before
  public void fill() {
    seed.newRandom().nextBytes(bytes);
  }

  private static ByteBuffer direct(byte[] source, int from, int to) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(to - from);
    buffer.put(source, from, to - from).position(0);
    return buffer;
  }

  private static BucketEntry entry(int checksum) {
    BucketEntry entry = new BucketEntry(0, 1, 1, 0, false, ignored -> ByteBuffAllocator.NONE,
      ByteBuffAllocator.HEAP);
    entry.checksum = checksum;
    return entry;
  }

  private static BucketEntry entry(long offset, long cachedTime) {
    return new BucketEntry(offset, 1, 1, 0, cachedTime, false, ignored -> ByteBuffAllocator.NONE,
      ByteBuffAllocator.HEAP);
  }

  @Test
  public void ofEntriesWithTheSameSlotTheNewestStays() {
    BucketEntry[] entries = { entry(0, 1), entry(4096, 3), entry(4096, 5), entry(4096, 4),
      entry(8192, 2), entry(12288, 7), entry(12288, 6) };
    Map<BlockCacheKey, BucketEntry> blocks = new ConcurrentHashMap<>();
    for (BucketEntry entry : entries) {
      blocks.put(new BlockCacheKey("file", blocks.size()), entry);
    }
    assertEquals(3, BlockChecksum.leaveOneForEachSlot(blocks));
    assertEquals(new HashSet<>(Arrays.asList(entries[0], entries[2], entries[4], entries[5])),
      new HashSet<>(blocks.values()));
    assertEquals(0, BlockChecksum.leaveOneForEachSlot(blocks));
  }

  @Test
  public void isTheSameOnAllJdks() {
    for (boolean ofJdk : new boolean[] { true, false }) {
      for (ByteBuffer buffer : new ByteBuffer[] { ByteBuffer.wrap(CHECK),
        direct(CHECK, 0, CHECK.length) }) {
        Crc32c crc = new Crc32c(ofJdk);
        buffer.position(2).limit(3);
        crc.update(buffer, 0, CHECK.length);
        assertEquals(CHECK_CRC, crc.get());
        assertEquals(2, buffer.position());
        assertEquals(3, buffer.limit());
      }
    }
    Crc32c ofJdk = new Crc32c();
    ofJdk.update(ByteBuffer.wrap(bytes), 0, bytes.length);
    Crc32c ofHadoop = new Crc32c(false);
    ofHadoop.update(direct(bytes, 0, bytes.length), 0, bytes.length);
    assertEquals(ofJdk.get(), ofHadoop.get());
  }

  @Test
  public void dependsOnTheBytesAlone() {
    int whole = BlockChecksum.of(ByteBuff.wrap(ByteBuffer.wrap(bytes)), NO_METADATA);
    int split = bytes.length - 13;
    assertEquals(whole, BlockChecksum.of(ByteBuff.wrap(direct(bytes, 0, split)),
      ByteBuffer.wrap(bytes, split, 13)));
    ByteBuff parts = ByteBuff.wrap(new ByteBuffer[] { direct(bytes, 0, 4096),
      direct(bytes, 4096, 8192), ByteBuffer.allocate(4096) });
    parts.position(8192).put(bytes, 8192, bytes.length - 8192);
    parts.limit(bytes.length).position(0);
    assertEquals(whole, BlockChecksum.of(parts, NO_METADATA));
    assertEquals(0, parts.position());
    assertEquals(bytes.length, parts.limit());
  }

  @Test
  public void wrongBytesAreRefusedAndReleased() throws Exception {
    int checksum = BlockChecksum.of(ByteBuff.wrap(ByteBuffer.wrap(bytes)), NO_METADATA);
    ByteBuff right = ByteBuff.wrap(direct(bytes, 0, bytes.length));
    BlockChecksum.verify(entry(checksum), right);
    assertEquals(1, right.refCnt());
    for (int i = 0; i < bytes.length; i += 100) {
      ByteBuff wrong = ByteBuff.wrap(direct(bytes, 0, bytes.length));
      wrong.put(i, (byte) (bytes[i] ^ 16));
      assertThrows(BlockChecksumException.class,
        () -> BlockChecksum.verify(entry(checksum), wrong));
      assertEquals(0, wrong.refCnt());
      BlockChecksum.verify(entry(BlockChecksum.NONE), wrong);
    }
  }

  /** The CRC32C of these four bytes is 0, the value of NONE. */
  @Test
  public void isNeverNone() {
    ByteBuffer zeroCrc = ByteBuffer.allocate(4).putInt(0, 0xAB9BE09B);
    Crc32c crc = new Crc32c();
    crc.update(zeroCrc, 0, 4);
    assertEquals(0, crc.get());
    assertNotEquals(BlockChecksum.NONE, BlockChecksum.of(ByteBuff.wrap(zeroCrc), NO_METADATA));
  }

  @Test
  public void isInAnUnknownField() {
    UnknownFieldSet.Field field = UnknownFieldSet.Field.newBuilder().addFixed32(-1).build();
    assertEquals(-1, BlockChecksum
      .of(UnknownFieldSet.newBuilder().addField(BlockChecksum.FIELD_NUMBER, field).build()));
    assertEquals(BlockChecksum.NONE, BlockChecksum.of(UnknownFieldSet.getDefaultInstance()));
  }

  @Test
  public void blocksThatAreNotLoggedAreSummedUp() {
    // The first is logged, and so is the first after a while.
    List<Long> expected = Arrays.asList(2L, 1L, 0L, 0L);
    List<Long> sums = sums();
    // The thread that sums up each ten seconds may come between, which other tests have started.
    for (int i = 1; i < 3 && !sums.equals(expected); i++) {
      sums = sums();
    }
    assertEquals(expected, sums);
  }

  private static List<Long> sums() {
    while (MetricsBlockChecksums.sumUp() > 0) {
      // Left by other tests.
    }
    List<Long> sums = new ArrayList<>();
    fail(3);
    sums.add(MetricsBlockChecksums.sumUp());
    fail(1);
    sums.add(MetricsBlockChecksums.sumUp());
    sums.add(MetricsBlockChecksums.sumUp());
    fail(1);
    sums.add(MetricsBlockChecksums.sumUp());
    return sums;
  }

  private static void fail(int blocks) {
    for (int i = 0; i < blocks; i++) {
      MetricsBlockChecksums.failed(new BlockCacheKey("file", i), entry(1), null,
        new BlockChecksumException(2, 1));
    }
  }
}
