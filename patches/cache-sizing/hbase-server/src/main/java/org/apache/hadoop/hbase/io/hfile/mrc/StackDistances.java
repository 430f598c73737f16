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

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Estimates the LRU stack distances in bytes of all references to one kind of blocks from those to
 * a sample of the blocks, in bounded memory. From them follows the hit ratio of a cache of any
 * size. Used by one thread at a time, but for {@link #threshold()}.
 */
@InterfaceAudience.Private
final class StackDistances {
  /*
   * SHARDS with a fixed sample size, as in C. Waldspurger, N. Park,
   * A. Garthwaite and I. Ahmad, "Efficient MRC Construction with SHARDS", FAST 2015. A block is in
   * the sample if its hash is below a threshold. When the sample is full, the threshold is lowered
   * and blocks above it leave. The distance of a block is the bytes of the sampled blocks that were
   * referenced since, divided by the sampled part of all blocks.
   *
   * Other than there:
   * - The threshold is lowered by an eighth at a time; the sample isn't ordered by hash.
   * - Each reference counts for those to blocks that aren't sampled, at the rate of its time, so
   *   that counts aren't rescaled with the threshold.
   * - Blocks that are deeper in the stack than any cache that is asked for leave before the
   *   threshold is lowered. Their next reference counts as a first one, a miss at any size either
   *   way.
   * - A block that is cached when it is first seen was referenced or warmed before. How deep it was
   *   isn't known, so the reference counts neither as a hit nor as a miss.
   * - How often each block was referenced again is counted, too, for caches that keep those that
   *   are referenced most. The first reference isn't a hit in these either.
   * - Counts decay, so that those of the last hours outweigh older ones.
   */
  /** The eighths of the sample that stay when it is full, and of the threshold. */
  private static final int KEPT_EIGHTHS = 7;
  /** Where counts have the first references. */
  private static final int FIRST = 2;

  private final SampledBlocks blocks;
  /** The references of each slot's block: by turns in one and the other, and the first. */
  private final float[][] counts;
  private final RecencyStack stack;
  private final ReferenceDistances distances = new ReferenceDistances();
  /** Distances in a cache that the blocks share with those of the other kind. */
  private final ReferenceDistances sharedDistances = new ReferenceDistances();
  private final int[] tablePositions;
  private final Map<Integer, TableDemand> tables = new HashMap<>();
  private final long maxThreshold;
  private volatile long threshold;
  private double maxDistance = Double.POSITIVE_INFINITY;
  private double cold;
  private double unknown;

  /**
   * @param maxSamples number of blocks in the sample at most
   * @param maxRate    part of all blocks that is sampled at most, over 0 and up to 1
   */
  StackDistances(int maxSamples, double maxRate) {
    blocks = new SampledBlocks(maxSamples);
    counts = new float[FIRST + 1][maxSamples];
    stack = new RecencyStack(new int[maxSamples]);
    tablePositions = new int[maxSamples];
    maxThreshold = maxRate >= 1 ? Long.MAX_VALUE : (long) (maxRate * Long.MAX_VALUE);
    threshold = maxThreshold;
  }

  /** Returns true if a block with such a hash is in a sample with such a threshold. */
  static boolean isSampled(long hash, long threshold) {
    return hash >>> 1 < threshold;
  }

  /** Returns what the hashes of sampled blocks are below. Can be read by any thread. */
  long threshold() {
    return threshold;
  }

  /** Returns the sampled part of all blocks, over 0 and up to 1. */
  double rate() {
    return threshold / (double) Long.MAX_VALUE;
  }

  /** Limits the sizes of caches that can be asked for, in bytes. */
  void setMaxDistance(double bytes) {
    maxDistance = bytes;
  }

  double maxDistance() {
    return maxDistance;
  }

  boolean holds(long hash) {
    return blocks.find(hash) != SampledBlocks.NONE;
  }

  /** Returns the bytes of a block that the sample holds. */
  int bytesOf(long hash) {
    return blocks.bytes(blocks.find(hash));
  }

  /**
   * Counts a reference to a block.
   * @param bytes  what the block takes in a cache
   * @param file   identifies the block's file
   * @param table  identifies its table
   * @param cached whether the block was in the cache
   * @param time   of the reference, in any unit, not less than that of the one before
   * @param weight number of references that it stands for at a rate of 1
   * @param other  the blocks of the other kind, or null if no cache is shared with them
   */
  void reference(long hash, int bytes, int file, int table, boolean cached, long time,
    double weight, StackDistances other) {
    if (!isSampled(hash, threshold)) {
      return;
    }
    double references = weight / rate();
    int slot = blocks.find(hash);
    if (slot == SampledBlocks.NONE) {
      addFirst(table, cached, references);
      if (blocks.isFull()) {
        makeRoom();
        if (!isSampled(hash, threshold)) {
          return;
        }
      }
      slot = blocks.add(hash, bytes, file, table);
      counts[0][slot] = 0;
      counts[1][slot] = 0;
      counts[FIRST][slot] = (float) weight;
    } else {
      double distance = stack.bytesAbove(slot) / rate() + bytes;
      double ofBlock = counts[0][slot] + counts[1][slot] + counts[FIRST][slot];
      distances.add(distance, references, ofBlock);
      if (other != null) {
        sharedDistances.add(distance + other.bytesAfter(stack.timeOf(slot)), references,
          ofBlock);
      }
      TableDemand demand = demand(blocks.table(slot));
      demand.addDistance(demand.stack().bytesAbove(slot) / rate() + bytes, references);
      leaveStacks(slot);
      blocks.setBytes(slot, bytes);
      counts[(int) (time * 0x9E3779B97F4A7C15L >>> Long.SIZE - 1)][slot] += weight;
    }
    stack.push(slot, bytes, time);
    demand(blocks.table(slot)).stack().push(slot, bytes, time);
  }

  private void addFirst(int table, boolean cached, double references) {
    if (cached) {
      unknown += references;
    } else {
      cold += references;
      distances.addFirst(references);
      sharedDistances.addFirst(references);
      demand(table).addCold(references);
    }
  }

  private TableDemand demand(int table) {
    TableDemand demand = tables.get(table);
    if (demand == null) {
      demand = new TableDemand(tablePositions);
      tables.put(table, demand);
    }
    return demand;
  }

  /** Returns the estimated bytes of all blocks that were referenced later. */
  private double bytesAfter(long time) {
    return stack.bytesAfter(time) / rate();
  }

  private void makeRoom() {
    long most = (long) (maxDistance * rate());
    remove(slot -> stack.bytesAbove(slot) > most);
    while (blocks.size() > blocks.capacity() / Byte.SIZE * KEPT_EIGHTHS) {
      long lower = threshold / Byte.SIZE * KEPT_EIGHTHS;
      threshold = lower;
      remove(slot -> !isSampled(blocks.hash(slot), lower));
    }
  }

  private void remove(IntPredicate unwanted) {
    blocks.forEach(unwanted, slot -> {
      leaveStacks(slot);
      blocks.remove(slot);
    });
  }

  private void leaveStacks(int slot) {
    stack.remove(slot, blocks.bytes(slot));
    demand(blocks.table(slot)).stack().remove(slot, blocks.bytes(slot));
  }

  /** Forgets the blocks of a file that is no more. */
  void forgetFile(int file) {
    remove(slot -> blocks.file(slot) == file);
  }

  /** Forgets the blocks that weren't referenced since a time. */
  void forgetBefore(long time) {
    remove(slot -> stack.timeOf(slot) < time);
  }

  /** Multiplies all counts with a factor up to 1, and gives up tables without blocks or counts. */
  void decay(double factor) {
    distances.scale(factor);
    sharedDistances.scale(factor);
    cold *= factor;
    unknown *= factor;
    for (float[] part : counts) {
      for (int i = 0; i < part.length; i++) {
        part[i] *= factor;
      }
    }
    tables.values().forEach(table -> table.decay(factor));
    tables.values()
      .removeIf(table -> table.stack().size() == 0 && table.references() * rate() < 1);
  }

  /** Returns true if few blocks are left of a sample that once was full. */
  boolean isThin() {
    return threshold < maxThreshold && blocks.size() < blocks.capacity() / Byte.SIZE;
  }

  /** Forgets all that was seen, and samples as big a part of the blocks as in the beginning. */
  void restart() {
    remove(slot -> true);
    decay(0);
    threshold = maxThreshold;
  }

  /** Returns the references, as estimated from the sample. */
  double references() {
    return distances.total() + cold + unknown;
  }

  /** Returns the first references to blocks that were cached before. */
  double unknown() {
    return unknown;
  }

  /** Returns the references to sampled blocks, decayed. */
  double sampledReferences() {
    return references() * rate();
  }

  /**
   * Estimates the hits in a cache of so many bytes that has these blocks only.
   * @param counted the number of references as counted; the sample may have more or fewer, by its
   *                hot blocks. NaN if not known
   */
  double hits(double bytes, double counted) {
    return corrected(distances.within(bytes), distances.missingPart(bytes), counted);
  }

  /** Like {@link #hits}, in a cache that the blocks share with those of the other kind. */
  double sharedHits(double bytes, double counted) {
    return corrected(sharedDistances.within(bytes), sharedDistances.missingPart(bytes), counted);
  }

  /** Like {@link #hits}, in a cache that keeps the blocks which are referenced most. */
  double popularHits(PopularBlocks popular, double bytes, double counted) {
    return corrected(popular.hits(bytes), distances.missingPart(bytes), counted);
  }

  /** Returns the blocks that are referenced most, as of now. */
  PopularBlocks popular() {
    return new PopularBlocks(blocks, counts, rate());
  }

  /** Returns what hits are a part of. */
  double base(double counted) {
    return Math.max(0, references() + missing(counted) - unknown);
  }

  private double missing(double counted) {
    return Double.isNaN(counted) ? 0 : counted - references();
  }

  private double corrected(double hits, double missingPart, double counted) {
    return Math.max(0, Math.min(base(counted), hits + missingPart * missing(counted)));
  }

  /** Returns the bytes of a cache of these blocks that serves a part of their references. */
  double bytesFor(double part) {
    return Math.min(bytes(), distances.bytesFor(part * base(Double.NaN)));
  }

  /** Returns the estimated bytes of all blocks that are referenced. */
  double bytes() {
    return stack.bytes() / rate();
  }

  /** Returns the number of sampled blocks. */
  int samples() {
    return blocks.size();
  }

  /** Returns what the tables need, by table. */
  Map<Integer, TableDemand> tables() {
    return Collections.unmodifiableMap(tables);
  }

  /** Returns the bytes of heap that the arrays take. */
  long heapSize() {
    return blocks.heapSize() + stack.heapSize() + distances.heapSize() + sharedDistances.heapSize()
      + 2L * blocks.capacity() * Integer.BYTES
      + (long) counts.length * blocks.capacity() * Float.BYTES
      + tables.values().stream().mapToLong(TableDemand::heapSize).sum();
  }
}
