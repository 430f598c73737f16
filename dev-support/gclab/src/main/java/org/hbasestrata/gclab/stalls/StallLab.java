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
package org.hbasestrata.gclab.stalls;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.Folders;
import org.hbasestrata.tools.Interrupts;
import org.hbasestrata.tools.Program;
import org.hbasestrata.tools.ToolException;

/** Source D: pauses of a program whose GC log is on a disk, idle or busy, or elsewhere. */
public final class StallLab {
  private static final Path MEMORY = Path.of("/dev/shm");
  /** About half a GB of objects, so that what is copied takes far less than 250 ms. */
  private static final int OBJECTS = 50_000;
  private static final String HEAP = "2g";
  /** A file of the writer's. */
  private static final int FILE_MEGABYTES = 400;
  /** Until the disk has more to write than it can, unless what is measured is shorter. */
  private static final int HEAD_START_SECONDS = 6;
  /** What the writer may run longer than the program, which takes its time on a busy disk. */
  private static final int WRITER_SPARE_SECONDS = 120;

  private final String command;
  private final Path folder;
  private final Path disk;
  private final int diskRate;
  private final double minutes;
  private final PrintStream out;

  /**
   * @param command  the command line, for people
   * @param folder   where results go
   * @param disk     on the disk that is made busy; null for {@code folder}
   * @param diskRate MB a second that an emulated disk writes; 0 for the disk as it is
   * @param minutes  for each place
   */
  public StallLab(String command, Path folder, Path disk, int diskRate, double minutes,
    PrintStream out) {
    this.command = command;
    this.folder = folder;
    this.disk = disk == null ? folder : disk.toAbsolutePath();
    this.diskRate = diskRate;
    this.minutes = minutes;
    this.out = out;
  }

  /** Returns the exit code. */
  public int run() {
    Interrupts interrupts = new Interrupts(out::println);
    try {
      runOnDisk();
      return 0;
    } catch (InterruptedException | ClosedByInterruptException e) {
      throw failed("interrupted", e);
    } catch (IOException e) {
      throw failed(ToolException.oneLine(e), e);
    } catch (ToolException e) {
      throw failed(e.getMessage(), e);
    } finally {
      interrupts.close();
    }
  }

  /** With what went wrong when things were undone after it. */
  private static ToolException failed(String message, Exception cause) {
    return ToolException.failed(Stream.concat(Stream.of(message),
      Stream.of(cause.getSuppressed()).map(Throwable::getMessage))
      .collect(Collectors.joining("; ")), cause);
  }

  private void runOnDisk() throws IOException, InterruptedException {
    try (Undo undo = new Undo()) {
      Files.createDirectories(folder);
      Path busy = diskRate == 0 ? temporary(disk, undo)
        : SlowDisk.make(temporary(disk, undo), diskRate, folder.resolve("disk.log"), undo);
      List<PlaceResult> results = new ArrayList<>();
      for (Place place : Place.values()) {
        out.println("GC log " + place.label() + ", " + Math.round(minutes * 60) + " s");
        PlaceResult result = run(place, busy);
        out.println("  " + result.longStops().size() + " pauses over 250 ms of "
          + result.stops().size());
        results.add(result);
      }
      StallFiles.write(folder, results, command, disk, diskRate, out);
    }
  }

  private PlaceResult run(Place place, Path busy) throws IOException, InterruptedException {
    try (Undo undo = new Undo()) {
      Path log = temporary(place.inMemory() ? MEMORY : busy, undo).resolve(place + ".log");
      measure(place, log, busy);
      Path kept = folder.resolve(log.getFileName());
      Files.copy(log, kept, StandardCopyOption.REPLACE_EXISTING);
      return new PlaceResult(place, StopLog.read(Files.readAllLines(kept)), Files.size(kept));
    }
  }

  private void measure(Place place, Path log, Path busy) throws IOException, InterruptedException {
    try (Undo undo = new Undo()) {
      Child writer = place.busy() ? writer(busy, undo) : null;
      int code = java(options(place, log), AllocationProgram.class,
        String.format(Locale.ROOT, "%.1f", seconds()), OBJECTS).await();
      if (code != 0) {
        throw ToolException.failed("the allocation program: exit code " + code + " (more in "
          + output() + ")");
      }
      if (writer != null && !writer.isAlive()) {
        throw ToolException.failed("the background writer ended (more in " + output() + ")");
      }
    }
  }

  /** Starts it, and gives it time to make the disk busy. */
  private Child writer(Path busy, Undo undo) throws IOException, InterruptedException {
    double headStart = Math.min(HEAD_START_SECONDS, seconds());
    Child writer = java(List.of(), DiskWriter.class, temporary(busy, undo), FILE_MEGABYTES,
      headStart + seconds() + WRITER_SPARE_SECONDS);
    undo.add(writer::end);
    Thread.sleep((long) (1_000 * headStart));
    return writer;
  }

  private double seconds() {
    return minutes * 60;
  }

  private static Path temporary(Path parent, Undo undo) throws IOException {
    Path folder =
      Files.createTempDirectory(parent, "gclab-" + ProcessHandle.current().pid() + "-");
    undo.add(() -> Folders.delete(folder));
    return folder;
  }

  private static List<String> options(Place place, Path log) {
    List<String> options = new ArrayList<>(List.of("-XX:+UseG1GC", "-Xms" + HEAP, "-Xmx" + HEAP,
      "-XX:+AlwaysPreTouch", "-XX:+PerfDisableSharedMem",
      "-Xlog:gc*,safepoint:file=" + log + ":time,uptime,level,tags:filecount=0"));
    if (place.async()) {
      options.add("-Xlog:async");
    }
    return options;
  }

  private Child java(List<String> options, Class<?> program, Object... arguments) {
    List<String> words = new ArrayList<>(List.of(Program.java()));
    words.addAll(options);
    words.addAll(List.of("-cp", Program.classesOf(StallLab.class).toString(), program.getName()));
    Stream.of(arguments).map(Object::toString).forEach(words::add);
    return Child.start(words, Map.of(), output(), line -> {
    });
  }

  private Path output() {
    return folder.resolve("output.log");
  }
}
