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
import java.nio.file.Path;
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
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps blocks in files that are read and written past the page cache (HBASE-22802): engine
 * {@code direct:PATH[,PATH...]} of a BucketCache. A block that is read is one contiguous buffer of
 * a pool, bounded by {@link #POOL_SIZE_KEY}, which the block gives back when it is released. Safe
 * for use by many threads.
 */
@InterfaceAudience.Private
public final class DirectFileIOEngine extends FileIOEngine {
  /*
   * Direct I/O wants position, length and memory aligned. The sizes of slots are rounded up to
   * multiples of the alignment, so each slot begins and ends aligned, and a block is written with
   * one write that touches no other. Reading rounds the length up, which stays within the slot.
   *
   * The superclass has the same files open through the page cache. It does what can't be done
   * directly: a file whose file system or JDK doesn't know direct I/O, and blocks when the pool has
   * no buffer. The kernel keeps both ways consistent: a direct read writes the file's dirty pages
   * back first, a direct write drops them.
   */
  /** How an engine name begins. */
  public static final String PREFIX = "direct:";

  /**
   * MB, or a number with a unit: the direct memory of the buffers that blocks are read into and
   * written from. When they are all in use blocks go through the page cache.
   */
  public static final String POOL_SIZE_KEY = "hbase.bucketcache.direct.pool.size";

  /** The default of the former, for each handler. */
  private static final long POOL_BYTES_PER_HANDLER = 2 << 20;

  private static final int[] DEFAULT_SLOT_KB =
    { 8, 12, 20, 36, 44, 52, 60, 68, 100, 132, 196, 260, 388, 516 };

  private static final Logger LOG = LoggerFactory.getLogger(DirectFileIOEngine.class);

  private final boolean timed;
  private final long sizePerFile;
  /** Null where the file can't be read directly. */
  private final DirectFile[] files;
  private AlignedBufferPool pool;

  /**
   * @param capacity            bytes
   * @param maintainPersistence whether blocks carry the time at which they were cached
   * @throws IOException if a file can't be opened or is too big for its device
   */
  DirectFileIOEngine(long capacity, boolean maintainPersistence, DirectFile.Opener opener,
    String... filePaths) throws IOException {
    super(sizePerFile(capacity, filePaths.length) * filePaths.length, maintainPersistence,
      filePaths);
    timed = maintainPersistence;
    sizePerFile = sizePerFile(capacity, filePaths.length);
    files = open(opener);
  }

  /** Returns True if a BucketCache's engine of this name is of this class. */
  static boolean isNamed(String ioEngineName) {
    return ioEngineName.startsWith(PREFIX);
  }

  /** As the constructor, from an engine's name. */
  static DirectFileIOEngine create(String ioEngineName, long capacity,
    boolean maintainPersistence) throws IOException {
    return new DirectFileIOEngine(capacity, maintainPersistence, DirectFile::openDirect,
      ioEngineName.substring(PREFIX.length()).split(FILE_DELIMITER));
  }

  /**
   * Reads the size of the pool.
   * @return bytes
   * @throws IllegalArgumentException if it isn't allowed; names the key, its value and what is
   */
  public static long readPoolSize(Configuration conf) {
    String value = conf.getTrimmed(POOL_SIZE_KEY, "");
    if (value.isEmpty()) {
      return POOL_BYTES_PER_HANDLER * conf.getInt(HConstants.REGION_SERVER_HANDLER_COUNT,
        HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
    }
    return FileEngineSettings.parseSize(POOL_SIZE_KEY, value);
  }

  /** Has the pool of buffers know of the direct memory of a single BucketCache's. */
  public static void registerDemand() {
    DirectMemoryDemand.registerBucketCache(DirectFileIOEngine::demand);
  }

  /** Returns What a single BucketCache takes, of this engine or another. */
  public static DirectMemoryDemand demand(Configuration conf) {
    DirectMemoryDemand demand = DirectMemoryDemand.ofBucketCache(conf);
    return isNamed(conf.getTrimmed(HConstants.BUCKET_CACHE_IOENGINE_KEY, ""))
      ? new DirectMemoryDemand(demand.getBuffers(), readPoolSize(conf))
      : demand;
  }

  /**
   * Rounds the sizes of slots up, so that all slots are aligned.
   * @param sizes bytes, or null for the default sizes
   * @return bytes, in order, each once
   */
  public static int[] alignSlots(int[] sizes) {
    return sizes == null
      ? Arrays.stream(DEFAULT_SLOT_KB).map(kb -> kb << 10).toArray()
      : Arrays.stream(sizes).map(size -> (int) DirectFile.align(size)).sorted().distinct()
        .toArray();
  }

  private static long sizePerFile(long capacity, int count) {
    return DirectFile.align((capacity + count - 1) / count);
  }

  private DirectFile[] open(DirectFile.Opener opener) {
    DirectFile[] opened = new DirectFile[filePaths.length];
    Map<String, Exception> failed = new LinkedHashMap<>();
    for (int i = 0; i < opened.length; i++) {
      try {
        opened[i] = open(Paths.get(filePaths[i]), opener);
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

  /** With a read to see whether it works: some file systems refuse only that. */
  private static DirectFile open(Path path, DirectFile.Opener opener) throws IOException {
    DirectFile file = new DirectFile(path, opener);
    try {
      AlignedBufferPool buffers =
        new AlignedBufferPool(new int[] { DirectFile.ALIGNMENT }, 2 * DirectFile.ALIGNMENT);
      file.read(buffers.take(DirectFile.ALIGNMENT).bytes(), 0);
      return file;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Gets the engine ready for a cache. To be called once, before any block is read or written.
   * @param slotSizes bytes, or null for the default sizes
   * @return the sizes that the cache must have instead
   */
  int[] start(Configuration conf, int[] slotSizes) {
    int[] sizes = alignSlots(slotSizes);
    pool = new AlignedBufferPool(sizes, readPoolSize(conf));
    MetricsDirectFiles.show(this);
    return sizes;
  }

  @Override
  public void shutdown() {
    super.shutdown();
    if (files == null) {
      // Called by the superclass's constructor, since it failed.
      return;
    }
    MetricsDirectFiles.hide(this);
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

  /** Has files opened by their names when they are used next. */
  void renewFiles() throws IOException {
    for (DirectFile file : files) {
      if (file != null) {
        file.renew();
      }
    }
  }

  /** As the superclass does, also where an interrupted thread has left one of its files closed. */
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

  /** As the superclass does, into one buffer. The block gives it back when it is released. */
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
   * Writes a block, with what belongs to it, at once.
   * @param block    its header and content, from 0 to its limit
   * @param metadata what comes last
   * @return false if nothing was done, since the block has to go through the page cache
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

  /** Returns Null if the block has to go through the page cache. */
  private AlignedBufferPool.PooledBuffer takeFor(BucketEntry entry) {
    int first = (int) (entry.offset() / sizePerFile);
    int last = (int) ((entry.offset() + entry.getLength() - 1) / sizePerFile);
    return files[first] == null || files[last] == null ? null : pool.take(entry.getLength());
  }

  private interface Transfer {
    void apply(DirectFile file, ByteBuffer buffer, long position) throws IOException;
  }

  /** A slot may begin in one file and end in the next. */
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

  /** Returns Number of files that are read and written past the page cache. */
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
