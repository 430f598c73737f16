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
package org.hbasestrata.bench.report;

import com.microsoft.gctoolkit.GCToolKit;
import com.microsoft.gctoolkit.aggregator.Aggregates;
import com.microsoft.gctoolkit.aggregator.Aggregation;
import com.microsoft.gctoolkit.aggregator.Aggregator;
import com.microsoft.gctoolkit.aggregator.Collates;
import com.microsoft.gctoolkit.aggregator.EventSource;
import com.microsoft.gctoolkit.event.GCCause;
import com.microsoft.gctoolkit.event.GCEvent;
import com.microsoft.gctoolkit.event.MemoryPoolSummary;
import com.microsoft.gctoolkit.event.RegionSummary;
import com.microsoft.gctoolkit.event.g1gc.G1GCPauseEvent;
import com.microsoft.gctoolkit.event.g1gc.G1Young;
import com.microsoft.gctoolkit.event.g1gc.G1YoungInitialMark;
import com.microsoft.gctoolkit.event.generational.DefNew;
import com.microsoft.gctoolkit.event.generational.GenerationalGCPauseEvent;
import com.microsoft.gctoolkit.event.generational.PSYoungGen;
import com.microsoft.gctoolkit.event.generational.ParNew;
import com.microsoft.gctoolkit.event.zgc.FullZGCCycle;
import com.microsoft.gctoolkit.event.zgc.MajorZGCCycle;
import com.microsoft.gctoolkit.event.zgc.MinorZGCCycle;
import com.microsoft.gctoolkit.event.zgc.ZGCCycle;
import com.microsoft.gctoolkit.io.SingleGCLogFile;
import com.microsoft.gctoolkit.time.DateTimeStamp;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hbasestrata.tools.ToolException;

/*
 * What GCToolKit 3.5 makes of unified logs of JDK 11 to 25, as tried. G1, Parallel and CMS: all but
 * G1's Cleanup pauses of JDK 17 and later, which are short; a collection counts from its line of
 * CPU time (gc,cpu) on. ZGC: all up to JDK 20; of generational ZGC it loses major collections that
 * a minor one runs into. Shenandoah: nothing. Safepoints: only as JDK 11 and 12 log them. Hence
 * Recording, which has both from JFR.
 */

/** Pauses in a GC log, read by GCToolKit. For one thread at a time in the JVM. */
final class GcLog {
  /** JDK 11 writes "region size", later ones "Region Size". */
  private static final Pattern REGION_SIZE =
    Pattern.compile("Heap [Rr]egion [Ss]ize: (\\d+)([KM])");
  private static final long LIMIT_SECONDS = 120;
  /** Held, so that their levels stay set: JUL refers to loggers weakly. */
  private static final List<Logger> CHATTY = List.of(Logger.getLogger("com.microsoft.gctoolkit"),
    Logger.getLogger("io.vertx"));

  /**
   * A log's pauses.
   * @param pauses  in order of time
   * @param problem why there are none; null when there are
   */
  record Reading(List<Pause> pauses, String problem) {
    private static Reading failed(String problem) {
      return new Reading(List.of(), problem);
    }
  }

  private GcLog() {
  }

  static Reading read(Path log) {
    if (!Files.exists(log)) {
      return Reading.failed("there is no " + log.getFileName());
    }
    Pauses pauses = new Pauses(regionBytes(log));
    FutureTask<Void> analysis = new FutureTask<>(() -> analyze(log, pauses), null);
    Thread thread = new Thread(analysis, "gc-log");
    thread.setDaemon(true);
    CHATTY.forEach(logger -> logger.setLevel(Level.OFF));
    PrintStream out = System.out;
    // GCToolKit prints lines that it has no rule for.
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    try {
      thread.start();
      analysis.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return Reading.failed("GCToolKit was not done after " + LIMIT_SECONDS + " s");
    } catch (ExecutionException e) {
      return Reading.failed("GCToolKit failed: " + ToolException.oneLine(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Reading.failed("interrupted");
    } finally {
      System.setOut(out);
    }
    List<Pause> found = pauses.sorted();
    return found.isEmpty() ? Reading.failed("GCToolKit found no pause with a date in it")
      : new Reading(found, null);
  }

  /** GCToolKit doesn't tell. Null if it isn't a log of G1, or rotated beyond its beginning. */
  private static Long regionBytes(Path log) {
    try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      return lines.map(REGION_SIZE::matcher).filter(Matcher::find).findFirst()
        .map(match -> Long.parseLong(match.group(1)) << (match.group(2).equals("K") ? 10 : 20))
        .orElse(null);
    } catch (IOException | UncheckedIOException e) {
      return null;
    }
  }

  private static void analyze(Path log, Pauses pauses) {
    try {
      GCToolKit toolKit = new GCToolKit();
      toolKit.loadAggregation(pauses);
      toolKit.analyze(new SingleGCLogFile(log));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Filled by a thread of GCToolKit. Public for GCToolKit's reflection. */
  @Collates(PauseCollector.class)
  public static final class Pauses extends Aggregation {
    private static final Set<GCCause> NO_CAUSE = EnumSet.of(GCCause.UNKNOWN_GCCAUSE,
      GCCause.GCCAUSE_NOT_SET);

    private final List<Pause> pauses = Collections.synchronizedList(new ArrayList<>());
    private final Long regionBytes;

    private Pauses(Long regionBytes) {
      this.regionBytes = regionBytes;
    }

    private void add(DateTimeStamp start, double millis, String type, GCCause cause) {
      add(start, millis, type, cause, null, null);
    }

    private void add(DateTimeStamp start, double millis, String type, GCCause cause,
      Long edenBytes, Long promotedBytes) {
      if (start != null && start.hasDateStamp()) {
        Instant instant = start.getDateTime().toInstant();
        pauses.add(new Pause(instant, millis, type, cause == null || NO_CAUSE.contains(cause)
          ? null : cause.getLabel(), edenBytes, promotedBytes));
      }
    }

    private List<Pause> sorted() {
      return pauses.stream().sorted(Comparator.comparing(Pause::start)).toList();
    }

    @Override
    public boolean hasWarning() {
      return false;
    }

    @Override
    public boolean isEmpty() {
      return pauses.isEmpty();
    }
  }

  /** Takes the pauses out of GCToolKit's events. Public for GCToolKit's reflection. */
  @Aggregates({ EventSource.G1GC, EventSource.GENERATIONAL, EventSource.ZGC })
  public static final class PauseCollector extends Aggregator<Pauses> {
    public PauseCollector(Pauses pauses) {
      super(pauses);
      register(G1GCPauseEvent.class, this::g1Pause);
      register(GenerationalGCPauseEvent.class, this::generationalPause);
      register(FullZGCCycle.class, this::pauses);
      register(MinorZGCCycle.class, cycle -> pauses(cycle, "minor ", cycle.getYoungCycle()));
      register(MajorZGCCycle.class, cycle -> {
        pauses(cycle, "major, young ", cycle.getYoungCycle());
        pauses(cycle, "major, old ", cycle.getOldCycle());
      });
    }

    private void g1Pause(G1GCPauseEvent event) {
      Long regionBytes = aggregation().regionBytes;
      RegionSummary eden = event.getEdenRegionSummary();
      RegionSummary old = event.getOldRegionSummary();
      // A mixed collection moves old objects as well.
      boolean young = event instanceof G1Young || event instanceof G1YoungInitialMark;
      pause(event, eden == null || eden.getBefore() < 0 || regionBytes == null ? null
        : eden.getBefore() * regionBytes, old == null || regionBytes == null || !young ? null
          : Math.max(0, old.getAfter() - old.getBefore()) * regionBytes);
    }

    private void generationalPause(GenerationalGCPauseEvent event) {
      MemoryPoolSummary old = event.getTenured();
      boolean young = event instanceof ParNew || event instanceof PSYoungGen
        || event instanceof DefNew;
      pause(event, null, old == null || !young ? null : Math.max(0,
        old.getOccupancyAfterCollection() - old.getOccupancyBeforeCollection()) << 10);
    }

    private void pause(GCEvent event, Long edenBytes, Long promotedBytes) {
      aggregation().add(event.getDateTimeStamp(), event.getDuration() * 1_000,
        event.getGarbageCollectionType().getLabel(), event.getGCCause(), edenBytes, promotedBytes);
    }

    private void pauses(FullZGCCycle cycle) {
      GCCause cause = cycle.getGCCause();
      aggregation().add(cycle.getPauseMarkStartTimeStamp(), cycle.getPauseMarkStartDuration(),
        "Mark Start", cause);
      aggregation().add(cycle.getPauseMarkEndTimeStamp(), cycle.getPauseMarkEndDuration(),
        "Mark End", cause);
      aggregation().add(cycle.getPauseRelocateStartTimeStamp(),
        cycle.getPauseRelocateStartDuration(), "Relocate Start", cause);
    }

    /** @param cycle null when GCToolKit found only the other one of a major collection */
    private void pauses(GCEvent event, String prefix, ZGCCycle cycle) {
      if (cycle == null) {
        return;
      }
      GCCause cause = event.getGCCause();
      aggregation().add(cycle.getPauseMarkStartTimeStamp(), cycle.getPauseMarkStartDuration(),
        prefix + "Mark Start", cause);
      aggregation().add(cycle.getPauseMarkEndTimeStamp(), cycle.getPauseMarkEndDuration(),
        prefix + "Mark End", cause);
      aggregation().add(cycle.getPauseRelocateStartTimeStamp(),
        cycle.getPauseRelocateStartDuration(), prefix + "Relocate Start", cause);
    }
  }
}
