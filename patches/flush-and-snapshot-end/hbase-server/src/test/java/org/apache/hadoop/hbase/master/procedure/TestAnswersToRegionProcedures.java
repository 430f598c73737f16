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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionState.State;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;
import org.apache.hadoop.hbase.procedure2.Procedure;
import org.apache.hadoop.hbase.procedure2.ProcedureSuspendedException;
import org.apache.hadoop.hbase.procedure2.RemoteProcedureDispatcher.RemoteProcedure;
import org.apache.hadoop.hbase.procedure2.RemoteProcedureException;
import org.apache.hadoop.hbase.testclassification.MasterTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;

/**
 * The procedures of a region's flush and of its snapshot are woken by each answer of the region
 * server.
 */
@RunWith(Parameterized.class)
@Category({ MasterTests.class, SmallTests.class })
public class TestAnswersToRegionProcedures {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestAnswersToRegionProcedures.class);

  private static final ServerName SERVER = ServerName.valueOf("localhost", 16020, 1);
  private static final RegionInfo REGION =
    RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();

  /** Executes a procedure, whose method isn't public. */
  private interface Execution {
    Procedure<MasterProcedureEnv>[] execute(MasterProcedureEnv env) throws Exception;
  }

  private final RemoteProcedure<MasterProcedureEnv, ServerName> procedure;
  private final Execution execution;
  private final Master master = new Master();

  public TestAnswersToRegionProcedures(String of) {
    if (of.equals("flush")) {
      FlushRegionProcedure flush = new FlushRegionProcedure(REGION);
      procedure = flush;
      execution = flush::execute;
    } else {
      SnapshotRegionProcedure snapshot = new SnapshotRegionProcedure(
        SnapshotDescription.newBuilder().setName("s").setTable("t").build(), REGION);
      procedure = snapshot;
      execution = snapshot::execute;
    }
  }

  @Parameters(name = "{0}")
  public static List<String> procedures() {
    return Arrays.asList("flush", "snapshot");
  }

  private void executeUntilAnswer() {
    assertThrows(ProcedureSuspendedException.class, () -> execution.execute(master));
  }

  private void refuse() {
    procedure.remoteOperationFailed(master,
      new RemoteProcedureException(SERVER.toString(), new IOException("being flushed already")));
  }

  @Test
  public void anAnswerIsNotMissedIfTheProcedureRunsWhileItIsBeingWoken() throws Exception {
    executeUntilAnswer();
    Thread executor = new Thread(this::executeUntilAnswer, "executor");
    master.whenWoken = () -> {
      executor.start();
      awaitEndOrLock(executor, "execute");
    };
    refuse();
    executor.join();
    assertEquals(2, master.requests);

    procedure.remoteOperationCompleted(master);
    assertEquals(2, master.wakeUps);
    assertNull(execution.execute(master));
  }

  /** Waits until the thread has ended, or can't enter the method. */
  private static void awaitEndOrLock(Thread thread, String method) {
    while (thread.getState() != Thread.State.TERMINATED) {
      StackTraceElement[] stack = thread.getStackTrace();
      if (
        thread.getState() == Thread.State.BLOCKED && stack.length > 0
          && stack[0].getMethodName().equals(method)
      ) {
        return;
      }
      Thread.yield();
    }
  }

  @Test
  public void anAnswerIsNotMissedIfItComesBeforeTheRequestReturns() throws Exception {
    Thread answer = new Thread(() -> procedure.remoteOperationCompleted(master), "answer");
    master.whenRequested = () -> {
      answer.start();
      awaitEndOrLock(answer, "complete");
    };
    executeUntilAnswer();
    answer.join();
    assertEquals(1, master.wakeUps);
    assertNull(execution.execute(master));
  }

  /** What a procedure sees of a master: one open region, requests and wake-ups. */
  private static final class Master extends MasterProcedureEnv {
    private static final MasterServices SERVICES =
      (MasterServices) Proxy.newProxyInstance(MasterServices.class.getClassLoader(),
        new Class<?>[] { MasterServices.class },
        (proxy, method, args) -> method.getName().equals("getConfiguration")
          ? new Configuration(false)
          : null);

    private final AssignmentManager assignments = new AssignmentManager(SERVICES, null);
    private Runnable whenRequested = () -> {
    };
    private Runnable whenWoken = () -> {
    };
    private int requests;
    private int wakeUps;

    private final RSProcedureDispatcher dispatcher = new RSProcedureDispatcher(SERVICES) {
      @Override
      @SuppressWarnings("rawtypes")
      public void addOperationToNode(ServerName server, RemoteProcedure operation) {
        requests++;
        whenRequested.run();
      }
    };

    private final MasterProcedureScheduler scheduler = new MasterProcedureScheduler(id -> null) {
      @Override
      @SuppressWarnings("rawtypes")
      public void addFront(Iterator<Procedure> procedures) {
        wakeUps++;
        whenWoken.run();
        whenWoken = () -> {
        };
      }
    };

    Master() {
      super(SERVICES, null);
      assignments.getRegionStates().createServer(SERVER);
      RegionStateNode region = assignments.getRegionStates().getOrCreateRegionStateNode(REGION);
      region.setRegionLocation(SERVER);
      region.setState(State.OPEN);
    }

    @Override
    public AssignmentManager getAssignmentManager() {
      return assignments;
    }

    @Override
    public RSProcedureDispatcher getRemoteDispatcher() {
      return dispatcher;
    }

    @Override
    public MasterProcedureScheduler getProcedureScheduler() {
      return scheduler;
    }
  }
}
