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

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

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
}
