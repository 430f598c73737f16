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

import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Locks the files of a block cache, since two caches that write to the same file would serve each
 * other's bytes. Thread-safe.
 */
/*
 * The lock is on a file beside each of the cache's files, with ".lock" appended to its name. Its
 * content names its owner, and says how long the cache's file is, so that the next start knows that
 * file from another that was put in its place. A lock on the cache's own file would be lost: POSIX
 * drops a process's locks on a file when the process closes any channel to it, as the engine does
 * when it opens the file anew. For the same reason this process never opens a lock file that it
 * holds. The system drops a lock when its process ends, so the lock file needn't be deleted; and it
 * isn't, since another process may be about to lock it.
 */
@InterfaceAudience.Private
public final class CacheFileLock implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(CacheFileLock.class);
  /** What the files of a cache, which contain table data, are created with. */
  static final Set<PosixFilePermission> OWNER_ONLY = Collections.unmodifiableSet(
    EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
  static final FileAttribute<?> OWNER_ONLY_ATTRIBUTE =
    PosixFilePermissions.asFileAttribute(OWNER_ONLY);

  private static final String SUFFIX = ".lock";
  private static final Set<OpenOption> LOCKING =
    new HashSet<>(Arrays.asList(StandardOpenOption.CREATE, StandardOpenOption.READ,
      StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
  private static final int MAX_BYTES = 256;
  /** Owner, and length of the file as a cache's, which earlier versions don't write. */
  private static final Pattern CONTENT = Pattern.compile("(\\S+@\\S+)(?: (\\d{1,18}))?\\s*");

  /** In place of a file's length: it has no lock file, or none that says anything. */
  static final long NO_LOCK = -2;

  /** Lock files that this process holds. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final List<Path> files;
  // Not guarded by a monitor, so that closing needn't wait for a device that hangs.
  private final Map<Path, FileChannel> locks = new ConcurrentHashMap<>();
  /** Files that were locked once. If such a file can't be locked any more, its device fails. */
  private final Set<Path> lockable = ConcurrentHashMap.newKeySet();
  /** What the lock files of files that are locked say of their lengths. */
  private final Map<Path, Long> lengths = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * Locks a cache's files.
   * @param ioEngineName    engine name, with its files behind the colon; an engine in memory has
   *                        none
   * @param persistencePath path of the list of blocks; may be null
   * @throws IOException if another cache has locked one of them; the message names it and the owner
   */
  public CacheFileLock(String ioEngineName, String persistencePath) throws IOException {
    files = new ArrayList<>(FileEnginePaths.of(ioEngineName));
    if (persistencePath != null) {
      files.add(Paths.get(persistencePath));
    }
    renew();
  }

  /** Locks the files anew after their device was gone. Throws the exceptions of the constructor. */
  void renew() throws IOException {
    locks.keySet().forEach(this::release);
    for (Path file : files) {
      try {
        lock(file);
      } catch (IOException | RuntimeException e) {
        locks.keySet().forEach(this::release);
        throw e;
      }
    }
    if (closed) {
      locks.keySet().forEach(this::release);
    }
  }

  /** Locks one of the files anew, likewise. */
  public void renew(Path file) throws IOException {
    release(lockFile(file));
    lock(file);
    if (closed) {
      release(lockFile(file));
    }
  }

  private void lock(Path file) throws IOException {
    Path path = lockFile(file);
    if (!HELD.add(path)) {
      throw new FileSystemException(file.toString(), null, usedBy(owner()));
    }
    String refusal = null;
    FileChannel channel = null;
    try {
      String content = "";
      if (isSomethingElseThanAFile(path)) {
        refusal = "can't be locked, since " + path + " isn't a regular file; delete that, or give"
          + " another path";
      } else {
        channel = FileChannel.open(path, LOCKING, OWNER_ONLY_ATTRIBUTE);
        boolean locked = channel.tryLock() != null;
        content = read(channel);
        if (!content.isEmpty() && !CONTENT.matcher(content).matches()) {
          refusal = "can't be locked, since " + path + " isn't a lock of a block cache, and would"
            + " be overwritten; delete that, or give another path";
        } else if (!locked) {
          refusal = usedBy(owner(content));
        }
      }
      if (refusal == null) {
        locks.put(path, channel);
        // Without a lock file a file is known by what it was before its device was gone.
        lengths.put(file, content.isEmpty() ? lengths.getOrDefault(file, 0L) : length(content));
        write(file, channel);
        lockable.add(file);
      }
    } catch (IOException e) {
      if (lockable.contains(file)) {
        throw e;
      }
      LOG.warn("Can't lock {}, or write the owner into its lock file. Make sure that no other"
        + " server uses it", file, e);
    } finally {
      if (!locks.containsKey(path)) {
        if (channel != null) {
          channel.close();
        }
        HELD.remove(path);
      }
    }
    if (refusal != null) {
      throw new FileSystemException(file.toString(), null, refusal);
    }
  }

  /** A pipe would be waited for. A link is told by the option with which the file is opened. */
  private static boolean isSomethingElseThanAFile(Path lockFile) {
    return Files.exists(lockFile, LinkOption.NOFOLLOW_LINKS) && !Files.isSymbolicLink(lockFile)
      && !Files.isRegularFile(lockFile, LinkOption.NOFOLLOW_LINKS);
  }

  private void write(Path file, FileChannel channel) throws IOException {
    long length = lengths.get(file);
    String content = length == CacheFileContent.NO_LENGTH ? owner() : owner() + " " + length;
    replace(channel, content.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Replaces a lock's content. What was there is overwritten by one write first, with spaces behind
   * a shorter content, so that the lock says something also if the device is full, or the process
   * is killed.
   */
  private static void replace(FileChannel channel, byte[] content) throws IOException {
    byte[] padded =
      Arrays.copyOf(content, Math.max(content.length, (int) Math.min(MAX_BYTES, channel.size())));
    Arrays.fill(padded, content.length, padded.length, (byte) ' ');
    channel.write(ByteBuffer.wrap(padded), 0);
    channel.truncate(content.length);
  }

  /**
   * Notes beside each file, as it is now, that it is a cache's. To be called when an engine has
   * opened the files.
   */
  void noteLengths() {
    files.forEach(this::noteLength);
  }

  /** Notes it beside one of the files. */
  void noteLength(Path file) {
    try {
      FileChannel channel = locks.get(lockFile(file));
      if (channel != null && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        lengths.put(file, Files.size(file));
        write(file, channel);
      }
    } catch (IOException e) {
      LOG.warn("The lock file of {} doesn't say that it is a block cache's", file, e);
    }
  }

  /**
   * Returns true if one of the files, which exists, is a block cache's or empty.
   * @param slotSizes bytes; null for the default sizes
   * @throws IOException if the file can't be read
   */
  public boolean isOfCache(Path file, int[] slotSizes) throws IOException {
    return CacheFileContent.isOfCache(file, files.indexOf(file), slotSizes,
      lengths.getOrDefault(file, NO_LOCK));
  }

  private static String usedBy(String owner) {
    return "is in use by the block cache of process " + owner
      + "; stop that, or give each server files of its own";
  }

  /** Returns the name of this process: its id, @ and the host. */
  private static String owner() {
    return ManagementFactory.getRuntimeMXBean().getName();
  }

  private static String read(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MAX_BYTES);
    channel.read(bytes, 0);
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
  }

  private static String owner(String content) {
    Matcher matcher = CONTENT.matcher(content);
    // An owner that has just taken the lock hasn't written its name yet.
    return matcher.matches() ? matcher.group(1) : "unknown";
  }

  private static long length(String content) {
    Matcher matcher = CONTENT.matcher(content);
    if (!matcher.matches()) {
      return NO_LOCK;
    }
    return matcher.group(2) == null ? CacheFileContent.NO_LENGTH : Long.parseLong(matcher.group(2));
  }

  private static Path lockFile(Path file) throws IOException {
    Path absolute = file.toAbsolutePath();
    return absolute.getParent().toRealPath().resolve(absolute.getFileName() + SUFFIX);
  }

  private interface Reading<R> {
    R apply(FileChannel channel) throws IOException;
  }

  /**
   * Reads a file's lock file.
   * @param held what is returned if this process holds the lock, so that it may not open the file
   * @param none what is returned if there is no lock file, or it can't be read
   */
  private static <R> R read(Path file, R held, R none, StandardOpenOption option,
    Reading<R> reading) {
    try {
      Path path = lockFile(file);
      if (!HELD.add(path)) {
        return held;
      }
      try {
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
          return none;
        }
        try (FileChannel channel = FileChannel.open(path,
          new HashSet<>(Arrays.asList(StandardOpenOption.READ, option,
            LinkOption.NOFOLLOW_LINKS)))) {
          return reading.apply(channel);
        }
      } finally {
        HELD.remove(path);
      }
    } catch (IOException e) {
      LOG.debug("The lock of {} can't be read", file, e);
      return none;
    }
  }

  /** Returns who uses a file and what to do, without a full stop, or null. Creates nothing. */
  public static String refusal(Path file) {
    return read(file, usedBy(owner()), null, StandardOpenOption.WRITE,
      channel -> channel.tryLock() == null ? usedBy(owner(read(channel))) : null);
  }

  /** Returns true if this process holds the lock of a file. */
  static boolean isHeld(Path file) {
    return read(file, true, false, StandardOpenOption.READ, channel -> false);
  }

  /** Returns the length of a file that isn't locked by this process; or one of the constants. */
  static long readLength(Path file) {
    return read(file, NO_LOCK, NO_LOCK, StandardOpenOption.READ,
      channel -> length(read(channel)));
  }

  /** Releases the locks. */
  @Override
  public void close() {
    closed = true;
    locks.keySet().forEach(this::release);
  }

  private void release(Path path) {
    FileChannel channel = locks.remove(path);
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        LOG.warn("Can't close {}", path, e);
      }
      HELD.remove(path);
    }
  }
}
