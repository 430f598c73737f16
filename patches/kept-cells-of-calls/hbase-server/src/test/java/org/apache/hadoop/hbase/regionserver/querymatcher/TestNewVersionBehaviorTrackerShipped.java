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
package org.apache.hadoop.hbase.regionserver.querymatcher;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.regionserver.ReusedMemory;
import org.apache.hadoop.hbase.regionserver.querymatcher.DeleteTracker.DeleteResult;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** A delete of a column holds in later calls, when the delete's memory is another's. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestNewVersionBehaviorTrackerShipped {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestNewVersionBehaviorTrackerShipped.class);

  private static final byte[] NAME = Bytes.toBytes("n");

  private static KeyValue cellOf(KeyValue.Type type, long timestamp, long sequenceId) {
    KeyValue cell = new KeyValue(NAME, NAME, NAME, timestamp, type);
    cell.setSequenceId(sequenceId);
    return cell;
  }

  private static void deleteHolds(ReusedMemory memory) throws IOException {
    NewVersionBehaviorTracker tracker =
      new NewVersionBehaviorTracker(null, CellComparatorImpl.COMPARATOR, 0, 3, 3, 0);
    tracker.add(memory.add(cellOf(KeyValue.Type.DeleteColumn, 10, 10)));
    tracker.beforeShipped();
    memory.reuse();
    assertEquals(DeleteResult.COLUMN_DELETED,
      tracker.isDeleted(cellOf(KeyValue.Type.Put, 5, 5)));
  }

  @Test
  public void afterAChunkOfTheMemStoreIsReused() throws IOException {
    deleteHolds(ReusedMemory.onHeap());
  }

  @Test
  public void afterABlockIsReleased() throws IOException {
    deleteHolds(ReusedMemory.offHeap());
  }

  @Test
  public void beforeTheFirstCell() throws IOException {
    new NewVersionBehaviorTracker(null, CellComparatorImpl.COMPARATOR, 0, 3, 3, 0).beforeShipped();
  }
}
