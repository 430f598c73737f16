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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.client.QueryMetrics;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;

/** Plain results with as many cells share a message, which is the one that others would have. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestCellCounts {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCellCounts.class);

  private static Result of(int cells) {
    return Result.create(new Cell[cells]);
  }

  @Test
  public void messagesAreThoseOfEachResult() {
    for (int cells = 1; cells <= 128; cells++) {
      assertEquals(ProtobufUtil.toResultNoData(of(cells)), CellCounts.toResult(of(cells)));
    }
    assertSame(CellCounts.toResult(of(7)), CellCounts.toResult(of(7)));
  }

  @Test
  public void resultsThatSayMoreHaveTheirOwn() {
    assertNull(CellCounts.toResult(of(0)));
    assertNull(CellCounts.toResult(of(129)));
    assertNull(CellCounts.toResult(Result.create(new Cell[1], null, true)));
    assertNull(CellCounts.toResult(Result.create((Cell[]) null, true, false)));
    Result withMetrics = of(1);
    withMetrics.setMetrics(new QueryMetrics(1));
    assertNull(CellCounts.toResult(withMetrics));
  }
}
