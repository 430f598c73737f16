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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.hbasestrata.bench.BenchException;
import org.hbasestrata.bench.harness.Child;
import org.hbasestrata.bench.harness.Host;

/*
 * A throttled group doesn't do: what programs write is written back by the kernel, in version 1 of
 * cgroups for nobody's account, and with the machine's disk all that others do would wait as well.
 * So it is a file system of its own, in a file, by a loop device, and writes to that device are
 * held to a rate for everybody. Nobody else uses it.
 *
 * What a log waits for then is a page that is being written: on a disk that wants stable pages,
 * because it has checksums (as RAID 5, iSCSI and btrfs do; in source D's time the kernel did so for
 * any disk), nobody may change such a page, and the last one of a log is changed by each line. The
 * loop device is told to want that.
 */

/** A disk that writes so many MB a second. For one thread. */
final class SlowDisk implements AutoCloseable {
  private static final Path LIMIT =
    Path.of("/sys/fs/cgroup/blkio/blkio.throttle.write_bps_device");
  private static final int MEGABYTES = 2_000;

  private final Path image;
  private final Path mount;
  private final Path log;
  private String device;
  private boolean mounted;

  private SlowDisk(Path folder, Path log) {
    this.image = folder.resolve("slow-disk.img");
    this.mount = folder.resolve("slow-disk");
    this.log = log;
  }

  /** Makes one whose files are in a folder; an error says what is missing. */
  static SlowDisk make(Path folder, int megabytesPerSecond, Path log) throws InterruptedException {
    if (!Files.isWritable(LIMIT)) {
      throw BenchException.failed("a slow disk can't be emulated: " + LIMIT + " isn't there or may"
        + " not be written; name a slow one by --disk, with --disk-rate 0", null);
    }
    SlowDisk disk = new SlowDisk(folder, log);
    try {
      disk.mount(megabytesPerSecond);
    } catch (BenchException | IOException e) {
      disk.close();
      throw BenchException.failed("a slow disk can't be emulated: " + BenchException.oneLine(e)
        + "; name a slow one by --disk, with --disk-rate 0", e);
    }
    return disk;
  }

  private void mount(int megabytesPerSecond) throws IOException, InterruptedException {
    Files.createDirectories(mount);
    run("truncate", "-s", MEGABYTES + "M", image.toString());
    run("mkfs.ext4", "-q", "-F", image.toString());
    device = run("losetup", "--find", "--show", image.toString()).get(0);
    Files.writeString(Path.of("/sys/block", Path.of(device).getFileName().toString(),
      "queue/stable_writes"), "1");
    run("mount", device, mount.toString());
    mounted = true;
    Files.writeString(LIMIT, Host.device(mount) + ' ' + ((long) megabytesPerSecond << 20));
  }

  Path folder() {
    return mount;
  }

  @Override
  public void close() {
    try {
      if (mounted) {
        Files.writeString(LIMIT, Host.device(mount) + " 0");
        run("umount", mount.toString());
      }
      if (device != null) {
        run("losetup", "--detach", device);
      }
      Files.deleteIfExists(image);
      Files.deleteIfExists(mount);
    } catch (IOException e) {
      throw BenchException.failed(mount + " can't be removed: " + BenchException.oneLine(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<String> run(String... command) throws InterruptedException {
    return Child.run(command[0], List.of(command), Map.of(), log);
  }
}
