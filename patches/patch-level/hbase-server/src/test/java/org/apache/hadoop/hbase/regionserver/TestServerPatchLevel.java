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

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;
import org.apache.commons.io.IOUtils;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.PatchLevel;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** A cluster on the patched jars serves, and tells which patches it runs with. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestServerPatchLevel {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestServerPatchLevel.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final PatchLevel LEVEL = PatchLevel.current();

  @BeforeClass
  public static void setUp() throws Exception {
    UTIL.getConfiguration().setInt(HConstants.MASTER_INFO_PORT, 0);
    UTIL.getConfiguration().setInt(HConstants.REGIONSERVER_INFO_PORT, 0);
    // On the local file system: no test here is about HDFS.
    UTIL.startMiniZKCluster();
    UTIL.startMiniHBaseCluster();
  }

  @AfterClass
  public static void tearDown() throws Exception {
    UTIL.shutdownMiniCluster();
  }

  @Test
  public void writesAreRead() throws Exception {
    byte[] family = Bytes.toBytes("f");
    byte[] row = Bytes.toBytes("row");
    try (Table table = UTIL.createTable(TableName.valueOf("t"), family)) {
      table.put(new Put(row).addColumn(family, row, row));
      UTIL.flush(table.getName());
      assertArrayEquals(row, table.get(new Get(row)).getValue(family, row));
    }
  }

  @Test
  public void jmxShowsTheLevel() throws Exception {
    MBeanServer jmx = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("Hadoop:service=HBase,name=PatchLevel");
    assertEquals(LEVEL.getVersion(), jmx.getAttribute(name, "Version"));
    assertEquals(LEVEL.getUpstreamVersion(), jmx.getAttribute(name, "UpstreamVersion"));
    assertEquals(3, ((String[]) jmx.getAttribute(name, "Jars")).length);
    assertEquals(LEVEL.getPatches().size(),
      ((TabularData) jmx.getAttribute(name, "Patches")).size());
  }

  @Test
  public void pagesShowTheLevel() throws Exception {
    String shown = LEVEL.getVersion() + " (" + LEVEL + "), revision=";
    ClusterMetrics metrics = UTIL.getAdmin().getClusterMetrics();
    String master = page(metrics.getMasterInfoPort(), "/master-status");
    assertTrue(master, master.contains(shown));
    for (ServerMetrics server : metrics.getLiveServerMetrics().values()) {
      String page = page(server.getInfoServerPort(), "/rs-status");
      assertTrue(page, page.contains(shown));
    }
  }

  private static String page(int port, String path) throws Exception {
    try (InputStream in = new URL("http://localhost:" + port + path).openStream()) {
      return IOUtils.toString(in, StandardCharsets.UTF_8);
    }
  }

  @Test
  public void theMasterKnowsTheVersionOfItsServers() throws Exception {
    assertEquals(LEVEL.getVersion(), UTIL.getAdmin().getClusterMetrics().getHBaseVersion());
    ServerName server = UTIL.getMiniHBaseCluster().getRegionServer(0).getServerName();
    assertEquals(LEVEL.getVersion(),
      UTIL.getMiniHBaseCluster().getMaster().getRegionServerVersion(server));
  }
}
