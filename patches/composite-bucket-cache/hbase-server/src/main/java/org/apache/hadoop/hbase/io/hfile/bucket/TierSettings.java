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

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.yetus.audience.InterfaceAudience;

/** The settings of one tier of a {@code CompositeBucketCache}, of any engine. Immutable. */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public interface TierSettings {
  /** The engine's name; for one in files followed by a colon and paths. */
  String IOENGINE = "ioengine";
  /** MB, at least 1; or a number with a unit, such as {@code 4g}. */
  String SIZE = "size";
  /** Path of the file in which a file engine keeps its block list over a restart. */
  String PERSISTENT_PATH = "persistent.path";
  /** Whether blocks in files have a checksum. */
  String CHECKSUM = "checksum";

  Setting<String> L1_IOENGINE =
    Setting.ofText("hbase.bucketcache.l1.ioengine",
      "Engine of the first tier, `offheap`, `mmap:PATH`, `pmem:PATH` or `segments`. Set, it turns"
        + " tiers on.").unset("no tiers");

  Setting<String> L2_IOENGINE =
    Setting.ofText("hbase.bucketcache.l2.ioengine",
      "Engine of the second tier, `direct:PATH[,PATH...]`, `file:PATH`, `files:PATH,PATH`,"
        + " `mmap:PATH`, `pmem:PATH`, `offheap`, `segments:PATH[,PATH...]` or `segments`.")
      .unset("`hbase.bucketcache.ioengine`");

  Setting<String> L1_SIZE =
    Setting.ofText("hbase.bucketcache.l1.size",
      "MB, or a number with a unit, such as `40g`; at least a bucket, four slots of the biggest"
        + " size, for each of `hbase.bucketcache.bucket.sizes`: 29 MB with those by default. With"
        + " `segments` 1 MB at least.").unset("an error, if there are tiers");

  Setting<String> L2_SIZE =
    Setting.ofText("hbase.bucketcache.l2.size",
      "MB, or a number with a unit, such as `2t`; at least 29 MB with the sizes of slots by"
        + " default, with `segments:` 64 MB for each path. Of all files together, if the engine has"
        + " several: an equal part each.").unset("`hbase.bucketcache.size`");

  Setting<String> L2_PERSISTENT_PATH =
    Setting.ofText("hbase.bucketcache.l2.persistent.path",
      "File for the list of blocks, so that the second tier outlives a restart; for `file:`,"
        + " `files:` and `direct:`.").unset("`hbase.bucketcache.persistent.path`, else none");

  Setting<Boolean> L2_CHECKSUM =
    Setting.ofBoolean("hbase.bucketcache.l2.checksum", true,
      "Whether blocks that the second tier keeps in files have a CRC32C, which is compared when"
        + " they are read. Those of the first have none.")
      .unset("`hbase.bucketcache.checksum`, else true");

  /** Returns the keys that the tier's settings are read from. */
  TierKeys getKeys();

  /** Returns the name of the engine, with its paths. */
  String getIoEngine();

  /** Returns the tier's size in bytes. */
  long getSize();

  /** Returns the path of the block list, or null if there is none. */
  String getPersistentPath();

  /** Returns the number of blocks that may wait to be written. */
  long getQueuedBlocks();

  /** Returns true if the tier's blocks are in the JVM's direct memory. */
  boolean isOffHeap();

  /** Returns the bytes of the JVM's direct memory that the tier takes. */
  long getDirectMemory();

  /** Returns the bytes of direct memory for buffers that the tier's blocks are read into. */
  long getPoolBytes();

  /** Adds the paths of the tier's files. */
  void addTo(FileEnginePaths paths);

  /** Returns the configuration that the tier's cache is told of when it changes. */
  Configuration toCacheConfiguration();

  /** Returns the name of the key that this setting of the tier is read from. */
  default String key(String name) {
    return getKeys().key(name);
  }

  /** Returns the exception for a setting of this tier: see {@link TierKeys#invalid}. */
  default IllegalArgumentException invalid(String name, String value, String fix) {
    return getKeys().invalid(name, value, fix);
  }
}
