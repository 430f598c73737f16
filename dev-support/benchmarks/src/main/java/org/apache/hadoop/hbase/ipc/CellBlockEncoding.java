/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.ipc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScannable;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.ByteBufferListOutputStream;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.PooledByteBufAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Cells that are encoded into the CellBlock of an RPC, whose buffers are then given back: on the
 * client from cells on heap into netty's pool, on the server from cells off heap, as the cache
 * gives them, into the region server's pool.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
public class CellBlockEncoding {
  private static final int FIELDS = 10;
  private static final int FIELD_BYTES = 100;
  private static final byte[] FAMILY = Bytes.toBytes("f");

  /** Size of the encoded cells, before compression. */
  @Param({ "1", "100", "1024", "10240", "65536" })
  public int batchKb;

  /** What compresses the block: none, or gzip, Hadoop's GzipCodec. */
  @Param({ "none", "gzip" })
  public String compressor;

  private final PooledByteBufAllocator clientBuffers = PooledByteBufAllocator.DEFAULT;
  private final Codec codec = new KeyValueCodec();
  private CellBlockBuilder builder;
  private CompressionCodec compression;
  private ByteBuffAllocator serverBuffers;
  private List<Cell> cellsOnHeap;
  private List<Cell> cellsOffHeap;
  private List<Row> rows;

  /** Cells as a put of a batch has them, but scanned without allocating. */
  private static final class Row implements CellScannable, CellScanner {
    private final List<Cell> cells;
    private int current;

    private Row(List<Cell> cells) {
      this.cells = cells;
    }

    @Override
    public CellScanner cellScanner() {
      current = -1;
      return this;
    }

    @Override
    public boolean advance() {
      current++;
      return current < cells.size();
    }

    @Override
    public Cell current() {
      return cells.get(current);
    }
  }

  @Setup
  public void prepare() throws IOException {
    Configuration conf = HBaseConfiguration.create();
    builder = new CellBlockBuilder(conf);
    compression = "gzip".equals(compressor) ? ReflectionUtils.newInstance(GzipCodec.class, conf)
      : null;
    serverBuffers = ByteBuffAllocator.create(conf, true);
    cellsOnHeap = new ArrayList<>();
    cellsOffHeap = new ArrayList<>();
    rows = new ArrayList<>();
    Random random = new Random(1);
    int bytes = 0;
    for (int i = 0; bytes < batchKb * 1024; i++) {
      KeyValue cell = cell(i, random);
      bytes += cell.getSerializedSize();
      cellsOnHeap.add(cell);
    }
    ByteBuffer copies = ByteBuffer.allocateDirect(bytes);
    for (Cell cell : cellsOnHeap) {
      int offset = copies.position();
      copies.put(((KeyValue) cell).getBuffer());
      cellsOffHeap.add(new ByteBufferKeyValue(copies, offset, copies.position() - offset));
    }
    for (int i = 0; i < cellsOnHeap.size(); i += FIELDS) {
      rows.add(new Row(cellsOnHeap.subList(i, Math.min(i + FIELDS, cellsOnHeap.size()))));
    }
    checkRequest();
    checkResponse();
  }

  /** YCSB's shape: rows of ten fields of 100 bytes of digits. */
  private static KeyValue cell(int number, Random random) {
    byte[] row = Bytes.toBytes(String.format(Locale.ROOT, "user%019d", number / FIELDS));
    byte[] value = new byte[FIELD_BYTES];
    for (int i = 0; i < value.length; i++) {
      value[i] = (byte) ('0' + random.nextInt(10));
    }
    return new KeyValue(row, FAMILY, Bytes.toBytes("field" + number % FIELDS), 1, value);
  }

  private void checkRequest() throws IOException {
    ByteBuf block = request();
    byte[] bytes = new byte[block.readableBytes()];
    block.readBytes(bytes);
    block.release();
    checkDecoded(bytes);
  }

  private void checkResponse() throws IOException {
    ByteBufferListOutputStream stream = response();
    byte[] bytes = new byte[stream.size()];
    int position = 0;
    for (ByteBuffer buffer : stream.getByteBuffers()) {
      int length = buffer.remaining();
      buffer.get(bytes, position, length);
      position += length;
    }
    stream.releaseResources();
    checkDecoded(bytes);
  }

  private void checkDecoded(byte[] block) throws IOException {
    CellScanner scanner = builder.createCellScanner(codec, compression, block);
    for (Cell cell : cellsOnHeap) {
      if (!scanner.advance() || !CellUtil.equals(cell, scanner.current())
        || !CellUtil.matchingValue(cell, scanner.current())) {
        throw new IllegalStateException("the block doesn't hold " + cell);
      }
    }
    if (scanner.advance()) {
      throw new IllegalStateException("the block holds more than " + cellsOnHeap.size()
        + " cells");
    }
  }

  private ByteBuf request() throws IOException {
    return builder.buildCellBlock(codec, compression, CellUtil.createCellScanner(rows),
      clientBuffers);
  }

  private ByteBufferListOutputStream response() throws IOException {
    return builder.buildCellBlockStream(codec, compression,
      CellUtil.createCellScanner(cellsOffHeap), serverBuffers);
  }

  @Benchmark
  public int clientRequest() throws IOException {
    ByteBuf block = request();
    int length = block.readableBytes();
    if (!block.release()) {
      throw new IllegalStateException("the block is still referenced: " + block);
    }
    return length;
  }

  @Benchmark
  public int serverResponse() throws IOException {
    ByteBufferListOutputStream stream = response();
    int length = 0;
    for (ByteBuffer buffer : stream.getByteBuffers()) {
      length += buffer.remaining();
    }
    stream.releaseResources();
    return length;
  }

  /** Fails when an encoding has kept buffers that it should have given back. */
  @TearDown(Level.Iteration)
  public void checkBuffers() {
    long pinned = clientBuffers.pinnedDirectMemory() + clientBuffers.pinnedHeapMemory();
    if (pinned != 0) {
      throw new IllegalStateException(pinned + " bytes of netty's pool are still in use");
    }
    int missing = serverBuffers.getUsedBufferCount() - serverBuffers.getFreeBufferCount();
    if (missing != 0) {
      throw new IllegalStateException(missing + " of the server's buffers are still in use");
    }
  }
}
