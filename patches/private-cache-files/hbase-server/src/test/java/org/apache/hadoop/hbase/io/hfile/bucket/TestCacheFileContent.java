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

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** A file that isn't a block cache's stays as it is, and one that is may be used by another. */
@Category({ IOTests.class, SmallTests.class })
public class TestCacheFileContent extends BucketCacheTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCacheFileContent.class);

  private static final int IMAGE = 4 << 20;
  private static final FileTime LONG_AGO = FileTime.fromMillis(1_000_000_000_000L);

  private static byte[] image(int zeros) {
    byte[] image = new byte[IMAGE];
    new Random(zeros).nextBytes(image); // Any bytes do.
    Arrays.fill(image, 0, zeros, (byte) 0);
    return image;
  }

  /** Images of what begins with zeros, as ext4, btrfs and LVM do, and other files. */
  private static Map<String, byte[]> foreign() {
    Map<String, byte[]> foreign = new LinkedHashMap<>();
    for (int zeros : new int[] { 0, 512, 1024, 4096, 65_536, IMAGE - 4096 }) {
      foreign.put(zeros + " zeros", image(zeros));
    }
    foreign.put("zeros only", new byte[IMAGE]);
    foreign.put("a few zeros", new byte[100]);
    foreign.put("a word", new byte[] { 'x' });
    byte[] file = image(0);
    BlockType.DATA.put(file, 0);
    foreign.put("an HFile", file);
    foreign.put("a short HFile", Arrays.copyOf(file, 50_000));
    return foreign;
  }

  private void put(File file, byte[] content) throws IOException {
    Files.deleteIfExists(file.toPath());
    Files.createFile(file.toPath(),
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")));
    Files.write(file.toPath(), content);
    Files.setLastModifiedTime(file.toPath(), LONG_AGO);
  }

  private void assertIsAsItWas(String what, File file, byte[] content) throws IOException {
    assertArrayEquals(what, content, Files.readAllBytes(file.toPath()));
    assertEquals(what, LONG_AGO, Files.getLastModifiedTime(file.toPath()));
    assertEquals(what, "rw-r-----",
      PosixFilePermissions.toString(Files.getPosixFilePermissions(file.toPath())));
  }

  private void assertRefused(String what, String engine, boolean kept, File file, String reason) {
    FileSystemException refused =
      assertThrows(what, FileSystemException.class, () -> start(engine, kept));
    assertTrue(refused.getMessage(), refused.getMessage().startsWith(file + ": " + reason));
  }

  @Test
  public void aFileThatIsNoCachesIsRefusedAndStaysAsItIs() throws Exception {
    for (boolean kept : new boolean[] { false, true }) {
      for (Map.Entry<String, byte[]> foreign : foreign().entrySet()) {
        String what = foreign.getKey();
        put(file(), foreign.getValue());
        String why = "isn't known to be a block cache's file";
        assertRefused(what, "direct:" + file(), kept, file(), why);
        assertRefused(what, "direct:" + file() + "2," + file(), kept, file(), why);
        assertIsAsItWas(what, file(), foreign.getValue());
        assertEquals("nothing is left beside it", 1, folder.getRoot().list().length);
      }
    }
  }

  /** Such as one that an earlier version left when it refused the file. */
  @Test
  public void aLockBesideItMakesNoFileACaches() throws Exception {
    for (String lock : new String[] { "1234@host", "1234@host 0", "1234@host 4096", "" }) {
      Files.write(new File(file() + ".lock").toPath(), lock.getBytes(StandardCharsets.UTF_8));
      for (Map.Entry<String, byte[]> foreign : foreign().entrySet()) {
        // An earlier version would have taken a file that begins with zeros.
        if (!lock.equals("1234@host") || !isNearlyZeros(foreign.getValue())) {
          put(file(), foreign.getValue());
          assertThrows(foreign.getKey(), FileSystemException.class,
            () -> start("direct:" + file(), true));
          assertIsAsItWas(foreign.getKey(), file(), foreign.getValue());
        }
      }
    }
  }

  private static boolean isNearlyZeros(byte[] content) {
    return content.length == IMAGE
      && Arrays.equals(new byte[IMAGE - 4096], Arrays.copyOf(content, IMAGE - 4096));
  }

  @Test
  public void whatIsNoRegularFileIsRefused() {
    for (String path : new String[] { "/dev/null", "/dev/zero" }) {
      String why = "is a device, a pipe or a socket";
      assertRefused(path, "direct:" + path, false, new File(path), why);
      assertRefused(path, "direct:" + path, true, new File(path), why);
      assertFalse(new File(path + ".lock").exists());
    }
  }

  @Test
  public void aListThatIsNoneIsRefusedAndStaysAsItIs() throws Exception {
    for (Map.Entry<String, byte[]> foreign : foreign().entrySet()) {
      put(list(), foreign.getValue());
      assertRefused(foreign.getKey(), "direct:" + file(), true, list(),
        "isn't a list of cached blocks");
      assertIsAsItWas(foreign.getKey(), list(), foreign.getValue());
      assertFalse(file().exists());
    }
  }

  @Test
  public void aLockThatIsNoneIsRefusedAndStaysAsItIs() throws Exception {
    File lock = new File(file() + ".lock");
    for (String content : new String[] { "1234", "1234@host and more", "\u0000\u0000" }) {
      byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
      put(lock, bytes);
      assertRefused(content, "direct:" + file(), true, file(), "can't be locked, since " + lock);
      assertIsAsItWas(content, lock, bytes);
      assertFalse(file().exists());
    }
  }

  @Test
  public void aLockThatIsNoFileIsRefusedAndStays() throws Exception {
    File lock = new File(file() + ".lock");
    assertTrue(lock.mkdir());
    assertRefused("a directory", "direct:" + file(), true, file(),
      "can't be locked, since " + lock + " isn't a regular file");
    assertTrue(lock.isDirectory());
    assertFalse(file().exists());
  }

  /** Fills slots so that buckets are full, whose first slots are used last. */
  private void startAndFill(String engine, boolean kept) throws Exception {
    start(engine, kept);
    fill();
    cache.shutdown();
  }

  @Test
  public void theFileOfACacheWithoutLocksIsUsed() throws Exception {
    for (boolean kept : new boolean[] { false, true }) {
      startAndFill("file:" + file(), kept);
      assertFalse("it has none", new File(file() + ".lock").exists());
      start("direct:" + file(), kept);
      fill();
      assertEquals(BLOCKS, countServed());
      cache.shutdown();
      Files.delete(new File(file() + ".lock").toPath());
      Files.deleteIfExists(list().toPath());
    }
  }

  /** A bucket's last slot is used first, so no bucket begins with a block. */
  @Test
  public void theFileOfACacheWithoutLocksThatHasAFewBlocksIsUsed() throws Exception {
    start("file:" + file(), false);
    cacheBlock(TestBlocks.key(FILE, 0, BlockType.DATA));
    cache.shutdown();
    assertFalse(Arrays.equals(new byte[IMAGE], Files.readAllBytes(file().toPath())));
    start("direct:" + file(), false);
    fill();
    assertEquals(BLOCKS, countServed());
  }

  @Test
  public void theSecondFileOfACacheWithoutLocksIsUsed() throws Exception {
    File second = new File(file() + "2");
    start("files:" + file() + "," + second, false);
    for (int i = 0; i < 320; i++) {
      cacheBlock(TestBlocks.key("another", i * 10_000L, BlockType.DATA));
    }
    cache.shutdown();
    assertFalse(Arrays.equals(new byte[IMAGE / 2], Files.readAllBytes(file().toPath())));
    assertFalse(Arrays.equals(new byte[IMAGE / 2], Files.readAllBytes(second.toPath())));
    start("direct:" + file() + "," + second, true);
    fill();
    assertEquals(BLOCKS, countServed());
  }

  @Test
  public void aFileIsKnownByItsLockIfItHasNoBlocks() throws Exception {
    start("direct:" + file(), true);
    cache.shutdown();
    assertArrayEquals(new byte[IMAGE], Files.readAllBytes(file().toPath()));
    start("direct:" + file(), true);
    cache.shutdown();
    assertTrue(list().delete());
    Files.write(file().toPath(), image(4096));
    start("direct:" + file(), true);
    fill();
    assertEquals(BLOCKS, countServed());
  }

  @Test
  public void aFileIsKnownWithAnotherSize() throws Exception {
    start("direct:" + file(), false);
    cache.shutdown();
    start("direct:" + file(), 2 * CAPACITY, false, 0);
    cache.shutdown();
    assertEquals(2 * CAPACITY, file().length());
    start("direct:" + file(), true);
  }

  /** Its lock has no length, and perhaps no block was cached. */
  @Test
  public void theFileOfAnEarlierVersionIsUsed() throws Exception {
    for (int blocks = 0; blocks < 2; blocks++) {
      start("direct:" + file(), true);
      if (blocks > 0) {
        cacheBlock(TestBlocks.key(FILE, 0, BlockType.DATA));
      }
      cache.shutdown();
      byte[] lock = "1234@host".getBytes(StandardCharsets.UTF_8);
      Files.write(new File(file() + ".lock").toPath(), lock);
      Files.write(new File(list() + ".lock").toPath(), lock);
      start("direct:" + file(), true);
      fill();
      assertEquals(BLOCKS, countServed());
      cache.shutdown();
      assertTrue(list().delete() && file().delete());
    }
  }

  @Test
  public void aFileThatIsOpenedAgainIsNoOtherOne() throws Exception {
    put(file(), new byte[8192]);
    FileChannel[] channel = new FileChannel[1];
    try (DirectFile direct = new DirectFile(file().toPath(),
      path -> channel[0] = DirectFile.openCached(path))) {
      channel[0].close();
      direct.write(ByteBuffer.wrap(new byte[] { 'a' }), 0);
      File other = folder.newFile();
      Files.move(file().toPath(), new File(folder.getRoot(), "away").toPath());
      Files.move(other.toPath(), file().toPath());
      channel[0].close();
      FileSystemException refused = assertThrows(FileSystemException.class,
        () -> direct.write(ByteBuffer.wrap(new byte[] { 'b' }), 0));
      assertTrue(refused.getMessage(), refused.getMessage().contains("was replaced"));
      assertEquals(0, file().length());
      direct.renew();
      direct.write(ByteBuffer.wrap(new byte[] { 'b' }), 0);
      assertEquals(1, file().length());
    }
  }
}
