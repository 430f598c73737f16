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
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.hbasestrata.bench.harness.Host;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.ToolException;

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

/** Makes a disk that writes so many MB a second. For one thread. */
final class SlowDisk {
  private static final Path LIMIT =
    Path.of("/sys/fs/cgroup/blkio/blkio.throttle.write_bps_device");
  private static final int MEGABYTES = 2_000;

  private final Path image;
  private final Path mount;
  private final Path log;
  private final Undo undo;

  private SlowDisk(Path folder, Path log, Undo undo) {
    this.image = folder.resolve("slow-disk.img");
    this.mount = folder.resolve("slow-disk");
    this.log = log;
    this.undo = undo;
  }

  /**
   * Makes one whose files are in a folder, which nothing else is in; an error says what is missing.
   * @param log  gets what the commands print
   * @param undo removes it, also when it was made in part
   * @return where it is mounted
   */
  static Path make(Path folder, int megabytesPerSecond, Path log, Undo undo)
    throws IOException, InterruptedException {
    if (!Files.isWritable(LIMIT)) {
      throw ToolException.failed("a slow disk can't be emulated: " + LIMIT + " isn't there or may"
        + " not be written; name a slow one by --disk, with --disk-rate 0");
    }
    try {
      return new SlowDisk(folder, log, undo).mount(megabytesPerSecond);
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (ToolException | IOException e) {
      throw ToolException.failed("a slow disk can't be emulated: " + ToolException.oneLine(e)
        + "; name a slow one by --disk, with --disk-rate 0", e);
    }
  }

  /** What undoes a step is told before it, for a step may be broken off when it has worked. */
  private Path mount(int megabytesPerSecond) throws IOException, InterruptedException {
    undo.add(() -> Files.deleteIfExists(mount));
    Files.createDirectories(mount);
    undo.add(() -> Files.deleteIfExists(image));
    run("truncate", "-s", MEGABYTES + "M", image.toString());
    run("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0",
      image.toString());
    undo.add(this::detach);
    String device = run("losetup", "--find", "--show", image.toString()).get(0);
    Path stable = Path.of("/sys/block", Path.of(device).getFileName().toString(),
      "queue/stable_writes");
    String before = Files.readString(stable);
    undo.add(() -> Files.writeString(stable, before));
    Files.writeString(stable, "1");
    undo.add(this::unmount);
    run("mount", device, mount.toString());
    String number = Host.device(mount);
    undo.add(() -> Files.writeString(LIMIT, number + " 0"));
    Files.writeString(LIMIT, number + ' ' + ((long) megabytesPerSecond << 20));
    return mount;
  }

  private void detach() throws InterruptedException {
    for (String device : run("losetup", "--noheadings", "--output", "NAME", "--associated",
      image.toString())) {
      run("losetup", "--detach", device.strip());
    }
  }

  private void unmount() throws IOException, InterruptedException {
    if (!Files.getFileStore(mount).equals(Files.getFileStore(mount.getParent()))) {
      run("umount", mount.toString());
    }
  }

  private List<String> run(String... command) throws InterruptedException {
    return Child.run(command[0], List.of(command), Map.of(), log);
  }
}
