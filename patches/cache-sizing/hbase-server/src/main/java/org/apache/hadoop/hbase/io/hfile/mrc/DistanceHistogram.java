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

import org.apache.yetus.audience.InterfaceAudience;

/**
 * How many references had which stack distance in bytes: a reference is a hit in an LRU cache of at
 * least that size. Not thread-safe.
 */
@InterfaceAudience.Private
final class DistanceHistogram {
  /** Bytes up to which all distances are in the first bucket. */
  private static final int FIRST_BITS = 12;
  private static final int OCTAVES = 40;

  private final int subBits;
  private final double[] counts;
  private double total;

  /** @param subBits each doubling of the distance has two to the power of this buckets */
  DistanceHistogram(int subBits) {
    this.subBits = subBits;
    counts = new double[1 + (OCTAVES << subBits)];
  }

  /** @param distance bytes of cache that the reference needs, with its own block */
  void add(double distance, double references) {
    counts[bucket(distance)] += references;
    total += references;
  }

  void scale(double factor) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] *= factor;
    }
    total *= factor;
  }

  /** Returns the references with a distance. */
  double total() {
    return total;
  }

  /** Returns the references that are hits in a cache of so many bytes. */
  double within(double bytes) {
    if (bytes <= 0) {
      return 0;
    }
    int bucket = bucket(bytes);
    double sum = 0;
    for (int i = 0; i < bucket; i++) {
      sum += counts[i];
    }
    double from = start(bucket);
    double part = Math.min(1, (bytes - from) / (start(bucket + 1) - from));
    return sum + part * counts[bucket];
  }

  /**
   * Returns the bytes of the smallest cache with so many hits; positive infinity if there are
   * fewer references with a distance.
   */
  double bytesFor(double references) {
    double left = references;
    for (int i = 0; i < counts.length; i++) {
      if (left <= counts[i]) {
        double part = counts[i] > 0 ? Math.max(0, left) / counts[i] : 0;
        return start(i) + part * (start(i + 1) - start(i));
      }
      left -= counts[i];
    }
    return Double.POSITIVE_INFINITY;
  }

  /** Returns the bytes of heap that the counts take. */
  long heapSize() {
    return (long) counts.length * Double.BYTES;
  }

  private int bucket(double bytes) {
    double inFirst = bytes / (1 << FIRST_BITS);
    if (inFirst < 1) {
      return 0;
    }
    int octave = Math.getExponent(inFirst);
    int sub = (int) ((inFirst / Math.scalb(1.0, octave) - 1) * (1 << subBits));
    return Math.min(counts.length - 1, 1 + (octave << subBits) + sub);
  }

  /** Returns the bytes at which a bucket begins. */
  private double start(int bucket) {
    if (bucket == 0) {
      return 0;
    }
    int octave = (bucket - 1) >> subBits;
    int sub = (bucket - 1) - (octave << subBits);
    return Math.scalb((1 << FIRST_BITS) * (1 + sub / (double) (1 << subBits)), octave);
  }
}
