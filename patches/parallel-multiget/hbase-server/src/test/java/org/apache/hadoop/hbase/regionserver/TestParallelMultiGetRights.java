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
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.MultiGetTestCall.Answer;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.PermissionStorage;
import org.apache.hadoop.hbase.security.access.SecureTestUtil;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.security.visibility.VisibilityClient;
import org.apache.hadoop.hbase.security.visibility.VisibilityConstants;
import org.apache.hadoop.hbase.security.visibility.VisibilityLabelsCache;
import org.apache.hadoop.hbase.security.visibility.VisibilityTestUtil;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.metrics2.lib.MutableFastCounter;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;

/** A get is served with the rights of the user who sent it, on any thread. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestParallelMultiGetRights {
  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestParallelMultiGetRights.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] OPEN = Bytes.toBytes("open");
  private static final byte[] SECRET = Bytes.toBytes("secret");
  private static final int ROWS = 20;
  private static final int HANDLERS = 8;
  private static final int REQUESTS_PER_HANDLER = 1250;
  private static final int TIMEOUT_MS = 120_000;
  private static final TableName[] TABLES =
    { TableName.valueOf("t0"), TableName.valueOf("t1"), TableName.valueOf("t2") };
  private static final String[] USERS = { "none", "zero", "zero-secret", "one", "all-secret" };
  /** The tables that each user may read. */
  private static final boolean[][] MAY_READ = { { false, false, false }, { true, false, false },
    { true, false, false }, { false, true, false }, { true, true, true } };

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private static HRegionServer server;
  private static User[] users;

  @BeforeClass
  public static void startCluster() throws Throwable {
    Configuration conf = UTIL.getConfiguration();
    SecureTestUtil.enableSecurity(conf);
    VisibilityTestUtil.enableVisiblityLabels(conf);
    conf.setBoolean("hbase.regionserver.multiget.parallel.enabled", true);
    conf.setInt("hbase.regionserver.multiget.parallel.threads", 4);
    System.setProperty(ParallelMultiGetSettings.SPREAD_ALL_PROPERTY, "true");
    // On the local file system: no test here is about HDFS.
    UTIL.startMiniZKCluster();
    UTIL.startMiniHBaseCluster();
    UTIL.waitTableEnabled(PermissionStorage.ACL_TABLE_NAME, TIMEOUT_MS);
    UTIL.waitTableEnabled(VisibilityConstants.LABELS_TABLE_NAME, TIMEOUT_MS);
    server = UTIL.getMiniHBaseCluster().getRegionServer(0);
    users = new User[USERS.length];
    for (int i = 0; i < USERS.length; i++) {
      users[i] = User.createUserForTesting(conf, USERS[i], new String[0]);
    }
    VisibilityClient.addLabels(UTIL.getConnection(), new String[] { "secret" });
    UTIL.waitLabelAvailable(TIMEOUT_MS, "secret");
    for (TableName name : TABLES) {
      UTIL.createTable(name, F, new byte[][] { row(ROWS / 2) }).close();
    }
    for (int user = 0; user < USERS.length; user++) {
      for (int table = 0; table < TABLES.length; table++) {
        if (MAY_READ[user][table]) {
          grant(user, table);
        }
      }
      if (USERS[user].endsWith("secret")) {
        mayReadSecrets(USERS[user]);
      }
    }
    mayReadSecrets(User.getCurrent().getShortName());
    for (TableName name : TABLES) {
      try (Table table = UTIL.getConnection().getTable(name)) {
        for (int i = 0; i < ROWS; i++) {
          table.put(new Put(row(i)).addColumn(F, OPEN, value(name, i)));
          Put secret = new Put(row(i)).addColumn(F, SECRET, value(name, i));
          secret.setCellVisibility(new CellVisibility("secret"));
          table.put(secret);
        }
      }
    }
  }

  /** Not as SecureTestUtil does it, which waits in vain if a region opens meanwhile. */
  private static void grant(int user, int table) throws Exception {
    UTIL.getAdmin().grant(new UserPermission(USERS[user], Permission.newBuilder(TABLES[table])
      .withFamily(F).withActions(Permission.Action.READ).build()), false);
    UTIL.waitFor(TIMEOUT_MS, 10, () -> server.getAccessChecker().getAuthManager()
      .authorizeUserTable(users[user], TABLES[table], F, Permission.Action.READ));
  }

  private static void mayReadSecrets(String user) throws Throwable {
    VisibilityClient.setAuths(UTIL.getConnection(), new String[] { "secret" }, user);
    UTIL.waitFor(TIMEOUT_MS, 10,
      () -> VisibilityLabelsCache.get().getUserAuths(user).contains("secret"));
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    System.clearProperty(ParallelMultiGetSettings.SPREAD_ALL_PROPERTY);
    UTIL.shutdownMiniCluster();
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format("row-%03d", number));
  }

  private static byte[] value(TableName table, int row) {
    return Bytes.toBytes(table.getNameAsString() + " " + row);
  }

  private static long countHelperGets() {
    return ((MutableFastCounter) MetricsParallelMultiGet.getInstance().getMetricsRegistry()
      .get("parallelHelperGetCount")).value();
  }

  /** Returns true if the get was refused. Fails if it shows what this user may not see. */
  private static boolean isRefused(int user, int table, int row, ResultOrException one,
    Iterator<Cell> cells) {
    String message = USERS[user] + " reads " + TABLES[table] + ", row " + row;
    if (!MAY_READ[user][table]) {
      assertTrue(message, one.hasException());
      assertEquals(message, AccessDeniedException.class.getName(), one.getException().getName());
      assertTrue(message,
        one.getException().getValue().toStringUtf8().contains("'" + USERS[user] + "'"));
      return true;
    }
    assertFalse(message, one.hasException());
    boolean seesSecrets = USERS[user].endsWith("secret");
    assertEquals(message, seesSecrets ? 2 : 1, one.getResult().getAssociatedCellCount());
    assertCell(message, table, row, OPEN, cells.next());
    if (seesSecrets) {
      assertCell(message, table, row, SECRET, cells.next());
    }
    return false;
  }

  private static void assertCell(String message, int table, int row, byte[] qualifier, Cell cell) {
    assertArrayEquals(message, row(row), CellUtil.cloneRow(cell));
    assertArrayEquals(message, qualifier, CellUtil.cloneQualifier(cell));
    assertArrayEquals(message, value(TABLES[table], row), CellUtil.cloneValue(cell));
  }

  /** Returns the number of gets that were refused. */
  private static int serveRandomRequest(SplittableRandom random) throws Exception {
    int user = random.nextInt(USERS.length);
    List<int[]> gets = new ArrayList<>();
    MultiRequest.Builder request = MultiRequest.newBuilder();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      int table = random.nextInt(TABLES.length);
      List<HRegion> regions = server.getRegions(TABLES[table]);
      HRegion region = regions.get(random.nextInt(regions.size()));
      RegionAction.Builder actions = RegionAction.newBuilder()
        .setRegion(RequestConverter.buildRegionSpecifier(
          RegionSpecifier.RegionSpecifierType.REGION_NAME,
          region.getRegionInfo().getRegionName()));
      for (int j = 0; j < 8; j++) {
        int row = random.nextInt(ROWS);
        if (region.getRegionInfo().containsRow(row(row))) {
          actions.addAction(Action.newBuilder().setIndex(gets.size())
            .setGet(ProtobufUtil.toGet(new Get(row(row)))));
          gets.add(new int[] { table, row });
        }
      }
      request.addRegionAction(actions);
    }
    Answer answer =
      new MultiGetTestCall(users[user]).serve(server.getRSRpcServices(), request.build());
    Iterator<Cell> cells = answer.cells.iterator();
    int refused = 0;
    int answered = 0;
    for (RegionActionResult result : answer.response.getRegionActionResultList()) {
      for (ResultOrException one : result.getResultOrExceptionList()) {
        int[] get = gets.get(one.getIndex());
        refused += isRefused(user, get[0], get[1], one, cells) ? 1 : 0;
        answered++;
      }
    }
    assertEquals(gets.size(), answered);
    assertFalse(cells.hasNext());
    return refused;
  }

  @Test
  public void noGetIsServedWithTheRightsOfAnother() throws Exception {
    long helped = countHelperGets();
    ExecutorService handlers = Executors.newFixedThreadPool(HANDLERS);
    try {
      List<Future<Integer>> served = new ArrayList<>();
      for (int i = 0; i < HANDLERS; i++) {
        SplittableRandom random = seed.newRandom(i);
        served.add(handlers.submit(() -> {
          int refused = 0;
          for (int j = 0; j < REQUESTS_PER_HANDLER; j++) {
            refused += serveRandomRequest(random);
          }
          return refused;
        }));
      }
      for (Future<Integer> refused : served) {
        assertTrue(refused.get(TIMEOUT_MS, TimeUnit.MILLISECONDS) > 0);
      }
    } finally {
      handlers.shutdownNow();
    }
    assertTrue(countHelperGets() > helped);
  }

  @Test
  public void matrixOfUsersAndTablesIsAsGranted() throws Exception {
    for (int user = 0; user < USERS.length; user++) {
      try (Connection connection =
        ConnectionFactory.createConnection(UTIL.getConfiguration(), users[user])) {
        for (int table = 0; table < TABLES.length; table++) {
          try (Table reader = connection.getTable(TABLES[table])) {
            assertMatrix(reader, user, table);
          }
        }
      }
    }
  }

  private static void assertMatrix(Table reader, int user, int table)
    throws IOException, InterruptedException {
    String message = USERS[user] + " reads " + TABLES[table];
    List<Get> gets = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      gets.add(new Get(row(i)));
    }
    Object[] results = new Object[ROWS];
    try {
      reader.batch(gets, results);
    } catch (IOException e) {
      assertFalse(message, MAY_READ[user][table]);
    }
    for (int i = 0; i < ROWS; i++) {
      if (MAY_READ[user][table]) {
        Result result = (Result) results[i];
        assertArrayEquals(message, value(TABLES[table], i), result.getValue(F, OPEN));
        assertEquals(message, USERS[user].endsWith("secret"), result.containsColumn(F, SECRET));
      } else {
        assertEquals(message + Arrays.toString(results), AccessDeniedException.class,
          results[i].getClass());
      }
    }
  }
}
