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
package org.apache.hadoop.hbase.io.util;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The engines that a block cache off the heap may have, and what others must know of each to set
 * the server up, before there is a cache. Immutable.
 */
@InterfaceAudience.Private
public enum IOEngineType {
  OFFHEAP("offheap", Trait.OF_BUCKET_CACHE, Trait.FIRST_TIER, Trait.DIRECT_MEMORY),
  FILE("file:", Trait.OF_BUCKET_CACHE, Trait.ON_DEVICE, Trait.LISTED, Trait.CHECKSUMS),
  FILES("files:", Trait.OF_BUCKET_CACHE, Trait.ON_DEVICE, Trait.LISTED, Trait.CHECKSUMS),
  DIRECT("direct:", Trait.OF_BUCKET_CACHE, Trait.ON_DEVICE, Trait.LISTED, Trait.CHECKSUMS,
    Trait.DIRECT_IO, Trait.GUARDED),
  MMAP("mmap:", Trait.OF_BUCKET_CACHE, Trait.FIRST_TIER, Trait.ON_DEVICE, Trait.CHECKSUMS),
  PMEM("pmem:", Trait.OF_BUCKET_CACHE, Trait.FIRST_TIER),
  /** With paths on devices, otherwise in memory; its own settings say what memory it takes. */
  SEGMENTS("segments", Trait.ON_DEVICE),
  /** None, or one that isn't known. */
  NONE("");

  private enum Trait {
    OF_BUCKET_CACHE,
    FIRST_TIER,
    ON_DEVICE,
    DIRECT_MEMORY,
    LISTED,
    CHECKSUMS,
    DIRECT_IO,
    GUARDED
  }

  private final String prefix;
  private final Set<Trait> traits = EnumSet.noneOf(Trait.class);

  IOEngineType(String prefix, Trait... traits) {
    this.prefix = prefix;
    this.traits.addAll(Arrays.asList(traits));
  }

  /**
   * Returns the type of an engine.
   * @param engine its name in a setting, with its paths if it has any
   */
  public static IOEngineType of(String engine) {
    return Arrays.stream(values()).filter(type -> type.isTypeOf(engine)).findFirst().orElse(NONE);
  }

  /** BucketCache looks at the beginning of a name only, and others at all before the colon. */
  private boolean isTypeOf(String engine) {
    return engine.startsWith(prefix)
      && (isOfBucketCache() || (engine + ':').startsWith(prefix + ':'));
  }

  /** Returns true if reads of an engine with this name may wait for a device. */
  public static boolean isOnDevice(String engine) {
    return of(engine).traits.contains(Trait.ON_DEVICE) && engine.indexOf(':') >= 0;
  }

  /** Returns how the names of BucketCache's engines begin, that in memory last. */
  public static List<String> prefixes() {
    List<String> prefixes = prefixes(type -> !type.isInDirectMemory());
    prefixes.addAll(prefixes(IOEngineType::isInDirectMemory));
    return Collections.unmodifiableList(prefixes);
  }

  /** Returns how the names of those of BucketCache's engines begin that a first tier may have. */
  public static List<String> prefixesOfFirstTier() {
    return Collections.unmodifiableList(prefixes(type -> type.traits.contains(Trait.FIRST_TIER)));
  }

  /** Returns how the names of those of BucketCache's engines begin that are listed. */
  public static List<String> prefixesOfListed() {
    return Collections.unmodifiableList(prefixes(IOEngineType::isListed));
  }

  private static List<String> prefixes(Predicate<IOEngineType> predicate) {
    return Arrays.stream(values()).filter(IOEngineType::isOfBucketCache).filter(predicate)
      .map(IOEngineType::prefix).collect(Collectors.toList());
  }

  /** Returns how the engine's name begins, with the colon if paths must follow. */
  public String prefix() {
    return prefix;
  }

  /** Returns true for an {@code IOEngine}, with which a BucketCache can be created. */
  public boolean isOfBucketCache() {
    return traits.contains(Trait.OF_BUCKET_CACHE);
  }

  /** Returns true if blocks are in direct memory, as much as the cache's size. */
  public boolean isInDirectMemory() {
    return traits.contains(Trait.DIRECT_MEMORY);
  }

  /** Returns true if blocks outlive a restart by the list of them, where one has a path. */
  public boolean isListed() {
    return traits.contains(Trait.LISTED);
  }

  /** Returns true if reads copy blocks, so that they can be compared with a checksum. */
  public boolean hasChecksums() {
    return traits.contains(Trait.CHECKSUMS);
  }

  /** Returns true if slots are aligned, and blocks read into and written from a pool's buffers. */
  public boolean isDirectIO() {
    return traits.contains(Trait.DIRECT_IO);
  }

  /**
   * Returns true if files are guarded in each cache, not only in tiers: the paths are checked, a
   * server has the files for itself, and blocks have checksums unless a key says otherwise.
   */
  public boolean isGuarded() {
    return traits.contains(Trait.GUARDED);
  }
}
