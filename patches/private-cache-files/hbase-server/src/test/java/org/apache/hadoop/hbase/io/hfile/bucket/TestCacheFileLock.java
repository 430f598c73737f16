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
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Only one of two servers that are given the same block cache file gets it. */
@Category({ IOTests.class, SmallTests.class })
public class TestCacheFileLock extends BucketCacheTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCacheFileLock.class);

  private static final String ME = ManagementFactory.getRuntimeMXBean().getName();

  /** Another server, which holds the files in its arguments until it is killed. */
  public static final class OtherServer {
    public static void main(String[] args) throws Exception {
      new CacheFileLock(args[0], args[1]);
      // Like an engine that opens its files anew, which would drop a lock on the files.
      Files.readAllBytes(FileEnginePaths.of(args[0]).get(0));
      System.out.println(ManagementFactory.getRuntimeMXBean().getName());
      Thread.sleep(Long.MAX_VALUE);
    }
  }

  private static String refusalOf(String owner) {
    return "is in use by the block cache of process " + owner
      + "; stop that, or give each server files of its own";
  }

  private void assertRefused(File file, String owner, String engine, boolean kept) {
    Exception refused = assertThrows(FileSystemException.class, () -> start(engine, kept));
    assertEquals(file + ": " + refusalOf(owner), refused.getMessage());
    assertEquals(refusalOf(owner), CacheFileLock.refusal(file.toPath()));
  }

  private static File lock(File file) {
    return new File(file + ".lock");
  }

  @Test
  public void aFileOfAnotherProcessIsRefusedUntilThatIsKilled() throws Exception {
    start("direct:" + file(), true);
    cache.shutdown();
    byte[] content = Files.readAllBytes(file().toPath());
    Process other = new ProcessBuilder(Paths.get(System.getProperty("java.home"), "bin", "java")
      .toString(), "-cp", System.getProperty("java.class.path"), OtherServer.class.getName(),
      "direct:" + file(), list().toString()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader out = new BufferedReader(
      new InputStreamReader(other.getInputStream(), StandardCharsets.UTF_8))) {
      String owner = out.readLine();
      while (owner != null && !owner.matches("[0-9]+@.*")) {
        owner = out.readLine();
      }
      assertNotNull("it has started", owner);
      assertRefused(file(), owner, "direct:" + file(), false);
      assertRefused(list(), owner, "direct:" + file() + "2", true);
      assertArrayEquals("nothing was done to it", content, Files.readAllBytes(file().toPath()));
    } finally {
      other.destroyForcibly();
      assertTrue(other.waitFor(1, TimeUnit.MINUTES));
    }
    assertNull(CacheFileLock.refusal(file().toPath()));
    start("direct:" + file(), true);
    assertEquals(ME + " " + CAPACITY,
      new String(Files.readAllBytes(lock(file()).toPath()), StandardCharsets.UTF_8));
  }

  @Test
  public void aFileOfThisProcessIsRefusedUntilItsCacheIsShutDown() throws Exception {
    start("direct:" + file(), true);
    fill();
    BucketCache first = cache;
    assertRefused(file(), ME, "direct:" + file(), true);
    assertRefused(list(), ME, "direct:" + file() + "2", true);
    assertFalse("of the second nothing is left", new File(file() + "2").exists());
    first.shutdown();
    start("direct:" + file(), true);
    assertEquals(BLOCKS, countServed());
  }

  /** A single BucketCache with another engine works as without this feature. */
  @Test
  public void aSingleCacheWithAnotherEngineLocksNothing() throws IOException {
    start("file:" + file(), true);
    BucketCache first = cache;
    start("file:" + file(), true);
    first.shutdown();
    assertFalse(lock(file()).exists());
  }
}
