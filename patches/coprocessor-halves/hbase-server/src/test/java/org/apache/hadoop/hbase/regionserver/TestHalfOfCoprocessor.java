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
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/**
 * An upper half of a file as Phoenix's: in the file rows begin with "aa", and it shows them with
 * "m", the start key of the region. The region has other rows behind them.
 */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestHalfOfCoprocessor {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestHalfOfCoprocessor.class);

  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] VALUE = Bytes.toBytes("v");
  private static final String IN_FILE = "aa";
  private static final String SHOWN = "m";
  private static final int TIMEOUT = 30_000;
  private static final int ROWS = 5;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = HBaseConfiguration.create();
  private final List<HStoreFile> opened = new ArrayList<>();
  private FileSystem fs;
  private CacheConfig cacheConfig;
  private Path referred;
  private Path reference;
  /** Whether halves are sought row by row. */
  private boolean seeksByRow;

  @Before
  public void write() throws IOException {
    conf.setFloat(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY, 0);
    cacheConfig = new CacheConfig(conf);
    fs = FileSystem.getLocal(conf);
    Path table = new Path(folder.getRoot().toURI());
    StoreFileWriter writer = new StoreFileWriter.Builder(conf, cacheConfig, fs)
      .withOutputDir(new Path(table, "parent/f")).withFileContext(new HFileContextBuilder().build())
      .build();
    for (int i = 0; i < ROWS; i++) {
      writer.append(cell(IN_FILE + i));
    }
    writer.close();
    referred = writer.getPath();
    reference = new Path(table, "daughter/f/" + referred.getName() + ".parent");
  }

  @After
  public void close() throws IOException {
    for (HStoreFile file : opened) {
      assertEquals(0, file.getRefCount());
      file.closeStoreFile(true);
    }
  }

  private static KeyValue cell(String row) {
    return new KeyValue(Bytes.toBytes(row), FAMILY, null, 1L, VALUE);
  }

  /** Returns a cell with another prefix of its row. */
  private static Cell replace(Cell cell, String prefix, String other) {
    return cell == null
      ? null
      : cell(other + Bytes.toString(CellUtil.cloneRow(cell)).substring(prefix.length()));
  }

  /** The half that the coprocessor of a region reads by a reader of its own. */
  private final class FileOfCoprocessor extends StoreFileInfo {
    FileOfCoprocessor(Reference half) throws IOException {
      super(TestHalfOfCoprocessor.this.conf, TestHalfOfCoprocessor.this.fs, 1L, reference, 0L, half,
        null, true);
    }

    @Override
    StoreFileReader preStoreFileReaderOpen(ReaderContext context, CacheConfig cache)
      throws IOException {
      HFileInfo info = new HFileInfo(context, conf);
      StoreFileReader reader = new ReaderOfCoprocessor(context, info, fileInRegion());
      info.initMetaAndIndex(reader.getHFileReader());
      return reader;
    }
  }

  private StoreFileInfo fileInRegion() {
    return new StoreFileInfo(conf, fs, 1L, referred, 0L, null, null, true);
  }

  private final class ReaderOfCoprocessor extends StoreFileReader {
    ReaderOfCoprocessor(ReaderContext context, HFileInfo info, StoreFileInfo file)
      throws IOException {
      super(context, info, cacheConfig, file, TestHalfOfCoprocessor.this.conf);
    }

    @Override
    public StoreFileScanner getStoreFileScanner(boolean cacheBlocks, boolean pread,
      boolean isCompaction, long readPt, long order, boolean canOptimizeForNonNullColumn) {
      HFileScanner rows = getHFileReader().getScanner(conf, cacheBlocks, pread, isCompaction);
      return new StoreFileScanner(this, rows, false, false, readPt, order,
        canOptimizeForNonNullColumn, false) {
        @Override
        public boolean seek(Cell key) throws IOException {
          return super.seek(key.getRowLength() == 0 ? key : replace(key, SHOWN, IN_FILE));
        }

        @Override
        public boolean reseek(Cell key) throws IOException {
          if (seeksByRow) {
            next();
            return peek() != null;
          }
          return super.reseek(replace(key, SHOWN, IN_FILE));
        }

        @Override
        public Cell peek() {
          return replace(super.peek(), IN_FILE, SHOWN);
        }

        @Override
        public Cell next() throws IOException {
          return replace(super.next(), IN_FILE, SHOWN);
        }
      };
    }
  }

  private StoreFileScanner open(Reference half) throws IOException {
    HStoreFile file = new HStoreFile(new FileOfCoprocessor(half), BloomType.NONE, cacheConfig);
    opened.add(file);
    file.initReader();
    return file.getPreadScanner(false, Long.MAX_VALUE, 0, false);
  }

  private StoreScanner begin(Scan scan, KeyValueScanner... scanners) throws IOException {
    return new StoreScanner(scan, new ScanInfo(conf, FAMILY, 0, 1, HConstants.FOREVER,
      KeepDeletedCells.FALSE, HConstants.DEFAULT_BLOCKSIZE, 0, CellComparator.getInstance(), false),
      null, Arrays.asList(scanners));
  }

  /** Returns the row that a scanner stands at, or null. */
  private static String rowOf(KeyValueScanner scanner) {
    Cell cell = scanner.peek();
    return cell == null ? null : Bytes.toString(CellUtil.cloneRow(cell));
  }

  /** Returns the row at which a scan of a half begins, or null. */
  private String first(Scan scan, Reference half) throws IOException {
    try (StoreScanner scanner = begin(scan, open(half))) {
      return rowOf(scanner);
    }
  }

  private static Reference top() {
    return Reference.createTopReference(Bytes.toBytes(SHOWN));
  }

  private static Scan ofRow(String row) {
    return new Scan().withStartRow(Bytes.toBytes(row)).withStopRow(Bytes.toBytes(row), true);
  }

  private static Scan from(String row) {
    return new Scan().withStartRow(Bytes.toBytes(row));
  }

  @Test
  public void rowBehindTheHalfIsNotHidden() throws IOException {
    assertNull(first(ofRow("z3"), top()));
    assertNull(first(ofRow("z3").setRaw(true).readAllVersions(), top()));
    assertNull(first(from("n"), top()));
  }

  @Test
  public void rowsOfTheHalfAreFound() throws IOException {
    assertEquals("m0", first(new Scan(), top()));
    assertEquals("m0", first(from("m"), top()));
    assertEquals("m3", first(ofRow("m3"), top()));
    assertEquals("m3", first(from("m3"), top()));
    assertNull(first(ofRow("m9"), top()));
  }

  @Test(timeout = TIMEOUT)
  public void laterSeekGoesBehindTheHalf() throws IOException {
    try (StoreScanner scanner = begin(new Scan(), open(top()),
      new KeyValueScanFixture(CellComparator.getInstance(), cell("z1"), cell("z3")))) {
      assertEquals("m0", rowOf(scanner));
      assertTrue(scanner.reseek(cell("m3")));
      assertEquals("m3", rowOf(scanner));
      assertTrue(scanner.reseek(cell("z3")));
      assertEquals("z3", rowOf(scanner));
    }
  }

  @Test(timeout = TIMEOUT)
  public void halfThatMovesOnIsSoughtAgain() throws IOException {
    seeksByRow = true;
    try (StoreScanner scanner = begin(new Scan(), open(top()))) {
      assertTrue(scanner.reseek(cell("m3")));
      assertEquals("m3", rowOf(scanner));
    }
  }

  /** Those of Phoenix may stand before a key of the index, and have it. */
  @Test
  public void lowerHalvesStayOpen() throws IOException {
    assertEquals("m3", first(ofRow("z3"), Reference.createBottomReference(Bytes.toBytes("n"))));
  }
}
