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
 * The progress of running and waiting warm-ups, in JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=CacheWarmupProgress}.
 */
@InterfaceAudience.Private
public interface CacheWarmupMXBean {
  /** Returns the regions with files that are being warmed or wait; finished files count. */
  List<Progress> getRegions();

  /** Returns the files that are being warmed or wait. */
  List<Progress> getFiles();

  /** Progress of a file or of a region. Immutable. */
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

    /** Returns the region's encoded name. */
    public String getRegion() {
      return region;
    }

    /** Returns the column family, or null for a region. */
    public String getFamily() {
      return family;
    }

    /** Returns the file's name, or null for a region. */
    public String getFile() {
      return file;
    }

    /** Returns the number of files that wait to be warmed or to go on. */
    public int getFilesWaiting() {
      return filesWaiting;
    }

    /** Returns the number of blocks to be cached, as far as the indexes have been read. */
    public long getBlocks() {
      return blocks;
    }

    /** Returns the number of these blocks that are in the cache or its queue. */
    public long getBlocksDone() {
      return blocksDone;
    }

    /** Returns the average rate of reads from the file system, in bytes per second. */
    public long getBytesPerSecond() {
      return bytesPerSecond;
    }

    /** Returns the estimated milliseconds left for files that are being warmed; -1 if unknown. */
    public long getMillisLeft() {
      return millisLeft;
    }
  }
}
