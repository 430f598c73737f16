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
package org.apache.hadoop.hbase.replication.regionserver;

import static org.junit.Assert.assertEquals;

import java.lang.reflect.Constructor;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionLocations;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Stubs;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ConnectionConfiguration;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.replication.regionserver.RegionReplicaReplicationEndpoint.RegionReplicaOutputSink;
import org.apache.hadoop.hbase.replication.regionserver.RegionReplicaReplicationEndpoint.RegionReplicaSinkWriter;
import org.apache.hadoop.hbase.testclassification.ReplicationTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WAL.Entry;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * Edits for region replicas of a table that was dropped, while its region's location is still
 * cached. Without the change: a NullPointerException, which the caller doesn't catch.
 */
@Category({ ReplicationTests.class, SmallTests.class })
public class TestReplicasAfterDroppedTable {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestReplicasAfterDroppedTable.class);

  @Test
  public void editsOfADroppedTableAreSkipped() throws Exception {
    TableName table = TableName.valueOf("dropped");
    RegionInfo region = RegionInfoBuilder.newBuilder(table).build();
    Configuration conf = HBaseConfiguration.create();
    conf.setInt("hbase.region.replica.replication.cache.disabledAndDroppedTables.expiryMs",
      Integer.MAX_VALUE);
    AtomicInteger questions = new AtomicInteger();
    Stubs.Answer location = arguments -> {
      boolean useCache = (Boolean) arguments[2];
      if (useCache) {
        return new RegionLocations(
          new HRegionLocation(region, ServerName.valueOf("server.example.org", 16020, 1)));
      }
      questions.incrementAndGet();
      throw new TableNotFoundException(table);
    };
    Constructor<ConnectionConfiguration> settings =
      ConnectionConfiguration.class.getDeclaredConstructor(Configuration.class);
    settings.setAccessible(true);
    ClusterConnection connection = Stubs.of(ClusterConnection.class, "getConfiguration", conf,
      "getConnectionConfiguration", settings.newInstance(conf), "locateRegion", location);
    RegionReplicaOutputSink sink =
      new RegionReplicaOutputSink(null, null, null, connection, null, 1, 1000);
    RegionReplicaSinkWriter writer = new RegionReplicaSinkWriter(sink, connection, null, 1000,
      Stubs.of(TableDescriptors.class));

    List<Entry> edits = Collections.singletonList(new Entry());
    for (int i = 1; i <= 2; i++) {
      writer.append(table, region.getEncodedNameAsBytes(), Bytes.toBytes("row"), edits);
      assertEquals(i, sink.getSkippedEditsCounter().get());
    }
    // the second batch asks nobody
    assertEquals(1, questions.get());
  }
}
