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
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import site.ycsb.WorkloadException;

/** A load or a run of a profile, from the table to the closing words. For one thread. */
final class Benchmark {
  private static final long GRACE_MILLIS = 60_000;
  private static final long GRACE_INTERRUPTED_MILLIS = 10_000;
  private static final long GRACE_BROKEN_OFF_MILLIS = 3_000;
  private static final long CLOSING_WORDS_SECONDS = 45;
  private static final String HISTOGRAM_LOG_BEGIN = "#[Histogram log format version ";

  private final Profile profile;
  private final PrintStream out;
  private final PrintStream err;
  private final boolean verify;
  private final RowVerifier verifier;
  private final List<Phase> phases = new ArrayList<>();
  private final CountDownLatch finished = new CountDownLatch(1);
  private final HBaseWorkload workload = new HBaseWorkload();
  private Path jsonFile;
  private HistogramLogWriter log;
  private TableEnds ends;
  private volatile boolean interrupted;
  private volatile ClientThreads threads;

  /** @param profile checked, and not changed from here on */
  Benchmark(Profile profile, PrintStream out, PrintStream err) {
    this.profile = profile;
    this.out = out;
    this.err = err;
    this.verify = profile.flag(Key.VERIFY);
    this.verifier = verify ? new RowVerifier(profile, err::println) : null;
  }

  /**
   * Says where results go beside the terminal; null for nowhere.
   * @param histogramFile for a histogram log of each second
   */
  void writeTo(Path json, Path histogramFile) {
    try {
      checkOutput("--json", json, Report.JSON_BEGIN);
      checkOutput("--hlog", histogramFile, HISTOGRAM_LOG_BEGIN);
      if (json != null) {
        // Found out now, not after an hour.
        Files.writeString(json, "");
      }
      if (histogramFile != null) {
        log = new HistogramLogWriter(histogramFile.toFile());
        log.outputLogFormatVersion();
        log.outputStartTime(System.currentTimeMillis());
        log.outputLegend();
      }
    } catch (IOException e) {
      throw ToolException.usage("can't write results: " + ToolException.oneLine(e));
    }
    jsonFile = json;
  }

  /** A file that is there isn't written over unless it is empty, or of an earlier run. */
  private static void checkOutput(String option, Path file, String begin) throws IOException {
    if (file != null && Files.exists(file)) {
      String found = null;
      if (Files.isRegularFile(file)) {
        try (InputStream in = Files.newInputStream(file)) {
          found = new String(in.readNBytes(begin.length()), StandardCharsets.UTF_8);
        }
      }
      if (!"".equals(found) && !begin.equals(found)) {
        throw ToolException.usage(option + " is " + file + ", which is there and isn't the result"
          + " of an earlier run; give another file");
      }
    }
  }

  /** Returns the exit code. */
  int load() {
    return withTable(cluster -> {
      out.println("Loading " + profile.name() + ": " + Units.count(profile.insertCount())
        + " rows of " + profile.number(Key.FIELD_COUNT) + " x "
        + Units.bytes(profile.number(Key.FIELD_LENGTH)) + " into " + profile.text(Key.TABLE)
        + ", " + profile.number(Key.THREADS) + " threads.");
      new Footprint(profile).ofLoad().forEach(out::println);
      out.println(cluster.prepareLoad(workload));
      double batches = (double) profile.number(Key.TARGET) / profile.number(Key.LOAD_BATCH);
      drive("load", "rows", profile.insertCount(), 0, batches, null, 0, workload::loadRows);
      if (!interrupted && profile.flag(Key.LOAD_FLUSH)) {
        cluster.flush();
        out.println("\nTable " + profile.text(Key.TABLE) + " flushed.");
      }
      if (!interrupted && verify) {
        drive("verify", "rows", profile.insertCount(), 0, 0, verifier, 0, workload::readBack);
      }
    });
  }

  /** Returns the exit code. */
  int run() {
    long operations = profile.number(Key.OPERATIONS);
    long seconds = profile.number(Key.SECONDS);
    if (operations == 0 && seconds == 0) {
      throw ToolException.usage("profile " + profile.name() + " sets no end: give --operations or"
        + " --minutes");
    }
    return withTable(cluster -> {
      out.println("Running " + profile.name() + " on " + profile.text(Key.TABLE) + ": "
        + (operations == 0 ? "" : Units.count(operations) + " operations" + scaledFrom() + ", ")
        + (seconds == 0 ? "" : "at most " + Units.duration(seconds) + ", ")
        + (Double.parseDouble(profile.text(Key.MULTIGET_SHARE)) == 0 ? ""
          : profile.number(Key.MULTIGET_BATCH) + " rows a multiget, ")
        + (Double.parseDouble(profile.text(Key.UPDATE_BATCH_SHARE)) == 0 ? ""
          : profile.number(Key.UPDATE_BATCH) + " rows an update, ")
        + profile.number(Key.THREADS) + " threads, "
        + (profile.number(Key.FULL_SCAN_THREADS) == 0 ? ""
          : profile.number(Key.FULL_SCAN_THREADS) + " more that scan the whole table, ")
        + (profile.number(Key.TARGET) == 0 ? ""
          : Units.count(profile.number(Key.TARGET)) + " operations/s wanted, ")
        + profile.text(Key.DISTRIBUTION) + " over " + Units.count(profile.insertCount())
        + " rows" + (verify ? ", every row verified." : "."));
      new Footprint(profile).ofRun().forEach(out::println);
      cluster.prepareRun(workload);
      ends = cluster.ends();
      drive("run", "operations", operations, seconds, profile.number(Key.TARGET), verifier,
        (int) profile.number(Key.FULL_SCAN_THREADS), new Transactions(operations));
    });
  }

  /** The operations of a run. */
  private final class Transactions implements ClientThreads.Step {
    private final long total;
    private final AtomicLong begun = new AtomicLong();

    /** @param total 0 for no bound */
    private Transactions(long total) {
      this.total = total;
    }

    @Override
    public int perform(HBaseClient client) {
      if (noneLeft()) {
        return 0;
      }
      workload.doTransaction(client, null);
      return 1;
    }

    @Override
    public boolean skip(HBaseClient client) {
      if (noneLeft()) {
        return false;
      }
      workload.notBegun(client);
      return true;
    }

    private boolean noneLeft() {
      return total > 0 && begun.getAndIncrement() >= total;
    }
  }

  private String scaledFrom() {
    long unscaled = profile.unscaledOperations();
    return unscaled == 0 ? "" : " (the profile's " + Units.count(unscaled) + " scaled down with"
      + " --rows; --operations or --minutes say otherwise)";
  }

  private interface Body {
    void accept(Cluster cluster) throws InterruptedException;
  }

  private int withTable(Body body) {
    try {
      workload.init(profile);
    } catch (WorkloadException e) {
      throw ToolException.usage("profile " + profile.name() + ": " + ToolException.oneLine(e));
    }
    Runtime.getRuntime().addShutdownHook(new Thread(this::onShutdown, "ycsb-interrupt"));
    try (Cluster cluster = new Cluster(profile)) {
      cluster.connect();
      body.accept(cluster);
      return finish();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ToolException.INTERRUPTED;
    } finally {
      if (log != null) {
        log.close();
      }
      finished.countDown();
    }
  }

  /** Lets the operations end and the closing words be said before the JVM goes down. */
  private void onShutdown() {
    interrupted = true;
    ClientThreads running = threads;
    if (running == null) {
      return;
    }
    running.stop();
    try {
      finished.await(CLOSING_WORDS_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Lets the client threads work and tells of it.
   * @param total           how many operations there will be; 0 when only time ends it
   * @param seconds         when to end; 0 for no bound
   * @param stepsPerSecond  the rate wanted; 0 for as fast as they go
   * @param fullScanThreads threads beside them that scan the whole table
   */
  private void drive(String name, String unit, long total, long seconds, double stepsPerSecond,
    RowVerifier check, int fullScanThreads, ClientThreads.Step step)
    throws InterruptedException {
    Latencies latencies = new Latencies(stepsPerSecond > 0);
    ClientThreads clients = new ClientThreads((int) profile.number(Key.THREADS), stepsPerSecond,
      () -> {
        HBaseClient client = new HBaseClient(latencies, check, ends);
        client.setProperties(profile.properties());
        return client;
      }, step);
    clients.addOthers(fullScanThreads, workload::scanOn);
    Progress progress = new Progress(err, Progress.onTerminal(), name, unit, total, seconds);
    Sampler sampler = new Sampler(latencies);
    SuccessWatch watch = new SuccessWatch();
    long startMillis = System.currentTimeMillis();
    long start = System.nanoTime();
    clients.start();
    threads = clients;
    if (interrupted) {
      clients.stop();
    }

    boolean timedOut = false;
    long stoppedAt = 0;
    boolean ended = false;
    boolean brokenOff = false;
    String lost = null;
    for (long tick = 1; !ended; tick++) {
      long now = System.nanoTime();
      if (seconds > 0 && !timedOut && now - start >= seconds * 1_000_000_000L) {
        timedOut = true;
        clients.stop();
      }
      if (clients.isStopped()) {
        stoppedAt = stoppedAt == 0 ? now : stoppedAt;
        long waited = (now - stoppedAt) / 1_000_000;
        long grace = lost != null ? 0 : interrupted ? GRACE_INTERRUPTED_MILLIS : GRACE_MILLIS;
        if (waited > grace + GRACE_BROKEN_OFF_MILLIS) {
          break;
        }
        if (waited >= grace && !brokenOff) {
          brokenOff = true;
          clients.interrupt();
        }
      }
      ended = clients.await(Math.max(1, (start + tick * 1_000_000_000L - now) / 1_000_000));
      double elapsed = (System.nanoTime() - start) / 1e9;
      sampler.sample(elapsed, clients.done());
      progress.show(elapsed, clients.done(), sampler.lastRate(), latencies.failures());
      if (!ended && lost == null
        && watch.isLost(elapsed, latencies.successes(), latencies.failures())) {
        lost = withoutSuccess(watch.secondsWithoutSuccess(elapsed), watch.isFailing(), latencies);
        clients.stop();
      }
    }
    double elapsed = (System.nanoTime() - start) / 1e9;
    progress.end();
    threads = null;
    Phase phase = new Phase(name, startMillis, elapsed, clients.done(), latencies,
      sampler.seconds, interrupted, timedOut, !ended);
    phases.add(phase);
    out.println();
    out.print(Report.table(phase, unit));
    out.flush();
    if (lost == null && clients.crash() != null) {
      lost = "a client thread ended with an error: " + ToolException.oneLine(clients.crash());
    }
    if (lost != null && !interrupted) {
      writeJson(ToolException.CLUSTER);
      throw ToolException.cluster(lost, clients.crash());
    }
  }

  private static String withoutSuccess(double seconds, boolean failing, Latencies latencies) {
    return "given up: no operation succeeded for " + Units.duration(seconds)
      + ", is HBase running? " + (failing
        ? "The last failure: " + ToolException.oneLine(latencies.lastFailure())
        : "None failed either.");
  }

  /** Says what the whole came to; returns the exit code. */
  private int finish() {
    boolean asWritten = true;
    if (verifier != null) {
      asWritten = verifier.wrong() == 0 && verifier.missing() == 0;
      out.println("\nVerified " + Units.count(verifier.checked()) + " rows: " + (asWritten
        ? "every byte as written."
        : Units.count(verifier.wrong()) + " wrong, " + Units.count(verifier.missing())
          + " missing."));
      out.println(RowVerifier.NOT_SHOWN);
    }
    int exitCode = interrupted ? ToolException.INTERRUPTED
      : asWritten && phases.stream().allMatch(Phase::succeeded) ? 0 : ToolException.FAILED;
    writeJson(exitCode);
    out.flush();
    return exitCode;
  }

  private void writeJson(int exitCode) {
    if (jsonFile != null) {
      try {
        Files.writeString(jsonFile, Report.json(profile, phases, verifier, exitCode));
      } catch (IOException e) {
        throw ToolException.usage("can't write results: " + ToolException.oneLine(e));
      }
    }
  }

  /** Keeps what happened in each second, and the histogram log. */
  private final class Sampler {
    private final Latencies latencies;
    private final List<Phase.Second> seconds = new ArrayList<>();
    private double lastSeconds;
    private long lastOperations;
    private double lastRate;

    private Sampler(Latencies latencies) {
      this.latencies = latencies;
    }

    private void sample(double elapsed, long operations) {
      Map<String, Phase.Interval> series = new HashMap<>();
      for (Histogram histogram : latencies.sample()) {
        if (histogram.getTotalCount() > 0) {
          series.put(histogram.getTag(),
            new Phase.Interval(histogram.getTotalCount(), histogram.getMean(),
              histogram.getValueAtPercentile(50), histogram.getValueAtPercentile(99),
              histogram.getMaxValue()));
          if (log != null) {
            log.outputIntervalHistogram(histogram);
          }
        }
      }
      long count = operations - lastOperations;
      lastRate = count / Math.max(0.001, elapsed - lastSeconds);
      seconds.add(new Phase.Second(elapsed, count, series));
      lastSeconds = elapsed;
      lastOperations = operations;
    }

    private double lastRate() {
      return lastRate;
    }
  }
}
