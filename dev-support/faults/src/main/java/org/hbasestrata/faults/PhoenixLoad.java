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
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hbase.thirdparty.com.google.common.base.Throwables;
import org.hbasestrata.faults.PhoenixModel.Question;

/**
 * Run by bin/hbase with Phoenix's jars on the class path. Threads write and delete rows, copy them
 * by UPSERT SELECT, and ask questions of all shapes whose answers they know, while regions are
 * flushed, compacted, split, merged and moved, until a file appears. Then all rows are asked for.
 */
public final class PhoenixLoad {
  private static final int THREADS = 4;
  private static final int THREADS_FOR_CELLS = 8;
  private static final int BATCH = 200;
  private static final int MOST_KEYS = 30;
  private static final int WRITE_SHARE = 4;
  /** Longer than any server is down. */
  private static final int TRY_SECONDS = 240;
  private static final int RETRY_MILLIS = 500;
  private static final int CHURN_MILLIS = 2000;
  private static final int POLL_MILLIS = 100;
  private static final TableName LOCALLY = TableName.valueOf("LOCALLY");
  private static final String HALVES = "splits and moves under scans by the local index";
  private static final int MOST_REGIONS = 10;
  /** How long half files of the table with the local index are read before they are compacted. */
  private static final int HALVES_MILLIS = 10_000;
  private static final int TTL_SECONDS = 20;
  /** Clocks, and the time that a statement takes. */
  private static final int TTL_SLACK_SECONDS = 10;
  private static final int TTL_ROWS = 50;
  private static final int SHOWN = 400;
  /** How often a question is asked again whose answer was wrong. */
  private static final int AGAIN = 20;

  private final Path stop;
  private final int rows;
  private final long seed;
  private final boolean ofCells;
  private final LongAdder operations = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private final LongAdder wrong = new LongAdder();
  private final LongAdder oldByIndex = new LongAdder();
  private final LongAccumulator longestMillis = new LongAccumulator(Math::max, 0);
  private final Map<String, LongAdder> asked = new ConcurrentSkipListMap<>();
  private final Map<String, Integer> changes = new TreeMap<>();
  /** While true, all workers ask by the local index. */
  private volatile boolean ofHalves;

  private PhoenixLoad(Path stop, int rows, long seed, boolean ofCells) {
    this.stop = stop;
    this.rows = rows;
    this.seed = seed;
    this.ofCells = ofCells;
  }

  /**
   * {@code STOP_FILE RESULT_FILE ROWS_OF_A_THREAD SEED ONLY_CELLS}. With the last one true, rows
   * are written once, then only asked for by queries that use cells of closed scanners, while
   * regions are flushed and compacted.
   */
  public static void main(String[] args) throws Exception {
    PhoenixLoad load = new PhoenixLoad(Path.of(args[0]), Integer.parseInt(args[2]),
      Long.parseLong(args[3]), Boolean.parseBoolean(args[4]));
    load.run(Path.of(args[1]));
    // Phoenix leaves threads.
    System.exit(0);
  }

  private static Connection connect() throws SQLException {
    return DriverManager.getConnection("jdbc:phoenix");
  }

  private void run(Path result) throws Exception {
    create();
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < (ofCells ? THREADS_FOR_CELLS : THREADS); i++) {
      workers.add(new Worker(new PhoenixModel(i, rows, seed)));
    }
    workers.forEach(Thread::start);
    for (Worker worker : workers) {
      worker.awaitLoaded();
    }
    Thread expiry = new Thread(this::watchExpiry, "expiry");
    if (!ofCells) {
      expiry.start();
    }
    churnUntilStopped(result);
    for (Worker worker : workers) {
      worker.join();
    }
    expiry.join();
    write(result, true);
  }

  private void create() throws SQLException {
    try (Connection connection = connect(); Statement statement = connection.createStatement()) {
      for (String sql : PhoenixModel.schema()) {
        statement.execute(sql);
      }
      statement.execute("CREATE TABLE BRIEF (K INTEGER PRIMARY KEY, V VARCHAR) TTL = "
        + TTL_SECONDS);
      for (int i = 0; i < PhoenixModel.GROUPS; i++) {
        statement.executeUpdate("UPSERT INTO GROUPS VALUES (" + i + ", '" + PhoenixModel.nameOf(i)
          + "')");
      }
      connection.commit();
    }
  }

  /** Writes what was counted so far, or, at the end, all. */
  private void write(Path result, boolean ended) throws IOException {
    Map<String, Object> counts = new TreeMap<>(Map.of("operations", operations.sum(), "wrong",
      wrong.sum(), "errors", errors.sum(), "acknowledged writes", writes.sum(),
      "answers by an index with old rows", oldByIndex.sum(), "tries again",
      retries.sum(), "longest operation, ms", longestMillis.get()));
    counts.putAll(changes);
    asked.forEach((shape, number) -> counts.put("asked: " + shape, number.sum()));
    Path file = result.resolveSibling(result.getFileName() + (ended ? "" : ".now"));
    Path next = result.resolveSibling(result.getFileName() + ".next");
    Files.writeString(next, counts.entrySet().stream()
      .map(entry -> "\"" + entry.getKey() + "\":" + entry.getValue())
      .collect(Collectors.joining(",", "{", "}\n")));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void tell(String text) {
    System.out.println(LocalTime.now() + " " + text);
  }

  private interface Action<T> {
    T run(Connection connection) throws SQLException;
  }

  /** Runs something, again and again if it fails. It must be allowed to be done twice. */
  private <T> T tryHard(Holder connection, String what, Action<T> action) throws SQLException {
    long begin = System.nanoTime();
    for (int tries = 1;; tries++) {
      try {
        T value = action.run(connection.get());
        operations.increment();
        longestMillis.accumulate((System.nanoTime() - begin) / 1_000_000);
        return value;
      } catch (SQLException | RuntimeException e) {
        tell(what + ", try " + tries + ": " + e);
        if (Throwables.getStackTraceAsString(e).contains(Phoenix.STREAM_CLOSED)) {
          errors.increment();
        }
        connection.renew();
        if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(TRY_SECONDS)) {
          errors.increment();
          throw e;
        }
        retries.increment();
        pause(RETRY_MILLIS);
      }
    }
  }

  private static void pause(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A connection, which keeps mutations that weren't written; so it is replaced after an error. */
  private static final class Holder implements AutoCloseable {
    private Connection connection;

    private Connection get() throws SQLException {
      if (connection == null) {
        connection = connect();
      }
      return connection;
    }

    private void renew() {
      close();
      connection = null;
    }

    @Override
    public void close() {
      if (connection != null) {
        try {
          connection.close();
        } catch (SQLException e) {
          tell("close: " + e);
        }
      }
    }
  }

  private static List<String> answer(Connection connection, Question question)
    throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Statement statement = connection.createStatement();
      ResultSet result = statement.executeQuery(question.sql())) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        StringBuilder line = new StringBuilder();
        for (int i = 1; i <= columns; i++) {
          line.append(i > 1 ? "|" : "").append(result.getString(i));
        }
        lines.add(line.toString());
      }
    }
    return lines;
  }

  private static boolean isRight(Question question, List<String> lines) {
    return question.ordered() ? question.expected().equals(lines)
      : question.expected().stream().sorted().toList().equals(lines.stream().sorted().toList());
  }

  private static String some(List<String> lines) {
    String text = lines.size() + " rows " + lines.toString().replaceAll("[^ -~]", "?");
    return text.length() > SHOWN ? text.substring(0, SHOWN) + " ..." : text;
  }

  /** What is too much, and what isn't there. */
  private static String difference(Question question, List<String> lines) {
    List<String> more = new ArrayList<>(lines);
    question.expected().forEach(more::remove);
    List<String> less = new ArrayList<>(question.expected());
    lines.forEach(less::remove);
    return "too much " + some(more) + "; missing " + some(less) + ", of keys "
      + less.stream().map(line -> line.split("\\|")[0]).toList();
  }

  private final class Worker extends Thread {
    private final PhoenixModel model;
    private final Holder connection = new Holder();
    private volatile boolean loaded;

    private Worker(PhoenixModel model) {
      super("worker-" + model.w());
      this.model = model;
    }

    private void awaitLoaded() throws InterruptedException {
      while (!loaded && isAlive()) {
        Thread.sleep(POLL_MILLIS);
      }
    }

    @Override
    public void run() {
      try (connection) {
        for (int k = 0; k < model.rows(); k += BATCH) {
          write(k, Math.min(k + BATCH, model.rows()), 1);
        }
        loaded = true;
        while (!Files.exists(stop)) {
          step();
        }
        for (Question question : model.whole()) {
          ask(question);
        }
      } catch (SQLException | RuntimeException e) {
        tell(getName() + " ends: " + e);
        errors.increment();
      }
    }

    private void step() throws SQLException {
      SplittableRandom random = model.random();
      if (ofHalves) {
        ask(model.localIndex());
        return;
      }
      if (ofCells) {
        ask(model.anyOfCells());
        return;
      }
      if (random.nextInt(WRITE_SHARE) > 0) {
        ask(model.any());
        return;
      }
      int from = model.anyKey();
      int to = Math.min(from + model.anySpan(), model.rows());
      switch (random.nextInt(5)) {
        case 0 -> deleteKeys();
        case 1 -> deleteRange(from, to);
        case 2 -> copy(from, to);
        default -> write(from, to, 1 + random.nextInt(3));
      }
    }

    /** Writes each of some rows, or every second or third of them. */
    private void write(int from, int to, int step) throws SQLException {
      List<String> statements = new ArrayList<>();
      for (int k = from; k < to; k += step) {
        String values = model.write(k);
        PhoenixModel.TABLES.forEach(table -> statements.add("UPSERT INTO " + table + values));
      }
      execute("upsert", statements, false);
    }

    private void deleteKeys() throws SQLException {
      List<String> statements = new ArrayList<>();
      for (int i = 1 + model.random().nextInt(MOST_KEYS); i > 0; i--) {
        int k = model.anyKey();
        model.delete(k);
        PhoenixModel.TABLES.forEach(table -> statements
          .add("DELETE FROM " + table + " WHERE W = " + model.w() + " AND K = " + k));
      }
      execute("delete", statements, false);
    }

    private void deleteRange(int from, int to) throws SQLException {
      for (int k = from; k < to; k++) {
        model.delete(k);
      }
      execute("delete of a range", PhoenixModel.TABLES.stream().map(table -> "DELETE FROM "
        + table + where(from, to)).toList(), true);
    }

    private void copy(int from, int to) throws SQLException {
      String table = PhoenixModel.TABLES.get(model.random().nextInt(PhoenixModel.TABLES.size()));
      execute("copy", List.of("DELETE FROM " + PhoenixModel.COPY + where(from, to),
        "UPSERT INTO " + PhoenixModel.COPY + " SELECT W, K, A, B, C, D FROM " + table
          + where(from, to)), true);
      ask(model.copied(from, to));
    }

    private String where(int from, int to) {
      return " WHERE W = " + model.w() + " AND K >= " + from + " AND K < " + to;
    }

    /** @param onServers whether each statement is carried out by itself, by servers if it can be */
    private void execute(String what, List<String> statements, boolean onServers)
      throws SQLException {
      tryHard(connection, what, to -> {
        to.setAutoCommit(onServers);
        try (Statement statement = to.createStatement()) {
          for (String sql : statements) {
            statement.executeUpdate(sql);
          }
          to.commit();
        }
        return null;
      });
      writes.add(statements.size());
    }

    private void ask(Question question) throws SQLException {
      asked.computeIfAbsent(question.shape(), key -> new LongAdder()).increment();
      List<String> lines =
        tryHard(connection, question.shape(), to -> answer(to, question));
      if (isRight(question, lines)) {
        return;
      }
      Question direct = question.withoutIndex();
      List<String> ofTable = tryHard(connection, question.shape(), to -> answer(to, direct));
      boolean ofBefore = isRight(question, ofTable) && question.isOfBefore(lines);
      (ofBefore ? oldByIndex : wrong).increment();
      tell((ofBefore ? "old rows by an index" : "wrong") + ", the table itself is "
        + (isRight(question, ofTable) ? "right, " : "wrong, ") + laterAnswer(question, ofBefore)
        + ": " + question.sql() + ": " + difference(question, lines));
    }

    /** Returns how long an answer stays wrong, as far as is waited for. */
    private String laterAnswer(Question question, boolean once) throws SQLException {
      long begin = System.nanoTime();
      for (int tries = 1; tries <= (once ? 1 : AGAIN); tries++) {
        if (isRight(question, tryHard(connection, question.shape(), to -> answer(to, question)))) {
          return "right after " + (System.nanoTime() - begin) / 1_000_000 + " ms";
        }
        pause(RETRY_MILLIS);
      }
      return "still wrong after " + (System.nanoTime() - begin) / 1_000_000 + " ms";
    }
  }

  /** Rows with a time to live are there before it, and not afterwards. */
  private void watchExpiry() {
    try (Holder connection = new Holder()) {
      for (int first = 0; !Files.exists(stop); first += TTL_ROWS) {
        int from = first;
        long begin = System.nanoTime();
        tryHard(connection, "rows to expire", to -> {
          to.setAutoCommit(false);
          try (Statement statement = to.createStatement()) {
            for (int k = from; k < from + TTL_ROWS; k++) {
              statement.executeUpdate("UPSERT INTO BRIEF VALUES (" + k + ", 'v" + k + "')");
            }
            to.commit();
          }
          return null;
        });
        long written = System.nanoTime();
        long seconds = 0;
        while (seconds < TTL_SECONDS + TTL_SLACK_SECONDS && !Files.exists(stop)) {
          Question question = new Question("expiry", "SELECT COUNT(*) FROM BRIEF WHERE K >= "
            + from + " AND K < " + (from + TTL_ROWS), List.of(Integer.toString(TTL_ROWS)), true);
          List<String> lines = tryHard(connection, "expiry", to -> answer(to, question));
          seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
          if (seconds < TTL_SECONDS && !isRight(question, lines)) {
            wrong.increment();
            tell("expired after " + seconds + " s: " + lines + " rows left");
          }
          pause(RETRY_MILLIS);
        }
        if (System.nanoTime() - written
          > TimeUnit.SECONDS.toNanos(TTL_SECONDS + TTL_SLACK_SECONDS - 1)) {
          Question none = new Question("expired", "SELECT COUNT(*) FROM BRIEF WHERE K >= " + from
            + " AND K < " + (from + TTL_ROWS), List.of("0"), true);
          if (!isRight(none, tryHard(connection, "expired", to -> answer(to, none)))) {
            wrong.increment();
            tell("rows from " + from + " aren't expired");
          }
          asked.computeIfAbsent("expired", key -> new LongAdder()).increment();
        }
      }
    } catch (SQLException e) {
      tell("expiry ends: " + e);
      errors.increment();
    }
  }

  private void churnUntilStopped(Path result) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<TableName> tables = List.of("SALTED", "LOCALLY", "SALTED_B", "LOCALLY_A", "LOCALLY")
      .stream().map(TableName::valueOf).toList();
    try (org.apache.hadoop.hbase.client.Connection connection =
      ConnectionFactory.createConnection(HBaseConfiguration.create());
      Admin admin = connection.getAdmin()) {
      if (ofCells) {
        // So that all cells that are used late are in blocks.
        for (TableName table : Set.copyOf(tables)) {
          admin.flush(table);
        }
      }
      long next = System.currentTimeMillis();
      while (!Files.exists(stop)) {
        if (System.currentTimeMillis() > next) {
          String change = null;
          try {
            change = ofCells || changes.containsKey(HALVES)
              ? churn(admin, any(tables, random), random)
              : splitUnderScans(admin, any(admin.getRegions(LOCALLY), random), random);
          } catch (IOException e) {
            // As of a region that is being moved.
            tell("no change: " + e);
          }
          if (change != null) {
            changes.merge(change, 1, Integer::sum);
          }
          write(result, false);
          next = System.currentTimeMillis() + CHURN_MILLIS;
        }
        pause(POLL_MILLIS);
      }
    }
  }

  /** Returns what was done. */
  private String churn(Admin admin, TableName table, SplittableRandom random)
    throws IOException {
    List<RegionInfo> regions = admin.getRegions(table);
    RegionInfo region = any(regions, random);
    switch (random.nextInt(ofCells ? 3 : 6)) {
      case 0:
        admin.flush(table);
        return "flushes";
      case 1:
        admin.compactRegion(region.getRegionName());
        return "compactions";
      case 2:
        admin.majorCompactRegion(region.getRegionName());
        return "major compactions";
      case 3:
        admin.move(region.getEncodedNameAsBytes(),
          any(List.copyOf(admin.getRegionServers()), random));
        return "moves";
      case 4:
        if (regions.size() >= MOST_REGIONS || hidesLastBucket(region)) {
          return null;
        }
        if (table.equals(LOCALLY)) {
          return splitUnderScans(admin, region, random);
        }
        split(admin, region);
        return "splits";
      default:
        if (regions.size() < 4 || table.getNameAsString().startsWith("SALTED")) {
          return null;
        }
        int first = random.nextInt(regions.size() - 1);
        get(admin.mergeRegionsAsync(new byte[][] { regions.get(first).getEncodedNameAsBytes(),
          regions.get(first + 1).getEncodedNameAsBytes() }, false));
        tell("merge " + table + ' ' + regions.get(first).getEncodedName());
        return "merges";
    }
  }

  /**
   * Returns true for a region of the last salt bucket but one. When that is split, queries by a
   * range don't ask for the last bucket, up to Phoenix 5.2.1: PHOENIX-7580.
   */
  private static boolean hidesLastBucket(RegionInfo region) {
    byte[] start = region.getStartKey();
    return region.getTable().getNameAsString().startsWith("SALTED") && start.length > 0
      && start[0] == PhoenixModel.SALT_BUCKETS - 2;
  }

  private static void split(Admin admin, RegionInfo region) throws IOException {
    get(admin.splitRegionAsync(region.getRegionName()));
    tell("split " + region.getTable() + ' ' + region.getEncodedName());
  }

  /**
   * Splits a region of the table with the local index, and moves one of its regions, while its half
   * files stay and all threads read them by the index.
   */
  private String splitUnderScans(Admin admin, RegionInfo region, SplittableRandom random)
    throws IOException {
    admin.compactionSwitch(false, List.of());
    ofHalves = true;
    try {
      split(admin, region);
      pause(HALVES_MILLIS / 2);
      admin.move(any(admin.getRegions(LOCALLY), random).getEncodedNameAsBytes(),
        any(List.copyOf(admin.getRegionServers()), random));
      pause(HALVES_MILLIS / 2);
    } finally {
      ofHalves = false;
      admin.compactionSwitch(true, List.of());
    }
    return HALVES;
  }

  private static <T> T any(List<T> list, SplittableRandom random) {
    return list.get(random.nextInt(list.size()));
  }

  private static void get(Future<Void> change) throws IOException {
    try {
      change.get(TRY_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException
      | TimeoutException e) {
      throw new IOException(e);
    }
  }
}
