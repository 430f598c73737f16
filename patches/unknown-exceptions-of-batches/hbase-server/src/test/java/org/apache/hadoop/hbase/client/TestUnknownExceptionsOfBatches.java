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
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;

/**
 * Batches of which an action fails with an exception that the client can't make. On 2.6.4 they were
 * repeated for each try of the client, and failed as a whole.
 */
@Category({ ClientTests.class, MediumTests.class })
public class TestUnknownExceptionsOfBatches {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestUnknownExceptionsOfBatches.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final TableName TABLE = TableName.valueOf("table");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] GOOD = Bytes.toBytes("good");
  private static final byte[] REFUSED = Bytes.toBytes("refused");
  private static final AtomicInteger REFUSALS = new AtomicInteger();
  private static final AtomicInteger GETS = new AtomicInteger();

  /** It can't be made of a message, as one that the client hasn't can't. */
  private static final class Refusal extends DoNotRetryIOException {
    private static final long serialVersionUID = 1L;
  }

  /** Refuses a row. */
  public static final class Refuser implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get,
      List<Cell> result) throws IOException {
      GETS.incrementAndGet();
      if (Bytes.equals(get.getRow(), REFUSED)) {
        REFUSALS.incrementAndGet();
        throw new Refusal();
      }
    }
  }

  @BeforeClass
  public static void start() throws Exception {
    UTIL.getConfiguration().setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 3);
    UTIL.startMiniCluster();
    UTIL.getAdmin().createTable(TableDescriptorBuilder.newBuilder(TABLE)
      .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
      .setCoprocessor(Refuser.class.getName()).build());
    try (Table table = UTIL.getConnection().getTable(TABLE)) {
      table.put(new Put(GOOD).addColumn(FAMILY, null, GOOD));
    }
  }

  @AfterClass
  public static void stop() throws Exception {
    UTIL.shutdownMiniCluster();
  }

  @Before
  public void reset() {
    REFUSALS.set(0);
    GETS.set(0);
  }

  private static List<Get> gets() {
    return Arrays.asList(new Get(GOOD), new Get(REFUSED));
  }

  @Test
  public void oneActionFailsAtOnce() throws Exception {
    Object[] results = new Object[2];
    try (Table table = UTIL.getConnection().getTable(TABLE)) {
      assertThrows(RetriesExhaustedWithDetailsException.class, () -> table.batch(gets(), results));
    }
    assertEquals(1, REFUSALS.get());
    assertEquals(2, GETS.get());
    assertEquals(1, ((Result) results[0]).size());
    assertTrue(results[1] instanceof DoNotRetryIOException);
    assertTrue(((IOException) results[1]).getMessage().contains(Refusal.class.getName()));
  }

  @Test
  public void oneActionOfAnAsynchronousBatchFailsAtOnce() throws Exception {
    try (AsyncConnection connection =
      ConnectionFactory.createAsyncConnection(UTIL.getConfiguration()).get()) {
      List<CompletableFuture<Result>> results = connection.getTable(TABLE).get(gets());
      assertFalse(results.get(0).get().isEmpty());
      Throwable error = assertThrows(ExecutionException.class, () -> results.get(1).get());
      assertTrue(error.getCause().getMessage().contains(Refusal.class.getName()));
    }
    assertEquals(1, REFUSALS.get());
    assertEquals(2, GETS.get());
  }

  @Test
  public void anExceptionOfNoClassIsOneThatIsNotTriedAgain() throws IOException {
    Throwable unknown = ProtobufUtil.toException(NameBytesPair.newBuilder().setName("no.Such")
      .setValue(ByteString.copyFromUtf8("why"))
      .build());
    assertTrue(unknown instanceof DoNotRetryIOException);
    assertTrue(unknown.getMessage().contains("no.Such: why"));
  }
}
