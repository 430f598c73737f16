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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.MiniHBaseCluster.MiniHBaseClusterRegionServer;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameStringPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStartupResponse;

/**
 * A region server whose host has another name for the master. Without the change one with a name in
 * capital letters ends, too.
 */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestHostNamesInAnyCase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestHostNamesInAnyCase.class);

  private static final int TIMEOUT_S = 120;
  private static final String STARTED = "started";

  private static volatile UnaryOperator<String> nameOfMaster = name -> name;
  /** What came of each answer of the master. */
  private static final BlockingQueue<String> OUTCOMES = new LinkedBlockingQueue<>();

  private final HBaseTestingUtility util = new HBaseTestingUtility();

  /** A server for which the master has another name. */
  public static class Server extends MiniHBaseClusterRegionServer {
    public Server(Configuration conf) throws IOException, InterruptedException {
      super(conf);
    }

    @Override
    protected void handleReportForDutyResponse(RegionServerStartupResponse response)
      throws IOException {
      RegionServerStartupResponse.Builder changed = RegionServerStartupResponse.newBuilder();
      for (NameStringPair entry : response.getMapEntriesList()) {
        NameStringPair.Builder pair = entry.toBuilder();
        if (entry.getName().equals(HConstants.KEY_FOR_HOSTNAME_SEEN_BY_MASTER)) {
          pair.setValue(nameOfMaster.apply(entry.getValue()));
        }
        changed.addMapEntries(pair);
      }
      try {
        super.handleReportForDutyResponse(changed.build());
        OUTCOMES.add(STARTED);
      } catch (IOException e) {
        OUTCOMES.add(e.getMessage());
        // It starts all the same, so that the cluster can be stopped.
        super.handleReportForDutyResponse(response);
      }
    }
  }

  @Before
  public void startMaster() throws Exception {
    OUTCOMES.clear();
    util.startMiniZKCluster();
    util.startMiniHBaseCluster(
      StartMiniClusterOption.builder().numRegionServers(1).rsClass(Server.class).build());
    assertEquals(STARTED, OUTCOMES.take());
  }

  @After
  public void stop() throws Exception {
    nameOfMaster = name -> name;
    util.shutdownMiniCluster();
  }

  private String startServer(UnaryOperator<String> name) throws Exception {
    nameOfMaster = name;
    util.getMiniHBaseCluster().startRegionServer();
    String outcome = OUTCOMES.poll(TIMEOUT_S, TimeUnit.SECONDS);
    return outcome == null ? "none" : outcome;
  }

  @Test
  public void theSameNameInCapitalLettersIsTheSame() throws Exception {
    assertEquals(STARTED, startServer(name -> name.toUpperCase(Locale.ROOT)));
  }

  @Test
  public void anotherNameIsRefused() throws Exception {
    String outcome = startServer(name -> "not-" + name);
    assertTrue(outcome, outcome.contains("different hostname"));
  }
}
