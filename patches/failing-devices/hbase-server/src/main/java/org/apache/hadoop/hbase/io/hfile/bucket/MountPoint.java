/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.io.hfile.bucket;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The folder where the file system of a cache's file is mounted. While nothing is mounted there, a
 * file of that name would be on another file system, and hidden once the device is back. Immutable.
 */
@InterfaceAudience.Private
public final class MountPoint {
  /** Null if there is nothing to check. */
  private final Path folder;
  private final Function<Path, Object> devices;

  private MountPoint(Path folder, Function<Path, Object> devices) {
    this.folder = folder;
    this.devices = devices;
  }

  /** Finds the mount point of a file, which needn't exist, but its folder does. */
  public static MountPoint of(Path file) {
    return of(file, MountPoint::deviceOf);
  }

  /**
   * Finds the mount point of a file.
   * @param devices returns what tells the device of a folder from others; null if it isn't known
   */
  static MountPoint of(Path file, Function<Path, Object> devices) {
    Path folder = file.toAbsolutePath().normalize().getParent();
    Object device = folder == null ? null : devices.apply(folder);
    if (device == null) {
      return new MountPoint(null, devices);
    }
    Path parent = folder.getParent();
    while (parent != null && device.equals(devices.apply(parent))) {
      folder = parent;
      parent = folder.getParent();
    }
    return new MountPoint(parent == null ? null : folder, devices);
  }

  /**
   * Checks that a file system is mounted, this one or another.
   * @throws IOException if none is
   */
  public void check() throws IOException {
    if (folder == null) {
      return;
    }
    Object device = devices.apply(folder);
    if (device == null || device.equals(devices.apply(folder.getParent()))) {
      throw new IOException(
        "Nothing is mounted at " + folder + ", where the block cache's device was");
    }
  }

  private static Object deviceOf(Path folder) {
    try {
      return Files.getAttribute(folder, "unix:dev");
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return null;
    }
  }
}
