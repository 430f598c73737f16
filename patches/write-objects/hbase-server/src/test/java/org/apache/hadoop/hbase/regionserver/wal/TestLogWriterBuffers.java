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
package org.apache.hadoop.hbase.regionserver.wal;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseCommonTestingUtility;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.AllocationMeter;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.apache.hadoop.hbase.wal.WALStreamReader;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;

/** Cells that share buffers with others come into the log as they are. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestLogWriterBuffers {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestLogWriterBuffers.class);

  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] F = Bytes.toBytes("f");
  private static final int CELLS_OF_BUFFER = 50;

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private final HBaseCommonTestingUtility util = new HBaseCommonTestingUtility();
  private final EventLoopGroup loops = new NioEventLoopGroup(1);
  private FileSystem fs;
  private Path path;
  private AsyncProtobufLogWriter writer;

  @Before
  public void openLog() throws Exception {
    util.getConfiguration().setBoolean(CommonFSUtils.UNSAFE_STREAM_CAPABILITY_ENFORCE, false);
    fs = FileSystem.getLocal(util.getConfiguration());
    path = new Path(util.getDataTestDir().toString(), "log");
    fs.mkdirs(path.getParent());
    writer = new AsyncProtobufLogWriter(loops, NioSocketChannel.class);
    writer.init(fs, path, util.getConfiguration(), false, 1 << 20,
      StreamSlowMonitor.create(util.getConfiguration(), "log"));
  }

  @After
  public void closeLog() throws Exception {
    writer.close();
    loops.shutdownGracefully();
    util.cleanupTestDir();
  }

  private static KeyValue cell(Random random) {
    byte[] value = new byte[random.nextInt(200)];
    random.nextBytes(value);
    return new KeyValue(Bytes.toBytes(random.nextLong()), F, F, random.nextInt(1 << 20), value);
  }

  /** Returns cells that are in one buffer, one after the other. */
  private static List<Cell> cellsOfOneBuffer(Random random, boolean direct) {
    List<KeyValue> cells = new ArrayList<>();
    int bytes = 0;
    for (int i = 0; i < CELLS_OF_BUFFER; i++) {
      cells.add(cell(random));
      bytes += cells.get(i).getLength();
    }
    ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
    List<Cell> inBuffer = new ArrayList<>();
    for (KeyValue cell : cells) {
      inBuffer.add(new ByteBufferKeyValue(buffer, buffer.position(), cell.getLength()));
      buffer.put(cell.getBuffer(), cell.getOffset(), cell.getLength());
    }
    return inBuffer;
  }

  private void append(WALEdit edit, int number) {
    writer.append(new WAL.Entry(new WALKeyImpl(Bytes.toBytes("region"), TABLE, number,
      new TreeMap<>(Bytes.BYTES_COMPARATOR)), edit));
  }

  @Test
  public void whatIsReadIsWhatWasWritten() throws Exception {
    Random random = seed.newRandom();
    List<List<Cell>> sources = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      sources.add(cellsOfOneBuffer(random, i % 2 == 0));
    }
    List<WALEdit> edits = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      WALEdit edit = new WALEdit();
      List<Cell> source = sources.get(random.nextInt(sources.size()));
      for (int cells = 1 + random.nextInt(30); cells > 0; cells--) {
        if (random.nextInt(5) == 0) {
          source = sources.get(random.nextInt(sources.size()));
        }
        edit.add(
          random.nextInt(8) == 0 ? cell(random) : source.get(random.nextInt(CELLS_OF_BUFFER)));
      }
      edits.add(edit);
      append(edit, i);
    }
    writer.sync(false).get();
    writer.close();
    try (WALStreamReader reader =
      WALFactory.createStreamReader(fs, path, util.getConfiguration())) {
      for (WALEdit edit : edits) {
        List<Cell> read = reader.next().getEdit().getCells();
        assertEquals(edit.size(), read.size());
        for (int i = 0; i < read.size(); i++) {
          assertEquals(0,
            CellComparator.getInstance().compare(edit.getCells().get(i), read.get(i)));
          assertTrue(CellUtil.matchingValue(edit.getCells().get(i), read.get(i)));
        }
      }
      assertNull(reader.next());
    }
  }

  @Test
  public void aBufferIsNotKeptWhenItsEditIsWritten() throws Exception {
    WALEdit edit = new WALEdit();
    cellsOfOneBuffer(seed.newRandom(), false).forEach(edit::add);
    Cell cell = edit.getCells().get(0);
    WeakReference<ByteBuffer> buffer =
      new WeakReference<>(((ByteBufferKeyValue) cell).getRowByteBuffer());
    append(edit, 1);
    edit = null;
    cell = null;
    for (int i = 0; i < 100 && buffer.get() != null; i++) {
      System.gc();
      Thread.sleep(50);
    }
    assertNull(buffer.get());
  }

  @Test
  public void cellsOfOneBufferShareItsDuplicate() throws Exception {
    WALEdit edit = new WALEdit();
    cellsOfOneBuffer(seed.newRandom(), true).forEach(edit::add);
    long bytes = new AllocationMeter().bytesPerOperation(50, () -> append(edit, 1));
    // A duplicate has 64 bytes; the cells without any take none.
    assertTrue(bytes + " bytes", bytes < CELLS_OF_BUFFER * 64);
  }
}
