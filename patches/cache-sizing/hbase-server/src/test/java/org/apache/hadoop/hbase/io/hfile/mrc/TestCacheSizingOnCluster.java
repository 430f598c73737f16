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
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.apache.commons.io.IOUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCache;
import org.apache.hadoop.hbase.io.hfile.bucket.TiersValidator;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/** A server shows what its block cache would serve at other sizes. */
@Category({ IOTests.class, MediumTests.class })
public class TestCacheSizingOnCluster {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCacheSizingOnCluster.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final int ROWS = 2_000;
  private static CacheSizing sizing;
  private static int port;

  @BeforeClass
  public static void setUp() throws Exception {
    UTIL.getConfiguration().setInt(HConstants.REGIONSERVER_INFO_PORT, 0);
    UTIL.getConfiguration().setBoolean(CacheSizingSettings.ENABLED.key(), true);
    UTIL.getConfiguration().set("hbase.bucketcache.l1.ioengine", "offheap");
    UTIL.getConfiguration().set("hbase.bucketcache.l1.size", "32m");
    UTIL.getConfiguration().set("hbase.bucketcache.ioengine", "offheap");
    UTIL.getConfiguration().set("hbase.bucketcache.size", "32");
    UTIL.startMiniZKCluster();
    UTIL.startMiniHBaseCluster();
    HRegionServer server = UTIL.getMiniHBaseCluster().getRegionServer(0);
    sizing = CacheSizing.of(server.getBlockCache().get());
    port = UTIL.getAdmin().getClusterMetrics().getLiveServerMetrics().get(server.getServerName())
      .getInfoServerPort();
    try (Table table = UTIL.createTable(TableName.valueOf("orders"), FAMILY)) {
      for (int i = 0; i < ROWS; i++) {
        table.put(new Put(Bytes.toBytes(i)).addColumn(FAMILY, FAMILY, new byte[1000]));
      }
      UTIL.flush(table.getName());
      for (int i = 0; i < 2 * ROWS; i++) {
        table.get(new Get(Bytes.toBytes(i % ROWS)));
      }
    }
    sizing.drain();
    sizing.endMinute(System.currentTimeMillis());
    TiersValidator.awaitWritten((CompositeBucketCache) server.getBlockCache().get());
    sizing.countHeld();
  }

  @AfterClass
  public static void tearDown() throws Exception {
    UTIL.shutdownMiniCluster();
    // The thread ends with the server.
    UTIL.waitFor(180_000, 10, () -> threads() == 0);
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
      .filter(thread -> thread.getName().equals("CacheSizing") && thread.isAlive()).count();
  }

  private static String get(String path) throws Exception {
    try (InputStream in = new URL("http://localhost:" + port + path).openStream()) {
      return IOUtils.toString(in, StandardCharsets.UTF_8);
    }
  }

  @Test
  public void thePageHasTiersTablesAndWhatTheyHold() throws Exception {
    String page = get("/cache-sizing");
    for (
      String part : new String[] { "L1: indexes, bloom filters, and data that is read often",
        "L2: data", "<svg", "What tables need", "orders", "The last hour", "Warm-ups" }
    ) {
      assertTrue(part + " in " + page, page.contains(part));
    }
    assertFalse(page, page.contains("NaN") || page.contains("Infinity"));
  }

  @Test
  public void jsonAndJmxHaveTheSame() throws Exception {
    JsonObject json = JsonParser.parseString(get("/cache-sizing?format=json")).getAsJsonObject();
    ObjectName name =
      new ObjectName("Hadoop:service=HBase,name=RegionServer,sub=CacheSizingReport");
    for (String attribute : new String[] { "Advice", "State", "Tiers", "Tables", "Held", "Minutes",
      "Sample", "MetadataReferences", "DataReferences" }) {
      assertNotNull(attribute,
        ManagementFactory.getPlatformMBeanServer().getAttribute(name, attribute));
      assertTrue(attribute, json.has(attribute.substring(0, 1).toLowerCase()
        + attribute.substring(1)));
    }
    CompositeData[] tiers =
      (CompositeData[]) ManagementFactory.getPlatformMBeanServer().getAttribute(name, "Tiers");
    assertEquals(2, tiers.length);
    assertEquals("L1", tiers[0].get("name"));
    assertEquals(32L << 20, tiers[0].get("capacity"));
    assertEquals(21, ((CompositeData[]) tiers[0].get("curve")).length);
    assertEquals(32L << 20,
      json.getAsJsonArray("tiers").get(0).getAsJsonObject().get("capacity").getAsLong());
    assertTrue(json.has("warmUps"));
    assertTrue(get("/jmx?qry=" + name), get("/jmx?qry=" + name).contains("\"Advice\""));
    // It has none while the metrics are started anew, as after regions were opened.
    UTIL.waitFor(120_000, 10, () -> get("/prometheus").contains("cache_sizing_advice_known"));
  }

  @Test
  public void theCommandFindsTheServerAndShowsIt() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(out, true, "UTF-8");
    String server =
      UTIL.getMiniHBaseCluster().getRegionServer(0).getServerName().getServerName();
    assertEquals(out.toString("UTF-8"), 0,
      new CacheSizingTool(UTIL.getConfiguration(), stream, stream).run());
    String text = out.toString("UTF-8");
    for (
      String part : new String[] { "Block cache of " + server + "\nNot known yet",
        "L1: indexes, bloom filters, and data that is read often\n", "L2: data\n", "orders" }
    ) {
      assertTrue(part + " in " + text, text.contains(part));
    }
    assertFalse(text, text.contains("NaN") || text.contains("Infinity"));
    out.reset();
    assertEquals(0,
      new CacheSizingTool(UTIL.getConfiguration(), stream, stream).run("--json", server));
    assertEquals(server, JsonParser.parseString(out.toString("UTF-8")).getAsJsonObject()
      .getAsJsonArray("servers").get(0).getAsJsonObject().get("server").getAsString());
    assertEquals(CacheSizingTool.USAGE,
      new CacheSizingTool(UTIL.getConfiguration(), stream, stream).run("other,1,2"));
  }

  @Test
  public void aServerThatDoesNotRunHasNoThread() throws Exception {
    Configuration conf = new Configuration(UTIL.getConfiguration());
    conf.setInt(HConstants.REGIONSERVER_PORT, 0);
    HRegionServer server = new HRegionServer(conf);
    try {
      assertNotNull(CacheSizing.of(server.getBlockCache().get()));
      assertEquals("of the server that runs", 1, threads());
    } finally {
      CacheSizing.stop(server.getBlockCache().get());
      server.getBlockCache().get().shutdown();
      server.getInfoServer().stop();
      server.getRpcServer().stop();
      server.getChoreService().shutdown();
      server.getZooKeeper().close();
    }
  }

  @Test
  public void whatTiersHoldIsCountedByFamily() {
    HeldBytes held = sizing.createReport().getHeld().stream()
      .filter(bytes -> bytes.getTable().equals("orders") && bytes.getTier().equals("L2"))
      .findFirst().get();
    assertEquals("d", held.getFamily());
    assertTrue(held.getBlocks() + " blocks", held.getBlocks() >= ROWS / 65);
    assertTrue(held.getBytes() + " bytes", held.getBytes() >= ROWS * 1000L);
  }
}
