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

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.MockRegionServerServices;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.ipc.RpcServerInterface;
import org.apache.hadoop.hbase.mob.MobFileCache;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WAL;

/** A region without a block cache, so that each block is in buffers of a pool until its release. */
final class PooledRegion implements Closeable {
  /** Bytes of a block of data, a bit less than those of a buffer. */
  static final int BLOCK_BYTES = 4096;
  private static final int BUFFER_BYTES = 2 * BLOCK_BYTES;
  private static final int BUFFERS = 256;
  private static final TableName TABLE = TableName.valueOf("t");

  private final HBaseTestingUtility util;
  private final Configuration conf;
  private final ByteBuffAllocator pool;
  private final MockRegionServerServices server;
  private final RegionInfo info = RegionInfoBuilder.newBuilder(TABLE).build();
  private final Path root;
  private HRegion region;

  PooledRegion(HBaseTestingUtility util, ColumnFamilyDescriptorBuilder... families)
    throws IOException {
    this.util = util;
    conf = util.getConfiguration();
    root = util.getDataTestDir();
    CommonFSUtils.setRootDir(conf, root);
    // One without checksums, which would open two files for each block that is read.
    conf.setClass("fs.file.impl", JavaLocalFileSystem.Raw.class, FileSystem.class);
    conf.setBoolean("fs.file.impl.disable.cache", true);
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, BUFFER_BYTES);
    conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, BUFFERS);
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 0);
    pool = ByteBuffAllocator.create(conf, true);
    RpcServerInterface rpcServer = (RpcServerInterface) Proxy.newProxyInstance(
      getClass().getClassLoader(), new Class<?>[] { RpcServerInterface.class },
      (proxy, method, arguments) -> method.getName().equals("getByteBuffAllocator") ? pool : null);
    MobFileCache mobFiles = new MobFileCache(conf);
    server = new MockRegionServerServices(conf) {
      @Override
      public ServerName getServerName() {
        return ServerName.valueOf("server", 1, 1);
      }

      @Override
      public Optional<MobFileCache> getMobFileCache() {
        return Optional.of(mobFiles);
      }
    };
    server.setRpcServer(rpcServer);
    ChunkCreator.initialize(MemStoreLAB.CHUNK_SIZE_DEFAULT, false, 0, 0, 0, null,
      MemStoreLAB.INDEX_CHUNK_SIZE_PERCENTAGE_DEFAULT);
    region = HRegion.createHRegion(info, root, conf, tableOf(families), newWal(), true, server);
  }

  private WAL newWal() throws IOException {
    return HBaseTestingUtility.createWal(conf, root, info);
  }

  private static TableDescriptor tableOf(ColumnFamilyDescriptorBuilder... families) {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TABLE);
    for (ColumnFamilyDescriptorBuilder family : families) {
      table.setColumnFamily(family.setBlocksize(BLOCK_BYTES).build());
    }
    return table.build();
  }

  HRegion get() {
    return region;
  }

  /** Opens it again, with other attributes of its families. */
  void reopen(ColumnFamilyDescriptorBuilder... families) throws IOException {
    HBaseTestingUtility.closeRegionAndWAL(region);
    region =
      HRegion.openHRegion(root, info, tableOf(families), newWal(), conf, server, null);
  }

  /** Overwrites all buffers that no block is in, as others would that get them from the pool. */
  void overwriteReleased(int with) {
    byte[] others = new byte[BUFFER_BYTES];
    Arrays.fill(others, (byte) with);
    List<ByteBuff> released = new ArrayList<>();
    for (int i = pool.getFreeBufferCount(); i > 0; i--) {
      ByteBuff buffer = pool.allocateOneBuffer();
      buffer.put(others);
      released.add(buffer);
    }
    released.forEach(ByteBuff::release);
  }

  /** Returns the number of buffers that blocks are in. */
  int countHeldBuffers() {
    return pool.getUsedBufferCount() - pool.getFreeBufferCount();
  }

  @Override
  public void close() throws IOException {
    HBaseTestingUtility.closeRegionAndWAL(region);
    util.cleanupTestDir();
  }
}
