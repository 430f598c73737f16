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

import java.util.List;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.regionserver.ChunkCreator.ChunkType;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Chunks of a flushed memstore aren't reused under cells of a coprocessor's scanner. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestCoprocessorCellsInMemStore extends CoprocessorCellsTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCoprocessorCellsInMemStore.class);

  @Override
  float pooledChunks() {
    return 1;
  }

  private static int freeChunks() {
    return ChunkCreator.getInstance().getPoolSize(ChunkType.DATA_CHUNK);
  }

  /** Flushes, then writes other values where the first ones were, if their chunk is free. */
  private void reuseChunks() throws Exception {
    region.flush(true);
    for (int i = 0; i < 50; i++) {
      put(OTHER_FAMILY, (byte) 'g');
    }
  }

  @Test
  public void areOthersAfterCloseWithoutThis() throws Exception {
    start(true);
    put(FAMILY, (byte) 'f');
    beginCall();
    List<Seen> seen = readAndClose(FAMILY, 0, ROWS);
    reuseChunks();
    assertFalse(areValid(seen));
  }

  @Test
  public void areValidUntilTheCallIsAnswered() throws Exception {
    hold(0); // bytes of blocks
    start(true);
    put(FAMILY, (byte) 'f');
    beginCall();
    List<Seen> seen = readAndClose(FAMILY, 0, ROWS);
    readAndClose(FAMILY, 0, ROWS);
    reuseChunks();
    assertTrue(areValid(seen));
    int free = freeChunks();
    endCall();
    assertTrue("its chunk is free", freeChunks() > free);
  }

  @Test
  public void areValidWithoutACall() throws Exception {
    hold(0);
    start(true);
    put(FAMILY, (byte) 'f');
    List<Seen> seen = readAndClose(FAMILY, 0, ROWS);
    reuseChunks();
    assertTrue(areValid(seen));
  }
}
