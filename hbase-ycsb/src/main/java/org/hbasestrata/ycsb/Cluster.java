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
package org.hbasestrata.ycsb;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.UserProvider;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hbase.thirdparty.com.google.common.net.HostAndPort;

/** The cluster and table of a profile, before and after the operations. For one thread. */
final class Cluster implements AutoCloseable {
  /** For the connection, and for what is asked then: after a start regions may still be opening. */
  private static final int ANSWER_SECONDS = 60;
  private static final int REGIONS_PER_SERVER = 4;
  private static final long BYTES_PER_REGION = 5_000_000_000L;
  private static final int REGIONS_MOST = 1_000;

  private interface Question<T> {
    T ask() throws IOException;
  }

  private final Profile profile;
  private final Configuration conf;
  private final TableName table;
  private Connection connection;

  Cluster(Profile profile) {
    this.profile = profile;
    this.conf = SharedConnection.configuration(profile.properties());
    this.table = TableName.valueOf(profile.text(Key.TABLE));
  }

  /** Opens the connection, or says why it can't. Before all else. */
  void connect() {
    if (!canLogIn(conf)) {
      throw ToolException.cluster("no Kerberos ticket, which this cluster asks for: run kinit, or "
        + "set hbase.client.keytab.file and hbase.client.keytab.principal", null);
    }
    connection = bounded(() -> SharedConnection.acquire(profile.properties()));
  }

  /** Whether HBase's client can log in; else it would try for long. */
  private static boolean canLogIn(Configuration conf) {
    UserProvider provider = UserProvider.instantiate(conf);
    if (!provider.isHBaseSecurityEnabled() || provider.shouldLoginFromKeytab()) {
      return true;
    }
    try {
      UserGroupInformation user = provider.getCurrent().getUGI();
      return user.hasKerberosCredentials() || !user.getTokens().isEmpty();
    } catch (IOException e) {
      throw ToolException.cluster("can't log in: " + ToolException.oneLine(e), e);
    }
  }

  /**
   * Makes sure that the table is there to be loaded.
   * @return what was found or done, in a line
   */
  String prepareLoad(HBaseWorkload workload) {
    String family = profile.text(Key.FAMILY);
    TableDescriptor found = bounded(() -> {
      try (Admin admin = connection.getAdmin()) {
        return admin.tableExists(table) ? admin.getDescriptor(table) : null;
      }
    });
    if (found != null) {
      if (!found.hasColumnFamily(Bytes.toBytes(family))) {
        throw noFamily(null);
      }
      return "Table " + table + " is there; its schema and regions stay as they are.";
    }
    int servers = bounded(() -> {
      try (Admin admin = connection.getAdmin()) {
        return admin.getRegionServers().size();
      }
    });
    byte[][] splits = Splits.of(regions(profile, servers), profile.number(Key.INSERT_START),
      profile.insertCount(), workload::rowKey);
    try (Admin admin = connection.getAdmin()) {
      TableDescriptor descriptor = descriptor(profile);
      if (splits.length == 0) {
        admin.createTable(descriptor);
      } else {
        admin.createTable(descriptor, splits);
      }
    } catch (IOException e) {
      throw ToolException.cluster("table " + table + " can't be created: "
        + ToolException.oneLine(e), e);
    }
    return "Table " + table + " created: family " + family + ", blocks of "
      + profile.number(Key.BLOCK_SIZE) + " B, encoding " + profile.text(Key.ENCODING)
      + ", compression " + profile.text(Key.COMPRESSION) + ", Bloom filter "
      + profile.text(Key.BLOOM_FILTER)
      + (profile.number(Key.FLUSH_SIZE) == 0 ? ""
        : ", memstores flushed at " + Units.bytes(profile.number(Key.FLUSH_SIZE)))
      + ", " + (splits.length + 1)
      + (splits.length == 0 ? " region." : " regions.");
  }

  /** Four to a server, more when the data is big; or as many as the profile says. */
  static int regions(Profile profile, int servers) {
    int wanted = (int) profile.number(Key.REGIONS);
    if (wanted > 0) {
      return wanted;
    }
    long bySize = Math.round(new Footprint(profile).dataBytes() / BYTES_PER_REGION);
    return (int) Math.min(REGIONS_MOST, Math.max(bySize, (long) REGIONS_PER_SERVER * servers));
  }

  static TableDescriptor descriptor(Profile profile) {
    TableDescriptorBuilder builder =
      TableDescriptorBuilder.newBuilder(TableName.valueOf(profile.text(Key.TABLE)));
    if (profile.number(Key.FLUSH_SIZE) > 0) {
      builder.setMemStoreFlushSize(profile.number(Key.FLUSH_SIZE));
    }
    return builder
      .setColumnFamily(
        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(profile.text(Key.FAMILY)))
          .setBlocksize((int) profile.number(Key.BLOCK_SIZE))
          .setDataBlockEncoding(DataBlockEncoding.valueOf(profile.text(Key.ENCODING)))
          .setCompressionType(Compression.Algorithm.valueOf(profile.text(Key.COMPRESSION)))
          .setBloomFilterType(BloomType.valueOf(profile.text(Key.BLOOM_FILTER)))
          .build())
      .build();
  }

  /** Makes sure that the table is there and holds, as far as a glance tells, the rows. */
  void prepareRun(HBaseWorkload workload) {
    bounded(() -> {
      try (Admin admin = connection.getAdmin()) {
        if (!admin.tableExists(table)) {
          throw ToolException.cluster("table " + table + " doesn't exist; load it first: "
            + loadCommand(), null);
        }
        if (!admin.isTableEnabled(table)) {
          throw ToolException.cluster("table " + table + " is disabled; enable it first", null);
        }
        return null;
      }
    });
    long last = profile.number(Key.INSERT_START) + profile.insertCount() - 1;
    String key = workload.rowKey(last);
    boolean there = bounded(() -> {
      try (Table t = connection.getTable(table);
        RegionLocator regions = connection.getRegionLocator(table)) {
        // So that no operation's latency holds the search for its region.
        regions.getAllRegionLocations();
        return t.exists(new Get(Bytes.toBytes(key))
          .addFamily(Bytes.toBytes(profile.text(Key.FAMILY))));
      } catch (NoSuchColumnFamilyException e) {
        throw noFamily(e);
      }
    });
    if (!there) {
      throw ToolException.cluster("table " + table + " holds fewer than " + Units.count(last + 1)
        + " rows: the last one, " + key + ", isn't there; give the --rows that were loaded, or"
        + " load them: " + loadCommand(), null);
    }
  }

  /** The keys of the table's first and last row of the profile's family, which holds rows. */
  TableEnds ends() {
    return bounded(() -> {
      try (Table t = connection.getTable(table)) {
        return new TableEnds(firstOf(t, false), firstOf(t, true));
      }
    });
  }

  private byte[] firstOf(Table table, boolean reversed) throws IOException {
    Scan scan = new Scan().setReversed(reversed).setLimit(1)
      .addFamily(Bytes.toBytes(profile.text(Key.FAMILY))).setFilter(new FirstKeyOnlyFilter());
    try (ResultScanner scanner = table.getScanner(scan)) {
      return scanner.next().getRow();
    }
  }

  /** Each server that has regions of the table, as of now; once each. */
  List<String> servers() {
    return bounded(() -> {
      try (RegionLocator regions = connection.getRegionLocator(table)) {
        regions.clearRegionLocationCache();
        return regions.getAllRegionLocations().stream()
          .map(location -> location.getServerName().getServerName()).distinct().sorted().toList();
      }
    });
  }

  private String loadCommand() {
    return "bin/hbase ycsb load " + profile.name() + " --rows "
      + (profile.isOverridden(Key.ROWS) ? profile.text(Key.ROWS) : "N")
      + (profile.text(Key.TABLE).equals(Key.TABLE.defaultValue()) ? ""
        : " --table " + profile.text(Key.TABLE));
  }

  private ToolException noFamily(Throwable cause) {
    return ToolException.cluster("table " + table + " has no family '" + profile.text(Key.FAMILY)
      + "' (key " + Key.FAMILY.text() + "); drop it, or name another with --table", cause);
  }

  /** Writes what is in memory to HFiles. */
  void flush() {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(table);
    } catch (IOException e) {
      throw ToolException.cluster("table " + table + " can't be flushed: "
        + ToolException.oneLine(e), e);
    }
  }

  /** Asks the cluster, and gives up in good time however often the HBase client would retry. */
  private <T> T bounded(Question<T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Thread thread = new Thread(() -> {
      try {
        answer.complete(question.ask());
      } catch (IOException | RuntimeException | Error e) {
        answer.completeExceptionally(e);
      }
    }, "ycsb-reach");
    thread.setDaemon(true);
    thread.start();
    try {
      return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw unreachable("no answer in " + ANSWER_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unreachable("interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ToolException known) {
        throw known;
      }
      if (isDenial(e.getCause())) {
        throw ToolException.cluster("this user isn't allowed to: "
          + ToolException.oneLine(e.getCause()), e.getCause());
      }
      throw unreachable(ToolException.oneLine(e.getCause()), e.getCause());
    }
  }

  private static boolean isDenial(Throwable failure) {
    return failure instanceof AccessDeniedException
      || failure.getCause() != null && isDenial(failure.getCause());
  }

  private ToolException unreachable(String why, Throwable cause) {
    String servers = conf.get("hbase.client.bootstrap.servers", "");
    if (!servers.isEmpty()) {
      return ToolException.cluster("HBase can't be reached: " + why + ". Tried "
        + "hbase.client.bootstrap.servers " + servers + ".", cause);
    }
    List<String> tried = new ArrayList<>();
    boolean answers = false;
    for (String server : conf.get(HConstants.ZOOKEEPER_QUORUM, "127.0.0.1").split(",")) {
      HostAndPort address = HostAndPort.fromString(server.strip())
        .withDefaultPort(conf.getInt(HConstants.ZOOKEEPER_CLIENT_PORT, 2181));
      tried.add(address.toString());
      answers |= listens(address.getHost(), address.getPort());
    }
    return ToolException.cluster("HBase can't be reached: " + why + ". Tried ZooKeeper "
      + String.join(", ", tried) + " (hbase.zookeeper.quorum, "
      + HConstants.ZOOKEEPER_CLIENT_PORT + "): " + (answers
        ? "its port is open, so the master or the server of hbase:meta is down or not yet up, or "
          + HConstants.ZOOKEEPER_ZNODE_PARENT + " isn't "
          + conf.get(HConstants.ZOOKEEPER_ZNODE_PARENT, "/hbase") + "."
        : "nothing listens there. Is HBase running?"), cause);
  }

  private static boolean listens(String host, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), 1_000);
      return true;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  @Override
  public void close() {
    if (connection != null) {
      try {
        SharedConnection.release();
      } catch (IOException e) {
        throw ToolException.cluster("closing the connection: " + ToolException.oneLine(e), e);
      }
    }
  }
}
