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
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.PermissionStorage;
import org.apache.hadoop.hbase.security.access.SecureTestUtil;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotPermissions;
import org.apache.hadoop.hbase.testclassification.MasterTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * Connections that the master makes for snapshots of a cluster with permissions. On 2.6.4 a
 * snapshot made two, a clone one and a restore one, beside those that grant.
 */
@Category({ MasterTests.class, MediumTests.class })
public class TestConnectionsOfSnapshots {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestConnectionsOfSnapshots.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final AtomicInteger CONNECTIONS = new AtomicInteger();
  private static final TableName TABLE = TableName.valueOf("table");
  private static final String TABLES_ON_MASTER = "hbase.balancer.tablesOnMaster";
  private static final String READER = "reader";

  /** Counts connections that are made to see whether there are permissions, or to read them. */
  static final class CountedConnection extends ConnectionImplementation {
    CountedConnection(Configuration conf, ExecutorService pool, User user,
      Map<String, byte[]> attributes) throws IOException {
      super(conf, pool, user, attributes);
      if (
        Arrays.stream(new Throwable().getStackTrace())
          .anyMatch(frame -> frame.getClassName().equals(SnapshotDescriptionUtils.class.getName()))
      ) {
        CONNECTIONS.incrementAndGet();
      }
    }
  }

  @BeforeClass
  public static void start() throws Exception {
    Configuration conf = UTIL.getConfiguration();
    conf.set(ClusterConnection.HBASE_CLIENT_CONNECTION_IMPL, CountedConnection.class.getName());
    SecureTestUtil.enableSecurity(conf);
    conf.set("hbase.superuser",
      conf.get("hbase.superuser") + "," + User.getCurrent().getShortName());
    UTIL.startMiniCluster();
    UTIL.waitTableAvailable(PermissionStorage.ACL_TABLE_NAME);
    UTIL.createTable(TABLE, "f").close();
  }

  @AfterClass
  public static void stop() throws Exception {
    UTIL.shutdownMiniCluster();
  }

  private static void grant(TableName table) throws Throwable {
    AccessControlClient.grant(UTIL.getConnection(), table, READER, null, null,
      Permission.Action.READ);
  }

  /** Returns whether {@link #READER} may read a table. */
  private static boolean mayRead(TableName table) throws Throwable {
    List<UserPermission> permissions = AccessControlClient
      .getUserPermissions(UTIL.getConnection(), table.getNameAsString(), READER);
    return permissions.stream()
      .anyMatch(p -> p.getPermission().implies(Permission.Action.READ));
  }

  @Test
  public void noConnectionIsMadeToKeepOrGiveBackPermissions() throws Throwable {
    grant(TABLE);
    Admin admin = UTIL.getAdmin();
    admin.snapshot("snapshot", TABLE);
    assertEquals(0, CONNECTIONS.get());

    TableName clone = TableName.valueOf("clone");
    admin.cloneSnapshot("snapshot", clone, true);
    assertEquals(0, CONNECTIONS.get());
    assertTrue(mayRead(clone));

    AccessControlClient.revoke(UTIL.getConnection(), TABLE, READER, null, null,
      Permission.Action.READ);
    admin.disableTable(TABLE);
    admin.restoreSnapshot("snapshot", false, true);
    assertEquals(0, CONNECTIONS.get());
    admin.enableTable(TABLE);
    assertTrue(mayRead(TABLE));
  }

  @Test
  public void aMasterThatMayHaveTablesDoesNotUseItsOwn() {
    MasterServices master = UTIL.getMiniHBaseCluster().getMaster();
    Configuration conf = master.getConfiguration();
    assertNotNull(SnapshotPermissions.connection(master));
    conf.setBoolean(TABLES_ON_MASTER, true);
    try {
      assertNull(SnapshotPermissions.connection(master));
    } finally {
      conf.unset(TABLES_ON_MASTER);
    }
  }
}
