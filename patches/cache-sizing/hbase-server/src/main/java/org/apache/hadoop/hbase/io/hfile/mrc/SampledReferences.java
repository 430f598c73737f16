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
package org.apache.hadoop.hbase.io.hfile.mrc;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The stack distances of metadata and of data blocks, from what happened to sampled blocks, and how
 * many references there were as the cache counted. Used by one thread at a time, but for
 * {@link #threshold()}.
 */
@InterfaceAudience.Private
final class SampledReferences {
  /** Blocks in the sample. 5 and 2.5 MB of heap. */
  private static final int MAX_DATA_SAMPLES = 1 << 15;
  private static final int MAX_METADATA_SAMPLES = 1 << 14;
  /** The part of blocks that is sampled until there are too many. */
  private static final double MAX_RATE = 1 / 16.0;
  private static final int MAX_MISSES = 1024;
  /**
   * Blocks that weren't read for so long are forgotten: they may be of a file or a table that is no
   * more.
   */
  static final int MAX_UNREAD_MINUTES = 6 * 60;

  private final StackDistances metadata = new StackDistances(MAX_METADATA_SAMPLES, MAX_RATE);
  private final StackDistances data = new StackDistances(MAX_DATA_SAMPLES, MAX_RATE);
  private final boolean shared;
  /** Blocks that the cache lacked and whose kind and size aren't known yet. */
  private final Map<Long, Boolean> misses = new LinkedHashMap<Long, Boolean>() {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
      return size() > MAX_MISSES;
    }
  };
  private PopularBlocks popularData = data.popular();
  private long time;
  /** The time at the end of each of the last minutes with a reference, in a ring. */
  private final long[] minuteEnds = new long[MAX_UNREAD_MINUTES];
  private int minutes;
  private double countOfMetadata;
  private double countOfData;

  /** @param shared whether metadata and data share the room of a cache */
  SampledReferences(boolean shared) {
    this.shared = shared;
  }

  StackDistances metadata() {
    return metadata;
  }

  StackDistances data() {
    return data;
  }

  /** Returns the data blocks that are referenced most, as of the last {@link #rank()}. */
  PopularBlocks popularData() {
    return popularData;
  }

  /** Finds out which data blocks are referenced most. */
  void rank() {
    popularData = data.popular();
  }

  /** Returns what the hashes of sampled blocks are below. Can be read by any thread. */
  long threshold() {
    return Math.max(metadata.threshold(), data.threshold());
  }

  double maxDistance() {
    return data.maxDistance();
  }

  /** Limits the sizes of caches that can be asked for, in bytes. */
  void setMaxDistance(double bytes) {
    metadata.setMaxDistance(bytes);
    data.setMaxDistance(bytes);
  }

  /** @param weight number of references that it stands for: more than 1 if some were dropped */
  void apply(BlockReference reference, double weight) {
    switch (reference.kind) {
      case HIT:
        count(reference, true, reference.metadata, reference.bytes, weight);
        break;
      case MISS:
        missed(reference, weight);
        break;
      case LOAD:
        if (misses.remove(reference.hash) != null) {
          count(reference, false, reference.metadata, reference.bytes, weight);
        }
        break;
      case FILE_GONE:
        metadata.forgetFile(reference.file);
        data.forgetFile(reference.file);
        break;
      default:
        throw new IllegalStateException(reference.kind.toString());
    }
  }

  private void missed(BlockReference reference, double weight) {
    boolean isMetadata = metadata.holds(reference.hash);
    if (isMetadata || data.holds(reference.hash)) {
      int bytes = (isMetadata ? metadata : data).bytesOf(reference.hash);
      count(reference, false, isMetadata, bytes, weight);
    } else {
      misses.put(reference.hash, true);
    }
  }

  private void count(BlockReference reference, boolean cached, boolean isMetadata, int bytes,
    double weight) {
    StackDistances other = isMetadata ? data : metadata;
    (isMetadata ? metadata : data).reference(reference.hash, bytes, reference.file,
      reference.table, cached, time++, weight, shared ? other : null);
  }

  /** Adds references that the cache counted, also those to blocks that aren't sampled. */
  void addCounts(double ofMetadata, double ofData) {
    countOfMetadata += ofMetadata;
    countOfData += ofData;
  }

  /** Returns the number of references to metadata as the cache counted, decayed. */
  double countOfMetadata() {
    return countOfMetadata;
  }

  /** Returns the number of references to data as the cache counted, decayed. */
  double countOfData() {
    return countOfData;
  }

  /** Ends a minute. One without a reference to the sample doesn't count. */
  void endMinute() {
    if (time != minuteEnds[Math.floorMod(minutes - 1, MAX_UNREAD_MINUTES)]) {
      int place = minutes++ % MAX_UNREAD_MINUTES;
      metadata.forgetBefore(minuteEnds[place]);
      data.forgetBefore(minuteEnds[place]);
      minuteEnds[place] = time;
    }
  }

  /** Multiplies all counts with a factor up to 1. */
  void decay(double factor) {
    metadata.decay(factor);
    data.decay(factor);
    countOfMetadata *= factor;
    countOfData *= factor;
  }

  /** Begins anew with kinds of blocks of which few are left, since a bigger part can be sampled. */
  void restartIfThin() {
    if (metadata.isThin()) {
      metadata.restart();
      countOfMetadata = 0;
    }
    if (data.isThin()) {
      data.restart();
      countOfData = 0;
    }
  }

  /** Returns the part of the references that were first ones to blocks that were cached before. */
  double unknownPart() {
    double all = metadata.references() + data.references();
    return all > 0 ? (metadata.unknown() + data.unknown()) / all : 0;
  }

  /** Returns the references to sampled blocks, decayed. */
  double sampled() {
    return metadata.sampledReferences() + data.sampledReferences();
  }

  /** Returns the bytes of heap that the sample takes. */
  long heapSize() {
    return metadata.heapSize() + data.heapSize();
  }
}
