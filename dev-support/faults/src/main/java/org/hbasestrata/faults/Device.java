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
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.ToolException;

/**
 * The device that the block cache is on: a file system of its own, on a loop device over a file, or
 * in memory. Needs root; without it a plain folder, on which not all faults can be had.
 */
final class Device implements AutoCloseable {
  private static final long FILE_SYSTEM_BYTES = 512L << 20;
  private static final int MOST_PULLS = 100;
  /** What is told when mounting is refused, as in a container. */
  static final String REFUSED = "what needs a loop device is skipped";

  /** Of this process: the first one that was to be mounted couldn't be, or could. */
  private static boolean refused;
  private static boolean wasMounted;

  private final Path folder;
  private final Path backing;
  private final Path log;
  private boolean mounted;
  private boolean frozen;
  /** Empty until losetup has told which. */
  private String loop;

  /** @param folder where it is mounted */
  Device(Path folder, Path backing, Path log) {
    this.folder = folder;
    this.backing = backing;
    this.log = log;
  }

  static boolean canMount() {
    return !refused && Files.isWritable(Path.of("/dev/loop-control"))
      && System.getProperty("user.name").equals("root");
  }

  Path file(String name) {
    return folder.resolve(name);
  }

  /** Mounts it, empty; where that is refused, as in a container, it is a plain folder. */
  void mount() throws IOException, InterruptedException {
    Files.createDirectories(folder);
    if (!canMount()) {
      return;
    }
    try {
      mountLoop();
      wasMounted = true;
    } catch (ToolException e) {
      if (wasMounted) {
        throw e;
      }
      refused = true;
      System.err.println("faults: " + REFUSED + ": " + e.getMessage());
    }
  }

  private void mountLoop() throws IOException, InterruptedException {
    Files.deleteIfExists(backing);
    try (RandomAccessFile file = new RandomAccessFile(backing.toFile(), "rw")) {
      file.setLength(FILE_SYSTEM_BYTES);
    }
    command("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0",
      backing.toString());
    // What an interrupt leaves half done is undone by close, too.
    loop = "";
    loop = command("losetup", "--find", "--show", backing.toString()).get(0).strip();
    mount("-o", "errors=continue", loop);
  }

  /** Mounts one in memory. */
  void mountSmall(long bytes) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    mount("-t", "tmpfs", "-o", "size=" + bytes + ",mode=0700", "tmpfs");
  }

  private void mount(String... words) throws InterruptedException {
    List<String> command = new ArrayList<>(List.of("mount"));
    Collections.addAll(command, words);
    command.add(folder.toString());
    mounted = true;
    try {
      command(command.toArray(String[]::new));
    } catch (ToolException e) {
      mounted = false;
      throw e;
    }
  }

  /** Has a file system in memory grow. */
  void grow(long bytes) throws InterruptedException {
    command("mount", "-o", "remount,size=" + bytes, folder.toString());
  }

  /** As a disk that is pulled: who has files of it open can't read or write them any more. */
  void pull() throws IOException, InterruptedException {
    // A write that comes in between has the file, and the device with it, grow again.
    for (int i = 0; !attribute("size").equals("0"); i++) {
      if (i == MOST_PULLS) {
        throw new IOException(loop + " is written to faster than it can be cut to nothing");
      }
      truncate(backing, 0);
      command("losetup", "--set-capacity", loop);
    }
  }

  /** Unmounts what is there, also while files are open, and mounts a new one. */
  void replace() throws IOException, InterruptedException {
    close();
    mount();
  }

  /** As the kernel does after errors: what is written fails from now on. */
  void makeReadOnly() throws InterruptedException {
    command("mount", "-o", "remount,abort", folder.toString());
  }

  /** Has all that write to it wait, until it is thawed or closed. */
  void freeze() throws InterruptedException {
    frozen = true;
    command("fsfreeze", "--freeze", folder.toString());
  }

  void thaw() throws InterruptedException {
    if (frozen) {
      frozen = false;
      command("fsfreeze", "--unfreeze", folder.toString());
    }
  }

  /** Major and minor number. */
  String number() throws IOException {
    return attribute("dev");
  }

  private String attribute(String name) throws IOException {
    return Files.readString(Path.of("/sys/block", Path.of(loop).getFileName().toString(), name))
      .strip();
  }

  /** Flips one bit at each of many random places of a file. */
  static void flipBits(Path file, int count) throws IOException {
    Random random = new Random();
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      for (int i = 0; i < count; i++) {
        long at = random.nextLong(bytes.length());
        bytes.seek(at);
        int old = bytes.read();
        bytes.seek(at);
        bytes.write(old ^ 1 << random.nextInt(8));
      }
    }
  }

  static void truncate(Path file, long length) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.setLength(length);
    }
  }

  /** Overwrites a file in its place; with zeros if there is no other. */
  static void overwrite(Path file, Path other) throws IOException {
    byte[] buffer = new byte[1 << 20];
    try (RandomAccessFile to = new RandomAccessFile(file.toFile(), "rw");
      RandomAccessFile from = other == null ? null : new RandomAccessFile(other.toFile(), "r")) {
      for (long left = to.length(); left > 0; left -= buffer.length) {
        int length = (int) Math.min(left, buffer.length);
        if (from != null) {
          int read = from.read(buffer, 0, length);
          length = Math.max(0, read);
        }
        to.write(buffer, 0, length);
      }
    }
  }

  private List<String> command(String... words) throws InterruptedException {
    return Child.run(words[0], List.of(words), Map.of(), log);
  }

  @Override
  public void close() {
    try {
      thaw();
      if (mounted) {
        mounted = false;
        command("umount", "--lazy", folder.toString());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      detach();
    }
  }

  private void detach() {
    try {
      if (loop != null) {
        List<String> loops = loop.isEmpty()
          ? command("losetup", "--associated", backing.toString()).stream()
            .map(line -> line.split(":")[0]).toList()
          : List.of(loop);
        loop = null;
        for (String each : loops) {
          command("losetup", "--detach", each);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
