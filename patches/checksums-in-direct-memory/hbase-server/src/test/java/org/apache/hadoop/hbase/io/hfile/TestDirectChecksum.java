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

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.util.DataChecksum;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ IOTests.class, SmallTests.class })
public class TestDirectChecksum {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestDirectChecksum.class);

  private static final int CHUNK = 1000;
  private static final int BEFORE = 33;

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private final Random random = seed.newRandom();

  private static DataChecksum.Type[] types() {
    return new DataChecksum.Type[] { DataChecksum.Type.CRC32, DataChecksum.Type.CRC32C };
  }

  private ByteBuffer data(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    ByteBuffer data = ByteBuffer.allocateDirect(BEFORE + length + BEFORE);
    data.position(BEFORE);
    data.put(bytes);
    data.position(BEFORE).limit(BEFORE + length);
    return data;
  }

  /** Returns the checksums that Hadoop computes. */
  private static ByteBuffer sums(DataChecksum.Type type, ByteBuffer data) {
    byte[] bytes = new byte[data.remaining()];
    data.duplicate().get(bytes);
    byte[] sums = new byte[(bytes.length + CHUNK - 1) / CHUNK * 4];
    DataChecksum.newDataChecksum(type, CHUNK).calculateChunkedSums(bytes, 0, bytes.length, sums, 0);
    return ByteBuffer.wrap(sums);
  }

  private static boolean verify(DataChecksum.Type type, ByteBuffer data, ByteBuffer sums) {
    return DirectChecksum.verify(type, CHUNK, data.duplicate(), sums.duplicate());
  }

  @Test
  public void findsWhatHadoopWrote() {
    for (DataChecksum.Type type : types()) {
      for (int length : new int[] { 0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK + 7 }) {
        ByteBuffer data = data(length);
        assertTrue(DirectChecksum.canVerify(type, data));
        assertTrue(type + " " + length, verify(type, data, sums(type, data)));
      }
    }
  }

  @Test
  public void findsEachFlippedBit() {
    for (DataChecksum.Type type : types()) {
      ByteBuffer data = data(3 * CHUNK + 7);
      ByteBuffer sums = sums(type, data);
      for (int at : new int[] { 0, CHUNK - 1, CHUNK, 3 * CHUNK, 3 * CHUNK + 6 }) {
        data.put(BEFORE + at, (byte) (data.get(BEFORE + at) ^ 1));
        assertFalse(type + " " + at, verify(type, data, sums));
        data.put(BEFORE + at, (byte) (data.get(BEFORE + at) ^ 1));
      }
      assertTrue(verify(type, data, sums));
      sums.put(4 * 3, (byte) ~sums.get(4 * 3));
      assertFalse("in a checksum", verify(type, data, sums));
    }
  }

  @Test
  public void leavesTheRestToHadoop() {
    assertFalse(DirectChecksum.canVerify(DataChecksum.Type.CRC32C, ByteBuffer.allocate(1)));
    assertFalse(DirectChecksum.canVerify(DataChecksum.Type.NULL, ByteBuffer.allocateDirect(1)));
  }
}
