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
import java.util.List;
import org.hbasestrata.tools.Child;

/** A running {@link LinkedListLoad}: chains of rows in a table of its own, which it flushes. */
final class ChainLoad implements AutoCloseable {
  private final Scene scene;
  private final String table;
  private final Path stop;
  private final Path result;
  private final Path seconds;
  private final Child child;
  private long operations;

  /**
   * Starts the load.
   * @param table       a table that doesn't exist yet
   * @param home        the install whose client it uses
   * @param pauseMillis pause between two steps of a thread, in milliseconds
   */
  ChainLoad(Scene scene, String table, Path home, int pauseMillis) {
    this.scene = scene;
    this.table = table;
    stop = scene.folder().resolve(table + ".stop");
    result = scene.folder().resolve(table + ".json");
    seconds = scene.folder().resolve(table + ".seconds");
    child = scene.start(home, LinkedListLoad.class, scene.folder().resolve(log()), table,
      stop.toString(), result.toString(), seconds.toString(), Integer.toString(pauseMillis));
  }

  boolean isAlive() {
    return child.isAlive();
  }

  /** Returns what the load did between two times, in ms since the epoch. */
  UpgradeClient.Seen seen(long from, long to) throws IOException {
    List<String> lines = Files.exists(seconds) ? Files.readAllLines(seconds) : List.of();
    return UpgradeClient.Seen.ofSeconds(lines, from, to);
  }

  /** Returns the number of operations that the load has done. */
  long operations() {
    try {
      operations = seen(0, Long.MAX_VALUE).operations();
    } catch (IOException | RuntimeException e) {
      // A line is being written: the number of the last call is returned.
    }
    return operations;
  }

  /** Makes the load stop writing and look up what it has written. */
  void stop() throws IOException {
    Files.createFile(stop);
  }

  /** Waits for the end of the load, and counts what it found. */
  void end(Outcome outcome) throws IOException, InterruptedException {
    int code = child.await();
    outcome.expect(code == 0, "the chains of rows ended with exit code " + code);
    Hostility.tell(await(), outcome);
  }

  /** Returns the name of the file with its output. */
  String log() {
    return table + ".log";
  }

  /** Waits for the end of the load, and returns the file with its counts. */
  Path await() throws IOException, InterruptedException {
    child.await();
    if (!Files.exists(result)) {
      throw new IOException("the chains of rows ended without a result; see " + log());
    }
    return result;
  }

  /** Ends the load at once. */
  @Override
  public void close() {
    child.end();
  }
}
