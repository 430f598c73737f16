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
package org.apache.hadoop.hbase.monitoring;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import org.apache.commons.io.IOUtils;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.MiscTests;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * What the debug dumps of a master and a region server show of passwords. Without the change both
 * show them.
 */
@Category({ MiscTests.class, MediumTests.class })
public class TestPasswordsInDumps {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestPasswordsInDumps.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final String KEY = "ssl.server.keystore.keypassword";
  private static final String VALUE = "open-sesame";

  @BeforeClass
  public static void startCluster() throws Exception {
    UTIL.getConfiguration().set(KEY, VALUE);
    UTIL.getConfiguration().setInt(HConstants.MASTER_INFO_PORT, 0);
    UTIL.getConfiguration().setInt(HConstants.REGIONSERVER_INFO_PORT, 0);
    // On the local file system: no test here is about HDFS.
    UTIL.startMiniZKCluster();
    UTIL.startMiniHBaseCluster();
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    UTIL.shutdownMiniCluster();
  }

  @SuppressWarnings("deprecation") // InfoServer.getPort is for tests.
  private static void assertDumpHidesPasswords(HRegionServer server) throws IOException {
    String dump = IOUtils.toString(
      new URL("http://localhost:" + server.getInfoServer().getPort() + "/dump"),
      StandardCharsets.UTF_8);
    int conf = dump.indexOf("<name>" + KEY + "</name>");
    assertTrue("it has the configuration", conf > 0);
    assertFalse(dump.substring(conf).contains(VALUE));
    assertTrue("and what comes after it", dump.indexOf("Logs", conf) > 0);
  }

  @Test
  public void thatOfARegionServerShowsNone() throws Exception {
    assertDumpHidesPasswords(UTIL.getMiniHBaseCluster().getRegionServer(0));
  }

  @Test
  public void thatOfAMasterShowsNone() throws Exception {
    assertDumpHidesPasswords(UTIL.getMiniHBaseCluster().getMaster());
  }
}
