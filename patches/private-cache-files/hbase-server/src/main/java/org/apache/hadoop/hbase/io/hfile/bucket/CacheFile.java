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

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.protobuf.ProtobufMagic;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates and protects the files of a block cache, which contain table data. */
@InterfaceAudience.Private
public final class CacheFile {
  private static final Logger LOG = LoggerFactory.getLogger(CacheFile.class);
  /** Why a file isn't used that isn't a block cache's, and what to do. */
  private static final String FOREIGN = "isn't known to be a block cache's file, and would be"
    + " overwritten: neither what is in it nor its lock file says so; delete it, or give another"
    + " path";
  private static final String NO_LIST =
    "isn't a list of cached blocks, and would be replaced; delete it, or give another path";
  /** Bytes that tell a list of blocks. */
  private static final int LIST_MAGIC = 4;

  private CacheFile() {
  }

  /**
   * Checks an engine's files and its list of blocks against the rules of {@link FileEnginePaths},
   * and that those that exist are a block cache's. Writes nothing.
   * @param ioEngineName    engine name, with its files behind the colon; an engine in memory has
   *                        none
   * @param persistencePath path of the list of blocks; may be null
   * @param slotSizes       bytes; null for the default sizes
   * @throws IOException if a file is against the rules, isn't a block cache's, or can't be read, so
   *                     that it isn't known to be one; the message names it
   */
  static void check(String ioEngineName, String persistencePath, int[] slotSizes)
    throws IOException {
    List<Path> files = FileEnginePaths.of(ioEngineName);
    for (int i = 0; i < files.size(); i++) {
      checkPath(files.get(i));
      check(files.get(i), foreign(files.get(i), i, slotSizes));
    }
    if (persistencePath != null) {
      checkList(Paths.get(persistencePath));
    }
  }

  static void checkList(Path list) throws IOException {
    check(list, FileEnginePaths.refusal(list, true));
    check(list, isList(list) ? null : NO_LIST);
  }

  /**
   * Refuses a file that isn't a block cache's.
   * @throws IOException if it isn't; the message names it
   */
  public static void check(Path file, boolean isOfCache) throws IOException {
    check(file, isOfCache ? null : FOREIGN);
  }

  /** Like the other method, of an engine without slots that checks files again if it can't here. */
  public static void check(String ioEngineName) throws IOException {
    List<Path> files = FileEnginePaths.of(ioEngineName);
    for (int i = 0; i < files.size(); i++) {
      checkPath(files.get(i));
      check(files.get(i), refusal(files.get(i), false, i, null));
    }
  }

  /** Checks the path of an engine's file against the rules of {@link FileEnginePaths}. */
  public static void checkPath(Path file) throws IOException {
    check(file, FileEnginePaths.refusal(file, false));
  }

  private static void check(Path file, String refusal) throws IOException {
    if (refusal != null) {
      throw new FileSystemException(file.toString(), null, refusal);
    }
  }

  /**
   * Returns why a file isn't to be used, as it isn't a block cache's, and what to do, without a
   * full stop. Returns null if it may be used, or can't be read. Writes nothing.
   * @param list      whether it is that of a list of blocks
   * @param number    the file's number among those of its cache, from 0
   * @param slotSizes bytes; null for the default sizes
   */
  public static String refusal(Path file, boolean list, int number, int[] slotSizes) {
    try {
      if (list) {
        return isList(file) ? null : NO_LIST;
      }
      return foreign(file, number, slotSizes);
    } catch (IOException e) {
      LOG.debug("Whether {} is a block cache's can't be told", file, e);
      return null;
    }
  }

  private static String foreign(Path file, int number, int[] slotSizes) throws IOException {
    // Of a file that this process has locked, the lock is refused.
    if (Files.notExists(file) || CacheFileLock.isHeld(file)) {
      return null;
    }
    long length = CacheFileLock.readLength(file);
    return CacheFileContent.isOfCache(file, number, slotSizes, length) ? null : FOREIGN;
  }

  private static boolean isList(Path file) throws IOException {
    byte[] start = new byte[LIST_MAGIC];
    if (Files.notExists(file)) {
      return true;
    }
    try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      int length = in.read(start);
      return length < 0
        || ProtobufMagic.isPBMagicPrefix(start) || start[0] == 'V' && start[2] == 'U'
          && start[3] == 'F';
    }
  }

  /** Makes an engine's files, which exist, accessible to their owner only. */
  static void protect(String ioEngineName) throws IOException {
    for (Path file : FileEnginePaths.of(ioEngineName)) {
      protect(file);
    }
  }

  /** Makes a file, which exists, accessible to its owner only. */
  public static void protect(Path file) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class,
      LinkOption.NOFOLLOW_LINKS);
    if (view != null) {
      view.setPermissions(CacheFileLock.OWNER_ONLY);
    }
  }

  /** Returns the files of an engine that don't exist. */
  static List<File> missing(String ioEngineName) {
    return FileEnginePaths.of(ioEngineName).stream().filter(Files::notExists).map(Path::toFile)
      .collect(Collectors.toList());
  }

  /**
   * Cleans up after a failed start. Deletes the files that didn't exist before it, and makes the
   * others, which the engine may have created anew, accessible to their owner only.
   * @param missing files that didn't exist before the start
   * @param failure gets the errors of the clean-up as suppressed exceptions
   */
  static void undo(String ioEngineName, List<File> missing, Throwable failure) {
    for (Path file : FileEnginePaths.of(ioEngineName)) {
      try {
        if (missing.contains(file.toFile())) {
          Files.deleteIfExists(file);
        } else if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          protect(file);
        }
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
  }

  /**
   * Returns a sentence for each file system that has less room than an engine's files are going to
   * take. Files get their full length at the first start but take room as they fill, so only new
   * files are counted. File systems that the JVM can't find aren't checked.
   * @param capacity bytes of all files
   */
  public static List<String> lackOfRoom(String ioEngineName, long capacity) {
    List<Path> files = FileEnginePaths.of(ioEngineName);
    Map<FileStore, Long> needs = new HashMap<>();
    List<String> lacks = new ArrayList<>();
    try {
      for (Path file : files) {
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(folder)) {
          long there = Files.exists(file) ? Files.size(file) : 0;
          needs.merge(Files.getFileStore(folder), Math.max(0, capacity / files.size() - there),
            Long::sum);
        }
      }
      for (Map.Entry<FileStore, Long> need : needs.entrySet()) {
        long room = need.getKey().getUsableSpace();
        if (room < need.getValue()) {
          lacks.add(String.format(
            "The block cache in %s takes %,d MB more as it fills, and %s has %,d MB left. When that"
              + " is used up, writes to the cache fail. Make it smaller, or give it another disk.",
            ioEngineName, need.getValue() >> 20, need.getKey(), room >> 20));
        }
      }
    } catch (IOException e) {
      LOG.debug("How much room there is for {} can't be told", ioEngineName, e);
    }
    return lacks;
  }

  /**
   * Creates a file that only its owner can read and write.
   * @param size bytes of the file, which the file system must have room for, though they take none
   *             yet; 0 to not check
   * @throws IOException if the path exists, also as a link, or the file system is too small, as it
   *                     is where the cache's device isn't mounted
   */
  public static void create(Path path, long size) throws IOException {
    if (size > 0) {
      checkRoom(path, size);
    }
    try (FileChannel channel = FileChannel.open(path,
      EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
      CacheFileLock.OWNER_ONLY_ATTRIBUTE)) {
      if (size > 0) {
        channel.write(ByteBuffer.allocate(1), size - 1);
      }
    }
  }

  /**
   * Checks that the file system has room for what a file is going to take.
   * @param bytes that it takes more than now
   * @throws IOException if there is less room
   */
  public static void checkRoom(Path path, long bytes) throws IOException {
    long room = Files.getFileStore(path.toAbsolutePath().getParent()).getUsableSpace();
    if (room < bytes) {
      throw new FileSystemException(path.toString(), null,
        "is going to take " + bytes + " bytes, and there is room for " + room);
    }
  }
}
