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
package org.apache.hadoop.hbase.regionserver;


import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCacheSettings;
import org.apache.hadoop.hbase.io.hfile.bucket.CacheFile;
import org.apache.hadoop.hbase.io.hfile.bucket.FileEnginePaths;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Finds files of a single BucketCache, with an engine that opens what it is given, that aren't a
 * block cache's. Writes nothing.
 */
@InterfaceAudience.Private
final class CacheFileWarnings {
  private static final Pattern ENGINE = Pattern.compile("(files?|mmap|pmem):.*");

  private CacheFileWarnings() {
  }

  /** Returns a line for each such file, which begins with the key. */
  static List<String> of(Configuration conf) {
    String key = HConstants.BUCKET_CACHE_IOENGINE_KEY;
    String engine = conf.getTrimmed(key, "");
    List<String> lines = new ArrayList<>();
    if (CompositeBucketCacheSettings.isEnabled(conf) || !ENGINE.matcher(engine).matches()) {
      return lines;
    }
    try {
      List<Path> files = FileEnginePaths.of(engine);
      for (int i = 0; i < files.size(); i++) {
        String foreign = FileEnginePaths.foreign(files.get(i), i, conf, CacheFile::refusal);
        if (foreign != null) {
          lines.add(key + " is " + engine + ". " + files.get(i) + " " + foreign + ". This engine "
            + "doesn't look before it opens a file: it fails on a directory, and writes over "
            + "anything else.");
        }
      }
    } catch (InvalidPathException e) {
      lines.add(key + " is " + engine + ". It has a path that can't be: " + e.getReason() + ".");
    }
    return lines;
  }
}
