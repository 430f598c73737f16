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
package org.apache.hadoop.hbase.quotas;

import static org.junit.Assert.assertThrows;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ipc.CleanupTestCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Throttle;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.TimedQuota;

/** What a request is charged of a quota of the handlers' time. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestHandlerUsage {
  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestHandlerUsage.class);

  /** What a get is expected to take, as long as there are few. */
  private static final int HANDLERS = 10;
  private static final int LIMIT_MS = 1000;
  private static final long START = 1_000_000;

  private final Configuration conf = HBaseConfiguration.create();
  private QuotaLimiter limiter;

  @Before
  public void limit() {
    EnvironmentEdgeManager.injectEdge(() -> START);
    conf.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, HANDLERS);
    TimedQuota quota = TimedQuota.newBuilder().setSoftLimit(LIMIT_MS)
      .setTimeUnit(ProtobufUtil.toProtoTimeUnit(TimeUnit.DAYS)).build();
    limiter = TimeBasedLimiter.fromThrottle(conf,
      Throttle.newBuilder().setReqHandlerUsageMs(quota).build());
  }

  @After
  public void reset() {
    RpcServer.setCurrentCall(null);
    EnvironmentEdgeManager.reset();
  }

  private void serveGet(int millis) throws RpcThrottlingException {
    CleanupTestCall call = new CleanupTestCall(null);
    call.setStartTime(START - millis);
    RpcServer.setCurrentCall(call);
    OperationQuota quota = new DefaultOperationQuota(conf, 1, 0, limiter);
    quota.checkBatchQuota(0, 1, false);
    quota.close();
  }

  private void assertLeft(int millis) throws RpcThrottlingException {
    limiter.checkQuota(0, 0, 0, 0, 0, 0, false, millis);
    assertThrows(RpcThrottlingException.class,
      () -> limiter.checkQuota(0, 0, 0, 0, 0, 0, false, millis + 1));
  }

  @Test
  public void slowRequestIsChargedForItsTime() throws RpcThrottlingException {
    serveGet(HANDLERS + 490);
    assertLeft(500);
    serveGet(HANDLERS + 290);
    assertLeft(200);
  }

  @Test
  public void quickRequestGetsBackWhatItDidNotTake() throws RpcThrottlingException {
    serveGet(1);
    assertLeft(LIMIT_MS - 1);
  }
}
