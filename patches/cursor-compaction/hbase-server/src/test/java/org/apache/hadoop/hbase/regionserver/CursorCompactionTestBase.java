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
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.monitoring.TaskMonitor;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.regionserver.compactions.DefaultCompactor;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;

/** A region with one family that is compacted and flushed with and without cursors. */
public abstract class CursorCompactionTestBase {
  protected static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  protected static final byte[] F = Bytes.toBytes("f");
  protected static final MetricsCursorCompactions METRICS = MetricsCursorCompactions.getInstance();

  protected Configuration conf = HBaseConfiguration.create(UTIL.getConfiguration());
  protected HRegion region;
  protected HStore store;

  @After
  public void close() throws IOException {
    if (region != null) {
      HBaseTestingUtility.closeRegionAndWAL(region);
      region = null;
    }
    UTIL.cleanupTestDir();
  }

  protected void open(ColumnFamilyDescriptor family) throws IOException {
    TableName table = TableName.valueOf("t");
    RegionInfo info = RegionInfoBuilder.newBuilder(table).build();
    region = HBaseTestingUtility.createRegionAndWAL(info, UTIL.getDataTestDir("region"), conf,
      TableDescriptorBuilder.newBuilder(table).setColumnFamily(family).build());
    store = region.getStore(F);
  }

  /** Returns the store's configuration with the feature on or off. */
  protected Configuration with(boolean cursors) {
    Configuration changed = new Configuration(false);
    changed.setBoolean(CursorCompactionSettings.ENABLED.key(), cursors);
    return new CompoundConfiguration().add(conf).add(changed);
  }

  protected Path compact(boolean cursors, boolean all, Collection<HStoreFile> files)
    throws IOException {
    return compact(with(cursors), all, files, NoLimitThroughputController.INSTANCE);
  }

  /** Compacts files to one, which doesn't take their place. */
  protected Path compact(Configuration settings, boolean all, Collection<HStoreFile> files,
    ThroughputController throughput) throws IOException {
    CompactionRequestImpl request = new CompactionRequestImpl(files);
    request.setIsMajor(all, all);
    return new DefaultCompactor(settings, store).compact(request, throughput, null).get(0);
  }

  /** Writes what is in memory to a file, which isn't added to the store; the memory stays. */
  protected Path flush(boolean cursors, MemStoreSnapshot snapshot, ThroughputController throughput)
    throws IOException {
    return flush(new DefaultStoreFlusher(with(cursors), store), snapshot, throughput);
  }

  protected static Path flush(StoreFlusher flusher, MemStoreSnapshot snapshot,
    ThroughputController throughput) throws IOException {
    return flusher.flushSnapshot(snapshot, 1, TaskMonitor.get().createStatus("flush"), throughput,
      FlushLifeCycleTracker.DUMMY, path -> {
      }).get(0);
  }

  protected byte[] takeBytes(Path file) throws IOException {
    FileSystem fs = store.getFileSystem();
    byte[] bytes = new byte[(int) fs.getFileStatus(file).getLen()];
    try (FSDataInputStream in = fs.open(file)) {
      in.readFully(bytes);
    }
    fs.delete(file, false);
    return bytes;
  }

  /** Returns the files that compactions have left behind. */
  protected List<Path> leftovers() throws IOException {
    List<Path> found = new ArrayList<>();
    Path folder = new Path(region.getRegionFileSystem().getTempDir(), Bytes.toString(F));
    try {
      for (FileStatus file : store.getFileSystem().listStatus(folder)) {
        found.add(file.getPath());
      }
    } catch (FileNotFoundException e) {
      return found;
    }
    return found;
  }

  /** Returns all versions that a reader sees, without their sequence ids. */
  protected List<String> read() throws IOException {
    Scan scan = new Scan().readAllVersions();
    List<String> found = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
      List<Cell> cells = new ArrayList<>();
      boolean more;
      do {
        more = scanner.next(cells);
        for (Cell cell : cells) {
          found.add(CellUtil.getCellKeyAsString(cell).replaceAll("/seqid=.*", "=")
            + Bytes.toStringBinary(cell.getValueArray(), cell.getValueOffset(),
              cell.getValueLength()));
        }
        cells.clear();
      } while (more);
    }
    return found;
  }
}
