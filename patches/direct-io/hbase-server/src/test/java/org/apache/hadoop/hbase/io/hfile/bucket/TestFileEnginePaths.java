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
import static org.junit.Assert.assertThrows;
import static org.junit.Assume.assumeFalse;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** A path that can't be used is reported with its key and what to do. Nothing is created. */
@Category({ IOTests.class, SmallTests.class })
public class TestFileEnginePaths {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestFileEnginePaths.class);

  private static final String ENGINE_KEY = "hbase.bucketcache.ioengine";
  private static final String LIST_KEY = "hbase.bucketcache.persistent.path";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = new Configuration(false);
  private File root;
  private File cache;
  private String[] before;

  @Before
  public void setUp() throws IOException {
    root = folder.getRoot().getCanonicalFile();
    cache = new File(root, "cache");
    before = list();
  }

  @After
  public void tearDown() {
    assertArrayEquals(before, list());
  }

  private String[] list() {
    String[] names = root.list();
    Arrays.sort(names);
    return names;
  }

  private void check(String engine, String list) {
    conf.set(ENGINE_KEY, engine);
    conf.set(LIST_KEY, list);
    FileEnginePaths.ofDirectCache(conf).check();
  }

  private void assertRefused(String expected, String engine, String list) {
    before = list();
    assertEquals(expected,
      assertThrows(IllegalArgumentException.class, () -> check(engine, list)).getMessage());
  }

  private void assertEngineRefused(String reason, String engine) {
    assertRefused(ENGINE_KEY + " is " + engine + ". " + reason, engine, "");
  }

  private void assertListRefused(String reason, String list) {
    assertRefused(LIST_KEY + " is " + list + ". " + reason, "direct:" + cache, list);
  }

  @Test
  public void filesThatCanBeAreAllowed() throws IOException {
    check("direct:" + cache + "," + cache + "2", cache + ".list");
    check("direct:" + cache, "");
    Files.createFile(cache.toPath());
    before = list();
    check("direct:" + cache, "");
  }

  /** Other engines work as without this feature. */
  @Test
  public void ofOtherEnginesNothingIsAsked() {
    for (String engine : new String[] { "", "offheap", "file:cache", "mmap:cache",
      "files:" + root + "," + root }) {
      check(engine, "list");
    }
  }

  @Test
  public void aPathThatIsNotAbsoluteIsRefused() {
    String why = "; give an absolute one, as the server may be started in any directory.";
    assertEngineRefused("The path cache is relative" + why, "direct:cache");
    assertEngineRefused("The path ~/b is relative" + why, "direct:" + cache + ",~/b");
    assertEngineRefused("A path in it is empty" + why, "direct:" + cache + ",," + cache + "2");
    assertEngineRefused("A path in it is empty" + why, "direct:");
    assertListRefused("The path list is relative" + why, "list");
    assertEngineRefused("Nothing sets ssd.path; add that property, with an absolute path as its"
      + " value.", "direct:${ssd.path}");
    String noPath = assertThrows(IllegalArgumentException.class,
      () -> check("direct:/a\u0000b", "")).getMessage();
    assertEquals(ENGINE_KEY + " is direct:/a\u0000b. Give paths that the file system and the"
      + " encoding of the locale (LC_ALL) can have: Nul character not allowed.", noPath);
  }

  @Test
  public void aDirectoryIsRefused() {
    String why = root + " is a directory; give the path of a file in it.";
    assertEngineRefused(why, "direct:" + cache + "," + root);
    assertListRefused(why, root.toString());
    assertListRefused("/ is a directory; give the path of a file in it.", "/");
  }

  @Test
  public void aLinkIsRefused() throws IOException {
    File link = new File(root, "link");
    Files.createSymbolicLink(link.toPath(), cache.toPath());
    String why =
      link + " is a link, which the block cache doesn't follow; give the file's own path.";
    assertEngineRefused(why, "direct:" + link);
    assertListRefused(why, link.toString());
  }

  @Test
  public void aPathWithoutADirectoryIsRefused() throws IOException {
    File lost = new File(new File(root, "not mounted"), "cache");
    String why = lost + " can't be made, since " + lost.getParent()
      + " isn't a directory; make it, or give another path.";
    assertEngineRefused(why, "direct:" + lost);
    assertListRefused(why, lost.toString());
    Files.createFile(lost.getParentFile().toPath());
    assertEngineRefused(why, "direct:" + lost);
  }

  @Test
  public void aDirectoryThatCanNotBeWrittenToIsRefused() throws IOException {
    String user = System.getProperty("user.name");
    assumeFalse("It may write anywhere", user.equals("root"));
    File closed = folder.newFolder("closed");
    File file = new File(closed, "cache").getCanonicalFile();
    Files.createFile(file.toPath());
    file.setReadOnly();
    closed.setReadOnly();
    assertEngineRefused(file + " can't be written by " + user + "; give it to " + user
      + ", or give another path.", "direct:" + file);
    assertEngineRefused(file + "2 can't be made, since " + user + " can't write to "
      + file.getParent() + "; let " + user + " write there, or give another path.",
      "direct:" + file + "2");
  }

  @Test
  public void oneFileForTwoUsesIsRefused() throws IOException {
    String use = ". Give each use a file of its own.";
    String both = "direct:" + cache + "," + root + "/x/../cache";
    assertEngineRefused(
      "The file " + cache + " is used twice, as " + ENGINE_KEY + " is " + both + use, both);
    assertListRefused(
      "The file " + cache + " is used twice, as " + ENGINE_KEY + " is direct:" + cache + use,
      cache.toString());
    File same = new File(root, "same");
    Files.createSymbolicLink(same.toPath(), root.toPath());
    String linked = "direct:" + cache + "," + same + "/cache";
    String why =
      "The file " + same + "/cache is used twice, as " + ENGINE_KEY + " is " + linked + use;
    assertEngineRefused(why, linked);
    Files.createFile(cache.toPath());
    assertEngineRefused(why, linked);
    File hard = new File(root, "hard");
    Files.createLink(hard.toPath(), cache.toPath());
    assertListRefused(
      "The file " + hard + " is used twice, as " + ENGINE_KEY + " is direct:" + cache + use,
      hard.toString());
  }
}
