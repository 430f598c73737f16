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
package org.apache.hadoop.hbase.replication.regionserver;

import static org.junit.Assert.assertEquals;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseCommonTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.Server;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Stubs;
import org.apache.hadoop.hbase.testclassification.ReplicationTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.wal.AbstractFSWALProvider;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * Where the logs of a server that has ended are looked for by the one that replicates them instead.
 * Without the change a log in the server's own directory of old logs stays where it isn't, and the
 * tool looks for one log of several below another.
 */
@Category({ ReplicationTests.class, SmallTests.class })
public class TestRecoveredLogsOfServers {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRecoveredLogsOfServers.class);

  private static final ServerName ENDED = ServerName.valueOf("ended.example.org", 16020, 1);
  private static final ServerName NEXT = ServerName.valueOf("next.example.org", 16020, 1);
  private static final String GROUP = "ended.example.org%2C16020%2C1";
  private static final String LOG = GROUP + ".100";

  private final HBaseCommonTestingUtility util = new HBaseCommonTestingUtility();
  private final Configuration conf = util.getConfiguration();
  private final RecoveredReplicationSource source = new RecoveredReplicationSource();
  private FileSystem fs;
  private Path root;

  @Before
  public void setUp() throws Exception {
    conf.setBoolean(AbstractFSWALProvider.SEPARATE_OLDLOGDIR, true);
    fs = FileSystem.getLocal(conf);
    root = fs.makeQualified(new Path(util.getDataTestDir().toUri().getPath()));
    conf.set(HConstants.HBASE_DIR, root.toString());
    init(Stubs.of(Server.class));
  }

  private void init(Server server) throws Exception {
    SourceOfTests.init(source, conf, fs, server, "1-" + ENDED + "-" + NEXT, null);
  }

  @After
  public void tearDown() {
    util.cleanupTestDir();
  }

  /** Returns where the log is looked for, which is then in the given directory. */
  private Path located(String directory) throws Exception {
    Path log = new Path(new Path(root, directory), LOG);
    fs.create(log).close();
    source.enqueueLog(new Path(new Path(root, HConstants.HREGION_OLDLOGDIR_NAME), LOG));
    source.locateRecoveredPaths(GROUP);
    return source.logQueue.getQueue(GROUP).peek();
  }

  private void isFoundIn(String directory) throws Exception {
    assertEquals(new Path(new Path(root, directory), LOG), located(directory));
  }

  @Test
  public void isFoundAmongTheOldLogsOfItsServer() throws Exception {
    isFoundIn(AbstractFSWALProvider.getWALArchiveDirectoryName(conf, ENDED.getServerName()));
  }

  @Test
  public void isFoundAmongTheOldLogsOfTheServerThatHadTheQueueBefore() throws Exception {
    isFoundIn(AbstractFSWALProvider.getWALArchiveDirectoryName(conf, NEXT.getServerName()));
  }

  @Test
  public void isFoundAmongTheOldLogsOfAllServers() throws Exception {
    isFoundIn(HConstants.HREGION_OLDLOGDIR_NAME);
  }

  @Test
  public void isFoundWhereItIsSplit() throws Exception {
    isFoundIn(AbstractFSWALProvider.getWALDirectoryName(ENDED.getServerName())
      + AbstractFSWALProvider.SPLITTING_EXT);
  }

  @Test
  public void isFoundAmongTheOldLogsOfItsServerByTheToolForClustersThatAreDown() throws Exception {
    init(new ReplicationSyncUp().new DummyServer("down.example.org"));
    isFoundIn(AbstractFSWALProvider.getWALArchiveDirectoryName(conf, ENDED.getServerName()));
  }

  @Test
  public void eachOfSeveralIsFoundByTheToolForClustersThatAreDown() throws Exception {
    init(new ReplicationSyncUp().new DummyServer("down.example.org"));
    String directory = AbstractFSWALProvider.getWALDirectoryName(ENDED.getServerName());
    for (String other : new String[] { GROUP + ".099", GROUP + ".101" }) {
      fs.create(new Path(new Path(root, directory), other)).close();
    }
    isFoundIn(directory);
  }
}
