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
package org.apache.hadoop.hbase.master.snapshot;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.snapshot.SnapshotCreationException;
import org.apache.hadoop.hbase.testclassification.MasterTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * Snapshots with a coprocessor that looks at the table's descriptor. Without the change the master
 * aborts at the snapshot of a table that isn't there.
 */
@Category({ MasterTests.class, MediumTests.class })
public class TestSnapshotOfNoTable {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestSnapshotOfNoTable.class);

  private static final List<String> SEEN = new CopyOnWriteArrayList<>();

  /** Notes the tables of which snapshots are taken. */
  public static final class Observer implements MasterCoprocessor, MasterObserver {
    @Override
    public Optional<MasterObserver> getMasterObserver() {
      return Optional.of(this);
    }

    @Override
    public void preSnapshot(ObserverContext<MasterCoprocessorEnvironment> context,
      SnapshotDescription snapshot, TableDescriptor table) {
      SEEN.add(table.getTableName().getNameAsString());
    }
  }

  private final HBaseTestingUtility util = new HBaseTestingUtility();

  @Before
  public void setUp() throws Exception {
    util.getConfiguration().set(CoprocessorHost.MASTER_COPROCESSOR_CONF_KEY,
      Observer.class.getName());
    // the client would try again for minutes at a master that has aborted
    util.getConfiguration().setInt("hbase.client.retries.number", 2);
    util.startMiniCluster(StartMiniClusterOption.builder().build());
  }

  @After
  public void tearDown() throws Exception {
    util.shutdownMiniCluster();
  }

  @Test
  public void aSnapshotOfATableThatIsNotThereIsRefused() throws Exception {
    Admin admin = util.getAdmin();
    assertThrows(SnapshotCreationException.class,
      () -> admin.snapshot("none", TableName.valueOf("missing")));
    assertNotNull("The master has ended", util.getMiniHBaseCluster().getMaster());

    TableName table = TableName.valueOf("t");
    util.createTable(table, Bytes.toBytes("f")).close();
    admin.snapshot("one", table);
    assertEquals(Arrays.asList("t"), SEEN);
  }
}
