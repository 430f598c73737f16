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
package org.apache.hadoop.hbase.replication.regionserver;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseCommonTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.replication.WALEntryFilter;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.ReplicationTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WAL.Entry;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * What a reader sends of a log that comes after another, if a filter has it try the log's first
 * entry again. Without the change the second log is opened at the place where the first one ended:
 * of its four entries the last one alone is sent, with logs like these.
 */
@Category({ ReplicationTests.class, MediumTests.class })
public class TestPositionAfterSwitch {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestPositionAfterSwitch.class);

  private static final String GROUP = "log";
  private static final TableName TABLE = TableName.valueOf("t");

  private final HBaseCommonTestingUtility util = new HBaseCommonTestingUtility();
  private final Configuration conf = util.getConfiguration();
  private final AtomicBoolean firstIsWritten = new AtomicBoolean(true);
  private final AtomicInteger tries = new AtomicInteger();
  private FileSystem fs;
  private Path first;
  private Path second;
  private ReplicationSourceWALReader reader;

  @Before
  public void setUp() throws Exception {
    conf.setBoolean(CommonFSUtils.UNSAFE_STREAM_CAPABILITY_ENFORCE, false);
    conf.setLong("replication.source.sleepforretries", 1);
    Path root = new Path(util.getDataTestDir().toUri().getPath());
    fs = FileSystem.getLocal(conf);
    conf.set(HConstants.HBASE_DIR, fs.makeQualified(root).toString());
    Path logs = new Path(fs.makeQualified(root), HConstants.HREGION_LOGDIR_NAME);
    first = new Path(logs, GROUP + ".1");
    second = new Path(logs, GROUP + ".2");
    fs.mkdirs(logs);
  }

  @After
  public void tearDown() throws Exception {
    if (reader != null) {
      reader.setReaderRunning(false);
      reader.interrupt();
      reader.join();
    }
    util.cleanupTestDir();
  }

  private void write(Path log, long... sequenceIds) throws Exception {
    try (WALProvider.Writer writer = WALFactory.createWALWriter(fs, log, conf)) {
      for (long sequenceId : sequenceIds) {
        WALKeyImpl key = new WALKeyImpl(Bytes.toBytes("0123456789abcdef0123456789abcdef"), TABLE,
          sequenceId, sequenceId, HConstants.DEFAULT_CLUSTER_ID);
        WALEdit edit = new WALEdit();
        edit.add(new KeyValue(Bytes.toBytes("row"), Bytes.toBytes("f"), Bytes.toBytes("q"), 1,
          Bytes.toBytes(sequenceId)));
        writer.append(new Entry(key, edit));
      }
    }
  }

  private static long sequenceId(Entry entry) {
    byte[] value = entry.getEdit().getCells().get(0).getValueArray();
    return Bytes.toLong(value, entry.getEdit().getCells().get(0).getValueOffset());
  }

  private WALEntryBatch poll() throws InterruptedException {
    WALEntryBatch batch = reader.poll(TimeUnit.SECONDS.toMillis(60));
    assertNotNull("Nothing was read", batch);
    return batch;
  }

  @Test
  public void theNextLogIsReadFromItsBeginning() throws Exception {
    write(first, 1, 2, 3);
    write(second, 4, 5, 6, 7);
    WALEntryFilter filter = entry -> {
      if (sequenceId(entry) == 4 && tries.getAndIncrement() == 0) {
        throw new WALEntryFilterRetryableException("later");
      }
      return entry;
    };
    long length = fs.getFileStatus(first).getLen();
    WALFileLengthProvider lengths = log -> {
      return log.equals(first) && firstIsWritten.get()
        ? OptionalLong.of(length)
        : OptionalLong.empty();
    };
    ReplicationSource source =
      SourceOfTests.init(new ReplicationSource(), conf, fs, null, "1", lengths);
    ReplicationSourceLogQueue queue = source.logQueue;
    queue.enqueueLog(first, GROUP);
    reader = new ReplicationSourceWALReader(fs, conf, queue, 0, filter, source, GROUP);
    reader.start();

    WALEntryBatch batch = poll();
    assertEquals(3, batch.getNbEntries());
    assertTrue(batch.getLastWalPosition() > 0);
    // the reader now waits for more of the first log, and is told that there is none
    queue.enqueueLog(second, GROUP);
    firstIsWritten.set(false);
    assertTrue(poll().isEndOfFile());

    List<Long> sent = new ArrayList<>();
    while (!sent.contains(7L)) {
      poll().getWalEntries().forEach(entry -> sent.add(sequenceId(entry)));
    }
    assertEquals(Arrays.asList(4L, 5L, 6L, 7L), sent);
    assertEquals(2, tries.get());
  }
}
