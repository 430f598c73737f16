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
package org.hbasestrata.tools.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.ToolException;

/** A cluster of dev-support/bin/cluster: its script, its folders and its daemons. */
public final class ClusterScript {
  private final Checkout checkout;
  private final Path folder;
  private final Path log;

  /**
   * A cluster, be it up or not.
   * @param folder where all of it is
   * @param log    what the script prints is added to it
   */
  public ClusterScript(Checkout checkout, Path folder, Path log) {
    this.checkout = checkout;
    this.folder = folder;
    this.log = log;
  }

  /** The script's command line. */
  public List<String> words(List<String> arguments) {
    List<String> words = new ArrayList<>(
      List.of(checkout.clusterScript().toString(), "--dir", folder.toString()));
    words.addAll(arguments);
    return words;
  }

  /**
   * Runs the script.
   * @return what it printed
   */
  public List<String> run(Map<String, String> environment, List<String> arguments)
    throws InterruptedException {
    return Child.run("cluster", words(arguments), environment, log);
  }

  /** A line for each daemon. */
  public List<String> status() throws InterruptedException {
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    // Its exit code only says whether all are up.
    Child.start(words(List.of("status")), Map.of(), log, lines::add).await();
    return lines;
  }

  /**
   * Returns a daemon that is up.
   * @param name such as regionserver-1
   */
  public Daemon daemon(String name) throws InterruptedException {
    for (String line : status()) {
      String[] columns = line.split(" +");
      if (columns[0].equals(name) && columns.length > 3 && !columns[1].equals("-")) {
        return new Daemon(Long.parseLong(columns[1]),
          Integer.parseInt(columns[columns.length - 2]),
          Integer.parseInt(columns[columns.length - 1].replaceAll("\\D", "")));
      }
    }
    throw ToolException.failed(name + " isn't up");
  }

  /** Kills daemons of a role, if they are up: their data goes. */
  public void kill(String... role) throws InterruptedException {
    List<String> words = new ArrayList<>(List.of("kill"));
    words.addAll(List.of(role));
    try {
      run(Map.of(), words);
    } catch (ToolException e) {
      // It isn't up.
    }
  }

  /** What daemons and clients read. */
  public Path conf() {
    return folder.resolve("conf");
  }

  public Path data() {
    return folder.resolve("data");
  }

  public Path logs() {
    return folder.resolve("logs");
  }

  /** The unpacked tarball. */
  public Path dist() {
    try {
      return Path.of(Files.readString(folder.resolve("dist")).strip());
    } catch (IOException e) {
      throw ToolException.failed("the cluster in " + folder + " isn't up: "
        + ToolException.oneLine(e), e);
    }
  }

  /** The same with upstream's jars in it; there once a daemon was started with --stock. */
  public Path stockHome() {
    return folder.resolve("homes/stock");
  }
}
