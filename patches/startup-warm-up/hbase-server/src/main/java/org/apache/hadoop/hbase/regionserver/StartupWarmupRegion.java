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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.regionserver.metrics.MetricsTableRequests;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTrackerFactory;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The region that a server reads before it registers: one HFile below {@code .tmp} of
 * {@code hbase.rootdir}, of which no other server and no client knows. Close it to remove it. For
 * one thread, but for reads.
 */
@InterfaceAudience.Private
final class StartupWarmupRegion implements AutoCloseable {
  static final int ROWS = 4_000;
  static final int COLUMNS = 10;

  private static final TableName TABLE = TableName.valueOf("startup-warmup");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int VALUE_BYTES = 100;

  private static final int EVICTIONS = 40;
  private static final long EVICTION_PAUSE_MS = 50;

  private final FileSystem fs;
  private final Path folder;
  private final BlockCache cache;
  private final List<String> files = new ArrayList<>();
  private HRegion region;

  private StartupWarmupRegion(FileSystem fs, Path folder, BlockCache cache) {
    this.fs = fs;
    this.folder = folder;
    this.cache = cache;
  }

  /**
   * Writes the file and opens the region with the server's block cache, and without coprocessors.
   * @throws IOException if that fails; nothing remains then
   */
  static StartupWarmupRegion open(HRegionServer server) throws IOException {
    Path temporary = new Path(server.getDataRootDir(), HConstants.HBASE_TEMP_DIRECTORY);
    FileSystem fs = server.getFileSystem();
    if (!fs.exists(temporary)) {
      // The master makes it, with permissions of its own.
      throw new FileNotFoundException(temporary + " isn't there");
    }
    // The same for each start, so that what a killed server left goes.
    Path folder = new Path(temporary,
      "startup-warmup-" + server.getServerName().getHostname() + "-"
        + server.getServerName().getPort());
    StartupWarmupRegion opened =
      new StartupWarmupRegion(fs, folder, server.getBlockCache().get());
    try {
      opened.open(settings(server.getConfiguration(), folder), server);
      return opened;
    } catch (IOException | RuntimeException | Error e) {
      opened.close();
      throw e;
    }
  }

  private static Configuration settings(Configuration conf, Path folder) {
    Configuration own = new Configuration(conf);
    // A region also writes below the WALs' directory.
    own.set(HConstants.HBASE_DIR, folder.toString());
    own.set(CommonFSUtils.HBASE_WAL_DIR, folder.toString());
    own.unset(CoprocessorHost.REGION_COPROCESSOR_CONF_KEY);
    own.unset(CoprocessorHost.USER_REGION_COPROCESSOR_CONF_KEY);
    own.unset(StoreFileTrackerFactory.TRACKER_IMPL);
    // No metrics of its table.
    own.setBoolean(MetricsTableRequests.ENABLE_TABLE_LATENCIES_METRICS_KEY, false);
    own.setBoolean(MetricsTableRequests.ENABLE_TABLE_QUERY_METER_METRICS_KEY, false);
    own.setBoolean(MemStoreLAB.USEMSLAB_KEY, false);
    // Closing it in vain doesn't end the server.
    own.setBoolean(HRegion.CLOSE_WAIT_ABORT, false);
    own.setBoolean(CacheConfig.PREFETCH_BLOCKS_ON_OPEN_KEY, false);
    return own;
  }

  private void open(Configuration conf, HRegionServer server) throws IOException {
    fs.delete(folder, true);
    RegionInfo info =
      RegionInfoBuilder.newBuilder(TABLE).setRegionId(server.getServerName().getStartCode())
        .build();
    TableDescriptor table = TableDescriptorBuilder.newBuilder(TABLE).setReadOnly(true)
      .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)).build();
    Path regionFolder =
      new Path(CommonFSUtils.getTableDir(folder, TABLE), info.getEncodedName());
    write(conf, new Path(regionFolder, Bytes.toString(FAMILY)));
    region = HRegion.openHRegion(conf, fs, folder, info, table, null, server, null);
    region.getStores().forEach(store -> store.getStorefiles()
      .forEach(file -> files.add(file.getPath().getName())));
  }

  private void write(Configuration conf, Path family) throws IOException {
    StoreFileWriter writer = new StoreFileWriter.Builder(conf, new CacheConfig(conf), fs)
      .withOutputDir(family).withBloomType(BloomType.ROW).withMaxKeyCount(ROWS)
      .withFileContext(new HFileContextBuilder().build()).build();
    try {
      Random random = new Random(1);
      byte[] value = new byte[VALUE_BYTES];
      for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) {
          random.nextBytes(value);
          writer.append(new KeyValue(row(row), FAMILY, Bytes.toBytes("field" + column), 1, value));
        }
      }
      writer.appendMetadata(1, false);
    } finally {
      writer.close();
    }
  }

  /** Returns the key of a row. */
  static byte[] row(int number) {
    return Bytes.toBytes(String.format("user%08d", number));
  }

  HRegion getRegion() {
    return region;
  }

  /**
   * Removes the region's blocks from the cache, so that they are read from the file again. Blocks
   * that wait to be written to the cache stay.
   * @return how many there were
   */
  int evict() {
    return files.stream().mapToInt(cache::evictBlocksByHfileName).sum();
  }

  private void evictAll() {
    for (int i = 0; i < EVICTIONS; i++) {
      // First: what is written meanwhile is evicted.
      boolean waits = isWriting(cache);
      if (evict() == 0 && !waits) {
        return;
      }
      try {
        Thread.sleep(EVICTION_PAUSE_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** Returns true if blocks wait to be written: this region's, as the server has no other yet. */
  private static boolean isWriting(BlockCache cache) {
    BlockCache[] tiers = cache.getBlockCaches();
    return tiers == null
      ? cache instanceof BucketCache && ((BucketCache) cache).heapSize() > 0
      : Stream.of(tiers).anyMatch(StartupWarmupRegion::isWriting);
  }

  @Override
  public void close() throws IOException {
    try {
      if (region != null) {
        // Nothing is to be flushed, and no list of blocks to be written.
        region.close(true);
        evictAll();
      }
    } finally {
      fs.delete(folder, true);
    }
  }
}
