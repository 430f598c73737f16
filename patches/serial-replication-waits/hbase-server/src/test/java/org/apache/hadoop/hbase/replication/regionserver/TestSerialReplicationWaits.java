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
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Server;
import org.apache.hadoop.hbase.Stubs;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.replication.WALEntryFilter;
import org.apache.hadoop.hbase.testclassification.ReplicationTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WAL.Entry;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * What a reader of serial replication does while it can't learn whether an entry may be sent, and
 * after a filter gave up. Without the change the first test finds one question before the entry is
 * taken, the second one that it is taken, and the third one that the entry isn't filtered.
 */
@Category({ ReplicationTests.class, SmallTests.class })
public class TestSerialReplicationWaits {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestSerialReplicationWaits.class);

  private static final Path LOG = new Path("/wals/log.1");

  private final Configuration conf = HBaseConfiguration.create();
  private final List<Long> filtered = new ArrayList<>();
  private final Deque<Entry> entries = new ArrayDeque<>();
  private int questions;
  private int failures;
  private int questionsWhenTaken;
  private boolean filterFails;
  private SerialReplicationSourceWALReader reader;
  private WALEntryStream stream;

  @Before
  public void setUp() throws Exception {
    conf.setLong("replication.source.sleepforretries", 1);
    // a region without barriers in hbase:meta may always be replicated
    Table meta = Stubs.of(Table.class, "getScanner", Stubs.of(ResultScanner.class));
    Stubs.Answer getTable = arguments -> {
      questions++;
      if (questions <= failures) {
        if (failures == Integer.MAX_VALUE && questions == 3) {
          reader.setReaderRunning(false);
        }
        throw new IOException("hbase:meta isn't there");
      }
      return meta;
    };
    Server server =
      Stubs.of(Server.class, "getConnection", Stubs.of(Connection.class, "getTable", getTable));
    ReplicationSource source =
      SourceOfTests.init(new ReplicationSource(), conf, null, server, "1", null);
    WALEntryFilter filter = entry -> {
      if (filterFails && entry.getKey().getSequenceId() == 6) {
        throw new WALEntryFilterRetryableException("later");
      }
      filtered.add(entry.getKey().getSequenceId());
      return entry;
    };
    reader = new SerialReplicationSourceWALReader(null, conf, source.logQueue, 0, filter, source,
      "group");
    stream = new WALEntryStream(source.logQueue, null, conf, 0, null, null, "group") {
      @Override
      public Path getCurrentPath() {
        return LOG;
      }

      @Override
      public Entry peek() {
        return entries.peek();
      }

      @Override
      public Entry next() {
        questionsWhenTaken = questions;
        return entries.remove();
      }

      @Override
      public long getPosition() {
        return 100 - entries.size();
      }

      @Override
      public HasNext hasNext() {
        return entries.isEmpty() ? HasNext.RETRY : HasNext.YES;
      }
    };
  }

  private void add(long sequenceId) {
    WALKeyImpl key = new WALKeyImpl(Bytes.toBytes("0123456789abcdef0123456789abcdef"),
      TableName.valueOf("t"), sequenceId, sequenceId, HConstants.DEFAULT_CLUSTER_ID);
    WALEdit edit = new WALEdit();
    edit.add(new KeyValue(Bytes.toBytes("row"), Bytes.toBytes("f"), Bytes.toBytes("q"), 1,
      Bytes.toBytes(sequenceId)));
    entries.add(new Entry(key, edit));
  }

  @Test
  public void isTakenOnceItsOrderIsKnown() throws Exception {
    failures = 2;
    add(5);
    WALEntryBatch batch = new WALEntryBatch(10, LOG);
    reader.readWALEntries(stream, batch);
    assertEquals(3, questionsWhenTaken);
    assertEquals(1, batch.getNbEntries());
    assertEquals(1, filtered.size());
  }

  @Test
  public void isNotTakenIfTheReaderIsStopped() throws Exception {
    failures = Integer.MAX_VALUE;
    add(5);
    WALEntryBatch batch = new WALEntryBatch(10, LOG);
    assertThrows(InterruptedException.class, () -> reader.readWALEntries(stream, batch));
    assertEquals(1, entries.size());
    assertEquals(3, questions);
    assertTrue(batch.getLastSeqIds().isEmpty());
  }

  @Test
  public void isFilteredAfterTheFilterOfAnotherGaveUp() throws Exception {
    filterFails = true;
    add(5);
    add(6);
    assertThrows(WALEntryFilterRetryableException.class,
      () -> reader.readWALEntries(stream, new WALEntryBatch(10, LOG)));
    // the log is read again from the start of the batch
    filterFails = false;
    filtered.clear();
    entries.clear();
    add(5);
    add(6);
    WALEntryBatch batch = new WALEntryBatch(10, LOG);
    reader.readWALEntries(stream, batch);
    assertEquals(2, batch.getNbEntries());
    assertEquals(2, filtered.size());
    assertEquals(5, filtered.get(0).longValue());
  }
}
