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
package org.apache.hadoop.hbase.ipc;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseCommonTestingUtility;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.regionserver.MultiVersionConcurrencyControl;
import org.apache.hadoop.hbase.testclassification.RPCTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;

/** Cells that a put had in its message are given one by one, and need no request. */
@Category({ RPCTests.class, SmallTests.class })
public class TestPutCells {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestPutCells.class);

  private static final byte[] F = Bytes.toBytes("f");
  private static final KeyValue FIRST = new KeyValue(F, F, F, F);
  private static final KeyValue SECOND = new KeyValue(F, F, Bytes.toBytes("g"), F);

  private static final class RetainedCall extends NettyServerCall {
    private int retained;

    RetainedCall(CellScanner cells) {
      super(1, null, null, RequestHeader.getDefaultInstance(), null, cells, null, 0,
        InetAddress.getLoopbackAddress(), 0, 0, ByteBuffAllocator.HEAP, null, null);
    }

    @Override
    public void retainByWAL() {
      retained++;
    }

    @Override
    public void releaseByWAL() {
      // It has no buffer.
    }
  }

  @Test
  public void theyAreGivenOneByOne() {
    PutCells cells = new PutCells(Arrays.asList(FIRST, SECOND));
    assertNull(cells.current());
    assertTrue(cells.advance());
    assertSame(FIRST, cells.current());
    assertSame(FIRST, cells.current());
    assertTrue(cells.advance());
    assertSame(SECOND, cells.current());
    assertFalse(cells.advance());
    assertNull(cells.current());
  }

  @Test
  public void theLogKeepsNoRequestForThem() throws Exception {
    HBaseCommonTestingUtility util = new HBaseCommonTestingUtility();
    Configuration conf = util.getConfiguration();
    conf.setBoolean(CommonFSUtils.UNSAFE_STREAM_CAPABILITY_ENFORCE, false);
    conf.set(WALFactory.WAL_PROVIDER, "filesystem");
    Path root = new Path(util.getDataTestDir().toUri());
    CommonFSUtils.setRootDir(conf, FileSystem.getLocal(conf).makeQualified(root));
    CommonFSUtils.setWALRootDir(conf, FileSystem.getLocal(conf).makeQualified(root));
    WALFactory factory = new WALFactory(conf, "log");
    try {
      RetainedCall put = new RetainedCall(new PutCells(Arrays.asList(FIRST)));
      RetainedCall batch = new RetainedCall(CellUtil.createCellScanner(new KeyValue[] { FIRST }));
      append(factory, put);
      append(factory, batch);
      assertEquals(0, put.retained);
      assertEquals(1, batch.retained);
    } finally {
      factory.close();
      util.cleanupTestDir();
    }
  }

  private static void append(WALFactory factory, RetainedCall call) throws Exception {
    TableName table = TableName.valueOf("t");
    RegionInfo region = RegionInfoBuilder.newBuilder(table).build();
    MultiVersionConcurrencyControl mvcc = new MultiVersionConcurrencyControl();
    WAL wal = factory.getWAL(region);
    RpcServer.setCurrentCall(call);
    try {
      WALKeyImpl key = new WALKeyImpl(region.getEncodedNameAsBytes(), table, 1, mvcc,
        new TreeMap<>(Bytes.BYTES_COMPARATOR));
      wal.sync(wal.appendData(region, key, new WALEdit().add(FIRST)));
      mvcc.complete(key.getWriteEntry());
    } finally {
      RpcServer.unsetCurrentCall();
    }
  }
}
