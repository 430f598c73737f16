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
package org.apache.hadoop.hbase.master.cleaner;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseCommonTestingUtility;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.Stoppable;
import org.apache.hadoop.hbase.Stubs;
import org.apache.hadoop.hbase.testclassification.MasterTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * Cleaners of old files after a change of the configuration to a number of threads that isn't one.
 * Without the change no file is deleted, a negative number of old logs' threads is an exception,
 * and a time-out that changed alone isn't taken over.
 */
@Category({ MasterTests.class, SmallTests.class })
public class TestCleanerThreads {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCleanerThreads.class);

  /** How long a file is waited for that nobody deletes. */
  private static final long TIMEOUT_MS = 20_000;

  private final HBaseCommonTestingUtility util = new HBaseCommonTestingUtility();
  private final Configuration conf = HBaseConfiguration.create();
  private FileSystem fs;
  private Path folder;
  private DirScanPool pool;

  @Before
  public void setUp() throws IOException {
    conf.set(HConstants.HBASE_MASTER_LOGCLEANER_PLUGINS, "");
    conf.set(HFileCleaner.MASTER_HFILE_CLEANER_PLUGINS, "");
    conf.setInt(LogCleaner.OLD_WALS_CLEANER_THREAD_SIZE, 3);
    conf.setLong(LogCleaner.OLD_WALS_CLEANER_THREAD_TIMEOUT_MSEC, TIMEOUT_MS);
    conf.setLong(HFileCleaner.HFILE_DELETE_THREAD_TIMEOUT_MSEC, TIMEOUT_MS);
    conf.setInt(HFileCleaner.HFILE_DELETE_THROTTLE_THRESHOLD, 1);
    fs = FileSystem.getLocal(conf);
    folder = new Path(util.getDataTestDir().toString());
    pool = DirScanPool.getLogCleanerScanPool(conf);
  }

  @After
  public void tearDown() {
    pool.shutdownNow();
    util.cleanupTestDir();
  }

  private Path file(String name) throws IOException {
    Path file = new Path(folder, name);
    fs.create(file).close();
    return file;
  }

  private void assertDeletes(CleanerChore<?> cleaner, Path file) throws IOException {
    assertEquals(1, cleaner.deleteFiles(Collections.singletonList(fs.getFileStatus(file))));
    assertFalse(fs.exists(file));
  }

  @Test
  public void oldLogsAreDeletedByTheThreadsThereWere() throws IOException {
    LogCleaner cleaner =
      new LogCleaner(1000, Stubs.of(Stoppable.class), conf, fs, folder, pool, null);
    for (int number : new int[] { -1, 0 }) {
      conf.setInt(LogCleaner.OLD_WALS_CLEANER_THREAD_SIZE, number);
      cleaner.onConfigurationChange(conf);
      assertEquals(3, cleaner.getSizeOfCleaners());
      assertDeletes(cleaner, file("log" + number));
    }
    conf.setInt(LogCleaner.OLD_WALS_CLEANER_THREAD_SIZE, 1);
    cleaner.onConfigurationChange(conf);
    assertEquals(1, cleaner.getSizeOfCleaners());
    assertDeletes(cleaner, file("log"));
    cleaner.cleanup();
  }

  @Test
  public void theTimeOutOfOldLogsChangesAlone() {
    LogCleaner cleaner =
      new LogCleaner(1000, Stubs.of(Stoppable.class), conf, fs, folder, pool, null);
    conf.setLong(LogCleaner.OLD_WALS_CLEANER_THREAD_TIMEOUT_MSEC, 7);
    cleaner.onConfigurationChange(conf);
    assertEquals(7, cleaner.getCleanerThreadTimeoutMsec());
    cleaner.cleanup();
  }

  private HFileCleaner hfileCleaner() {
    return new HFileCleaner(1000, Stubs.of(Stoppable.class), conf, fs, folder, pool);
  }

  @Test
  public void largeFilesAreDeletedAfterTheirThreadsWereTurnedOff() throws IOException {
    HFileCleaner cleaner = hfileCleaner();
    conf.setInt(HFileCleaner.LARGE_HFILE_DELETE_THREAD_NUMBER, 0);
    cleaner.onConfigurationChange(conf);
    assertDeletes(cleaner, large("file"));
    cleaner.cleanup();
  }

  @Test
  public void largeFilesAreDeletedWithoutThreadsFromTheStart() throws IOException {
    conf.setInt(HFileCleaner.LARGE_HFILE_DELETE_THREAD_NUMBER, -1);
    HFileCleaner cleaner = hfileCleaner();
    assertDeletes(cleaner, large("file"));
    cleaner.cleanup();
  }

  private Path large(String name) throws IOException {
    Path file = new Path(folder, name);
    try (OutputStream out = fs.create(file)) {
      out.write(new byte[10]);
    }
    return file;
  }
}
