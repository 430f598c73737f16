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
package org.hbasestrata.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.token.ClientTokenUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Run by bin/hbase: several users at once, by each protection, do what they may and what they may
 * not on the tables of {@link SecureTables}, and compare each byte with what must be there.
 */
public final class SecureLoad {
  static final String OPERATIONS = "operations";
  static final String WRONG = "wrong";
  static final String DENIED = "denied that should not be";
  static final String ALLOWED = "allowed that should not be";
  static final String REFUSED = "denied as it should be";
  static final String ERRORS = "errors";
  /** A protection that isn't SASL's: authentication by it, and TLS around. */
  static final String TLS = "tls";
  private static final int OWN_ROWS = 100;
  private static final int MULTIGET = 40;
  private static final int BATCH = 10;
  private static final int BULK_BYTES = 80_000;
  private static final int TOLD = 20;
  private static final int TIMEOUT_MILLIS = 120_000;

  private final String name;
  private final long end;
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
  private int told;

  private SecureLoad(String name, int seconds) {
    this.name = name;
    end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
  }

  /**
   * {@code RESULT_FILE NAME SECONDS RIGHTS PROTECTION...}; RIGHTS is what the servers know.
   */
  public static void main(String[] args) throws Exception {
    SecureLoad load = new SecureLoad(args[1], Integer.parseInt(args[2]));
    load.run(Rights.valueOf(args[3]), Arrays.asList(args).subList(4, args.length));
    StringBuilder json = new StringBuilder("{");
    for (Map.Entry<String, LongAdder> count : new TreeMap<>(load.counts).entrySet()) {
      json.append(json.length() > 1 ? "," : "").append('"').append(count.getKey()).append("\":")
        .append(count.getValue().sum());
    }
    Files.writeString(Path.of(args[0]), json.append("}\n"));
  }

  /** What a user does again and again. */
  private interface Work {
    void once(SplittableRandom random) throws Exception;
  }

  /** What servers know of users. */
  enum Rights {
    /** Access rights and labels of cells. */
    LABELS,
    /** Access rights. */
    ACCESS,
    NONE
  }

  private void run(Rights rights, List<String> protections) throws Exception {
    List<Connection> connections = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (String protection : protections) {
      Configuration conf = conf(protection);
      Connection alice = connect(conf, keytabUser(conf, "alice"));
      connections.add(alice);
      UserGroupInformation withToken = UserGroupInformation.createRemoteUser("alice");
      withToken.addToken(ClientTokenUtil.obtainToken(alice));
      Connection token = connect(conf, withToken);
      connections.add(token);
      Connection bob = connect(conf, keytabUser(conf, "bob"));
      connections.add(bob);
      threads.add(thread(protection, "alice", new Writer(alice, name + protection)));
      threads.add(thread(protection, "token", new Writer(token, name + protection + "token")));
      threads.add(thread(protection, "bob", new Reader(bob)));
      threads.add(thread(protection, "alice", new BulkWriter(alice, name + protection + "bulk")));
      if (rights == Rights.LABELS) {
        threads.add(thread(protection, "alice", new LabelReader(alice, true)));
        threads.add(thread(protection, "bob", new LabelReader(bob, false)));
      }
      if (rights != Rights.NONE) {
        Connection carol = connect(conf, keytabUser(conf, "carol"));
        connections.add(carol);
        Connection dave = connect(conf, keytabUser(conf, "dave"));
        connections.add(dave);
        threads.add(thread(protection, "bob", new Trespasser(bob, true)));
        threads.add(thread(protection, "carol", new ColumnReader(carol)));
        threads.add(thread(protection, "dave", new Trespasser(dave, false)));
      }
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    for (Connection connection : connections) {
      connection.close();
    }
  }

  private static Configuration conf(String protection) {
    Configuration conf = HBaseConfiguration.create();
    boolean tls = protection.equals(TLS);
    conf.set("hbase.rpc.protection", tls ? "authentication" : protection);
    conf.setBoolean("hbase.client.netty.tls.enabled", tls);
    conf.setInt("hbase.client.operation.timeout", TIMEOUT_MILLIS);
    conf.setInt("hbase.rpc.timeout", TIMEOUT_MILLIS);
    return conf;
  }

  static UserGroupInformation keytabUser(Configuration conf, String user)
    throws IOException {
    UserGroupInformation.setConfiguration(conf);
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(user,
      SecureTables.keytab(conf, user));
  }

  static Connection connect(Configuration conf, UserGroupInformation user)
    throws IOException {
    return ConnectionFactory.createConnection(conf, User.create(user));
  }

  private Thread thread(String protection, String user, Work work) {
    String of = protection + "-" + user + "-" + work.getClass().getSimpleName();
    return new Thread(() -> {
      SplittableRandom random = new SplittableRandom(of.hashCode());
      // Each does what it does once at least.
      do {
        try {
          work.once(random);
          count(OPERATIONS + " by " + protection);
        } catch (Exception e) {
          count(isDenial(e) ? DENIED : ERRORS);
          tell(of, e);
        }
        count(OPERATIONS);
      } while (System.nanoTime() < end);
    }, of);
  }

  private synchronized void tell(String of, Throwable e) {
    if (++told <= TOLD) {
      System.out.println(of + ": " + e);
      e.printStackTrace(System.out);
    }
  }

  private void count(String what) {
    counts.computeIfAbsent(what, key -> new LongAdder()).increment();
  }

  private void expect(boolean right, String what) {
    if (!right) {
      count(WRONG);
      tell(Thread.currentThread().getName(), new IllegalStateException(what));
    }
  }

  static boolean isDenial(Throwable e) {
    if (e instanceof RetriesExhaustedWithDetailsException) {
      return ((RetriesExhaustedWithDetailsException) e).getCauses().stream()
        .allMatch(SecureLoad::isDenial);
    }
    return e instanceof AccessDeniedException || e.getCause() != null && isDenial(e.getCause());
  }

  /** Something that must be denied. */
  private interface Trespass {
    void tryIt() throws IOException, InterruptedException;
  }

  private void expectDenial(String what, Trespass trespass)
    throws IOException, InterruptedException {
    try {
      trespass.tryIt();
    } catch (IOException e) {
      if (!isDenial(e)) {
        throw e;
      }
      count(REFUSED);
      return;
    }
    count(ALLOWED);
    tell(Thread.currentThread().getName(), new IllegalStateException(what));
  }

  /** Whether a row has these columns of a version, and no others. */
  static boolean isRight(Result result, byte[] row, int version, byte[]... columns) {
    if (result.size() != columns.length || !result.isEmpty() && !Arrays.equals(row,
      result.getRow())) {
      return false;
    }
    for (byte[] column : columns) {
      Cell cell = result.getColumnLatestCell(SecureTables.FAMILY, column);
      if (
        cell == null || !Arrays.equals(SecureTables.value(row, column, version),
          CellUtil.cloneValue(cell))
      ) {
        return false;
      }
    }
    return true;
  }

  private static byte[] fixedRow(SplittableRandom random) {
    return SecureTables.row(SecureTables.OWNER, random.nextInt(SecureTables.ROWS));
  }

  private static Get get(byte[] row) {
    return new Get(row).addFamily(SecureTables.FAMILY);
  }

  private static List<Get> gets(SplittableRandom random) {
    List<Get> gets = new ArrayList<>();
    for (int i = 0; i < MULTIGET; i++) {
      gets.add(get(fixedRow(random)));
    }
    return gets;
  }

  /** Reads rows that don't change, by gets, multigets and scans of a range. */
  private void readFixed(Table table, SplittableRandom random, byte[]... columns)
    throws IOException {
    byte[] row = fixedRow(random);
    expect(isRight(table.get(get(row)), row, 0, columns), "get of " + Bytes.toString(row));
    List<Get> gets = gets(random);
    Result[] results = table.get(gets);
    for (int i = 0; i < results.length; i++) {
      expect(isRight(results[i], gets.get(i).getRow(), 0, columns), "multiget");
    }
    String prefix = SecureTables.prefix(SecureTables.OWNER, random.nextInt(SecureTables.PREFIXES));
    Scan scan = new Scan().addFamily(SecureTables.FAMILY)
      .setStartStopRowForPrefixScan(Bytes.toBytes(prefix));
    int rows = 0;
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        rows++;
        expect(isRight(result, result.getRow(), 0, columns), "scan of " + prefix);
      }
    }
    expect(rows == SecureTables.ROWS_OF_PREFIX, rows + " rows of " + prefix);
  }

  /** May read all of a table. */
  private final class Reader implements Work {
    private final Table table;

    Reader(Connection connection) throws IOException {
      table = connection.getTable(TableName.valueOf(SecureTables.GUARDED));
    }

    @Override
    public void once(SplittableRandom random) throws IOException {
      readFixed(table, random, SecureTables.OPEN, SecureTables.SECRET);
    }
  }

  /** Sees cells by their labels. */
  private final class LabelReader implements Work {
    private final Table table;
    private final byte[][] seen;

    LabelReader(Connection connection, boolean secrets) throws IOException {
      table = connection.getTable(TableName.valueOf(SecureTables.LABELLED));
      seen = secrets
        ? new byte[][] { SecureTables.OPEN, SecureTables.PUBLIC, SecureTables.SECRET }
        : new byte[][] { SecureTables.OPEN, SecureTables.PUBLIC };
    }

    @Override
    public void once(SplittableRandom random) throws IOException {
      readFixed(table, random, seen);
    }
  }

  /** May read one column. */
  private final class ColumnReader implements Work {
    private final Table table;

    ColumnReader(Connection connection) throws IOException {
      table = connection.getTable(TableName.valueOf(SecureTables.GUARDED));
    }

    @Override
    public void once(SplittableRandom random) throws IOException, InterruptedException {
      readFixed(table, random, SecureTables.OPEN);
      byte[] row = fixedRow(random);
      expectDenial("get of a secret column",
        () -> table.get(new Get(row).addColumn(SecureTables.FAMILY, SecureTables.SECRET)));
      // Of one request, some are allowed.
      List<Row> mixed = new ArrayList<>();
      for (int i = 0; i < MULTIGET; i++) {
        mixed.add(new Get(fixedRow(random)).addColumn(SecureTables.FAMILY,
          i % 2 == 0 ? SecureTables.OPEN : SecureTables.SECRET));
      }
      Object[] results = new Object[MULTIGET];
      expectDenial("multiget of a secret column", () -> table.batch(mixed, results));
      for (int i = 0; i < MULTIGET; i++) {
        expectEach(results[i], mixed.get(i).getRow(), i % 2 == 0);
      }
    }

    private void expectEach(Object result, byte[] row, boolean allowed) {
      if (allowed && result instanceof Throwable) {
        count(isDenial((Throwable) result) ? DENIED : ERRORS);
        tell("carol", (Throwable) result);
      } else if (allowed) {
        expect(result instanceof Result && isRight((Result) result, row, 0, SecureTables.OPEN),
          "multiget with others that are denied");
      } else if (result instanceof Throwable && isDenial((Throwable) result)) {
        count(REFUSED);
      } else {
        count(result instanceof Result ? ALLOWED : ERRORS);
        tell("carol", new IllegalStateException("get of a secret column: " + result));
      }
    }
  }

  /** Tries what isn't allowed. */
  private final class Trespasser implements Work {
    private final Table guarded;
    private final Table labelled;
    private final boolean mayRead;

    Trespasser(Connection connection, boolean mayRead) throws IOException {
      guarded = connection.getTable(TableName.valueOf(SecureTables.GUARDED));
      labelled = connection.getTable(TableName.valueOf(SecureTables.LABELLED));
      this.mayRead = mayRead;
    }

    @Override
    public void once(SplittableRandom random) throws IOException, InterruptedException {
      byte[] row = fixedRow(random);
      Put put = SecureTables.put(row, SecureTables.OPEN, 1);
      expectDenial("put", () -> guarded.put(put));
      expectDenial("puts", () -> guarded.put(List.of(put,
        SecureTables.put(fixedRow(random), SecureTables.SECRET, 1))));
      expectDenial("delete", () -> guarded.delete(new Delete(row)));
      expectDenial("checkAndMutate", () -> guarded.checkAndMutate(CheckAndMutate.newBuilder(row)
        .ifNotExists(SecureTables.FAMILY, SecureTables.PUBLIC).build(put)));
      Object[] results = new Object[2];
      expectDenial("put beside a get", () -> guarded.batch(List.of(get(row), put), results));
      if (mayRead) {
        expect(results[0] instanceof Result
          && isRight((Result) results[0], row, 0, SecureTables.OPEN, SecureTables.SECRET),
          "get beside a put that is denied");
        return;
      }
      for (Table table : List.of(guarded, labelled)) {
        expectDenial("get", () -> table.get(get(row)));
        expectDenial("multiget", () -> table.get(gets(random)));
        expectDenial("exists", () -> table.exists(get(row)));
        expectDenial("scan", () -> {
          try (ResultScanner scanner = table.getScanner(SecureTables.FAMILY)) {
            scanner.next();
          }
        });
      }
    }
  }

  /** Writes and reads more in one request than a chunk or a record of TLS holds. */
  private final class BulkWriter implements Work {
    private final Table table;
    private final String owner;
    private int newest;

    BulkWriter(Connection connection, String owner) throws IOException {
      table = connection.getTable(TableName.valueOf(SecureTables.GUARDED));
      this.owner = owner + "-" + System.nanoTime();
    }

    @Override
    public void once(SplittableRandom random) throws IOException {
      newest++;
      List<Put> puts = new ArrayList<>();
      List<Get> gets = new ArrayList<>();
      for (int i = 0; i < BATCH; i++) {
        byte[] row = SecureTables.row(owner, i);
        puts.add(new Put(row, newest).addColumn(SecureTables.FAMILY, SecureTables.OPEN,
          bulk(row)));
        gets.add(get(row));
      }
      table.put(puts);
      Result[] results = table.get(gets);
      for (int i = 0; i < BATCH; i++) {
        expect(Arrays.equals(bulk(gets.get(i).getRow()),
          results[i].getValue(SecureTables.FAMILY, SecureTables.OPEN)), "bulky row");
      }
    }

    private byte[] bulk(byte[] row) {
      byte[] value = new byte[BULK_BYTES];
      new SplittableRandom(31L * Bytes.hashCode(row) + newest).nextBytes(value);
      return value;
    }
  }

  /** Writes rows of its own, and reads them. */
  private final class Writer implements Work {
    private final Table table;
    private final String owner;
    /** Version of each row; 0 if it isn't there. */
    private final int[] versions = new int[OWN_ROWS];
    private int newest;

    Writer(Connection connection, String owner) throws IOException {
      table = connection.getTable(TableName.valueOf(SecureTables.GUARDED));
      this.owner = owner + "-" + System.nanoTime();
    }

    @Override
    public void once(SplittableRandom random) throws IOException, InterruptedException {
      int i = random.nextInt(OWN_ROWS);
      switch (random.nextInt(7)) {
        case 0 -> {
          table.put(next(i));
          versions[i] = newest;
        }
        case 1 -> putSome(random);
        case 2 -> {
          table.delete(delete(i));
          versions[i] = 0;
        }
        case 3 -> check(i);
        case 4 -> mix(random);
        case 5 -> expectRow(table.get(get(row(i))), i, "get of an own row");
        default -> readSome(random);
      }
    }

    private byte[] row(int i) {
      return SecureTables.row(owner, i);
    }

    /** Versions are the timestamps, too: a delete would hide what is put in the same ms. */
    private Put next(int i) {
      newest++;
      Put put = new Put(row(i), newest);
      for (byte[] column : List.of(SecureTables.OPEN, SecureTables.SECRET)) {
        put.addColumn(SecureTables.FAMILY, column,
          SecureTables.value(row(i), column, newest));
      }
      return put;
    }

    private Delete delete(int i) {
      return new Delete(row(i), ++newest);
    }

    private void expectRow(Result result, int i, String what) {
      expect(versions[i] == 0
        ? result.isEmpty()
        : isRight(result, row(i), versions[i], SecureTables.OPEN, SecureTables.SECRET), what);
    }

    private void putSome(SplittableRandom random) throws IOException {
      List<Put> puts = new ArrayList<>();
      int first = random.nextInt(OWN_ROWS - BATCH);
      for (int i = first; i < first + BATCH; i++) {
        puts.add(next(i));
        versions[i] = newest;
      }
      table.put(puts);
    }

    private void check(int i) throws IOException {
      CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(row(i));
      builder = versions[i] == 0
        ? builder.ifNotExists(SecureTables.FAMILY, SecureTables.OPEN)
        : builder.ifEquals(SecureTables.FAMILY, SecureTables.OPEN,
          SecureTables.value(row(i), SecureTables.OPEN, versions[i]));
      boolean done = table.checkAndMutate(builder.build(next(i))).isSuccess();
      expect(done, "checkAndMutate");
      versions[i] = done ? newest : versions[i];
    }

    /** Gets, puts and deletes of one request, each of another row. */
    private void mix(SplittableRandom random) throws IOException, InterruptedException {
      List<Row> actions = new ArrayList<>();
      int first = random.nextInt(OWN_ROWS - 3 * BATCH);
      int[] after = versions.clone();
      for (int i = first; i < first + 3 * BATCH; i++) {
        if (i % 3 == 0) {
          actions.add(get(row(i)));
        } else if (i % 3 == 1) {
          actions.add(next(i));
          after[i] = newest;
        } else {
          actions.add(delete(i));
          after[i] = 0;
        }
      }
      Object[] results = new Object[actions.size()];
      table.batch(actions, results);
      for (int i = first; i < first + 3 * BATCH; i++) {
        if (i % 3 == 0) {
          expectRow((Result) results[i - first], i, "get of a batch");
        }
      }
      System.arraycopy(after, 0, versions, 0, OWN_ROWS);
    }

    private void readSome(SplittableRandom random) throws IOException {
      List<Get> gets = new ArrayList<>();
      int first = random.nextInt(OWN_ROWS - MULTIGET);
      for (int i = first; i < first + MULTIGET; i++) {
        gets.add(get(row(i)));
      }
      Result[] results = table.get(gets);
      for (int i = 0; i < MULTIGET; i++) {
        expectRow(results[i], first + i, "multiget of own rows");
      }
    }
  }
}
