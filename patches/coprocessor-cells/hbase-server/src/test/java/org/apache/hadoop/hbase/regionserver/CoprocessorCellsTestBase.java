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
package org.apache.hadoop.hbase.regionserver;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.MockRegionServerServices;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.CoprocessorCells;
import org.apache.hadoop.hbase.io.hfile.CoprocessorCellsSettings;
import org.apache.hadoop.hbase.io.hfile.MetricsCoprocessorCells;
import org.apache.hadoop.hbase.io.hfile.MostHeldBytes;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCacheValidator;
import org.apache.hadoop.hbase.ipc.RpcServerInterface;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WAL;
import org.junit.After;

/** A region whose blocks are in a small pool of buffers, and that may have a coprocessor. */
public abstract class CoprocessorCellsTestBase {
  static final byte[] FAMILY = Bytes.toBytes("f");
  /** Has what is read in place of what the tests read. */
  static final byte[] OTHER_FAMILY = Bytes.toBytes("g");
  static final byte[] QUALIFIER = Bytes.toBytes("q");
  static final int ROWS = 100;
  private static final int VALUE_BYTES = 1000;
  private static final int BLOCK_BYTES = 4096;
  private static final int BUFFER_BYTES = 8192;
  private static final int BUFFERS = 64;
  private static final byte OVERWRITTEN = 0x77;

  final HBaseTestingUtility util = new HBaseTestingUtility();
  final Configuration conf = util.getConfiguration();
  final TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TableName.valueOf("t"));
  HRegion region;
  private ByteBuffAllocator pool;
  private BlockCache cache;
  private ChunkCreator chunksBefore;
  private boolean inCall;

  /** Does nothing. */
  public static class Observer implements RegionCoprocessor {
  }

  /** The value of a cell, as it was when it was read, and where it is. */
  static final class Seen {
    private final Cell cell;
    private final ByteBuffer buffer;
    private final int position;
    private final byte[] expected;

    Seen(Cell cell) {
      this.cell = cell;
      expected = CellUtil.cloneValue(cell);
      if (cell instanceof ByteBufferExtendedCell) {
        buffer = ((ByteBufferExtendedCell) cell).getValueByteBuffer();
        position = ((ByteBufferExtendedCell) cell).getValuePosition();
      } else {
        buffer = ByteBuffer.wrap(cell.getValueArray());
        position = cell.getValueOffset();
      }
    }

    /** Returns true if the memory has the value. Doesn't read lengths, which may be others'. */
    boolean isValid() {
      byte[] now = new byte[expected.length];
      ByteBuffer view = buffer.duplicate();
      view.limit(position + now.length).position(position);
      view.get(now);
      return Arrays.equals(expected, now);
    }

    Cell getCell() {
      return cell;
    }
  }

  static byte[] row(int i) {
    return Bytes.toBytes(String.format("%05d", i));
  }

  static byte[] value(int i, byte filler) {
    byte[] value = new byte[VALUE_BYTES];
    Arrays.fill(value, filler);
    System.arraycopy(row(i), 0, value, 0, row(i).length);
    return value;
  }

  /** Returns the share of the memstore's chunks that are pooled. */
  float pooledChunks() {
    return 0;
  }

  /** Starts a region. */
  final void start(boolean withCoprocessor) throws IOException {
    assertTrue(new File(util.getDataTestDir().toString()).mkdirs());
    chunksBefore = ChunkCreator.instance;
    ChunkCreator.instance = null;
    ChunkCreator.initialize(MemStoreLAB.CHUNK_SIZE_DEFAULT, true,
      20L * MemStoreLAB.CHUNK_SIZE_DEFAULT, pooledChunks(), 0, null,
      MemStoreLAB.INDEX_CHUNK_SIZE_PERCENTAGE_DEFAULT);
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, BUFFER_BYTES);
    conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, BUFFERS);
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 0);
    pool = ByteBuffAllocator.create(conf, true);
    cache = BlockCacheFactory.createBlockCache(conf);
    RpcServerInterface rpcServer = (RpcServerInterface) Proxy.newProxyInstance(
      getClass().getClassLoader(), new Class<?>[] { RpcServerInterface.class },
      (proxy, method, arguments) -> method.getName().equals("getByteBuffAllocator") ? pool : null);
    MockRegionServerServices server = new MockRegionServerServices(conf) {
      @Override
      public ServerName getServerName() {
        return ServerName.valueOf("server", 1, 1);
      }

      @Override
      public Optional<BlockCache> getBlockCache() {
        return Optional.ofNullable(cache);
      }
    };
    server.setRpcServer(rpcServer);
    for (byte[] family : new byte[][] { FAMILY, OTHER_FAMILY }) {
      table.setColumnFamily(
        ColumnFamilyDescriptorBuilder.newBuilder(family).setBlocksize(BLOCK_BYTES).build());
    }
    RegionInfo info = RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();
    WAL wal = HBaseTestingUtility.createWal(conf, util.getDataTestDir(), info);
    region = HRegion.createHRegion(info, util.getDataTestDir(), conf, table.build(), wal, true,
      server);
    if (withCoprocessor) {
      region.getCoprocessorHost().load(Observer.class, Coprocessor.PRIORITY_USER, conf);
      readAndClose(FAMILY, 0, 1); // from here on the server looks at calls
    }
  }

  final void hold(int maxBytes) {
    conf.setBoolean(CoprocessorCellsSettings.HELD.key(), true);
    MostHeldBytes.set(maxBytes);
  }

  final void put(byte[] family, byte filler) throws IOException {
    for (int i = 0; i < ROWS; i++) {
      region.put(new Put(row(i)).addColumn(family, QUALIFIER, value(i, filler)));
    }
  }

  final void fillFiles() throws IOException {
    put(FAMILY, (byte) 'f');
    put(OTHER_FAMILY, (byte) 'g');
    region.flush(true);
  }

  final void beginCall() {
    CoprocessorCells.callBegins();
    inCall = true;
  }

  final void endCall() {
    inCall = false;
    CoprocessorCells.callIsAnswered();
    CoprocessorCells.callEnds();
  }

  /** Reads rows of the family, and closes the scanner. */
  final List<Seen> readAndClose(byte[] family, int from, int to) throws IOException {
    try (RegionScanner scanner = region.getScanner(
      new Scan().addFamily(family).withStartRow(row(from)).withStopRow(row(to)))) {
      return read(scanner);
    }
  }

  static List<Seen> read(RegionScanner scanner) throws IOException {
    List<Seen> seen = new ArrayList<>();
    List<Cell> cells = new ArrayList<>();
    boolean more;
    do {
      more = scanner.next(cells);
      cells.forEach(cell -> seen.add(new Seen(cell)));
      cells.clear();
    } while (more);
    return seen;
  }

  static boolean areValid(List<Seen> seen) {
    return seen.stream().allMatch(Seen::isValid);
  }

  /**
   * Gives memory that was released to others: the cache's, by blocks that take its room and are
   * read from there, then that of the pool.
   */
  final void churn() throws Exception {
    for (HStore store : region.getStores()) {
      for (HStoreFile file : store.getStorefiles()) {
        cache.evictBlocksByHfileName(file.getPath().getName());
      }
    }
    readAndCloseByServer(OTHER_FAMILY);
    for (BlockCache part : cache.getBlockCaches()) {
      if (part instanceof BucketCache) {
        BucketCacheValidator.awaitWritten((BucketCache) part);
      }
    }
    readAndCloseByServer(OTHER_FAMILY);
    List<ByteBuff> buffers = new ArrayList<>();
    for (int i = 0; i < 2 * BUFFERS; i++) {
      ByteBuff buffer = pool.allocate(BUFFER_BYTES);
      buffers.add(buffer);
      while (buffer.hasRemaining()) {
        buffer.put(OVERWRITTEN);
      }
    }
    buffers.forEach(ByteBuff::release);
  }

  /** Reads as no coprocessor does. */
  private void readAndCloseByServer(byte[] family) throws InterruptedException {
    Thread thread = new Thread(() -> {
      try (InternalScanner scanner = (InternalScanner) region.getStore(family)
        .getScanner(new Scan().addFamily(family), null, Long.MAX_VALUE)) {
        List<Cell> cells = new ArrayList<>();
        while (scanner.next(cells, ScannerContext.newBuilder().build())) {
          cells.clear();
        }
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    });
    thread.start();
    thread.join();
  }

  /** Nothing is held by calls, and all buffers are in the pool unless the cache has them. */
  final void assertReleased() throws Exception {
    util.waitFor(120_000, 10, () -> MetricsCoprocessorCells.getHeldBytes() == 0);
    util.waitFor(120_000, 10, () -> pool.getUsedBufferCount() == pool.getFreeBufferCount());
    assertTrue("the test used the pool", pool.getUsedBufferCount() > 0);
  }

  @After
  public void tearDown() throws IOException {
    MostHeldBytes.reset();
    System.clearProperty(CoprocessorCellsSettings.GUARDED_PROPERTY);
    if (inCall) {
      endCall();
    }
    if (region != null) {
      HBaseTestingUtility.closeRegionAndWAL(region);
    }
    if (chunksBefore != null || region != null) {
      ChunkCreator.instance = chunksBefore;
    }
    if (cache != null) {
      cache.shutdown();
    }
    util.cleanupTestDir();
    assertEquals(0, MetricsCoprocessorCells.getHeldBytes());
  }
}
