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
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.ipc.RawRpcConnection;
import org.apache.hadoop.hbase.ipc.RpcExecutor;
import org.apache.hadoop.hbase.testclassification.LargeTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;

/**
 * Clients of one server, whose setting takes turns while they go on. Nobody is worse off with gets
 * on event loops: no ratio of a figure with them and without is above 1 by more than chance.
 */
@Category({ RegionServerTests.class, LargeTests.class })
public class TestEventLoopGetsUnderLoad extends EventLoopGetsTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestEventLoopGetsUnderLoad.class);

  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final int ROWS = 2_000;
  private static final int VALUE_BYTES = 1_000;
  private static final int PAIRS = Integer.getInteger("event.loop.pairs", 20);
  private static final long TURN_NANOS = TimeUnit.SECONDS.toNanos(1);
  /** Of calls that were sent before the setting changed. */
  private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final double SHOWN = 0.975;
  /** So many figures are judged that one of them would often be worse by chance otherwise. */
  private static final double JUDGED = 0.999;

  private static final int POLITE = 50;
  private static final int OF_HIGH_PRIORITY = 5;
  private static final long POLITE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  /** Fewer than the queue has room for by default. */
  private static final int OUTSTANDING = 240;
  private static final int THREADS = 16;
  /** Of gets that aren't the usual ones. */
  private static final int EACH_OF = 100;

  /** What a read of the device takes. */
  private static volatile long deviceNanos;
  /** What a slow get takes a handler. */
  private static volatile long slowNanos;

  private final List<Client> clients = new ArrayList<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean stopped;
  private volatile long turnBegin;

  /** The local file system; reads of a table's files take the time of a device. */
  public static class DeviceFileSystem extends LocalFileSystem {
    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
      FSDataInputStream file = super.open(path, bufferSize);
      if (!path.toString().contains("/device/")) {
        return file;
      }
      return new FSDataInputStream(file) {
        @Override
        public int read(long position, byte[] buffer, int offset, int length)
          throws IOException {
          LockSupport.parkNanos(deviceNanos);
          return super.read(position, buffer, offset, length);
        }
      };
    }
  }

  /** Has gets take a handler's time. */
  public static class Slow implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get,
      List<Cell> result) {
      LockSupport.parkNanos(slowNanos);
    }
  }

  /** Sends gets, in a thread of its own, and notes what they took. */
  private abstract class Client extends Thread {
    final String kind;
    private final List<Long> taken = new ArrayList<>();
    final AtomicLong refused = new AtomicLong();

    Client(String kind) {
      this.kind = kind;
      setDaemon(true);
      clients.add(this);
    }

    final void answered(long begin) {
      long nanos = System.nanoTime() - begin;
      synchronized (taken) {
        taken.add(nanos);
      }
    }

    /** Returns what was noted since the last time. */
    final List<Long> take() {
      synchronized (taken) {
        List<Long> all = new ArrayList<>(taken);
        taken.clear();
        return all;
      }
    }

    abstract void send() throws Exception;

    @Override
    public void run() {
      try {
        send();
      } catch (Throwable e) {
        if (!stopped) {
          failure.compareAndSet(null, e);
        }
      }
    }
  }

  @BeforeClass
  public static void startCluster() throws Exception {
    assumeTrue(Boolean.getBoolean("event.loop.load"));
    Configuration conf = newConfiguration();
    conf.set(RpcExecutor.CALL_QUEUE_TYPE_CONF_KEY,
      System.getProperty("event.loop.queue", RpcExecutor.CALL_QUEUE_TYPE_FIFO_CONF_VALUE));
    conf.setClass("fs.file.impl", DeviceFileSystem.class, DeviceFileSystem.class);
    startServer();
    create("memory", true, null);
    create("device", false, null);
    create("slow", true, Slow.class);
  }

  @AfterClass
  public static void tearDown() throws Exception {
    stopCluster();
  }

  @Before
  public void letBegin() {
    deviceNanos = 0;
    slowNanos = 0;
  }

  @After
  public void stopClients() throws Exception {
    stopped = true;
    for (Client client : clients) {
      client.join(PATIENCE_MS);
    }
  }

  private static void create(String name, boolean cached, Class<?> coprocessor) throws Exception {
    TableDescriptorBuilder descriptor = TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
      .setColumnFamily(
        ColumnFamilyDescriptorBuilder.newBuilder(F).setBlockCacheEnabled(cached).build());
    if (coprocessor != null) {
      descriptor.setCoprocessor(coprocessor.getName());
    }
    try (Table table = util.createTable(descriptor.build(), (byte[][]) null)) {
      List<Put> puts = new ArrayList<>();
      List<Get> gets = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        puts.add(new Put(Bytes.toBytes(i)).addColumn(F, Q, new byte[VALUE_BYTES]));
        gets.add(new Get(Bytes.toBytes(i)));
      }
      table.put(puts);
      util.flush(table.getName());
      if (cached) {
        awaitCached(table, gets);
      }
    }
  }

  private static Get randomGet() {
    return new Get(Bytes.toBytes(ThreadLocalRandom.current().nextInt(ROWS)));
  }

  /** A connection that sends a get each 20 ms; what it takes counts from when it should be sent. */
  private final class Polite extends Client {
    private final int priority;
    private final byte[] region =
      server.getRegions(TableName.valueOf("memory")).get(0).getRegionInfo().getRegionName();

    Polite(int priority) {
      super(priority > 0 ? "polite, high priority" : "polite");
      this.priority = priority;
    }

    @Override
    void send() throws Exception {
      try (RawRpcConnection connection = new RawRpcConnection(
        server.getRSRpcServices().getSocketAddress(), RawRpcConnection.header()
          .setCellBlockCodecClass(KeyValueCodec.class.getName()).build())) {
        long next = System.nanoTime() + ThreadLocalRandom.current().nextLong(POLITE_NANOS);
        for (int call = 0; !stopped; call++) {
          for (long now; (now = System.nanoTime()) < next;) {
            LockSupport.parkNanos(next - now);
          }
          RequestHeader.Builder header =
            RequestHeader.newBuilder().setCallId(call).setMethodName("Get");
          connection.send(RawRpcConnection.request(
            priority > 0 ? header.setPriority(priority) : header,
            RequestConverter.buildGetRequest(region, randomGet())));
          byte[] answer = connection.receive();
          if (RawRpcConnection.headerOf(answer).hasException()) {
            refused.incrementAndGet();
          } else {
            answered(next);
          }
          next = Math.max(next + POLITE_NANOS, turnBegin);
        }
      }
    }
  }

  /** An asynchronous client that has many gets under way all the time. */
  private final class Flood extends Client {
    private final TableName of;

    Flood(String of) {
      super("flood");
      this.of = TableName.valueOf(of);
    }

    @Override
    void send() throws Exception {
      try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(withoutRetries()).get()) {
        AsyncTable<?> table = connection.getTable(of);
        Semaphore free = new Semaphore(OUTSTANDING);
        while (!stopped) {
          free.acquire();
          long begin = System.nanoTime();
          table.get(randomGet()).whenComplete((result, error) -> {
            free.release();
            if (error == null) {
              answered(begin);
            } else {
              refused.incrementAndGet();
            }
          });
        }
        free.acquire(OUTSTANDING);
      }
    }
  }

  /** Gets one row after the other; each hundredth is of another table. */
  private final class Usual extends Client {
    private final Connection connection;
    private final TableName other;
    private final Client others;

    Usual(Connection connection, String other) {
      super("in memory");
      this.connection = connection;
      this.other = TableName.valueOf(other);
      others = new Client(other) {
        @Override
        void send() {
          // Its calls are made by the one around it.
        }
      };
    }

    @Override
    void send() throws Exception {
      try (Table memory = connection.getTable(TableName.valueOf("memory"));
        Table rare = connection.getTable(other)) {
        while (!stopped) {
          boolean isRare = ThreadLocalRandom.current().nextInt(EACH_OF) == 0;
          long begin = System.nanoTime();
          try {
            assertEquals(1, (isRare ? rare : memory).get(randomGet()).size());
            (isRare ? others : this).answered(begin);
          } catch (IOException e) {
            refused.incrementAndGet();
          }
        }
      }
    }
  }

  private static double millis(List<Long> sorted, double quantile) {
    int index = (int) Math.min(sorted.size() - 1, Math.floor(sorted.size() * quantile));
    return sorted.get(index) / 1e6;
  }

  /** The figures of a turn, by what they are of; the less the better. */
  private Map<String, Double> turn(boolean enabled) {
    set(enabled);
    turnBegin = System.nanoTime();
    park(SETTLE_NANOS);
    clients.forEach(Client::take);
    long begin = System.nanoTime();
    park(TURN_NANOS);
    Map<String, List<Long>> byKind = new LinkedHashMap<>();
    Map<String, Double> worst = new LinkedHashMap<>();
    for (Client client : clients) {
      List<Long> taken = client.take();
      byKind.computeIfAbsent(client.kind, kind -> new ArrayList<>()).addAll(taken);
      if (client instanceof Polite) {
        Collections.sort(taken);
        worst.merge("P90 of the client that waits longest (" + client.kind + ")",
          taken.isEmpty() ? TURN_NANOS / 1e6 : millis(taken, 0.9), Math::max);
        worst.merge("share of the client that is served least, inverse (" + client.kind + ")",
          (double) TURN_NANOS / POLITE_NANOS / Math.max(1, taken.size()), Math::max);
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    Map<String, Double> figures = new LinkedHashMap<>();
    byKind.forEach((kind, taken) -> {
      Collections.sort(taken);
      if (!taken.isEmpty()) {
        figures.put(kind + ", P50 ms", millis(taken, 0.5));
        figures.put(kind + ", P99 ms", millis(taken, 0.99));
        figures.put(kind + ", ms between two answers", seconds * 1e3 / taken.size());
      }
    });
    figures.putAll(worst);
    return figures;
  }

  private long refused() {
    return clients.stream().mapToLong(client -> client.refused.get()).sum();
  }

  private static void park(long nanos) {
    long end = System.nanoTime() + nanos;
    for (long now; (now = System.nanoTime()) < end;) {
      LockSupport.parkNanos(end - now);
    }
  }

  /**
   * Has the settings take turns: off and on, on and off, and so on.
   * @param judged beginnings of the names of figures that must not be worse
   */
  private void compare(String title, String... judged) throws Exception {
    clients.forEach(Thread::start);
    // What is compiled, and who learned what, is the same for both then.
    turn(false);
    turn(true);
    Map<String, List<double[]>> pairs = new LinkedHashMap<>();
    long[] drops = new long[2];
    long[] refused = new long[2];
    for (int pair = 0; pair < PAIRS; pair++) {
      List<Map<String, Double>> both = new ArrayList<>(Arrays.asList(null, null));
      for (int i = 0; i < 2; i++) {
        int setting = (pair + i) % 2;
        long before = server.getRpcServer().getScheduler().getNumGeneralCallsDropped();
        long refusedBefore = refused();
        both.set(setting, turn(setting == 1));
        refused[setting] += refused() - refusedBefore;
        drops[setting] +=
          server.getRpcServer().getScheduler().getNumGeneralCallsDropped() - before;
      }
      if (failure.get() != null) {
        throw new AssertionError("a client failed", failure.get());
      }
      Map<String, Double> off = both.get(0);
      Map<String, Double> on = both.get(1);
      assertEquals("In pair " + pair + " only one side has all figures: the clients that others are"
        + " of had no answer in a turn.", off.keySet(), on.keySet());
      off.forEach((name, figure) -> pairs.computeIfAbsent(name, key -> new ArrayList<>())
        .add(new double[] { figure, on.get(name) }));
    }
    System.out.printf(Locale.ROOT, "%n%s: %d pairs of %d s, %s queue%n| figure | off | on | "
      + "on / off |%n|---|---|---|---|%n", title, PAIRS,
      TimeUnit.NANOSECONDS.toSeconds(TURN_NANOS),
      server.getConfiguration().get(RpcExecutor.CALL_QUEUE_TYPE_CONF_KEY));
    List<String> worse = new ArrayList<>();
    pairs.forEach((name, of) -> {
      SummaryStatistics logs = new SummaryStatistics();
      of.forEach(pair -> logs.addValue(Math.log(pair[1] / pair[0])));
      TDistribution t = new TDistribution(of.size() - 1.0);
      double error = logs.getStandardDeviation() / Math.sqrt(of.size());
      double half = t.inverseCumulativeProbability(SHOWN) * error;
      System.out.printf(Locale.ROOT, "| %s | %.3f | %.3f | %.2f (%.2f-%.2f) |%n", name,
        of.stream().mapToDouble(pair -> pair[0]).average().getAsDouble(),
        of.stream().mapToDouble(pair -> pair[1]).average().getAsDouble(),
        Math.exp(logs.getMean()), Math.exp(logs.getMean() - half),
        Math.exp(logs.getMean() + half));
      double least = logs.getMean() - t.inverseCumulativeProbability(JUDGED) * error;
      if (least > 0 && Arrays.stream(judged).anyMatch(name::startsWith)) {
        worse.add(name);
      }
    });
    System.out.printf("Calls that CoDel dropped: %d off, %d on; refused or dropped: %d, %d%n",
      drops[0], drops[1], refused[0], refused[1]);
    assertTrue("worse: " + worse, worse.isEmpty());
  }

  private void comparePolite(String title, String floodOf) throws Exception {
    for (int i = 0; i < POLITE; i++) {
      new Polite(i < OF_HIGH_PRIORITY ? HConstants.HIGH_QOS : 0);
    }
    new Flood(floodOf);
    compare(title, "polite", "P90 of", "share of");
  }

  @Test
  public void aFloodBesidePoliteClients() throws Exception {
    comparePolite("A flood beside polite clients", "memory");
  }

  /** Handlers have more to do than they can; nothing is read past their queues. */
  @Test
  public void aFloodOfSlowRequestsBesidePoliteClients() throws Exception {
    slowNanos = TimeUnit.MILLISECONDS.toNanos(20);
    comparePolite("A flood of slow requests beside polite clients", "slow");
  }

  private static Configuration withoutRetries() {
    Configuration conf = new Configuration(util.getConfiguration());
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    return conf;
  }

  private void compareUsual(String title, String other) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(withoutRetries())) {
      for (int i = 0; i < THREADS; i++) {
        new Usual(connection, other);
      }
      try {
        compare(title, "in memory", other);
      } finally {
        stopClients();
      }
    }
  }

  /** What the others are to be compared with. */
  @Test
  public void noMisses() throws Exception {
    compareUsual("No misses", "memory");
  }

  @Test
  public void missesToADeviceOf100Microseconds() throws Exception {
    deviceNanos = TimeUnit.MICROSECONDS.toNanos(100);
    compareUsual("1 % of misses to a device of 100 us", "device");
  }

  @Test
  public void missesToADeviceOf10Milliseconds() throws Exception {
    deviceNanos = TimeUnit.MILLISECONDS.toNanos(10);
    compareUsual("1 % of misses to a device of 10 ms", "device");
  }

  @Test
  public void slowRequests() throws Exception {
    slowNanos = TimeUnit.MILLISECONDS.toNanos(20);
    compareUsual("1 % of requests that take a handler 20 ms", "slow");
  }
}
