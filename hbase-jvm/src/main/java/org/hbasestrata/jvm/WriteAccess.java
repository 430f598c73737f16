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
package org.hbasestrata.jvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashSet;
import java.util.Set;

/**
 * Says whether a file that a server runs code from can be changed, or exchanged, by a user whom the
 * server doesn't trust anyway. It trusts its own user, root, and the owner of the installation.
 */
final class WriteAccess {
  private static final int GROUP = 0020;
  private static final int OTHERS = 0002;
  /** In a folder with this bit only the owner of a file can rename or remove it. */
  private static final int STICKY = 01000;

  private final Set<Integer> trusted = new HashSet<>();

  /** @param home the installation */
  WriteAccess(Path home) throws IOException {
    trusted.add(0);
    trusted.add(owner(home));
    Path self = Paths.get("/proc/self");
    if (Files.exists(self)) {
      trusted.add(owner(self));
    }
  }

  private static int owner(Path file) throws IOException {
    return (Integer) Files.getAttribute(file, "unix:uid");
  }

  /**
   * Returns who else may change the files, which are all in one folder, in words that follow
   * "because"; null if nobody may.
   * @param files without links in their paths, since these may lead elsewhere when they are used
   */
  String problem(Path... files) throws IOException {
    for (Path file : files) {
      if (!file.equals(file.toRealPath())) {
        return "links lead from " + file + " to " + file.toRealPath();
      }
      String problem = problem(file, GROUP | OTHERS, 0);
      if (problem != null) {
        return problem;
      }
    }
    Path folder = files[0].getParent();
    String problem = problem(folder, GROUP | OTHERS, 0);
    for (Path above = folder.getParent(); above != null && problem == null;
      above = above.getParent()) {
      problem = problem(above, OTHERS, STICKY);
    }
    return problem;
  }

  /** @param unless bit with which the other bits do no harm */
  private String problem(Path file, int bits, int unless) throws IOException {
    if (!trusted.contains(owner(file))) {
      return file + " belongs to another user, " + Files.getOwner(file).getName();
    }
    int mode = (Integer) Files.getAttribute(file, "unix:mode");
    if ((mode & bits) != 0 && (mode & unless) == 0) {
      return "other users may write to " + file + " (chmod go-w)";
    }
    return null;
  }
}
