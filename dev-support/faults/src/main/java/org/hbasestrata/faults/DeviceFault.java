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

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.hbasestrata.tools.cluster.Daemon;

/**
 * Breaks the device that has region server 1's L2, while a load reads rows from both servers and
 * compares each byte. No byte may be wrong and no operation may fail. If nothing can be read or
 * written, the tier must be turned off in time, and come back by itself.
 */
record DeviceFault(String name, String about, Effect effect, Breakage breakage)
  implements Fault {
  /** The visible effect of a fault. */
  enum Effect {
    /** Blocks aren't what was written. */
    DAMAGE,
    /** The server is killed, too. */
    KILLED,
    /** Reads and writes take long for a while. */
    HELD,
    /** The tier is turned off and on again. */
    OFF,
    /** The server has to start on the broken device; the tier is turned off and on again. */
    OFF_FROM_THE_START;

    boolean turnsOff() {
      return this == OFF || this == OFF_FROM_THE_START;
    }

    boolean needsRoot() {
      return this == HELD || turnsOff();
    }
  }

  /** The time in dev-support/faults/conf. */
  private static final int TOLERATED_SECONDS = 3;
  /** Time for the load to reach the first error, and for metrics to be computed. */
  private static final int SLACK_SECONDS = 120;
  private static final int BACK_SECONDS = 120;
  private static final int MOST_SECONDS = 3600;
  /** Time for the operations of the chains that are waited for, also when regions come back. */
  private static final int OPERATIONS_SECONDS = 300;
  /** Time until a damaged block is read: short, but not on a busy machine. */
  private static final int DAMAGE_SECONDS = 60;
  private static final int LINES = 8;
  /** Lines of the log that are reported; frames of a stack don't begin with a time. */
  private static final Pattern TOLD =
    Pattern.compile("^\\d.*(DeviceWatch|BlockChecksums|block cache)");
  private static final int SERVER = 1;
  private static final int OTHER_SERVER = 2;
  /** Pause between two steps of a thread that writes, reads back and flushes. */
  private static final int CHAIN_PAUSE_MILLIS = 50;
  /** The longest operation must wait for 1/n of the time that the device hangs, or longer. */
  private static final int HELD_SHARE = 6;
  private static final int BIT_FLIPS = 1000;
  /** Far less than the load needs. */
  private static final int SLOW_IOPS = 5;
  /** Far less than one server's cache. */
  private static final long SMALL_BYTES = 2L << 20;
  private static final long GROWN_BYTES = 200L << 20;

  /** How the device is broken and repaired. */
  interface Breakage {
    /** Breaks the device, and returns the number of faults. */
    long inject(Scene scene, Path cacheFile) throws IOException, InterruptedException;

    /** Repairs the device. */
    default void mend(Scene scene) throws IOException, InterruptedException {
    }

    /**
     * Checks the effects that only this breakage has.
     * @param longestMillis the longest operation of the load, in milliseconds
     */
    default void expectSeen(Scene scene, Outcome outcome, long longestMillis) {
    }
  }

  /** Limits the reads and the writes per second. */
  private record Throttled(long perSecond) implements Breakage {
    @Override
    public long inject(Scene scene, Path file) throws IOException, InterruptedException {
      scene.throttle(SERVER, perSecond);
      Thread.sleep(scene.amounts().faultSeconds() * 1000L);
      return hangs() ? 1 : scene.throttledReads();
    }

    @Override
    public void mend(Scene scene) throws IOException {
      scene.unthrottle();
    }

    @Override
    public void expectSeen(Scene scene, Outcome outcome, long longestMillis) {
      long seconds = scene.amounts().faultSeconds();
      if (hangs()) {
        outcome.expect(longestMillis >= seconds * 1000 / HELD_SHARE,
          "nothing hung: the longest operation took " + longestMillis + " ms");
      } else {
        long most = perSecond * seconds;
        long reads = outcome.count("injected");
        outcome.expect(reads >= most / 2 && reads <= most * 2,
          reads + " reads of the device, " + most + " is what its limit lets through");
      }
    }

    private boolean hangs() {
      return perSecond == Throttle.HANG;
    }
  }

  static List<Fault> all() {
    return List.of(
      new DeviceFault("bit-flips", "1,000 bits flip at random places of the cache's file",
        Effect.DAMAGE, (scene, file) -> {
          Device.flipBits(file, BIT_FLIPS);
          return BIT_FLIPS;
        }),
      new DeviceFault("truncation", "the cache's file is cut to a third", Effect.DAMAGE,
        (scene, file) -> {
          Device.truncate(file, Files.size(file) / 3);
          return 1;
        }),
      new DeviceFault("deletion", "the cache's file is deleted, later the server killed",
        Effect.KILLED, (scene, file) -> {
          Files.delete(file);
          scene.awaitReads(scene.regionServer(SERVER));
          scene.cluster("kill", "regionserver", Integer.toString(SERVER));
          scene.restartRegionServer(SERVER, Map.of());
          return 1;
        }),
      new DeviceFault("other-servers-file", "the cache's file is overwritten with another server's",
        Effect.DAMAGE, (scene, file) -> {
          Device.overwrite(file, scene.cacheFile(OTHER_SERVER));
          return 1;
        }),
      new DeviceFault("zeros", "the cache's file is overwritten with zeros", Effect.DAMAGE,
        (scene, file) -> {
          Device.overwrite(file, null);
          return 1;
        }),
      new DeviceFault("io-errors", "all reads and writes of the device fail; later it is replaced",
        Effect.OFF, new Breakage() {
          @Override
          public long inject(Scene scene, Path file) throws IOException, InterruptedException {
            scene.device().pull();
            return 1;
          }

          @Override
          public void mend(Scene scene) throws IOException, InterruptedException {
            scene.device().replace();
          }
        }),
      new DeviceFault("read-only", "the device's file system becomes read-only; later replaced",
        Effect.OFF, new Breakage() {
          @Override
          public long inject(Scene scene, Path file) throws InterruptedException {
            scene.device().makeReadOnly();
            return 1;
          }

          @Override
          public void mend(Scene scene) throws IOException, InterruptedException {
            scene.device().replace();
          }
        }),
      new DeviceFault("hang", "the device hangs, for reads and writes", Effect.HELD,
        new Throttled(Throttle.HANG)),
      new DeviceFault("slow", "the device serves " + SLOW_IOPS + " reads and writes a second",
        Effect.HELD, new Throttled(SLOW_IOPS)),
      new DeviceFault("full", "the device is smaller than the cache's file; later it grows",
        Effect.OFF_FROM_THE_START, new Breakage() {
          @Override
          public long inject(Scene scene, Path file) throws IOException, InterruptedException {
            scene.device().close();
            scene.device().mountSmall(SMALL_BYTES);
            return 1;
          }

          @Override
          public void mend(Scene scene) throws IOException, InterruptedException {
            scene.device().grow(GROWN_BYTES);
          }
        }));
  }

  @Override
  public void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    if (effect.needsRoot() && !Device.canMount()) {
      outcome.skip("needs root and loop devices");
      return;
    }
    if (effect == Effect.HELD && !Throttle.isAvailable()) {
      outcome.skip("needs the blkio controller of cgroups version 1");
      return;
    }
    scene.load();
    if (effect == Effect.OFF_FROM_THE_START) {
      onASmallDevice(scene, outcome);
    } else {
      scene.spread(Scene.TABLE);
      scene.warm();
      underLoad(scene, outcome, scene.logEnd(SERVER));
    }
  }

  /** Starts the server on the small device. */
  private void onASmallDevice(Scene scene, Outcome outcome)
    throws IOException, InterruptedException {
    outcome.count("injected", breakage.inject(scene, scene.cacheFile(SERVER)));
    // The tier is turned off with the first regions that the server opens.
    long log = scene.logEnd(SERVER);
    scene.restartRegionServer(SERVER, Map.of());
    scene.restartRegionServer(OTHER_SERVER, Map.of());
    underLoad(scene, outcome, log);
    scene.device().replace();
    scene.restartRegionServer(SERVER, Map.of());
    scene.restartRegionServer(OTHER_SERVER, Map.of());
  }

  private void underLoad(Scene scene, Outcome outcome, long log)
    throws IOException, InterruptedException {
    Daemon before = scene.regionServer(SERVER);
    Daemon other = scene.regionServer(OTHER_SERVER);
    Counters start = effect == Effect.KILLED || effect == Effect.OFF_FROM_THE_START
      ? Counters.NONE : Counters.of(scene, before);
    try (Scene.Load load = scene.startLoad(MOST_SECONDS);
      ChainLoad chains = scene.startChains(name, CHAIN_PAUSE_MILLIS)) {
      load.awaitReads(before);
      awaitOperations(scene, chains);
      outcome.expect(load.isAlive(), "the load ended before the fault");
      if (outcome.count("injected") == 0) {
        outcome.count("injected", breakage.inject(scene, scene.cacheFile(SERVER)));
      }
      if (effect.turnsOff()) {
        expectOff(scene, before, outcome);
        // Both servers use the device, but this one may have had nothing to read or write.
        awaitOff(scene, other);
      }
      breakage.mend(scene);
      if (effect.turnsOff()) {
        awaitBack(scene, before, outcome);
        expectOn(scene, other, outcome);
        double used =
          Scene.await(BACK_SECONDS, () -> Counters.quietly(scene, before).l2Blocks() > 0);
        outcome.expect(used >= 0, "the tier came back and isn't used");
        for (int each : List.of(SERVER, OTHER_SERVER)) {
          Path file = scene.cacheFile(each);
          outcome.expect(Files.exists(file), "the device has no " + file.getFileName());
        }
      }
      if (effect == Effect.DAMAGE) {
        Scene.await(DAMAGE_SECONDS,
          () -> Counters.quietly(scene, before).since(start).damaged() > 0);
      }
      if (effect == Effect.KILLED) {
        // If the load were stopped, operations that wait for the server's regions would fail.
        scene.spread(Scene.TABLE);
      }
      awaitOperations(scene, chains);
      outcome.expect(load.isAlive(), "the load ended before the fault did");
      load.stop(outcome);
      breakage.expectSeen(scene, outcome,
        UpgradeClient.Seen.ofYcsb(load.results()).longestMillis());
      chains.stop();
      chains.end(outcome);
    }
    outcome.expect(scene.regionServer(OTHER_SERVER).pid() == other.pid(),
      "the other server ended");
    Daemon after = scene.regionServer(SERVER);
    outcome.expect(effect == Effect.KILLED || after.pid() == before.pid(), "the server ended");
    Counters seen = Counters.of(scene, after).since(start);
    seen.tell(outcome);
    outcome.expect(seen.offs() == (effect.turnsOff() ? 1 : 0),
      "turned off " + seen.offs() + " times");
    outcome.expect(effect != Effect.DAMAGE || seen.damaged() > 0,
      "no damaged block was read");
    List<String> lines = scene.logSince(SERVER, log);
    tellLog(lines, outcome);
    if (effect.turnsOff()) {
      expectOne(lines, scene.amounts().engine().toldOff(), outcome);
      expectOne(lines, scene.amounts().engine().toldOn(), outcome);
    }
    outcome.expect(outcome.count("operations") > 0, "there was no load");
  }

  private static void expectOne(List<String> lines, String told, Outcome outcome) {
    long count = lines.stream().filter(line -> line.contains(told)).count();
    outcome.expect(count == 1, count + " lines of the log say '" + told + "', 1 should");
  }

  /** Waits until the chains have become longer by some rows. */
  private static void awaitOperations(Scene scene, ChainLoad chains)
    throws IOException, InterruptedException {
    long enough = chains.operations() + scene.amounts().operationsBeside();
    if (Scene.await(OPERATIONS_SECONDS, () -> chains.operations() > enough) < 0) {
      throw new IOException("less than " + scene.amounts().operationsBeside()
        + " operations of the chains of rows in " + OPERATIONS_SECONDS + " s; see "
        + chains.log());
    }
  }

  private static void expectOff(Scene scene, Daemon server, Outcome outcome)
    throws InterruptedException {
    double off = awaitOff(scene, server);
    outcome.expect(off >= 0, "the tier wasn't turned off");
    outcome.note("off after " + Math.round(off) + " s");
  }

  /** Returns the seconds until the tier is turned off; negative if it isn't in time. */
  private static double awaitOff(Scene scene, Daemon server) throws InterruptedException {
    return Scene.await(TOLERATED_SECONDS + SLACK_SECONDS,
      () -> Counters.quietly(scene, server).off() == 1);
  }

  private static void awaitBack(Scene scene, Daemon server, Outcome outcome)
    throws InterruptedException {
    outcome.note("back " + Math.round(expectOn(scene, server, outcome)) + " s after its device");
  }

  private static double expectOn(Scene scene, Daemon server, Outcome outcome)
    throws InterruptedException {
    double on =
      Scene.await(BACK_SECONDS, () -> Counters.quietly(scene, server).off() == 0);
    outcome.expect(on >= 0,
      "the tier of the server on port " + server.port() + " didn't come back");
    return on;
  }

  private static void tellLog(List<String> lines, Outcome outcome) {
    List<String> problems =
      lines.stream().filter(line -> line.contains(" WARN ") || line.contains(" ERROR ")).toList();
    outcome.note(problems.size() + " warnings and errors in the log of regionserver-" + SERVER);
    List<String> told = lines.stream().filter(line -> TOLD.matcher(line).find()).toList();
    told.stream().limit(LINES).forEach(outcome::logged);
    if (told.size() > LINES) {
      outcome.logged("... " + (told.size() - LINES) + " more");
    }
  }

  /** Counters of a region server. */
  record Counters(long off, long offs, long ons, long readErrors, long writeErrors,
    long failedChecksums, long l2Blocks, long l2Hits) {
    static final Counters NONE = new Counters(0, 0, 0, 0, 0, 0, 0, 0);

    static Counters of(Scene scene, Daemon server) throws InterruptedException {
      JsonNode device = scene.metrics(server, "BlockCacheDevice");
      return new Counters(device.path("off").asLong(-1), device.path("turnedOffCount").asLong(),
        device.path("turnedOnCount").asLong(), device.path("readErrorCount").asLong(),
        device.path("writeErrorCount").asLong(),
        scene.amounts().engine() == Engine.SEGMENTS
          ? scene.metrics(server, "SegmentCache").path("corruptBlockCount").asLong()
          : scene.metrics(server, "BlockCacheChecksums").path("failedCount").asLong(),
        scene.metrics(server, "BlockCacheTiers").path("l2DataBlockCount").asLong(),
        scene.metrics(server, "Server").path("l2CacheHitCount").asLong());
    }

    static Counters quietly(Scene scene, Daemon server) {
      try {
        return of(scene, server);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return NONE;
      }
    }

    Counters since(Counters start) {
      return new Counters(off, offs - start.offs, ons - start.ons, readErrors - start.readErrors,
        writeErrors - start.writeErrors, failedChecksums - start.failedChecksums, l2Blocks,
        l2Hits - start.l2Hits);
    }

    long damaged() {
      return failedChecksums + readErrors;
    }

    void tell(Outcome outcome) {
      outcome.count("failed checksums", failedChecksums);
      outcome.count("read errors", readErrors);
      outcome.count("write errors", writeErrors);
      outcome.count("turned off", offs);
      outcome.count("came back", ons);
      outcome.count("hits of L2", l2Hits);
    }
  }
}
