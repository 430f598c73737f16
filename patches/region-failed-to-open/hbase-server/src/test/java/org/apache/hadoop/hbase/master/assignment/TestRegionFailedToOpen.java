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
package org.apache.hadoop.hbase.master.assignment;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Stubs;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionState.State;
import org.apache.hadoop.hbase.procedure2.ProcedureStateSerializer;
import org.apache.hadoop.hbase.testclassification.MasterTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.OpenRegionProcedureStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.RegionRemoteProcedureBaseState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.RegionRemoteProcedureBaseStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition.TransitionCode;

/**
 * What a master that starts makes of a region whose server has reported, while the former master
 * hadn't yet written that to hbase:meta. Without the change a region that failed to open is OPEN.
 * The order here is that of all regions but hbase:meta, which is added to its server after its
 * procedure is loaded, and stays there in OPENING until its procedure goes on.
 */
@Category({ MasterTests.class, SmallTests.class })
public class TestRegionFailedToOpen {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRegionFailedToOpen.class);

  private static final ServerName SERVER = ServerName.valueOf("server.example.org", 16020, 1);

  private final RegionInfo region = RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();
  private final AssignmentManager assignments = new AssignmentManager(
    Stubs.of(MasterServices.class, "getConfiguration", HBaseConfiguration.create()), null);
  private final RegionStateNode node =
    assignments.getRegionStates().getOrCreateRegionStateNode(region);

  /** Loads the procedure of a region that is opening, with what its server reported. */
  private void load(TransitionCode code) throws IOException {
    RegionRemoteProcedureBaseStateData state = RegionRemoteProcedureBaseStateData.newBuilder()
      .setRegion(ProtobufUtil.toRegionInfo(region))
      .setTargetServer(ProtobufUtil.toServerName(SERVER))
      .setState(RegionRemoteProcedureBaseState.REGION_REMOTE_PROCEDURE_REPORT_SUCCEED)
      .setTransitionCode(code).setSeqId(code == TransitionCode.OPENED ? 7 : -1).build();
    OpenRegionProcedure procedure = new OpenRegionProcedure();
    Stubs.Answer stored = arguments -> arguments[0] == OpenRegionProcedureStateData.class
      ? OpenRegionProcedureStateData.getDefaultInstance()
      : state;
    procedure.deserializeStateData(
      Stubs.of(ProcedureStateSerializer.class, "deserialize", stored));
    node.setState(State.OPENING);
    node.setRegionLocation(SERVER);
    assignments.getRegionStates().createServer(SERVER);
    assignments.getRegionStates().addRegionToServer(node);

    procedure.stateLoaded(assignments, node);
  }

  private boolean isOnServer() {
    return assignments.getRegionStates().getServerNode(SERVER).getRegionInfoList()
      .contains(region);
  }

  @Test
  public void aRegionThatFailedToOpenIsNotOpen() throws IOException {
    load(TransitionCode.FAILED_OPEN);
    assertEquals(State.OPENING, node.getState());
    assertFalse(isOnServer());
  }

  @Test
  public void aRegionThatWasOpenedIsOpen() throws IOException {
    load(TransitionCode.OPENED);
    assertEquals(State.OPEN, node.getState());
    assertEquals(7, node.getOpenSeqNum());
    assertTrue(isOnServer());
  }
}
