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

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** Files that are read by a StoreFileInfo made from their path, as coprocessors do. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestStoreFileInfoOfPath {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestStoreFileInfoOfPath.class);

  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final String REGION = "0123456789abcdef0123456789abcdef";
  private static final String DAUGHTER = "fedcba9876543210fedcba9876543210";
  private static final int ROWS = 1000;
  private static final int SPLIT = 400;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = HBaseConfiguration.create();
  private FileSystem fs;
  private Path table;
  private Path file;

  @Before
  public void setUp() throws Exception {
    conf.set(HConstants.HBASE_DIR, folder.getRoot().toURI().toString());
    conf.setFloat(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY, 0);
    fs = FileSystem.getLocal(conf);
    table = CommonFSUtils.getTableDir(CommonFSUtils.getRootDir(conf), TABLE);
    StoreFileWriter writer = new StoreFileWriter.Builder(conf, new CacheConfig(conf), fs)
      .withOutputDir(family(REGION)).withFileContext(new HFileContextBuilder().build()).build();
    for (int i = 0; i < ROWS; i++) {
      writer.append(new KeyValue(row(i), FAMILY, Bytes.toBytes("q"), 1L, Bytes.toBytes(i)));
    }
    writer.close();
    file = writer.getPath();
  }

  private Path family(String region) {
    return new Path(new Path(table, region), Bytes.toString(FAMILY));
  }

  private static byte[] row(int i) {
    return Bytes.toBytes(String.format("%06d", i));
  }

  /** Reads all of a file, and checks that it has just these rows. */
  private StoreFileInfo read(Path path, int from, int to) throws IOException {
    StoreFileInfo info = new StoreFileInfo(conf, fs, path, true);
    assertEquals(fs.makeQualified(path), info.getPath());
    HStoreFile storeFile = new HStoreFile(info, BloomType.NONE, new CacheConfig(conf));
    storeFile.initReader();
    List<Integer> values = new ArrayList<>();
    try (StoreFileScanner scanner = storeFile.getPreadScanner(false, Long.MAX_VALUE, 0, false)) {
      scanner.seek(KeyValue.LOWESTKEY);
      for (Cell cell = scanner.next(); cell != null; cell = scanner.next()) {
        values.add(Bytes.toInt(CellUtil.cloneValue(cell)));
        assertArrayEquals(row(values.get(values.size() - 1)), CellUtil.cloneRow(cell));
      }
    }
    storeFile.closeStoreFile(true);
    assertEquals(to - from, values.size());
    for (int i = from; i < to; i++) {
      assertEquals(i, values.get(i - from).intValue());
    }
    return info;
  }

  @Test
  public void aFileIsRead() throws Exception {
    StoreFileInfo info = read(file, 0, ROWS);
    assertFalse(info.isReference() || info.isLink());
    assertEquals(fs.getFileStatus(file).getLen(), info.getSize());
    assertEquals(fs.getFileStatus(file).getModificationTime(), info.getCreatedTimestamp());
  }

  private Path reference(Reference half) throws IOException {
    return half.write(fs, new Path(family(DAUGHTER), file.getName() + '.' + REGION));
  }

  @Test
  public void halvesOfAFileAreRead() throws Exception {
    StoreFileInfo top = read(reference(Reference.createTopReference(row(SPLIT))), SPLIT, ROWS);
    assertTrue(top.isReference() && top.isTopReference());
    fs.delete(top.getPath(), false);
    StoreFileInfo bottom = read(reference(Reference.createBottomReference(row(SPLIT))), 0, SPLIT);
    assertTrue(bottom.isReference() && !bottom.isTopReference());
  }

  @Test
  public void aLinkIsRead() throws Exception {
    Path link = new Path(family(DAUGHTER),
      HFileLink.createHFileLinkName(TABLE, REGION, file.getName()));
    fs.create(link).close();
    assertTrue(read(link, 0, ROWS).isLink());
  }

  @Test
  public void otherPathsAreRefused() {
    assertThrows(IOException.class,
      () -> new StoreFileInfo(conf, fs, new Path(file.getParent(), "not-a-store-file"), true));
    assertThrows(FileNotFoundException.class,
      () -> new StoreFileInfo(conf, fs, new Path(file.getParent(), REGION), true));
  }
}
