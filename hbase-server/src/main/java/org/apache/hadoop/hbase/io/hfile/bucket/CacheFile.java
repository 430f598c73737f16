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
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates and protects the files of a block cache, which contain table data. */
@InterfaceAudience.Private
public final class CacheFile {
  private static final Logger LOG = LoggerFactory.getLogger(CacheFile.class);
  private static final Set<PosixFilePermission> OWNER_ONLY =
    EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
  static final FileAttribute<?> OWNER_ONLY_ATTRIBUTE =
    PosixFilePermissions.asFileAttribute(OWNER_ONLY);

  private CacheFile() {
  }

  /**
   * Checks an engine's files and its list of blocks against the rules of {@link FileEnginePaths}.
   * @param ioEngineName    engine name, with its files behind the colon; an engine in memory has
   *                        none
   * @param persistencePath path of the list of blocks; may be null
   * @throws IOException if a file is against the rules; the message names it
   */
  public static void check(String ioEngineName, String persistencePath) throws IOException {
    for (Path file : FileEnginePaths.of(ioEngineName)) {
      check(file, false);
    }
    if (persistencePath != null) {
      check(Paths.get(persistencePath), true);
    }
  }

  /** @param replaced whether a new file replaces it, which takes write access to the directory */
  public static void check(Path file, boolean replaced) throws IOException {
    String refusal = FileEnginePaths.refusal(file, replaced);
    if (refusal != null) {
      throw new FileSystemException(file.toString(), null, refusal);
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
      view.setPermissions(OWNER_ONLY);
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
   * Creates an empty file that only its owner can read and write.
   * @param size bytes that the file system must have room for; 0 to not check
   * @throws IOException if the path exists, also as a link, or the file system is too small, as it
   *                     is where the cache's device isn't mounted
   */
  public static void create(Path path, long size) throws IOException {
    if (size > 0) {
      long room = Files.getFileStore(path.toAbsolutePath().getParent()).getUsableSpace();
      if (room < size) {
        throw new FileSystemException(path.toString(), null,
          "is gone, and there is room for " + room + " of its " + size + " bytes");
      }
    }
    FileChannel.open(path, EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
      OWNER_ONLY_ATTRIBUTE).close();
  }
}
