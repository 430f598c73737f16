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

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.Stubs;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.ManualEnvironmentEdge;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Throttle;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.TimedQuota;

/**
 * What requests are charged with by a quota of handlers' time. Without the change a get of 3 ms,
 * which is estimated as one of 30 ms, is charged with 57 ms, and one of 140 ms with -80 ms; of a
 * second of handler time each second 17 of the former are served at once, and any number of the
 * latter.
 */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestHandlerTimeQuota {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestHandlerTimeQuota.class);

  private final Configuration conf = HBaseConfiguration.create();
  private final ManualEnvironmentEdge clock = new ManualEnvironmentEdge();
  private long charged;

  @Before
  public void setUp() {
    clock.setValue(1_000_000);
    EnvironmentEdgeManager.injectEdge(clock);
  }

  @After
  public void tearDown() {
    RpcServer.setCurrentCall(null);
    EnvironmentEdgeManager.reset();
  }

  /** A get by one handler. */
  private void get(QuotaLimiter limiter, int millis) throws IOException {
    RpcServer.setCurrentCall(Stubs.of(RpcCall.class, "getStartTime", clock.currentTime()));
    OperationQuota quota = new DefaultOperationQuota(conf, 1, 1, limiter);
    quota.checkBatchQuota(0, 1, false);
    clock.incValue(millis);
    quota.close();
  }

  private long chargedForGetOf(int millis) throws IOException {
    charged = 0;
    Stubs.Answer estimate = arguments -> {
      charged += (long) arguments[arguments.length - 1];
      return null;
    };
    Stubs.Answer difference = arguments -> {
      charged += (long) arguments[0];
      return null;
    };
    get(Stubs.of(QuotaLimiter.class, "grabQuota", estimate, "consumeTime", difference), millis);
    return charged;
  }

  @Test
  public void aRequestIsChargedWithTheTimeThatItTook() throws IOException {
    assertEquals(3, chargedForGetOf(3));
    assertEquals(30, chargedForGetOf(30));
    assertEquals(140, chargedForGetOf(140));
  }

  /** Returns how many gets are served before one is refused, by several handlers at a time. */
  private int servedWithinASecond(int millis) throws IOException {
    TimedQuota second = TimedQuota.newBuilder().setSoftLimit(1000)
      .setTimeUnit(ProtobufUtil.toProtoTimeUnit(TimeUnit.HOURS)).build();
    QuotaLimiter limiter = TimeBasedLimiter.fromThrottle(conf,
      Throttle.newBuilder().setReqHandlerUsageMs(second).build());
    for (int served = 0; served < 1000; served++) {
      try {
        get(limiter, millis);
      } catch (RpcThrottlingException e) {
        return served;
      }
    }
    return 1000;
  }

  @Test
  public void asManyAreServedAsThereIsTimeFor() throws IOException {
    // the last one is refused where less than the estimate, of 30 ms, is left
    assertEquals((1000 - 30) / 3 + 1, servedWithinASecond(3), 1);
    assertEquals(1000 / 140, servedWithinASecond(140), 1);
  }
}
