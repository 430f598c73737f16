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
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.wal.HeldLogWriter;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Writes that aren't synced while logs, regions, memstores and clients change. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestAsyncPutsDuringChanges extends AsyncPutTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestAsyncPutsDuringChanges.class);

  private static void end(List<CompletableFuture<Void>> writes) throws Exception {
    for (CompletableFuture<Void> write : writes) {
      end(write);
    }
  }

  @Test
  public void aLogThatIsRolledWaitsForItsWrites() throws Exception {
    List<CompletableFuture<Void>> sent = sendHeld(puts(50));
    Future<?> roll = inThread(() -> region.getWAL().rollWriter(true));
    CompletableFuture<Void> later = table.put(put(ROW, 100));
    assertWaits(roll);
    assertFalse(later.isDone());
    HeldLogWriter.release();
    end(roll);
    end(sent);
    end(later);
    for (int i = 0; i < sent.size(); i++) {
      assertEquals(i, read(Bytes.toBytes("row" + i)));
    }
    assertEquals(100, read(ROW));
  }

  @Test
  public void aRegionThatIsSplitWaits() throws Exception {
    List<CompletableFuture<Void>> sent = sendHeld(puts(10));
    Future<?> split = util.getAdmin()
      .splitRegionAsync(region.getRegionInfo().getRegionName(), Bytes.toBytes("row5"));
    util.waitFor(PATIENCE_MS, region::isClosing);
    assertWaits(split);
    assertFalse(region.isClosed());
    HeldLogWriter.release();
    end(sent);
    end(split);
    assertEquals(3, server.getRegions(table.getName()).size());
    for (int i = 0; i < sent.size(); i++) {
      assertEquals(i, read(Bytes.toBytes("row" + i)));
    }
  }

  @Test
  public void aMemstoreThatIsFullRefusesWritesAndLosesNone() throws Exception {
    create(newTable().setMemStoreFlushSize(1 << 20)
      .setValue("hbase.hregion.memstore.block.multiplier", "1")
      .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)));
    AsyncTable<?> once =
      connection.getTableBuilder(table.getName()).setMaxAttempts(1).build();
    byte[] padding = new byte[10 << 10];
    HeldLogWriter.hold();
    long before = count("asyncPutBatchCount");
    List<CompletableFuture<Void>> sent = new ArrayList<>();
    for (Put put : puts(300)) {
      sent.add(once.put(put.addColumn(F, Bytes.toBytes("r"), padding)));
      // Less at a time than the queue of calls has room for.
      util.waitFor(PATIENCE_MS, 1, () -> sent.size() - 2 * HANDLERS < count("asyncPutBatchCount")
        - before + sent.stream().filter(CompletableFuture::isDone).count());
    }
    assertTrue(sent.stream().anyMatch(CompletableFuture::isCompletedExceptionally));
    HeldLogWriter.release();
    int refused = 0;
    for (int i = 0; i < sent.size(); i++) {
      try {
        end(sent.get(i));
      } catch (ExecutionException e) {
        assertTrue(e.getCause().toString(),
          e.getCause().toString().contains("RegionTooBusyException"));
        refused++;
        continue;
      }
      assertEquals(i, read(Bytes.toBytes("row" + i)));
    }
    assertTrue(refused + " of " + sent.size(), refused > 0 && refused < sent.size());
    // One that was asked for may be running.
    util.waitFor(PATIENCE_MS, () -> {
      region.flush(true);
      return region.getMemStoreDataSize() == 0;
    });
  }

  @Test
  public void whileMemstoresAreToBeFlushedHandlersWrite() throws Exception {
    RegionServerAccounting accounting = server.getRegionServerAccounting();
    long onLoop = count("asyncPutEventLoopCount");
    long low = accounting.getGlobalMemStoreLimitLowMark() + 1;
    accounting.incGlobalMemStoreSize(low, low, 0);
    try {
      end(table.put(put(ROW, 1)));
      assertEquals(onLoop, count("asyncPutEventLoopCount"));
      long rest = accounting.getGlobalMemStoreLimit() - low + 1;
      CompletableFuture<Void> waits;
      accounting.incGlobalMemStoreSize(rest, rest, 0);
      try {
        waits = table.put(put(ROW, 2));
        // Of the same connection, so the same event loop.
        assertEquals(1, read(ROW));
        assertWaits(waits);
      } finally {
        accounting.decGlobalMemStoreSize(rest, rest, 0);
      }
      end(waits);
    } finally {
      accounting.decGlobalMemStoreSize(low, low, 0);
    }
    assertEquals(onLoop, count("asyncPutEventLoopCount"));
    // A flush may still be running.
    util.waitFor(PATIENCE_MS, () -> {
      end(table.put(put(ROW, 3)));
      return count("asyncPutEventLoopCount") > onLoop;
    });
    assertEquals(3, read(ROW));
  }

  @Test
  public void writesAreAsDurableAsTheyAskFor() throws Exception {
    long before = count("asyncPutBatchCount");
    end(table.put(put(ROW, 1).setDurability(Durability.FSYNC_WAL)));
    assertTrue(HeldLogWriter.wasForced());
    end(table.put(put(ROW, 2).setDurability(Durability.SYNC_WAL)));
    assertFalse(HeldLogWriter.wasForced());
    HeldLogWriter.hold();
    // Needn't be synced to be seen.
    end(table.put(put(ROW, 3).setDurability(Durability.ASYNC_WAL)));
    assertEquals(3, read(ROW));
    assertEquals(before + 3, count("asyncPutBatchCount"));
  }

  @Test
  public void writesOfAClientThatHasGoneAreThere() throws Exception {
    long before = count("asyncPutBatchCount");
    HeldLogWriter.hold();
    CompletableFuture<Void> put;
    try (AsyncConnection other =
      ConnectionFactory.createAsyncConnection(util.getConfiguration()).get()) {
      put = other.getTable(table.getName()).put(put(ROW, 1));
      util.waitFor(PATIENCE_MS, () -> count("asyncPutBatchCount") == before + 1);
    }
    assertThrows(ExecutionException.class, () -> end(put));
    assertEquals(1, gauge("asyncPutWaitingCalls"));
    HeldLogWriter.release();
    util.waitFor(PATIENCE_MS, () -> gauge("asyncPutWaitingCalls") == 0);
    assertEquals(0, gauge("asyncPutWaitingBytes"));
    assertEquals(1, read(ROW));
  }
}
