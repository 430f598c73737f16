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
package org.apache.hadoop.hbase.regionserver.wal;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseCommonTestingUtility;
import org.apache.hadoop.hbase.Server;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.MockServer;
import org.apache.hadoop.hbase.wal.AbstractFSWALProvider;
import org.apache.hadoop.hbase.wal.RegionGroupingProvider;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/**
 * WALs of a server whose directory the master has renamed. On 2.6.4 each of these was opened, in a
 * directory made anew.
 */
@RunWith(Parameterized.class)
@Category({ RegionServerTests.class, SmallTests.class })
public class TestWALDirectory {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestWALDirectory.class);

  private static final RegionInfo REGION =
    RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();
  private static final RegionInfo OTHER_REGION =
    RegionInfoBuilder.newBuilder(TableName.valueOf("u")).build();
  private static final RegionInfo META = RegionInfoBuilder.FIRST_META_REGIONINFO;

  private final HBaseCommonTestingUtility util = new HBaseCommonTestingUtility();
  private final String provider;
  private Server server;
  private FileSystem fs;
  private Path directory;
  private WALFactory wals;

  @Parameterized.Parameters(name = "{0}")
  public static List<String> providers() {
    return Arrays.asList("asyncfs", "filesystem");
  }

  public TestWALDirectory(String provider) {
    this.provider = provider;
  }

  @Before
  public void configure() throws IOException {
    Configuration conf = util.getConfiguration();
    // The local file system doesn't keep what it writes as HDFS does.
    conf.setBoolean(CommonFSUtils.UNSAFE_STREAM_CAPABILITY_ENFORCE, false);
    CommonFSUtils.setRootDir(conf, util.getDataTestDir());
    conf.set(WALFactory.WAL_PROVIDER, provider);
    server = new MockServer(null, false);
    fs = CommonFSUtils.getWALFileSystem(conf);
    directory = new Path(CommonFSUtils.getWALRootDir(conf),
      AbstractFSWALProvider.getWALDirectoryName(server.getServerName().toString()));
  }

  @After
  public void cleanUp() throws IOException {
    if (wals != null) {
      wals.shutdown();
    }
    util.cleanupTestDir();
  }

  @Test
  public void aServerOpensWALsInTheDirectoryThatItMade() throws IOException {
    startServer();
    assertNotNull(wals.getWAL(REGION));
    assertNotNull(wals.getWAL(META));
    assertEquals(2, fs.listStatus(directory).length);
  }

  @Test
  public void aServerWhoseDirectoryIsBeingSplitOpensNoFirstWAL() throws IOException {
    startServer();
    Path splitting = renameAsForSplitting();
    assertNoWALIsOpened(REGION);
    assertEquals(0, fs.listStatus(splitting).length);
  }

  @Test
  public void aServerWhoseDirectoryIsBeingSplitOpensNoWALForMeta() throws IOException {
    startServer();
    wals.getWAL(REGION);
    renameAsForSplitting();
    assertNoWALIsOpened(META);
    assertNoWALIsOpened(META);
  }

  @Test
  public void aServerWhoseDirectoryWasSplitOpensNoWALForMeta() throws IOException {
    startServer();
    wals.getWAL(REGION);
    assertTrue(fs.delete(renameAsForSplitting(), true));
    assertNoWALIsOpened(META);
  }

  @Test
  public void aServerWhoseDirectoryIsBeingSplitOpensNoWALOfAnotherGroup() throws IOException {
    Configuration conf = util.getConfiguration();
    conf.set(WALFactory.WAL_PROVIDER, "multiwal");
    conf.set(RegionGroupingProvider.DELEGATE_PROVIDER, provider);
    conf.set(RegionGroupingProvider.REGION_GROUPING_STRATEGY, "identity");
    startServer();
    assertNotNull(wals.getWAL(REGION));
    renameAsForSplitting();
    assertNoWALIsOpened(OTHER_REGION);
    assertNoWALIsOpened(OTHER_REGION);
    assertNoWALIsOpened(META);
  }

  @Test
  public void aWALWithoutAServerMakesItsDirectory() throws IOException {
    wals = new WALFactory(util.getConfiguration(), directory.getName());
    wals.getWAL(REGION);
    assertEquals(1, fs.listStatus(directory).length);
  }

  @Test
  public void aWALThatIsNotInTheServersDirectoryMakesItsOwn() throws IOException {
    wals = new WALFactory(util.getConfiguration(), "backup", server);
    wals.getWAL(REGION);
    assertEquals(1, fs.listStatus(new Path(directory.getParent(), "backup")).length);
    assertFalse(fs.exists(directory));
  }

  private void startServer() throws IOException {
    assertTrue(fs.mkdirs(directory));
    wals = new WALFactory(util.getConfiguration(), directory.getName(), server);
  }

  private Path renameAsForSplitting() throws IOException {
    Path splitting = directory.suffix(AbstractFSWALProvider.SPLITTING_EXT);
    assertTrue(fs.rename(directory, splitting));
    return splitting;
  }

  private void assertNoWALIsOpened(RegionInfo region) throws IOException {
    IOException e = assertThrows(IOException.class, () -> wals.getWAL(region));
    assertTrue(e.toString(), e.getMessage().contains(directory.getName()));
    assertFalse(fs.exists(directory));
  }
}
