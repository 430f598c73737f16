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
package org.hbasestrata.bench.harness;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.hbasestrata.tools.Child;

/*
 * Not by /proc/sys/vm/drop_caches: that needs root, and takes the page cache from everybody on the
 * machine. dd's nocache asks the kernel (posix_fadvise) to forget the pages of one file, which
 * anybody may who may read it.
 */

/** Drops files from the page cache. */
final class PageCacheFiles {
  /** The keys of a BucketCache's engine: its only one, or that of a tier. */
  private static final List<String> ENGINES = List.of("hbase.bucketcache.ioengine",
    "hbase.bucketcache.l1.ioengine", "hbase.bucketcache.l2.ioengine");

  private PageCacheFiles() {
  }

  /** The files that a region server of this configuration keeps blocks in, be they there or not. */
  static List<Path> ofBlockCache(Map<String, String> configuration) {
    return ENGINES.stream().map(key -> configuration.getOrDefault(key, ""))
      .filter(engine -> engine.matches("(files?|direct|mmap):.*"))
      .flatMap(engine -> Stream.of(engine.substring(engine.indexOf(':') + 1).split(",")))
      .map(Path::of).distinct().toList();
  }

  /** @param files files, and folders with all that is in them */
  static void drop(List<Path> files, Path log) throws InterruptedException {
    List<String> names = files.stream().map(Path::toString).toList();
    // Pages that aren't written yet stay.
    Child.run("sync", List.of("sync", "-f", names.get(0)), Map.of(), log);
    List<String> command = new ArrayList<>(List.of("find"));
    command.addAll(names);
    command.addAll(Arrays.asList("-type", "f", "-exec", "dd", "if={}", "iflag=nocache", "count=0",
      "status=none", ";"));
    Child.run("find", command, Map.of(), log);
  }
}
