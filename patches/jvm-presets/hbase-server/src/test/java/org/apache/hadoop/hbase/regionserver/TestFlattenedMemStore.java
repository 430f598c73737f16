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

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * A memstore that is flattened, as conf/ sets it, takes little more than its cells until it is
 * flushed.
 */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestFlattenedMemStore {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestFlattenedMemStore.class);

  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int FLUSH_BYTES = 128 << 20;
  private static final int CELLS_OF_A_ROW = 100;
  private static final int MAX_CHUNK_ID = 1_000_000;
  private static final Path SHIPPED_CONF = new Path("../conf/hbase-site.xml");
  private static final String[] SHIPPED_KEYS = { "hbase.hregion.compacting.memstore.type",
    "hbase.memstore.inmemoryflush.threshold.factor" };

  /** Of the chunks that segments refer to: cells and indexes. */
  private static long chunkBytes() {
    long bytes = 0;
    for (int id = 1; id <= MAX_CHUNK_ID; id++) {
      Chunk chunk = ChunkCreator.getInstance().getChunk(id);
      bytes += chunk == null ? 0 : chunk.getData().capacity();
    }
    return bytes;
  }

  /** Returns the bytes of all chunks, by those of the cells, when a flush is almost due. */
  private static double chunksByCells() throws IOException {
    Configuration shipped = new Configuration(false);
    shipped.addResource(SHIPPED_CONF);
    HBaseTestingUtility util = new HBaseTestingUtility();
    Configuration conf = util.getConfiguration();
    conf.setInt(HConstants.HREGION_MEMSTORE_FLUSH_SIZE, FLUSH_BYTES);
    for (String key : SHIPPED_KEYS) {
      conf.set(key, shipped.get(key)); // Fails for a key that isn't there.
    }
    HRegion region = util.createLocalHRegion(TableDescriptorBuilder
      .newBuilder(TableName.valueOf("t")).setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
      .build(), null, null);
    try {
      long before = chunkBytes();
      int row = 0;
      while (region.getMemStoreDataSize() < FLUSH_BYTES * 9L / 10) {
        Put put = new Put(Bytes.toBytes(row++)).setDurability(Durability.SKIP_WAL);
        for (int i = 0; i < CELLS_OF_A_ROW; i++) {
          put.addColumn(FAMILY, Bytes.toBytes(i), new byte[100]);
        }
        region.put(put);
      }
      return (double) (chunkBytes() - before) / region.getMemStoreDataSize();
    } finally {
      HBaseTestingUtility.closeRegionAndWAL(region);
      util.cleanupTestDir();
    }
  }

  @Test
  public void whatShipsTakesLittleMoreThanItsCells() throws IOException {
    double ratio = chunksByCells();
    assertTrue("chunks have " + ratio + " times the bytes of the cells", ratio < 1.6);
  }
}
