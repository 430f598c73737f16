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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionProgress;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.regionserver.compactions.DefaultCompactor;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * What the steps of a compaction read that has more blocks than one step may. On 2.6.4 from the
 * 16th of 100 rows on each step gave one cell in place of five, and a compaction that wrote nothing
 * never released a block.
 */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestStepsOfCompactions {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestStepsOfCompactions.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] F = Bytes.toBytes("f");
  private static final int ROWS = 100;
  private static final int COLUMNS = 5;
  private static final int BLOCK_BYTES = 1024;
  /** That of about 16 rows, each cell of which ends a block. */
  private static final int LIMIT_BYTES = 80 * BLOCK_BYTES;

  /** Tells what its scanner gave. */
  public static class WatchedCompactor extends DefaultCompactor {
    static final List<Integer> CELLS_OF_STEPS = new ArrayList<>();
    static int released;
    static boolean canRelease;

    public WatchedCompactor(Configuration conf, HStore store) {
      super(conf, store);
    }

    @Override
    protected boolean performCompaction(FileDetails files, InternalScanner scanner, CellSink writer,
      long smallestReadPoint, boolean cleanSeqId, ThroughputController throughput,
      CompactionRequestImpl request, CompactionProgress progress) throws IOException {
      InternalScanner watched = canRelease ? new ReleasingScanner(scanner) : new Steps(scanner);
      return super.performCompaction(files, watched, writer, smallestReadPoint, cleanSeqId,
        throughput, request, progress);
    }

    /** As a coprocessor's, which can't release blocks. */
    private static class Steps implements InternalScanner {
      final InternalScanner scanner;

      Steps(InternalScanner scanner) {
        this.scanner = scanner;
      }

      @Override
      public boolean next(List<Cell> cells, ScannerContext context) throws IOException {
        boolean more = scanner.next(cells, context);
        CELLS_OF_STEPS.add(cells.size());
        return more;
      }

      @Override
      public void close() throws IOException {
        scanner.close();
      }
    }

    private static class ReleasingScanner extends Steps implements Shipper {
      ReleasingScanner(InternalScanner scanner) {
        super(scanner);
      }

      @Override
      public void shipped() throws IOException {
        released++;
        ((Shipper) scanner).shipped();
      }
    }
  }

  private HRegion region;

  @Before
  public void open() throws IOException {
    Configuration conf = HBaseConfiguration.create(UTIL.getConfiguration());
    conf.setLong(HConstants.COMPACTION_SCANNER_SIZE_MAX, LIMIT_BYTES);
    conf.set(DefaultStoreEngine.DEFAULT_COMPACTOR_CLASS_KEY, WatchedCompactor.class.getName());
    WatchedCompactor.CELLS_OF_STEPS.clear();
    WatchedCompactor.released = 0;
    TableName table = TableName.valueOf("t");
    RegionInfo info = RegionInfoBuilder.newBuilder(table).build();
    region = HBaseTestingUtility.createRegionAndWAL(info, UTIL.getDataTestDir(), conf,
      TableDescriptorBuilder.newBuilder(table).setColumnFamily(
        ColumnFamilyDescriptorBuilder.newBuilder(F).setBlocksize(BLOCK_BYTES).build()).build());
  }

  @After
  public void close() throws IOException {
    HBaseTestingUtility.closeRegionAndWAL(region);
    UTIL.cleanupTestDir();
  }

  @Test
  public void aStepGivesAWholeRow() throws IOException {
    writeRows();
    WatchedCompactor.canRelease = true;
    region.compact(true);
    assertWholeRows();
  }

  @Test
  public void aStepOfAScannerThatCanNotReleaseBlocksGivesAWholeRow() throws IOException {
    writeRows();
    WatchedCompactor.canRelease = false;
    region.compact(true);
    assertWholeRows();
  }

  @Test
  public void blocksAreReleasedThoughNothingIsWritten() throws IOException {
    writeRows();
    for (int row = 0; row < ROWS; row++) {
      region.delete(new Delete(row(row)).setDurability(Durability.SKIP_WAL));
    }
    region.flush(true);
    WatchedCompactor.canRelease = true;
    region.compact(true);
    long blockBytes = (long) ROWS * COLUMNS * BLOCK_BYTES;
    long times = blockBytes / LIMIT_BYTES;
    assertTrue(times + " times were expected, not " + WatchedCompactor.released,
      WatchedCompactor.released >= times - 1);
    assertEquals(0, region.getStore(F).getStorefiles().iterator().next().getReader().getEntries());
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format("r%05d", number));
  }

  private void writeRows() throws IOException {
    for (int row = 0; row < ROWS; row++) {
      Put put = new Put(row(row)).setDurability(Durability.SKIP_WAL);
      for (int column = 0; column < COLUMNS; column++) {
        put.addColumn(F, Bytes.toBytes("c" + column), new byte[BLOCK_BYTES]);
      }
      region.put(put);
    }
    region.flush(true);
  }

  private static void assertWholeRows() {
    List<Integer> steps = new ArrayList<>(WatchedCompactor.CELLS_OF_STEPS);
    steps.removeIf(cells -> cells == 0);
    assertEquals(Collections.nCopies(ROWS, COLUMNS), steps);
  }
}
