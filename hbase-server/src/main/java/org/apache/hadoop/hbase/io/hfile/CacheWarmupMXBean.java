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
package org.apache.hadoop.hbase.io.hfile;

import java.beans.ConstructorProperties;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What is being warmed now, in JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=CacheWarmupProgress}.
 */
@InterfaceAudience.Private
public interface CacheWarmupMXBean {
  /** Returns Each region with files that are warmed or wait for it; what is done counts, too. */
  List<Progress> getRegions();

  /** Returns Each file that is warmed or waits for it. */
  List<Progress> getFiles();

  /** How far a file or a region is. Immutable. */
  final class Progress {
    private final String region;
    private final String family;
    private final String file;
    private final int filesWaiting;
    private final long blocks;
    private final long blocksDone;
    private final long bytesPerSecond;
    private final long millisLeft;

    @ConstructorProperties({ "region", "family", "file", "filesWaiting", "blocks", "blocksDone",
      "bytesPerSecond", "millisLeft" })
    public Progress(String region, String family, String file, int filesWaiting, long blocks,
      long blocksDone, long bytesPerSecond, long millisLeft) {
      this.region = region;
      this.family = family;
      this.file = file;
      this.filesWaiting = filesWaiting;
      this.blocks = blocks;
      this.blocksDone = blocksDone;
      this.bytesPerSecond = bytesPerSecond;
      this.millisLeft = millisLeft;
    }

    /** Returns The region's encoded name. */
    public String getRegion() {
      return region;
    }

    /** Returns Null for a region. */
    public String getFamily() {
      return family;
    }

    /** Returns Null for a region. */
    public String getFile() {
      return file;
    }

    /** Returns Files of which no block has been looked at. */
    public int getFilesWaiting() {
      return filesWaiting;
    }

    /** Returns Blocks to be cached, of files that don't wait, as far as their index is read. */
    public long getBlocks() {
      return blocks;
    }

    /** Returns Blocks that are in the cache, of files that don't wait. */
    public long getBlocksDone() {
      return blocksDone;
    }

    /** Returns Bytes that are read from the file system in a second, on average. */
    public long getBytesPerSecond() {
      return bytesPerSecond;
    }

    /** Returns Milliseconds, for files that don't wait, if all goes on as until now; else -1. */
    public long getMillisLeft() {
      return millisLeft;
    }
  }
}
