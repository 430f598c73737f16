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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** What the writers of a compaction keep isn't in blocks that were released. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestWritersBeforeShipped {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestWritersBeforeShipped.class);

  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] ROW = Bytes.toBytes("row1");
  private static final byte[] NEXT_ROW = Bytes.toBytes("row2");
  private static final byte[] RIGHT = Bytes.toBytes("row5");

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = HBaseConfiguration.create();
  private final ReusedMemory blocks = ReusedMemory.offHeap();
  private FileSystem fs;

  @Before
  public void open() throws IOException {
    fs = FileSystem.getLocal(conf);
  }

  private static KeyValue cellOf(byte[] row, KeyValue.Type type, String qualifier,
    long timestamp) {
    return new KeyValue(row, FAMILY, Bytes.toBytes(qualifier), timestamp, type);
  }

  private StoreFileWriter newWriter() throws IOException {
    return new StoreFileWriter.Builder(conf, CacheConfig.DISABLED, fs)
      .withOutputDir(new Path(folder.getRoot().toURI())).withBloomType(BloomType.NONE)
      .withFileContext(new HFileContextBuilder().build()).withMaxVersions(1)
      .withCellComparator(CellComparatorImpl.COMPARATOR).withIsCompaction(true).build();
  }

  /** Returns how many cells are in the file of live cells, then in the other, if there is one. */
  private List<Long> countCells(StoreFileWriter writer) throws IOException {
    writer.appendMetadata(1, false);
    writer.close();
    List<Long> counts = new ArrayList<>();
    for (Path path : writer.getPaths()) {
      try (HFile.Reader reader = HFile.createReader(fs, path, CacheConfig.DISABLED, true, conf)) {
        counts.add(reader.getEntries());
      }
    }
    return counts;
  }

  private StoreFileWriter newWriterOfTwoFiles() throws IOException {
    conf.setBoolean(StoreFileWriter.ENABLE_HISTORICAL_COMPACTION_FILES, true);
    return newWriter();
  }

  private void appendAndShip(StoreFileWriter writer, KeyValue cell) throws IOException {
    writer.appendAll(Collections.singletonList(blocks.add(cell)));
    writer.beforeShipped();
    blocks.reuse();
  }

  private void deleteHolds(KeyValue delete) throws IOException {
    StoreFileWriter writer = newWriterOfTwoFiles();
    appendAndShip(writer, delete);
    writer.appendAll(Collections.singletonList(cellOf(ROW, KeyValue.Type.Put, "q", 10)));
    assertEquals(Arrays.asList(1L, 1L), countCells(writer));
  }

  @Test
  public void deleteOfAFamilyHolds() throws IOException {
    deleteHolds(cellOf(ROW, KeyValue.Type.DeleteFamily, "", 10));
  }

  @Test
  public void deleteOfAVersionOfAFamilyHolds() throws IOException {
    deleteHolds(cellOf(ROW, KeyValue.Type.DeleteFamilyVersion, "", 10));
  }

  @Test
  public void deleteOfAColumnHolds() throws IOException {
    deleteHolds(cellOf(ROW, KeyValue.Type.DeleteColumn, "q", 10));
  }

  @Test
  public void deleteOfAVersionHolds() throws IOException {
    deleteHolds(cellOf(ROW, KeyValue.Type.Delete, "q", 10));
  }

  /** A block with cells of the same sizes is where the former one was. */
  @Test
  public void deleteEndsWithItsRow() throws IOException {
    StoreFileWriter writer = newWriterOfTwoFiles();
    appendAndShip(writer, cellOf(ROW, KeyValue.Type.DeleteFamily, "", 10));
    Cell live = blocks.add(cellOf(NEXT_ROW, KeyValue.Type.Put, "", 10));
    writer.appendAll(Collections.singletonList(live));
    assertEquals(Collections.singletonList(2L), countCells(writer));
  }

  private void lastRowIsInTheStripe(StripeMultiFileWriter writer) throws IOException {
    writer.init(null, new AbstractMultiFileWriter.WriterFactory() {
      @Override
      public StoreFileWriter createWriter() throws IOException {
        return newWriter();
      }

      @Override
      public StoreFileWriter createWriterWithStoragePolicy(String policy) throws IOException {
        return newWriter();
      }
    });
    writer.append(blocks.add(cellOf(ROW, KeyValue.Type.Put, "q", 10)));
    writer.beforeShipped();
    blocks.reuse();
    assertEquals(1, writer.commitWriters(1, false).size());
  }

  @Test
  public void lastRowOfStripesOfKnownBoundaries() throws IOException {
    List<byte[]> boundaries =
      new ArrayList<>(Arrays.asList(StripeStoreFileManager.OPEN_KEY, RIGHT));
    lastRowIsInTheStripe(new StripeMultiFileWriter.BoundaryMultiWriter(
      CellComparatorImpl.COMPARATOR, boundaries, null, null));
  }

  @Test
  public void lastRowOfStripesOfAKnownSize() throws IOException {
    lastRowIsInTheStripe(new StripeMultiFileWriter.SizeMultiWriter(CellComparatorImpl.COMPARATOR,
      1, 100, StripeStoreFileManager.OPEN_KEY, RIGHT));
  }
}
