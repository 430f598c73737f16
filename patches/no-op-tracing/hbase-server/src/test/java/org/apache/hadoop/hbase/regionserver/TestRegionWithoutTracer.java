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
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.AllocationMeter;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.trace.UnrecognizedOpenTelemetry;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Without a tracer a region makes no spans for its operations. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestRegionWithoutTracer {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRegionWithoutTracer.class);

  private static final Logger LOG = LoggerFactory.getLogger(TestRegionWithoutTracer.class);
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int OPERATIONS = 5_000;

  private final HBaseTestingUtility util = new HBaseTestingUtility();
  private final AllocationMeter meter = new AllocationMeter();
  private HRegion region;

  @Before
  public void setUp() throws IOException {
    region = util.createLocalHRegion(TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
      .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)).build(), null, null);
    region.put(new Put(ROW).addColumn(FAMILY, ROW, ROW));
  }

  @After
  public void tearDown() throws IOException {
    UnrecognizedOpenTelemetry.unset();
    HBaseTestingUtility.closeRegionAndWAL(region);
    util.cleanupTestDir();
  }

  @Test
  public void spanOfARegionIsNotAllocated() throws Exception {
    UnrecognizedOpenTelemetry.set();
    long before = spanBytes();
    UnrecognizedOpenTelemetry.unset();
    long after = spanBytes();
    LOG.info("A span of a region allocates {} bytes, {} with a tracer", after, before);
    assertEquals(0, after);
    assertTrue(before + " bytes with a tracer", before > 0);
  }

  private long spanBytes() throws Exception {
    return meter.bytesPerOperation(OPERATIONS, () -> region.createRegionSpan("span").end());
  }

  @Test
  public void getAllocatesLess() throws Exception {
    UnrecognizedOpenTelemetry.set();
    long before = getBytes();
    UnrecognizedOpenTelemetry.unset();
    long after = getBytes();
    LOG.info("A get of a region allocates {} bytes, {} with a tracer", after, before);
    assertTrue(after + " bytes, " + before + " with a tracer", after < before - 200);
  }

  private long getBytes() throws Exception {
    return meter.bytesPerOperation(OPERATIONS, () -> region.get(new Get(ROW)));
  }
}
