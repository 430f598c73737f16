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
package org.apache.hadoop.hbase.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;

import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.IncompatibleFilterException;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Filters and batches of a scan. On 2.6.4 the first of these tests failed. */
@Category({ ClientTests.class, SmallTests.class })
public class TestFilterAfterBatch {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestFilterAfterBatch.class);

  /** PageFilter says of itself that it is one of rows. */
  private static final Filter OF_ROWS = new PageFilter(1);

  @Test
  public void aFilterOfRowsIsRefusedAfterABatch() {
    Scan scan = new Scan().setBatch(2);
    assertThrows(IncompatibleFilterException.class, () -> scan.setFilter(OF_ROWS));
    assertNull(scan.getFilter());
  }

  @Test
  public void aBatchIsRefusedAfterAFilterOfRows() {
    Scan scan = new Scan().setFilter(OF_ROWS);
    assertThrows(IncompatibleFilterException.class, () -> scan.setBatch(2));
    assertEquals(-1, scan.getBatch());
  }

  @Test
  public void otherFiltersAreTakenWithABatch() {
    Filter filter = new KeyOnlyFilter();
    assertSame(filter, new Scan().setBatch(2).setFilter(filter).getFilter());
    assertNull(new Scan().setBatch(2).setFilter(filter).setFilter(null).getFilter());
  }

  @Test
  public void aFilterOfRowsIsTakenWithoutABatch() {
    assertSame(OF_ROWS, new Scan().setFilter(OF_ROWS).getFilter());
    assertSame(OF_ROWS, new Scan().setBatch(-1).setFilter(OF_ROWS).getFilter());
  }
}
