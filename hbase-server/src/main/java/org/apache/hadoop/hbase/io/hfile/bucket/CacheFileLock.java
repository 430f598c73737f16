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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Locks the files of a block cache, since two caches that write to the same file would serve each
 * other's bytes. Thread-safe.
 */
/*
 * The lock is on a file beside each of the cache's files, with ".lock" appended to its name, and
 * the file's content names its owner. A lock on the cache's own file would be lost: POSIX drops a
 * process's locks on a file when the process closes any channel to it, as the engine does when it
 * opens the file anew. For the same reason this process never opens a lock file that it holds. The
 * system drops a lock when its process ends, so the lock file needn't be deleted; and it isn't,
 * since another process may be about to lock it.
 */
@InterfaceAudience.Private
public final class CacheFileLock implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(CacheFileLock.class);
  private static final String SUFFIX = ".lock";
  private static final Set<OpenOption> LOCKING = new HashSet<>(
    Arrays.asList(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
  private static final int MAX_OWNER_BYTES = 256;

  /** Lock files that this process holds. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final List<Path> files;
  // Not guarded by a monitor, so that closing needn't wait for a device that hangs.
  private final Map<Path, FileChannel> locks = new ConcurrentHashMap<>();
  /** Files that were locked once. If such a file can't be locked any more, its device fails. */
  private final Set<Path> lockable = ConcurrentHashMap.newKeySet();
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
    String other = null;
    FileChannel channel = null;
    try {
      channel = FileChannel.open(path, LOCKING, CacheFile.OWNER_ONLY_ATTRIBUTE);
      if (channel.tryLock() == null) {
        other = readOwner(path);
      } else {
        locks.put(path, channel);
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(owner().getBytes(StandardCharsets.UTF_8)));
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
    if (other != null) {
      throw new FileSystemException(file.toString(), null, usedBy(other));
    }
  }

  private static String usedBy(String owner) {
    return "is in use by the block cache of process " + owner
      + "; stop that, or give each server files of its own";
  }

  /** Returns the name of this process: its id, @ and the host. */
  private static String owner() {
    return ManagementFactory.getRuntimeMXBean().getName();
  }

  private static String readOwner(Path lockFile) throws IOException {
    try (FileChannel channel =
      FileChannel.open(lockFile, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      ByteBuffer bytes = ByteBuffer.allocate(MAX_OWNER_BYTES);
      channel.read(bytes);
      String owner = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).trim();
      // An owner that has just taken the lock hasn't written its name yet.
      return owner.isEmpty() ? "unknown" : owner;
    }
  }

  private static Path lockFile(Path file) throws IOException {
    Path absolute = file.toAbsolutePath();
    return absolute.getParent().toRealPath().resolve(absolute.getFileName() + SUFFIX);
  }

  /** Returns who uses a file and what to do, without a full stop, or null. Creates nothing. */
  public static String refusal(Path file) {
    try {
      Path path = lockFile(file);
      if (!HELD.add(path)) {
        return usedBy(owner());
      }
      try {
        return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) ? lockedBy(path) : null;
      } finally {
        HELD.remove(path);
      }
    } catch (IOException e) {
      LOG.debug("Whether another server has {} can't be told", file, e);
      return null;
    }
  }

  private static String lockedBy(Path lockFile) throws IOException {
    try (FileChannel channel =
      FileChannel.open(lockFile, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      return channel.tryLock() == null ? usedBy(readOwner(lockFile)) : null;
    }
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
