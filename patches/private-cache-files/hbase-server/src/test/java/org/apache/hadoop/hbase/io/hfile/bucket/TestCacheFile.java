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
package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** Other users can neither read the block cache's files nor redirect it to files of theirs. */
@Category({ IOTests.class, SmallTests.class })
public class TestCacheFile {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCacheFile.class);

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = new Configuration(false);
  private File file;
  private File list;
  private BlockCache cache;

  @Before
  public void setUp() {
    file = new File(folder.getRoot(), "cache");
    list = new File(folder.getRoot(), "list");
    conf.set("hbase.bucketcache.l1.ioengine", "offheap");
    conf.set("hbase.bucketcache.l1.size", "32m");
    conf.set("hbase.bucketcache.l2.size", "32m");
  }

  @After
  public void tearDown() {
    if (cache != null) {
      cache.shutdown();
    }
  }

  private void startTiers(String engine) {
    conf.set("hbase.bucketcache.l2.ioengine", engine + ":" + file);
    if (!engine.equals("mmap")) {
      conf.set("hbase.bucketcache.l2.persistent.path", list.toString());
    } else {
      conf.unset("hbase.bucketcache.l2.persistent.path");
    }
    cache = BlockCacheFactory.createBlockCache(conf);
  }

  private static String mode(File file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file.toPath()));
  }

  @Test
  public void theFilesOfTiersAreTheirOwnersOnly() throws IOException {
    for (String engine : new String[] { "file", "direct", "mmap" }) {
      startTiers(engine);
      assertEquals(engine, "rw-------", mode(file));
      cache.shutdown();
      if (!engine.equals("mmap")) {
        assertEquals(engine, "rw-------", mode(list));
      }
      file.delete();
      list.delete();
    }
  }

  @Test
  public void aFileThatOthersCouldReadIsProtected() throws IOException {
    Files.createFile(file.toPath(),
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
    startTiers("file");
    assertEquals("rw-------", mode(file));
  }

  @Test
  public void aPlantedLinkStopsTheStartAndIsNotFollowed() throws IOException {
    File target = new File(folder.getRoot(), "target");
    for (File link : new File[] { file, list }) {
      Files.createSymbolicLink(link.toPath(), target.toPath());
      Exception refused =
        assertThrows(IllegalStateException.class, () -> startTiers("file"));
      assertTrue(refused.getMessage(), refused.getMessage().contains(link + ": is a link"));
      assertFalse(target.exists());
      Files.delete(link.toPath());
    }
  }

  @Test
  public void aListWithoutADirectoryStopsTheStart() throws IOException {
    for (String path : new String[] { list + "/gone", folder.getRoot().toString(), "/" }) {
      conf.set("hbase.bucketcache.l2.ioengine", "file:" + file);
      conf.set("hbase.bucketcache.l2.persistent.path", path);
      Exception refused = assertThrows(IllegalStateException.class,
        () -> BlockCacheFactory.createBlockCache(conf));
      assertTrue(refused.getMessage(),
        refused.getMessage().contains("hbase.bucketcache.l2.persistent.path is " + path));
      assertFalse(file.exists());
    }
  }

  @Test
  public void aStartThatIsRefusedLeavesNoFileThatWasNotThere() {
    conf.set("hbase.bucketcache.l2.size", "900t");
    for (String engine : new String[] { "file", "direct" }) {
      assertThrows(IllegalStateException.class, () -> startTiers(engine));
      assertFalse(engine, file.exists());
    }
    conf.set("hbase.bucketcache.l2.size", "32m");
    conf.set("hbase.bucketcache.l2.ioengine", "files:" + file + "," + new File(list, "cache"));
    assertThrows(IllegalStateException.class, () -> BlockCacheFactory.createBlockCache(conf));
    assertFalse("the first of two", file.exists());
  }

  @Test
  public void aStartOfASingleDirectCacheThatIsRefusedLeavesNoFile() {
    conf.set(FileEngineSettings.CHECKSUM.key(), "perhaps");
    assertThrows(IllegalArgumentException.class, () -> new BucketCache("direct:" + file, 32 << 20,
      64 << 10, null, 1, 64, null, 60_000, conf));
    assertFalse(file.exists());
  }

  /** Without a list the engine deletes an existing file and creates its own. */
  @Test
  public void aStartThatIsRefusedLeavesFilesToTheirOwner() throws IOException {
    conf.set("hbase.bucketcache.l2.size", "900t");
    conf.set("hbase.bucketcache.l2.ioengine", "direct:" + file);
    assertTrue(file.createNewFile());
    assertThrows(IllegalStateException.class, () -> BlockCacheFactory.createBlockCache(conf));
    assertEquals("rw-------", mode(file));
  }

  @Test
  public void aDeviceWithoutRoomForAFileIsNamed() throws IOException {
    long room = Files.getFileStore(folder.getRoot().toPath()).getUsableSpace();
    String engine = "file:" + file;
    assertEquals(Collections.emptyList(), CacheFile.lackOfRoom(engine, room / 2));
    assertEquals(Collections.emptyList(), CacheFile.lackOfRoom("offheap", 2 * room));
    assertEquals(Collections.emptyList(),
      CacheFile.lackOfRoom("file:" + new File(file, "cache"), 2 * room));
    long both = 4 * room;
    List<String> lacks = CacheFile.lackOfRoom(engine + "," + list, both);
    assertEquals(1, lacks.size());
    String lack = lacks.get(0);
    assertTrue(lack, lack.contains(file + "," + list) && lack.contains(mb(both)));
    try (RandomAccessFile raf = new RandomAccessFile(file, "rw")) {
      raf.setLength(both / 2);
    }
    lack = CacheFile.lackOfRoom(engine + "," + list, both).get(0);
    assertTrue(lack, lack.contains(mb(both / 2)));
  }

  private static String mb(long bytes) {
    return String.format("%,d MB", bytes >> 20);
  }

  /** A single BucketCache with another engine works as without this feature. */
  @Test
  public void aSingleBucketCachesFileIsAsTheUmaskSays() throws IOException {
    File other = folder.newFile();
    File target = new File(folder.getRoot(), "target");
    Files.createSymbolicLink(file.toPath(), target.toPath());
    cache = new BucketCache("file:" + file, 32 << 20, 64 << 10, null, 1, 64, list.toString());
    assertEquals(mode(other), mode(target));
    cache.shutdown();
    assertEquals(mode(other), mode(list));
  }
}
