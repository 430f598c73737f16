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

import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How many references to metadata and to data blocks the statistics of a cache have counted. Used
 * by one thread at a time.
 */
@InterfaceAudience.Private
final class CountedReferences {
  /*
   * The statistics tell the references that may fill the cache from others, and they tell those of
   * metadata from others, but not both at once. References that don't fill it are those of
   * compactions and of scans that ask for it. Both read data most of the time, so these are taken
   * for references to data as far as there were that many.
   */
  private final CacheStats stats;
  private final RepeatedMisses repeated;
  private long all;
  private long filling;
  private long ofMetadata;
  private double newMetadata;
  private double newData;

  CountedReferences(CacheStats stats, RepeatedMisses repeated) {
    this.stats = stats;
    this.repeated = repeated;
    update();
  }

  /** Counts what came since the last time. */
  void update() {
    long allNow = stats.getRequestCount() - repeated.all();
    long fillingNow = stats.getRequestCachingCount() - repeated.all();
    long metadataNow = countMetadata(stats) - repeated.ofMetadata();
    double newAll = Math.max(0, allNow - all);
    double newFilling = Math.max(0, fillingNow - filling);
    newMetadata = Math.max(0, metadataNow - ofMetadata);
    double otherData = Math.max(0, newAll - newMetadata);
    double notFilling = Math.max(0, newAll - newFilling);
    newMetadata = Math.min(newFilling, newMetadata - Math.max(0, notFilling - otherData));
    newData = newFilling - newMetadata;
    all = allNow;
    filling = fillingNow;
    ofMetadata = metadataNow;
  }

  /** Returns the references to metadata between the last two updates. */
  double newMetadata() {
    return newMetadata;
  }

  /** Returns the references to data between the last two updates. */
  double newData() {
    return newData;
  }

  private static long countMetadata(CacheStats stats) {
    return stats.getLeafIndexHitCount() + stats.getLeafIndexMissCount()
      + stats.getIntermediateIndexHitCount() + stats.getIntermediateIndexMissCount()
      + stats.getRootIndexHitCount() + stats.getRootIndexMissCount()
      + stats.getBloomChunkHitCount() + stats.getBloomChunkMissCount()
      + stats.getGeneralBloomMetaHitCount() + stats.getGeneralBloomMetaMissCount()
      + stats.getDeleteFamilyBloomHitCount() + stats.getDeleteFamilyBloomMissCount()
      + stats.getMetaHitCount() + stats.getMetaMissCount() + stats.getFileInfoHitCount()
      + stats.getFileInfoMissCount() + stats.getTrailerHitCount() + stats.getTrailerMissCount();
  }
}
