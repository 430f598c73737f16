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
package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.CacheWarmupPolicy.Extent;
import org.apache.hadoop.hbase.util.Bytes;
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.annotations.Validate;

/**
 * Operations of threads on the warm-up of a file. {@link PrefetchExecutor}'s threads run the
 * warm-up repeatedly, since another file, which never runs, has to go first.
 */
public class WarmupRaces {
  private static final String REGION = "0123456789abcdef0123456789abcdef";
  private static final byte[] FAMILY = Bytes.toBytes("f");
  static final int NEVER_MS = (int) TimeUnit.DAYS.toMillis(1);
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);
  /** Leaves the processor to the thread that is waited for. */
  private static final long POLL_NANOS = 10_000;

  private static final Configuration CONF = HBaseConfiguration.create();
  private static final CacheConfig CACHE = createCache();
  private static final HFileReaderImpl READER = open(path(REGION));
  private static final ScheduledThreadPoolExecutor POOL =
    (ScheduledThreadPoolExecutor) PrefetchExecutor.getExecutorPool();
  static {
    POOL.setRemoveOnCancelPolicy(true);
    setDelay(NEVER_MS);
    HFileReaderImpl first = open(path("fedcba9876543210fedcba9876543210"));
    PrefetchExecutor.request(first.getPath(), createWarmup(first));
    setDelay(0);
  }

  private final HFileWarmup warmup;

  public WarmupRaces() {
    this(READER);
  }

  WarmupRaces(HFileReaderImpl reader) {
    warmup = createWarmup(reader);
    PrefetchExecutor.request(reader.getPath(), warmup);
  }

  HFileWarmup getWarmup() {
    return warmup;
  }

  private static CacheConfig createCache() {
    CONF.setLong("hfile.onheap.block.cache.fixed.size", 1 << 20);
    return new CacheConfig(CONF, ColumnFamilyDescriptorBuilder.of(FAMILY),
      BlockCacheFactory.createBlockCache(CONF), ByteBuffAllocator.HEAP);
  }

  static Path path(String region) {
    try {
      return new Path(Files.createTempDirectory("WarmupRaces").toUri().toString(),
        "table/" + region + "/f/file");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a file, opens it, and deletes it. */
  static HFileReaderImpl open(Path path) {
    try {
      FileSystem fs = FileSystem.getLocal(CONF);
      try (HFile.Writer writer = HFile.getWriterFactory(CONF, CacheConfig.DISABLED)
        .withPath(fs, path).withFileContext(new HFileContextBuilder().build()).create()) {
        writer.append(new KeyValue(FAMILY, FAMILY, FAMILY, FAMILY));
      }
      HFileReaderImpl reader = (HFileReaderImpl) HFile.createReader(fs, path, CACHE, true, CONF);
      Path region = path.getParent().getParent();
      fs.delete(region.getParent().getParent(), true);
      return reader;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static HFileWarmup createWarmup(HFileReaderImpl reader) {
    try {
      return HFileWarmup.create(reader, reader.getHFileInfo(), CACHE, CONF, Extent.EVERYTHING,
        null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void setDelay(int millis) {
    Configuration conf = new Configuration(false);
    conf.setInt(PrefetchExecutor.PREFETCH_DELAY, millis);
    PrefetchExecutor.loadConfiguration(conf);
  }

  @Operation
  public void closeRegion() {
    CacheWarmup.onCloseRegion(REGION);
  }

  @Operation
  public void closeFile() {
    warmup.cancel();
  }

  /** Makes the executor request running warm-ups again. */
  @Operation(nonParallelGroup = "configuration")
  public void changeConfiguration() {
    try {
      setDelay(0);
    } catch (NullPointerException e) {
      // An exception of upstream's, if a request ends meanwhile. ConfigurationManager logs it.
    }
  }

  /** Waits until nothing is requested but what never runs. */
  static void awaitPool() throws InterruptedException, TimeoutException {
    long start = System.nanoTime();
    while (POOL.getActiveCount() > 0 || POOL.getQueue().size() > 1) {
      if (System.nanoTime() - start > TIMEOUT_NANOS) {
        throw new TimeoutException("It still runs");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  @Validate
  public void nobodyKnowsOfItOnceItIsClosed() throws InterruptedException, TimeoutException {
    if (!HFileWarmup.isCancelled(warmup)) {
      warmup.cancel();
    }
    awaitPool();
    if (PrefetchExecutor.getPrefetchFutures().size() != 1) {
      throw new IllegalStateException("Futures " + PrefetchExecutor.getPrefetchFutures());
    }
    if (PrefetchExecutor.getPrefetchRunnable().size() != 1) {
      throw new IllegalStateException("Requested " + PrefetchExecutor.getPrefetchRunnable());
    }
  }

  /** The expected results, one operation after the other. */
  public static class OneByOne {
    public void closeRegion() {
      // Returns no result.
    }

    public void closeFile() {
      // Returns no result.
    }

    public void changeConfiguration() {
      // Returns no result.
    }
  }
}
