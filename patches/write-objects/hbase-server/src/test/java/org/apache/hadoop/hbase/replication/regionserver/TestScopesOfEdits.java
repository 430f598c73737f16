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

import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.testclassification.ReplicationTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Only an edit of markers alone, or one that is replayed, loses its scope. */
@Category({ ReplicationTests.class, SmallTests.class })
public class TestScopesOfEdits {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestScopesOfEdits.class);

  private static final byte[] ROW = Bytes.toBytes("row");
  private static final Cell DATA = new KeyValue(ROW, Bytes.toBytes("f"), ROW, ROW);
  private static final Cell MARKER = new KeyValue(ROW, WALEdit.METAFAMILY, ROW, ROW);

  private static void assertScope(boolean expected, WALEdit edit, Cell... cells) {
    for (Cell cell : cells) {
      edit.add(cell);
    }
    NavigableMap<byte[], Integer> scopes = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    scopes.put(Bytes.toBytes("f"), 1);
    Configuration conf = HBaseConfiguration.create();
    WALKeyImpl key = new WALKeyImpl(ROW, TableName.valueOf("t"), 1, scopes);
    ReplicationSourceWALActionListener.scopeWALEdits(key, edit, conf);
    assertEquals(expected ? scopes : null, key.getReplicationScopes());
  }

  @Test
  public void dataKeepsItsScope() {
    assertScope(true, new WALEdit(), DATA);
    assertScope(true, new WALEdit(), DATA, MARKER);
    assertScope(true, new WALEdit(), MARKER, DATA);
  }

  @Test
  public void markersAndReplayedEditsLoseIt() {
    assertScope(false, new WALEdit(), MARKER);
    assertScope(false, new WALEdit(), MARKER, MARKER);
    assertScope(false, new WALEdit());
    assertScope(false, new WALEdit(1, true), DATA);
  }
}
