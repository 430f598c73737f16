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
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.ManualEnvironmentEdge;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.common.base.Defaults;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Throttle;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.TimedQuota;

/** What {@link OperationQuotas} tells of quotas. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestOperationQuotas {
  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestOperationQuotas.class);

  @Test
  public void noneIsUnlimited() {
    assertTrue(OperationQuotas.isUnlimited(NoopOperationQuota.get()));
  }

  @Test
  public void oneOfRequestsIsNot() {
    Configuration conf = HBaseConfiguration.create();
    TimedQuota one = TimedQuota.newBuilder().setSoftLimit(1)
      .setTimeUnit(ProtobufUtil.toProtoTimeUnit(TimeUnit.MINUTES)).build();
    OperationQuota quota = new DefaultOperationQuota(conf, 1, 1,
      TimeBasedLimiter.fromThrottle(conf, Throttle.newBuilder().setReqNum(one).build()));
    assertFalse(OperationQuotas.isUnlimited(quota));
  }

  /** Returns an implementation with one method; the others do nothing and return defaults. */
  private static <T> T withMethod(Class<T> type, String name, Function<Object[], Object> does) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
      (proxy, method, arguments) -> {
        Object result = method.getName().equals(name) ? does.apply(arguments) : null;
        return result == null ? Defaults.defaultValue(method.getReturnType()) : result;
      }));
  }

  /** Returns the milliseconds that an operation consumes of a quota of handler time. */
  private static long timeConsumed(int elapsed, int spared) throws Exception {
    AtomicLong consumed = new AtomicLong();
    QuotaLimiter limiter =
      withMethod(QuotaLimiter.class, "consumeTime", time -> {
        consumed.addAndGet((long) time[0]);
        return null;
      });
    OperationQuota quota = new DefaultOperationQuota(HBaseConfiguration.create(), 1, 1, limiter);
    RpcCall call = withMethod(RpcCall.class, "getStartTime", none -> 1000L);
    ManualEnvironmentEdge clock = new ManualEnvironmentEdge();
    clock.setValue(1000L + elapsed);
    EnvironmentEdgeManager.injectEdge(clock);
    RpcServer.setCurrentCall(call);
    try {
      quota.checkBatchQuota(0, 10, false);
      quota.setHelperUsage(new HelperUsage() {
        @Override
        public long getMillisSaved() {
          return spared;
        }

        @Override
        public long getDroppedBlockBytes() {
          return 0;
        }
      });
      quota.close();
    } finally {
      RpcServer.setCurrentCall(null);
      EnvironmentEdgeManager.reset();
    }
    return consumed.get();
  }

  @Test
  public void timeThatHelpersSpareCountsAsTheHandlers() throws Exception {
    assertNotEquals(timeConsumed(1000, 0), timeConsumed(200, 0));
    assertEquals(timeConsumed(1000, 0), timeConsumed(200, 800));
    assertEquals(timeConsumed(1000, 0), timeConsumed(1100, -100));
  }
}
