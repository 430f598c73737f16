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

import java.lang.reflect.Method;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompatibilityFactory;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.Stubs;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.MetricsAssignmentManagerSource;
import org.apache.hadoop.hbase.master.procedure.MasterProcedureEnv;
import org.apache.hadoop.hbase.procedure2.Procedure;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.test.MetricsAssertHelper;
import org.apache.hadoop.hbase.testclassification.MasterTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Durations of regions' transitions in the master's metrics. Without the change there are none. */
@Category({ MasterTests.class, SmallTests.class })
public class TestDurationOfTransitions {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestDurationOfTransitions.class);

  private static final MetricsAssertHelper METRICS =
    CompatibilityFactory.getInstance(MetricsAssertHelper.class);

  private final MasterServices bare =
    Stubs.of(MasterServices.class, "getConfiguration", HBaseConfiguration.create());
  private final AssignmentManager assignments = new AssignmentManager(bare, null);

  private final class Environment extends MasterProcedureEnv {
    Environment() {
      super(bare, null);
    }

    @Override
    public AssignmentManager getAssignmentManager() {
      return assignments;
    }

    @Override
    public User getRequestUser() {
      return User.createUserForTesting(new Configuration(false), "user", new String[0]);
    }
  }

  @Test
  public void theEndOfATransitionHasItsDuration() throws Exception {
    METRICS.init();
    MetricsAssignmentManagerSource source =
      assignments.getAssignmentManagerMetrics().getMetricsProcSource();
    String durations = MetricsAssignmentManagerSource.RIT_DURATION_NAME;
    long before = METRICS.getCounter(durations + "_num_ops", source);
    RegionInfo region = RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();
    MasterProcedureEnv environment = new Environment();
    TransitRegionStateProcedure transition =
      TransitRegionStateProcedure.assign(environment, region, null);
    // as the executor does at the end of a procedure
    Method end = Procedure.class.getDeclaredMethod("updateMetricsOnFinish", Object.class,
      long.class, boolean.class);
    end.setAccessible(true);
    end.invoke(transition, environment, 1234L, true);

    METRICS.assertCounter(durations + "_num_ops", before + 1, source);
  }
}
