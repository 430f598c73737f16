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
package org.apache.hadoop.hbase.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.RegionLocations;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * What a client remembers of the regions of a batch that wasn't answered in the operation's time.
 * Without the change it remembers none of 20.
 */
@Category({ ClientTests.class, MediumTests.class })
public class TestLocationsAfterTimeouts {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestLocationsAfterTimeouts.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int REGIONS = 20;
  private static final int SHORT_MS = 500;
  private static final int LONG_MS = (int) SilentServers.MOST_SILENCE_MS + 500;
  /** Gets hold the one, a test that lets them wait the other. */
  private static final ReadWriteLock GETS = new ReentrantReadWriteLock();

  /** Has gets wait. */
  public static class WaitingGets implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> c, Get get,
      List<Cell> result) {
      GETS.readLock().lock();
      GETS.readLock().unlock();
    }
  }

  @BeforeClass
  public static void startCluster() throws Exception {
    // On the local file system: no test here is about HDFS.
    UTIL.startMiniZKCluster();
    UTIL.startMiniHBaseCluster();
    byte[][] splits = new byte[REGIONS - 1][];
    for (int i = 1; i < REGIONS; i++) {
      splits[i - 1] = Bytes.toBytes(i);
    }
    UTIL.getAdmin()
      .createTable(TableDescriptorBuilder.newBuilder(TABLE)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
        .setCoprocessor(WaitingGets.class.getName()).build(), splits);
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    UTIL.shutdownMiniCluster();
  }

  private static List<Get> batch() {
    List<Get> gets = new ArrayList<>();
    for (int i = 0; i < REGIONS; i++) {
      gets.add(new Get(Bytes.toBytes(i)));
    }
    return gets;
  }

  @Test
  public void aTableKeepsThem() throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(UTIL.getConfiguration());
      RegionLocator locator = connection.getRegionLocator(TABLE);
      Table table = connection.getTable(TABLE); Table inHurry =
        connection.getTableBuilder(TABLE, null).setOperationTimeout(SHORT_MS).build()) {
      ConnectionImplementation client = (ConnectionImplementation) connection;
      assertEquals(REGIONS, locator.getAllRegionLocations().size());
      table.get(batch());
      GETS.writeLock().lock();
      try {
        for (int i = 0; i < 2; i++) {
          assertThrows(IOException.class, () -> inHurry.get(batch()));
          assertEquals(REGIONS, client.getNumberOfCachedRegionLocations(TABLE));
        }
      } finally {
        GETS.writeLock().unlock();
      }
      assertEquals(REGIONS, table.get(batch()).length);
    }
  }

  private static int cached(AsyncNonMetaRegionLocator locator) {
    int cached = 0;
    for (Get get : batch()) {
      RegionLocations locations = locator.getRegionLocationInCache(TABLE, get.getRow());
      if (locations != null && locations.getRegionLocation() != null) {
        cached++;
      }
    }
    return cached;
  }

  @Test
  public void anAsyncTableKeepsThem() throws Exception {
    try (AsyncConnection connection =
      ConnectionFactory.createAsyncConnection(UTIL.getConfiguration()).get()) {
      AsyncTable<?> inHurry = connection.getTableBuilder(TABLE)
        .setOperationTimeout(SHORT_MS, TimeUnit.MILLISECONDS).build();
      AsyncNonMetaRegionLocator locator =
        ((AsyncConnectionImpl) connection).getLocator().getNonMetaRegionLocator();
      connection.getTable(TABLE).getAll(batch()).get();
      GETS.writeLock().lock();
      try {
        for (int i = 0; i < 2; i++) {
          assertThrows(ExecutionException.class, () -> inHurry.getAll(batch()).get());
          assertEquals(REGIONS, cached(locator));
        }
      } finally {
        GETS.writeLock().unlock();
      }
      assertEquals(REGIONS, connection.getTable(TABLE).getAll(batch()).get().size());
    }
  }

  @Test
  public void anAsyncTableForgetsThoseOfASilentServer() throws Exception {
    try (AsyncConnection connection =
      ConnectionFactory.createAsyncConnection(UTIL.getConfiguration()).get()) {
      connection.getTable(TABLE).getAll(batch()).get();
      GETS.writeLock().lock();
      try {
        AsyncTable<?> table = connection.getTableBuilder(TABLE)
          .setOperationTimeout(LONG_MS, TimeUnit.MILLISECONDS).build();
        assertThrows(ExecutionException.class, () -> table.getAll(batch()).get());
        assertEquals(0,
          cached(((AsyncConnectionImpl) connection).getLocator().getNonMetaRegionLocator()));
      } finally {
        GETS.writeLock().unlock();
      }
    }
  }
}
