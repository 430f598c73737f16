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
package org.apache.hadoop.hbase.master.normalizer;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.Stubs;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionState.State;
import org.apache.hadoop.hbase.master.ServerManager;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;
import org.apache.hadoop.hbase.testclassification.MasterTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * What the normalizer plans for a table with two replicas of each region. Without the change: to
 * merge a small region with its replica, to split a large region and its replica, and no merge of
 * two small neighbours, as the replica of the first one is between them.
 */
@Category({ MasterTests.class, SmallTests.class })
public class TestNormalizerWithoutReplicas {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestNormalizerWithoutReplicas.class);

  private static final ServerName SERVER = ServerName.valueOf("server.example.org", 16020, 1);

  private final TableDescriptor table =
    TableDescriptorBuilder.newBuilder(TableName.valueOf("t")).setRegionReplication(2).build();
  private final Configuration conf = HBaseConfiguration.create();
  private final List<RegionInfo> regions = new ArrayList<>();
  private final Map<byte[], RegionMetrics> sizes = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private final SimpleRegionNormalizer normalizer = new SimpleRegionNormalizer();
  private AssignmentManager assignments;

  @Before
  public void setUp() {
    MasterServices bare = Stubs.of(MasterServices.class, "getConfiguration", conf);
    assignments = new AssignmentManager(bare, null);
    assignments.getRegionStates().createServer(SERVER);
    ServerMetrics metrics = Stubs.of(ServerMetrics.class, "getRegionMetrics", sizes);
    ServerManager servers = new ServerManager(bare, null) {
      @Override
      public ServerMetrics getLoad(ServerName server) {
        return metrics;
      }
    };
    normalizer.setMasterServices(Stubs.of(MasterServices.class, "getAssignmentManager", assignments,
      "getServerManager", servers, "isSplitOrMergeEnabled", true));
    normalizer.setConf(conf);
  }

  private void addRegionsOf(int... megabytes) {
    for (int i = 0; i < megabytes.length; i++) {
      byte[] start = i == 0 ? HConstants.EMPTY_START_ROW : Bytes.toBytes((char) ('a' + i) + "");
      byte[] end = i == megabytes.length - 1
        ? HConstants.EMPTY_END_ROW
        : Bytes.toBytes((char) ('a' + i + 1) + "");
      RegionInfo region = RegionInfoBuilder.newBuilder(table.getTableName()).setStartKey(start)
        .setEndKey(end).setRegionId(1).build();
      regions.add(region);
      open(region, megabytes[i]);
      open(RegionReplicaUtil.getRegionInfoForReplica(region, 1), megabytes[i]);
    }
  }

  private void open(RegionInfo region, int megabytes) {
    RegionStateNode node = assignments.getRegionStates().getOrCreateRegionStateNode(region);
    node.setState(State.OPEN);
    node.setRegionLocation(SERVER);
    sizes.put(region.getRegionName(), Stubs.of(RegionMetrics.class, "getStoreFileSize",
      new Size(megabytes, Size.Unit.MEGABYTE)));
  }

  @Test
  public void aRegionIsNotMergedWithItsReplica() {
    addRegionsOf(1, 20, 20, 20);
    assertEquals(new ArrayList<>(), normalizer.computePlansForTable(table));
  }

  @Test
  public void smallNeighboursAreMerged() {
    addRegionsOf(10, 10, 30, 30);
    List<NormalizationPlan> plans = normalizer.computePlansForTable(table);
    assertEquals(1, plans.size());
    List<NormalizationTarget> targets =
      ((MergeNormalizationPlan) plans.get(0)).getNormalizationTargets();
    assertEquals(2, targets.size());
    assertEquals(regions.get(0), targets.get(0).getRegionInfo());
    assertEquals(regions.get(1), targets.get(1).getRegionInfo());
  }

  @Test
  public void aLargeRegionIsSplitOnce() {
    conf.setBoolean("hbase.normalizer.merge.enabled", false);
    normalizer.setConf(conf);
    addRegionsOf(10, 10, 10, 100);
    List<NormalizationPlan> plans = normalizer.computePlansForTable(table);
    assertEquals(1, plans.size());
    assertTrue(plans.get(0) instanceof SplitNormalizationPlan);
    assertEquals(regions.get(3),
      ((SplitNormalizationPlan) plans.get(0)).getSplitTarget().getRegionInfo());
  }
}
