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
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What a server opens to others: ports, as against stock, and files. */
final class Ports {
  private static final String LISTENING = "0A";
  private static final int SERVER = 2;

  private Ports() {
  }

  static void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    outcome.count("injected", 2);
    Set<String> ours = listening(scene.regionServer(SERVER).pid());
    scene.cluster("restart", "regionserver", Integer.toString(SERVER), "--stock");
    Set<String> stock = listening(scene.regionServer(SERVER).pid());
    scene.cluster("restart", "regionserver", Integer.toString(SERVER), "--strata");
    outcome.note("ports: " + ours.size() + ", stock: " + stock.size());
    outcome.expect(ours.size() <= stock.size(), "ours listens on " + ours + ", stock on " + stock);
    try (Stream<Path> files = Files.list(scene.cacheFile(SERVER).getParent())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Set<PosixFilePermission> may =
          Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS);
        outcome.note(file.getFileName() + ": " + PosixFilePermissions.toString(may));
        outcome.expect(may.stream().allMatch(one -> one.name().startsWith("OWNER")),
          file.getFileName() + " can be read by others");
      }
    }
  }

  /** Local addresses, in hex, that a process listens on. */
  private static Set<String> listening(long pid) throws IOException {
    Set<String> inodes = new HashSet<>();
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      for (Path descriptor : descriptors.toList()) {
        try {
          inodes.add(Files.readSymbolicLink(descriptor).toString().replaceAll("\\D", ""));
        } catch (IOException e) {
          // It was closed meanwhile.
        }
      }
    }
    Set<String> addresses = new HashSet<>();
    for (String table : List.of("tcp", "tcp6")) {
      for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/net/" + table))) {
        String[] columns = line.strip().split(" +");
        if (columns.length > 9 && columns[3].equals(LISTENING) && inodes.contains(columns[9])) {
          addresses.add(columns[1]);
        }
      }
    }
    return addresses;
  }
}
