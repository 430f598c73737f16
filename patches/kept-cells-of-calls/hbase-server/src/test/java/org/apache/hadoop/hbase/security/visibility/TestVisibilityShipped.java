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
package org.apache.hadoop.hbase.security.visibility;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.filter.Filter.ReturnCode;
import org.apache.hadoop.hbase.regionserver.ReusedMemory;
import org.apache.hadoop.hbase.regionserver.querymatcher.DeleteTracker;
import org.apache.hadoop.hbase.regionserver.querymatcher.DeleteTracker.DeleteResult;
import org.apache.hadoop.hbase.testclassification.SecurityTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.ByteRange;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.SimpleMutableByteRange;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** A delete with a label holds in later calls, when the delete's memory is another's. */
@Category({ SecurityTests.class, SmallTests.class })
@RunWith(Parameterized.class)
public class TestVisibilityShipped {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestVisibilityShipped.class);

  private static final byte[] NAME = Bytes.toBytes("n");
  private static final long TIMESTAMP = 10;
  private static final long EARLIER = 5;

  @Parameters(name = "{0}")
  public static List<Object> places() {
    return Arrays.asList("on-heap", "off-heap");
  }

  @Parameter
  public String place;

  private ReusedMemory memory;

  @Before
  public void createService() throws IOException {
    memory = place.equals("on-heap") ? ReusedMemory.onHeap() : ReusedMemory.offHeap();
    VisibilityLabelServiceManager.getInstance()
      .getVisibilityLabelService(HBaseConfiguration.create());
  }

  private static KeyValue cellOf(KeyValue.Type type, long timestamp, long sequenceId) {
    List<Tag> tags = Arrays.asList(VisibilityUtils.SORTED_ORDINAL_SERIALIZATION_FORMAT_TAG,
      new ArrayBackedTag(TagType.VISIBILITY_TAG_TYPE, new byte[] { 3 }));
    KeyValue cell = new KeyValue(NAME, NAME, NAME, timestamp, type, NAME, tags);
    cell.setSequenceId(sequenceId);
    return cell;
  }

  /** @param timestamp of the cell that is deleted */
  private void deleteHolds(DeleteResult result, KeyValue.Type type, long timestamp,
    DeleteTracker tracker) throws IOException {
    KeyValue deleted = cellOf(KeyValue.Type.Put, timestamp, 5);
    assertEquals(DeleteResult.NOT_DELETED, tracker.isDeleted(deleted));
    tracker.reset();
    tracker.add(memory.add(cellOf(type, TIMESTAMP, 15)));
    tracker.beforeShipped();
    memory.reuse();
    assertEquals(result, tracker.isDeleted(deleted));
  }

  private static DeleteTracker tracker() {
    return new VisibilityScanDeleteTracker(CellComparatorImpl.COMPARATOR);
  }

  private static DeleteTracker newBehaviorTracker() {
    return new VisibilityNewVersionBehaivorTracker(null, CellComparatorImpl.COMPARATOR, 0, 3, 3, 0);
  }

  @Test
  public void deleteOfAFamily() throws IOException {
    deleteHolds(DeleteResult.FAMILY_VERSION_DELETED, KeyValue.Type.DeleteFamily, EARLIER,
      tracker());
  }

  @Test
  public void deleteOfAVersionOfAFamily() throws IOException {
    deleteHolds(DeleteResult.FAMILY_VERSION_DELETED, KeyValue.Type.DeleteFamilyVersion, TIMESTAMP,
      tracker());
  }

  @Test
  public void deleteOfAColumn() throws IOException {
    deleteHolds(DeleteResult.VERSION_DELETED, KeyValue.Type.DeleteColumn, EARLIER, tracker());
  }

  @Test
  public void deleteOfAVersion() throws IOException {
    deleteHolds(DeleteResult.VERSION_DELETED, KeyValue.Type.Delete, TIMESTAMP, tracker());
  }

  @Test
  public void deleteOfAColumnWithNewVersionBehavior() throws IOException {
    deleteHolds(DeleteResult.COLUMN_DELETED, KeyValue.Type.DeleteColumn, EARLIER,
      newBehaviorTracker());
  }

  @Test
  public void deleteOfAVersionWithNewVersionBehavior() throws IOException {
    deleteHolds(DeleteResult.VERSION_DELETED, KeyValue.Type.Delete, TIMESTAMP,
      newBehaviorTracker());
  }

  /** The family has one version, so the second isn't asked about. */
  @Test
  public void versionsAreCounted() throws IOException {
    ByteRange family = new SimpleMutableByteRange(NAME);
    VisibilityLabelFilter filter = new VisibilityLabelFilter(new VisibilityExpEvaluator() {
      @Override
      public boolean evaluate(Cell cell) {
        return true;
      }
    }, Collections.singletonMap(family, 1));
    filter.beforeShipped();
    Cell newer = memory.add(cellOf(KeyValue.Type.Put, TIMESTAMP, 15));
    assertEquals(ReturnCode.INCLUDE, filter.filterCell(newer));
    filter.beforeShipped();
    memory.reuse();
    assertEquals(ReturnCode.SKIP, filter.filterCell(cellOf(KeyValue.Type.Put, EARLIER, 5)));
  }
}
