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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hbase.thirdparty.com.google.gson.Gson;

/*
 * Asked for and answered by lines, so that whoever asks can read counters of the servers between
 * two slices, when nothing happens, and can let two of these processes take turns. An answer is a
 * line of JSON; other lines are for people. The first line says which process this is, and which
 * jar its HBase client is from.
 *
 *             {"pid":...,"client":JAR}
 *   turn TABLE THREADS MILLIS
 *             {"turn":TABLE}
 *   slice TABLE
 *             {"slice":{"operations":...,"seconds":...,"series":{...}}}
 *   servers   {"servers":{TABLE:[SERVER,...]}}
 *
 * A slice is all turns of the table since it was last asked for.
 *
 * It ends with its input. All threads and tables share the process's one Connection.
 */

/** Operations in slices of time, on one of several tables of the same rows each. */
public final class Slices implements AutoCloseable {
  private static final Gson GSON = new Gson();
  private static final String TURN = "turn";
  private static final String SLICE = "slice";
  private static final String SERVERS = "servers";

  private final int threads;
  private final PrintStream out;
  private final Map<String, Target> targets = new LinkedHashMap<>();
  private final ExecutorService pool;
  private final OwnUse ownUse = new OwnUse();

  /** A table, and what was done on it since the last slice. */
  private static final class Target {
    private final SliceTable table;
    private Slice slice;

    private Target(SliceTable table) {
      this.table = table;
      this.slice = new Slice(this);
    }

    private long rows() {
      return table.latencies().series().stream()
        .filter(s -> s.kind() == Latencies.Kind.SERVICE).mapToLong(Latencies.Series::rows).sum();
    }
  }

  /** What was done on a table since the slice before. */
  private static final class Slice {
    private final long rows;
    private final long failures;
    private long operations;
    private double seconds;
    private OwnUse.Reading used = OwnUse.Reading.NONE;

    private Slice(Target target) {
      this.rows = target.rows();
      this.failures = target.table.latencies().failures();
    }
  }

  /** What a thread did in a turn. */
  private record Work(long operations, double seconds) {
  }

  /**
   * Opens tables, which are closed with this.
   * @param threads the most that will be asked for
   * @param out     gets the answers
   */
  public Slices(List<String> tables, Function<String, ? extends SliceTable> open, int threads,
    PrintStream out) {
    this.threads = threads;
    this.out = out;
    this.pool = Executors.newFixedThreadPool(threads, task -> {
      Thread thread = new Thread(task, "ycsb-slices");
      thread.setDaemon(true);
      return thread;
    });
    try {
      tables.forEach(table -> targets.put(table, new Target(open.apply(table))));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Says which process this is, and does what it is asked until the input ends. */
  public void serve(BufferedReader in) throws IOException, InterruptedException {
    answer(Map.of("pid", ProcessHandle.current().pid(), "client", clientJar()));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.strip().split(" ");
      if (words.length == 4 && words[0].equals(TURN)) {
        turn(target(words[1]), (int) number(words[2], threads),
          number(words[3], Integer.MAX_VALUE));
        answer(Map.of(TURN, words[1]));
      } else if (words.length == 2 && words[0].equals(SLICE)) {
        answer(Map.of(SLICE, endSlice(target(words[1]))));
      } else if (words.length == 1 && words[0].equals(SERVERS)) {
        Map<String, List<String>> servers = new LinkedHashMap<>();
        targets.forEach((table, target) -> servers.put(table, target.table.servers()));
        answer(Map.of(SERVERS, servers));
      } else {
        throw ToolException.usage("'" + line + "' is no request, allowed: " + TURN
          + " TABLE THREADS MILLIS, " + SLICE + " TABLE, " + SERVERS);
      }
    }
  }

  private static String clientJar() {
    return Path.of(Connection.class.getProtectionDomain().getCodeSource().getLocation().getPath())
      .getFileName().toString();
  }

  private Target target(String table) {
    Target target = targets.get(table);
    if (target == null) {
      throw ToolException.usage("table '" + table + "' isn't one of " + targets.keySet());
    }
    return target;
  }

  private static long number(String text, long most) {
    try {
      long number = Long.parseLong(text);
      if (number >= 1 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Falls through to what is allowed.
    }
    throw ToolException.usage("'" + text + "' is no number from 1 to " + most);
  }

  private void answer(Map<String, ?> json) {
    out.println(GSON.toJson(json));
    out.flush();
  }

  /*
   * Each thread ends with the operation that it is in when time is up, so the turn has no common
   * end: the rate is the sum of the threads' rates, each over its own time, and the seconds are the
   * operations by that.
   */
  private void turn(Target target, int threadCount, long millis) throws InterruptedException {
    CountDownLatch begin = new CountDownLatch(1);
    List<Future<Work>> running = new ArrayList<>();
    for (int i = 0; i < threadCount; i++) {
      int thread = i;
      running.add(pool.submit(() -> {
        begin.await();
        return work(target.table, thread, TimeUnit.MILLISECONDS.toNanos(millis));
      }));
    }
    OwnUse.Reading before = ownUse.begin();
    begin.countDown();
    long operations = 0;
    double rate = 0;
    for (Future<Work> future : running) {
      Work work = await(future);
      operations += work.operations();
      rate += work.operations() / work.seconds();
    }
    Slice slice = target.slice;
    slice.used = slice.used.plus(ownUse.end().minus(before));
    slice.operations += operations;
    slice.seconds += operations / rate;
  }

  private static Map<String, Object> endSlice(Target target) {
    Slice slice = target.slice;
    Latencies latencies = target.table.latencies();
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("operations", slice.operations);
    answer.put("seconds", slice.seconds);
    answer.put("cpu_seconds", slice.used.cpuSeconds());
    answer.put("context_switches", slice.used.contextSwitches());
    answer.put("allocated_bytes", slice.used.allocatedBytes());
    answer.put("series", series(latencies.sample()));
    answer.put("rows", target.rows() - slice.rows);
    answer.put("failed", latencies.failures() - slice.failures);
    if (latencies.lastFailure() != null) {
      answer.put("failure", ToolException.oneLine(latencies.lastFailure()));
    }
    target.slice = new Slice(target);
    return answer;
  }

  private static Work work(SliceTable table, int thread, long nanos) {
    long start = System.nanoTime();
    long now = start;
    long operations = 0;
    do {
      table.operate(thread);
      operations++;
      now = System.nanoTime();
    } while (now - start < nanos);
    return new Work(operations, (now - start) / 1e9);
  }

  private static Work await(Future<Work> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw ToolException.cluster("a client thread ended with an error: "
        + ToolException.oneLine(e), e);
    }
  }

  private static Map<String, Object> series(List<Histogram> histograms) {
    Map<String, Object> series = new LinkedHashMap<>();
    for (Histogram histogram : histograms) {
      if (histogram.getTotalCount() > 0) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("count", histogram.getTotalCount());
        one.put("mean_us", histogram.getMean());
        one.put("p50_us", histogram.getValueAtPercentile(50));
        one.put("p99_us", histogram.getValueAtPercentile(99));
        one.put("p999_us", histogram.getValueAtPercentile(99.9));
        series.put(histogram.getTag(), one);
      }
    }
    return series;
  }

  @Override
  public void close() {
    pool.shutdownNow();
    targets.values().forEach(target -> target.table.close());
  }
}
