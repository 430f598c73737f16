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
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tries whether the device of a cache that errors turned off works again. */
@InterfaceAudience.Private
public final class DeviceTrial {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceTrial.class);
  private static final int PAGE = DirectFile.ALIGNMENT;
  private static final int PAGES = 256;

  private DeviceTrial() {
  }

  /**
   * Tries the device. Leaves the engine with its files opened anew.
   * @param cache       a cache that is off and keeps its blocks in files
   * @param mountPoints where the file systems of its files are mounted
   * @param stopped     whether the files may be another cache's by now
   * @return the reason why the device doesn't work; null if it does
   */
  static IOException run(BucketCache cache, List<MountPoint> mountPoints,
    BooleanSupplier stopped) {
    try {
      checkMountPoints(mountPoints);
      if (cache.getPersistencePath() != null) {
        deleteList(cache, Paths.get(cache.getPersistencePath()));
      }
      checkFiles(cache);
      if (cache.ioEngine instanceof FileIOEngine) {
        FileIOEngine engine = (FileIOEngine) cache.ioEngine;
        long size = engine.getSizePerFile();
        for (String path : engine.filePaths) {
          checkGoesOn(stopped);
          create(cache, fileOf(cache, path), size);
          tryFile(fileOf(cache, path), size, stopped);
          checkGoesOn(stopped);
          if (cache.privateFiles) {
            // A thread that found its channel closed may have created the file before.
            CacheFile.protect(Paths.get(path));
          }
        }
        if (cache.privateFiles) {
          cache.fileLock.noteLengths();
        }
        engine.closeFileChannels();
        for (int i = 0; i < engine.filePaths.length; i++) {
          engine.refreshFileConnection(i, new ClosedChannelException());
        }
        if (stopped.getAsBoolean()) {
          engine.closeFileChannels();
        }
      }
      checkGoesOn(stopped);
      cache.ioEngine.write(ByteBuffer.allocate(PAGE), 0);
      cache.ioEngine.sync();
      return null;
    } catch (IOException e) {
      return e;
    } catch (RuntimeException | OutOfMemoryError e) {
      return new IOException(e);
    }
  }

  /**
   * Gives the room back that a cache takes whose blocks are forgotten. The trials after it fail
   * until there is room for all of them again.
   * @return false if that has to be tried again
   */
  static boolean giveRoomBack(BucketCache cache, List<MountPoint> mountPoints,
    BooleanSupplier stopped) {
    try {
      checkMountPoints(mountPoints);
      checkFiles(cache);
      for (String name : filesOf(cache)) {
        checkGoesOn(stopped);
        try (FileChannel file = FileChannel.open(fileOf(cache, name), StandardOpenOption.WRITE)) {
          file.truncate(0);
        }
      }
      return true;
    } catch (IOException e) {
      LOG.debug("{} keeps its length", cache.getIoEngine(), e);
      return false;
    }
  }

  private static void checkGoesOn(BooleanSupplier stopped) throws IOException {
    if (stopped.getAsBoolean()) {
      throw new ClosedChannelException();
    }
  }

  private static void checkMountPoints(List<MountPoint> mountPoints) throws IOException {
    for (MountPoint mountPoint : mountPoints) {
      mountPoint.check();
    }
  }

  private static String[] filesOf(BucketCache cache) {
    return cache.ioEngine instanceof FileIOEngine
      ? ((FileIOEngine) cache.ioEngine).filePaths
      : new String[0];
  }

  /** Of other caches than those with private files links are followed. */
  private static Path fileOf(BucketCache cache, String name) throws IOException {
    Path path = Paths.get(name);
    return !cache.privateFiles && Files.isSymbolicLink(path) ? path.toRealPath() : path;
  }

  /**
   * Creates a file that is gone, or checks the room for one that was cut off. Should the trial fail
   * later, the next one knows it.
   */
  private static void create(BucketCache cache, Path path, long size) throws IOException {
    if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
      CacheFile.create(path, size);
      if (cache.privateFiles) {
        cache.fileLock.noteLength(path);
      }
    } else {
      CacheFile.checkRoom(path, size - Files.size(path));
    }
  }

  private static void deleteList(BucketCache cache, Path list) throws IOException {
    if (cache.privateFiles) {
      CacheFile.checkList(list);
    }
    Files.deleteIfExists(list);
  }

  /** Another device may be there by now, with files that aren't a cache's. */
  private static void checkFiles(BucketCache cache) throws IOException {
    if (!cache.privateFiles) {
      return;
    }
    for (String path : filesOf(cache)) {
      CacheFile.checkPath(Paths.get(path));
    }
    cache.fileLock.renew();
    for (String path : filesOf(cache)) {
      Path file = Paths.get(path);
      CacheFile.check(file, Files.notExists(file) || cache.fileLock.isOfCache(file, null));
    }
  }

  /**
   * Writes and reads pages at random positions: a full device has room for pages that were written
   * before, but not for others. The file has its size afterwards, and its first page is as it was.
   * To be called for a file that exists and is known to be a cache's.
   * @param size of the file, in bytes
   * @throws IOException if that fails
   */
  public static void tryFile(Path path, long size) throws IOException {
    tryFile(path, size, () -> false);
  }

  private static void tryFile(Path path, long size, BooleanSupplier stopped) throws IOException {
    DirectFile file = open(path);
    try {
      ByteBuffer page = DirectFile.allocate(PAGE);
      LongStream pages = LongStream.concat(LongStream.of(size / PAGE - 1),
        ThreadLocalRandom.current().longs(PAGES, 1, size / PAGE));
      long[] positions = pages.map(i -> i * PAGE).distinct().toArray();
      for (long position : positions) {
        page.clear();
        page.putLong(0, ~position);
        checkGoesOn(stopped);
        file.write(page, position);
      }
      file.force();
      for (long position : positions) {
        page.clear();
        file.read(page, position);
        if (page.getLong(0) != ~position) {
          throw new IOException(path + " has other bytes at " + position + " than were written");
        }
      }
    } finally {
      file.close();
    }
  }

  private static DirectFile open(Path path) throws IOException {
    try {
      return DirectFile.openAndTry(path, DirectFile::openDirect);
    } catch (IOException | UnsupportedOperationException e) {
      return new DirectFile(path, DirectFile::openCached);
    }
  }
}
