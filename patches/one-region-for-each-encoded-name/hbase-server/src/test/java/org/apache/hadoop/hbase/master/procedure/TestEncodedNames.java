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
package org.apache.hadoop.hbase.master.procedure;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.Stubs;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.master.assignment.EncodedNames;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.testclassification.MasterTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.CreateTableState;

/**
 * Regions that have one encoded name, as if their names had one MD5. Without the change a table
 * with two is created.
 */
@Category({ MasterTests.class, SmallTests.class })
public class TestEncodedNames {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestEncodedNames.class);

  /** A table whose regions no quota counts. */
  private static final TableDescriptor TABLE =
    TableDescriptorBuilder.newBuilder(TableName.valueOf("hbase:t"))
      .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f")).build();

  private final Configuration conf = HBaseConfiguration.create();
  private final MasterServices master = Stubs.of(MasterServices.class, "getConfiguration", conf,
    "getTableDescriptors", Stubs.of(TableDescriptors.class));
  private final AssignmentManager assignments = new AssignmentManager(master, null);

  private final class Environment extends MasterProcedureEnv {
    Environment() {
      super(master, null);
    }

    @Override
    public AssignmentManager getAssignmentManager() {
      return assignments;
    }

    @Override
    public User getRequestUser() {
      return User.createUserForTesting(conf, "user", new String[0]);
    }
  }

  private static RegionInfo region(String startKey) {
    return RegionInfoBuilder.newBuilder(TABLE.getTableName()).setStartKey(Bytes.toBytes(startKey))
      .setRegionId(1).build();
  }

  /** Returns a region that has the other's encoded name. */
  private static RegionInfo like(RegionInfo other) {
    return Stubs.of(RegionInfo.class, "getRegionName", Bytes.toBytes("hbase:t,key,1."),
      "getEncodedName", other.getEncodedName());
  }

  private CreateTableProcedure create(RegionInfo... regions) throws Exception {
    Environment environment = new Environment();
    CreateTableProcedure procedure = new CreateTableProcedure(environment, TABLE, regions);
    procedure.executeFromState(environment, CreateTableState.CREATE_TABLE_PRE_OPERATION);
    return procedure;
  }

  @Test
  public void aTableWithTwoIsNotCreated() throws Exception {
    CreateTableProcedure procedure = create(region("a"), region("b"), like(region("a")));
    assertTrue(procedure.isFailed());
    assertTrue(procedure.getException().getCause() instanceof DoNotRetryIOException);
  }

  @Test
  public void aTableWithOneThatAnotherHasIsNotCreated() throws Exception {
    assignments.getRegionStates().getOrCreateRegionStateNode(like(region("a")));
    assertTrue(create(region("a"), region("b")).isFailed());
  }

  @Test
  public void otherTablesAreCreated() throws Exception {
    assertFalse(create(region("a"), region("b")).isFailed());
    assertFalse(create().isFailed());
  }

  @Test
  public void aRegionMayBeThereAlready() throws Exception {
    assignments.getRegionStates().getOrCreateRegionStateNode(region("a"));
    EncodedNames.check(assignments.getRegionStates(), Arrays.asList(region("a"), region("b")));
    assertThrows(DoNotRetryIOException.class, () -> EncodedNames
      .check(assignments.getRegionStates(), Collections.singletonList(like(region("a")))));
  }
}
