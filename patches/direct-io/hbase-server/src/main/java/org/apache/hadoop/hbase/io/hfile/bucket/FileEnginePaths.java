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
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.hadoop.hbase.conf.Setting.InvalidSettingException;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.util.IOEngineType;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The paths of a block cache's files in its settings, and the rules for them: of the files that an
 * engine keeps blocks in, and of the list of blocks. The checks look at directories; they create,
 * write and lock nothing. Not thread-safe.
 */
@InterfaceAudience.Private
public final class FileEnginePaths {
  private static final String USER = System.getProperty("user.name");

  private static final Path DEVICES = Paths.get("/dev");
  /** A variable in a value, which stays as it is if nothing sets it. */
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]+)}");

  /** A path and the setting that it is from. */
  private static final class Use {
    private final Path path;
    private final String key;
    private final String value;
    /** Whether new files replace the file, which takes write access to its directory. */
    private final boolean replaced;
    private final int number;
    private final int[] slotSizes;

    Use(String key, String value, String name, boolean replaced, int number, int[] slotSizes) {
      this.key = key;
      this.value = value;
      this.replaced = replaced;
      this.number = number;
      this.slotSizes = slotSizes;
      path = parse(name);
    }

    private Path parse(String name) {
      try {
        Path parsed = Paths.get(name);
        if (parsed.isAbsolute()) {
          return parsed.normalize();
        }
      } catch (InvalidPathException e) {
        throw invalid("Give paths that the file system and the encoding of the locale (LC_ALL)"
          + " can have: " + e.getReason() + ".");
      }
      Matcher variable = VARIABLE.matcher(name);
      if (variable.find()) {
        throw invalid("Nothing sets " + variable.group(1) + "; add that property, with an absolute"
          + " path as its value.");
      }
      throw invalid((name.isEmpty() ? "A path in it is empty" : "The path " + name + " is relative")
        + "; give an absolute one, as the server may be started in any directory.");
    }

    private InvalidSettingException invalid(String fix) {
      return Setting.invalid(key, value, fix);
    }

    private InvalidSettingException sharedWith(Use other) {
      return invalid("The file " + path + " is used twice, as " + other.key + " is " + other.value
        + ". Give each use a file of its own.");
    }
  }

  /** A rule for what is in files. */
  public interface ContentRule {
    /**
     * Returns why a file can't be used and what to do, without a full stop; or null.
     * @param list      whether it is that of a list of blocks
     * @param number    the file's number among those of its cache, from 0
     * @param slotSizes bytes; null for the default sizes
     */
    String refusal(Path path, boolean list, int number, int[] slotSizes);
  }

  private final List<Use> uses = new ArrayList<>();

  /**
   * Returns the paths of a single BucketCache whose engine's files are guarded. There are none if
   * the server has no block cache in files, has tiers, or has another engine, whose files aren't
   * checked.
   * @throws InvalidSettingException see {@link #addEngine} and {@link #addList}
   */
  public static FileEnginePaths ofDirectCache(Configuration conf) {
    FileEnginePaths paths = new FileEnginePaths();
    String engine = conf.getTrimmed(HConstants.BUCKET_CACHE_IOENGINE_KEY, "");
    if (IOEngineType.of(engine).isGuarded()) {
      paths.addEngine(HConstants.BUCKET_CACHE_IOENGINE_KEY, engine, slotSizes(conf));
      paths.addList(HConstants.BUCKET_CACHE_PERSISTENT_PATH_KEY,
        conf.getTrimmed(HConstants.BUCKET_CACHE_PERSISTENT_PATH_KEY, ""));
    }
    return paths;
  }

  /** Returns null if there are none, or if one is no number, which is refused elsewhere. */
  private static int[] slotSizes(Configuration conf) {
    try {
      int[] sizes = conf.getInts(BlockCacheFactory.BUCKET_CACHE_BUCKETS_KEY);
      return sizes.length == 0 ? null : sizes;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /**
   * Adds an engine's files.
   * @param engine    engine name, with its files behind the colon; an engine in memory has none
   * @param slotSizes bytes; null for the default sizes
   * @throws InvalidSettingException if a path is empty, relative or given twice; the message names
   *                                 the key, the value and what to do
   */
  public FileEnginePaths addEngine(String key, String engine, int[] slotSizes) {
    List<String> files = split(engine);
    for (int i = 0; i < files.size(); i++) {
      add(new Use(key, engine, files.get(i), false, i, slotSizes));
    }
    return this;
  }

  /**
   * Adds the file of the list of blocks.
   * @param path null or empty for none
   * @throws InvalidSettingException see {@link #addEngine}
   */
  public FileEnginePaths addList(String key, String path) {
    if (path != null && !path.isEmpty()) {
      add(new Use(key, path, path, true, 0, null));
    }
    return this;
  }

  private void add(Use use) {
    for (Use other : uses) {
      if (other.path.equals(use.path)) {
        throw use.sharedWith(other);
      }
    }
    uses.add(use);
  }

  /**
   * Checks the files that the paths lead to on this host.
   * @throws InvalidSettingException if a file can't be used, or two are the same by links; the
   *                                 message names the key, the value and what to do
   */
  public void check() {
    Map<Object, Use> files = new HashMap<>();
    for (Use use : uses) {
      apply(use, refusal(use.path, use.replaced));
      Use other = files.putIfAbsent(identity(use.path), use);
      if (other != null) {
        throw use.sharedWith(other);
      }
    }
  }

  /**
   * Checks each path against another rule.
   * @param rule returns why a file can't be used and what to do, without a full stop; or null
   * @throws InvalidSettingException if a path breaks the rule; the message names the key, the value
   *                                 and what to do
   */
  public void check(Function<Path, String> rule) {
    uses.forEach(use -> apply(use, rule.apply(use.path)));
  }

  /** Checks what is in each file against a rule, likewise. */
  public void checkContent(ContentRule rule) {
    uses.forEach(use -> apply(use,
      rule.refusal(use.path, use.replaced, use.number, use.slotSizes)));
  }

  private static void apply(Use use, String refusal) {
    if (refusal != null) {
      throw use.invalid(use.path + " " + refusal + ".");
    }
  }

  /**
   * Returns why a block cache can't use a file and what to do, without a full stop; or null.
   * @param replaced whether new files replace the file
   */
  static String refusal(Path path, boolean replaced) {
    if (Files.isSymbolicLink(path)) {
      return "is a link, which the block cache doesn't follow; give the file's own path";
    }
    if (Files.isDirectory(path)) {
      return "is a directory; give the path of a file in it";
    }
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      return "is a device, a pipe or a socket, which the block cache leaves alone; give the path of"
        + " a file in a mounted file system";
    }
    Path folder = path.toAbsolutePath().getParent();
    if (!Files.isDirectory(folder)) {
      return "can't be made, since " + folder + " isn't a directory; make it, or give another path";
    }
    if (Files.notExists(path) && folder.equals(DEVICES)) {
      return "isn't there, and in " + DEVICES + " a file would be in memory; give the path of a"
        + " file in a mounted file system";
    }
    if (Files.exists(path) && !Files.isWritable(path)) {
      return "can't be written by " + USER + "; give it to " + USER + ", or give another path";
    }
    if ((replaced || Files.notExists(path)) && !Files.isWritable(folder)) {
      return "can't be made, since " + USER + " can't write to " + folder + "; let " + USER
        + " write there, or give another path";
    }
    return null;
  }

  /**
   * Returns why a file of a single cache isn't a block cache's and what to do, without a full stop.
   * Returns null if it is one, isn't there, or can't be read.
   * @param number the file's number among those of its cache, from 0
   * @param rule   says whether a regular file is a block cache's
   */
  public static String foreign(Path path, int number, Configuration conf, ContentRule rule) {
    if (Files.notExists(path)) {
      return null;
    }
    return Files.isRegularFile(path)
      ? rule.refusal(path, false, number, slotSizes(conf))
      : refusal(path, false);
  }

  /** Returns an object that is equal for two paths to the same file. */
  private static Object identity(Path path) {
    try {
      Object file = Files.exists(path)
        ? Files.readAttributes(path, BasicFileAttributes.class).fileKey()
        : null;
      return file == null ? path.getParent().toRealPath().resolve(path.getFileName()) : file;
    } catch (IOException e) {
      return path;
    }
  }

  /** Returns the files in an engine's name. */
  public static List<Path> of(String engine) {
    return split(engine).stream().map(path -> Paths.get(path)).collect(Collectors.toList());
  }

  private static List<String> split(String engine) {
    int colon = engine.indexOf(':');
    return colon < 0
      ? Collections.emptyList()
      : Arrays.asList(engine.substring(colon + 1).split(FileIOEngine.FILE_DELIMITER));
  }
}
