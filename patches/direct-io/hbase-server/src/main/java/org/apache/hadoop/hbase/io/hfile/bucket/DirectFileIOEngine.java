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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.util.DirectMemoryDemand;
import org.apache.hadoop.hbase.io.util.IOEngineType;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine {@code direct:PATH[,PATH...]} of a BucketCache, which keeps blocks in files that are
 * read and written without the page cache (HBASE-22802). A block is read into one contiguous buffer
 * of a pool, whose size {@link FileEngineSettings#POOL_SIZE} limits, and gives the buffer back
 * when it is released. Thread-safe.
 */
@InterfaceAudience.Private
public final class DirectFileIOEngine extends FileIOEngine {
  /*
   * Direct I/O requires aligned positions, lengths and memory. The slot sizes are rounded up to
   * multiples of the alignment, so that each slot begins and ends aligned, and a block is written
   * by one write that touches no other slot. A read rounds the length up, which stays within the
   * slot.
   *
   * The superclass has the same files open through the page cache. It serves what can't be done
   * directly: files whose file system or JDK doesn't support direct I/O, and blocks while the pool
   * has no free buffer. The kernel keeps both ways consistent: a direct read first writes the
   * file's dirty pages back, and a direct write drops them.
   */
  private static final int[] DEFAULT_SLOT_KB =
    { 8, 12, 20, 36, 44, 52, 60, 68, 100, 132, 196, 260, 388, 516 };

  private static final Logger LOG = LoggerFactory.getLogger(DirectFileIOEngine.class);

  private final boolean timed;
  private final long sizePerFile;
  /** The files; null for a file that can't be used with direct I/O. */
  private final DirectFile[] files;
  private AlignedBufferPool pool;

  /**
   * Opens the files.
   * @param capacity            bytes of all files
   * @param maintainPersistence whether the time at which a block was cached is stored with it
   * @throws IOException if a file can't be opened, or is too big for its device
   */
  DirectFileIOEngine(long capacity, boolean maintainPersistence, DirectFile.Opener opener,
    String... filePaths) throws IOException {
    super(sizePerFile(capacity, filePaths.length) * filePaths.length, maintainPersistence,
      filePaths);
    timed = maintainPersistence;
    sizePerFile = sizePerFile(capacity, filePaths.length);
    files = open(opener);
  }

  /** Creates an engine from its name; like the constructor otherwise. */
  static DirectFileIOEngine create(String ioEngineName, long capacity,
    boolean maintainPersistence) throws IOException {
    return new DirectFileIOEngine(capacity, maintainPersistence, DirectFile::openDirect,
      ioEngineName.substring(IOEngineType.DIRECT.prefix().length()).split(FILE_DELIMITER));
  }

  /** Registers the direct memory of a single BucketCache, for the size of the buffer pool. */
  public static void registerDemand() {
    DirectMemoryDemand.registerBucketCache(DirectFileIOEngine::demand);
  }

  /** Returns the direct memory that a single BucketCache takes, with this engine or another. */
  public static DirectMemoryDemand demand(Configuration conf) {
    DirectMemoryDemand demand = DirectMemoryDemand.ofBucketCache(conf);
    return IOEngineType.of(conf.getTrimmed(HConstants.BUCKET_CACHE_IOENGINE_KEY, "")).isDirectIO()
      ? new DirectMemoryDemand(demand.getBuffers(), FileEngineSettings.readPoolSize(conf))
      : demand;
  }

  /**
   * Rounds slot sizes up, so that all slots are aligned.
   * @param sizes bytes, or null for the default sizes
   * @return bytes, sorted, without duplicates
   */
  public static int[] alignSlots(int[] sizes) {
    return sizes == null
      ? Arrays.stream(DEFAULT_SLOT_KB).map(kb -> kb << 10).toArray()
      : Arrays.stream(sizes).map(size -> (int) DirectFile.align(size)).sorted().distinct()
        .toArray();
  }

  /** Returns the bytes of each file of an engine with a number of files. */
  static long sizePerFile(long capacity, int count) {
    return DirectFile.align((capacity + count - 1) / count);
  }

  private DirectFile[] open(DirectFile.Opener opener) {
    DirectFile[] opened = new DirectFile[filePaths.length];
    Map<String, Exception> failed = new LinkedHashMap<>();
    for (int i = 0; i < opened.length; i++) {
      try {
        opened[i] = DirectFile.openAndTry(Paths.get(filePaths[i]), opener);
      } catch (IOException | RuntimeException e) {
        failed.put(filePaths[i], e);
      }
    }
    if (!failed.isEmpty()) {
      LOG.warn("Direct I/O isn't possible. Blocks in these files go through the page cache: {}",
        failed);
    }
    return opened;
  }

  /**
   * Prepares the engine for a cache. To be called once, before any block is read or written.
   * @param slotSizes bytes, or null for the default sizes
   * @return the slot sizes that the cache has to use
   */
  int[] start(Configuration conf, int[] slotSizes) {
    int[] sizes = alignSlots(slotSizes);
    pool = new AlignedBufferPool(sizes, FileEngineSettings.readPoolSize(conf));
    MetricsDirectFiles.show(pool, getFileCount(), getDirectFileCount());
    return sizes;
  }

  @Override
  public void shutdown() {
    super.shutdown();
    if (files == null) {
      // The superclass's constructor failed, and calls this.
      return;
    }
    MetricsDirectFiles.hide(pool);
    for (DirectFile file : files) {
      try {
        if (file != null) {
          file.close();
        }
      } catch (IOException e) {
        LOG.warn("Can't close a file of the block cache", e);
      }
    }
  }

  /** Also makes the next use of each file past the page cache open it by its name. */
  @Override
  void closeFileChannels() {
    super.closeFileChannels();
    for (DirectFile file : files) {
      try {
        if (file != null) {
          file.renew();
        }
      } catch (IOException e) {
        LOG.warn("Can't close a file of the block cache, which is opened anew", e);
      }
    }
  }

  /** Syncs like the superclass, also if an interrupt has closed one of its channels. */
  @Override
  public void sync() throws IOException {
    try {
      super.sync();
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (ClosedChannelException e) {
      for (int i = 0; i < filePaths.length; i++) {
        refreshFileConnection(i, e);
      }
      super.sync();
    }
  }

  /** Reads a block into one pooled buffer, which is given back when the block is released. */
  @Override
  public Cacheable read(BucketEntry entry) throws IOException {
    AlignedBufferPool.PooledBuffer buffer = takeFor(entry);
    if (buffer == null) {
      return super.read(entry);
    }
    ByteBuff block = null;
    try {
      ByteBuffer bytes = buffer.bytes();
      bytes.limit((int) DirectFile.align(entry.getLength()));
      transfer(DirectFile::read, bytes, entry.offset());
      bytes.position(0).limit(entry.getLength());
      if (timed) {
        checkTime(entry, bytes.getLong());
      }
      block = new SingleByteBuff(buffer, bytes.slice());
      return entry.wrapAsCacheable(block);
    } catch (IOException | RuntimeException e) {
      if (block == null) {
        buffer.free();
      } else if (block.refCnt() > 0) {
        block.release();
      }
      throw e;
    }
  }

  private static void checkTime(BucketEntry entry, long found) throws HBaseIOException {
    if (found != entry.getCachedTime()) {
      throw new HBaseIOException("The slot at " + entry.offset() + " has a block cached at " + found
        + ", not " + entry.getCachedTime());
    }
  }

  /**
   * Writes a block and what belongs to it with one write.
   * @param block    header and content, from 0 to its limit
   * @param metadata written behind the block
   * @return false if nothing was written, since the block has to go through the page cache
   */
  boolean writeBlock(BucketEntry entry, ByteBuff block, ByteBuffer metadata) throws IOException {
    AlignedBufferPool.PooledBuffer buffer = takeFor(entry);
    if (buffer == null) {
      return false;
    }
    try {
      ByteBuffer bytes = buffer.bytes();
      if (timed) {
        bytes.putLong(entry.getCachedTime());
      }
      block.get(bytes, 0, block.limit());
      bytes.put(metadata);
      bytes.position(0).limit((int) DirectFile.align(entry.getLength()));
      transfer(DirectFile::write, bytes, entry.offset());
      return true;
    } finally {
      buffer.free();
    }
  }

  /** Returns a buffer, which the caller frees; null if the block must use the page cache. */
  private AlignedBufferPool.PooledBuffer takeFor(BucketEntry entry) {
    int first = (int) (entry.offset() / sizePerFile);
    int last = (int) ((entry.offset() + entry.getLength() - 1) / sizePerFile);
    return files[first] == null || files[last] == null ? null : pool.take(entry.getLength());
  }

  private interface Transfer {
    void apply(DirectFile file, ByteBuffer buffer, long position) throws IOException;
  }

  /** Reads or writes a slot, which may begin in one file and end in the next. */
  private void transfer(Transfer transfer, ByteBuffer buffer, long offset) throws IOException {
    int end = buffer.limit();
    long bufferAtOffset = offset - buffer.position();
    while (buffer.position() < end) {
      long at = bufferAtOffset + buffer.position();
      long inFile = at % sizePerFile;
      buffer.limit((int) Math.min(end, buffer.position() + sizePerFile - inFile));
      transfer.apply(files[(int) (at / sizePerFile)], buffer, inFile);
      buffer.limit(end);
    }
  }

  AlignedBufferPool getPool() {
    return pool;
  }

  /** Returns the number of files that are read and written without the page cache. */
  long getDirectFileCount() {
    return Arrays.stream(files).filter(Objects::nonNull).count();
  }

  int getFileCount() {
    return files.length;
  }

  @Override
  public String toString() {
    return super.toString() + ", past the page cache=" + getDirectFileCount() + " of "
      + getFileCount() + " files";
  }
}
