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
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.quotas.RegionServerRpcQuotaManager;
import org.apache.hadoop.hbase.quotas.RegionServerSpaceQuotaManager;

import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;

/**
 * A region server that isn't started, and whose RSRpcServices serve one region: there is no
 * network, no client and no WAL. Its files are in a folder of its own.
 */
final class LocalServer implements Closeable {
  private final java.nio.file.Path folder;
  private final Configuration conf;
  private Services services;

  LocalServer() throws IOException {
    folder = Files.createTempDirectory("server");
    conf = HBaseConfiguration.create();
    conf.set(HConstants.HBASE_DIR, folder.resolve("hbase").toUri().toString());
    conf.set("hbase.wal.dir", folder.resolve("hbase").toUri().toString());
    conf.set("hbase.tmp.dir", folder.toString());
    conf.setInt(HConstants.REGIONSERVER_PORT, 0);
    conf.setInt(HConstants.REGIONSERVER_INFO_PORT, -1);
    conf.setBoolean("hbase.masterless", true);
    // There is none.
    conf.setInt("zookeeper.recovery.retry", 0);
    conf.setBoolean("hbase.hregion.memstore.mslab.enabled", false);
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
  }

  /** Returns the server's settings, to be added to before its region is created. */
  Configuration conf() {
    return conf;
  }

  /** The region's blocks go to a cache off the heap that has room for all. */
  void cacheOffHeap() {
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "offheap");
    conf.setInt(HConstants.BUCKET_CACHE_SIZE_KEY, 128);
  }

  java.nio.file.Path folder() {
    return folder;
  }

  /** Returns a region without rows, which is served from now on. */
  HRegion createRegion(ColumnFamilyDescriptor family) throws IOException {
    services = (Services) new Server(conf).getRSRpcServices();
    TableDescriptor table = TableDescriptorBuilder.newBuilder(TableName.valueOf("usertable"))
      .setColumnFamily(family).build();
    services.region = HRegion.createHRegion(
      RegionInfoBuilder.newBuilder(table.getTableName()).build(),
      new Path(conf.get(HConstants.HBASE_DIR)), conf, table, null, true, services.regionServer);
    return services.region;
  }

  RSRpcServices services() {
    return services;
  }

  /** Fails when a get has left its scanner open. */
  @Override
  public void close() throws IOException {
    int open = services.region.scannerReadPoints.size();
    services.region.close(true);
    services.stop();
    FileUtil.fullyDelete(folder.toFile());
    if (open > 0) {
      throw new IllegalStateException(open + " scanners were not closed");
    }
  }

  private static final class Server extends HRegionServer {
    private final RegionServerRpcQuotaManager quotas = new RegionServerRpcQuotaManager(this);
    private final RegionServerSpaceQuotaManager spaceQuotas =
      new RegionServerSpaceQuotaManager(this);

    Server(Configuration conf) throws IOException {
      super(conf);
    }

    /** It needs no ZooKeeper if it doesn't begin with writing to it. */
    @Override
    protected boolean canCreateBaseZNode() {
      return false;
    }

    @Override
    protected RSRpcServices createRpcServices() throws IOException {
      return new Services(this);
    }

    @Override
    public RegionServerRpcQuotaManager getRegionServerRpcQuotaManager() {
      return quotas;
    }

    @Override
    public RegionServerSpaceQuotaManager getRegionServerSpaceQuotaManager() {
      return spaceQuotas;
    }
  }

  private static final class Services extends RSRpcServices {
    private HRegion region;

    Services(HRegionServer server) throws IOException {
      super(server);
    }

    @Override
    protected void checkOpen() {
      // It is as open as it will be.
    }

    @Override
    public HRegion getRegion(RegionSpecifier specifier) {
      return region;
    }
  }
}
