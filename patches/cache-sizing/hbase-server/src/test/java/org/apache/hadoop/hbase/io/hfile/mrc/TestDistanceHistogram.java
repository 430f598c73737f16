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
import static org.junit.Assert.assertTrue;

import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ IOTests.class, SmallTests.class })
public class TestDistanceHistogram {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestDistanceHistogram.class);

  private static final double DELTA = 1e-6;

  private final DistanceHistogram histogram = new DistanceHistogram(5);

  @Test
  public void countsWhatIsWithinASize() {
    histogram.add(1 << 20, 3);
    histogram.add(1 << 30, 4);
    assertEquals(7, histogram.total(), DELTA);
    assertEquals(0, histogram.within(1 << 19), DELTA);
    assertEquals(3, histogram.within(1 << 21), DELTA);
    assertEquals(7, histogram.within(1L << 31), DELTA);
  }

  @Test
  public void isAsFineAtAnySize() {
    for (double size = 5_000; size < 1e15; size *= 1.7) {
      DistanceHistogram one = new DistanceHistogram(5);
      one.add(size, 1);
      assertEquals("within " + size, 0, one.within(size / 1.04), DELTA);
      assertEquals("within " + size, 1, one.within(size * 1.04), DELTA);
      assertEquals(size, one.bytesFor(1), size * 0.04);
    }
  }

  @Test
  public void nothingIsWithinNothing() {
    histogram.add(1, 5);
    assertEquals(0, histogram.within(0), DELTA);
  }

  @Test
  public void tellsTheBytesForAPart() {
    for (int i = 1; i <= 1000; i++) {
      histogram.add(i * 1e6, 1);
    }
    assertEquals(900e6, histogram.bytesFor(900), 900e6 * 0.04);
    assertTrue(Double.isInfinite(histogram.bytesFor(1001)));
  }

  @Test
  public void decays() {
    histogram.add(1 << 20, 8);
    histogram.scale(0.25);
    assertEquals(2, histogram.total(), DELTA);
    assertEquals(2, histogram.within(1 << 21), DELTA);
  }
}
