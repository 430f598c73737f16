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

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.conf.ConfigurationObserver;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The seek indexes of the data blocks in this process's block caches: switch, memory and life of an
 * index. {@link BlockSeeker} builds and uses them. Off until a server is configured. Thread-safe.
 */
@InterfaceAudience.Private
public final class BlockSeekIndex {
  private static final Logger LOG = LoggerFactory.getLogger(BlockSeekIndex.class);

  static final SeekIndexStore STORE = new SeekIndexStore();
  /** A constant, since a server's configuration manager has only weak references. */
  private static final ConfigurationObserver OBSERVER = BlockSeekIndex::onConfigurationChange;

  private static volatile boolean enabled;

  private BlockSeekIndex() {
  }

  /**
   * Applies the settings of a server.
   * @return what applies changed settings
   * @throws IllegalArgumentException if a value isn't allowed; the message names the key, the value
   *                                  and what is allowed
   */
  public static ConfigurationObserver start(Configuration conf) {
    configure(conf);
    return OBSERVER;
  }

  /** Applies settings. Turned off, all indexes and their memory are given up. */
  static synchronized void configure(Configuration conf) {
    BlockSeekIndexSettings settings = new BlockSeekIndexSettings(conf);
    enabled = settings.isEnabled();
    STORE.setMaxBytes(enabled ? settings.getSize() : 0);
    if (enabled) {
      MetricsBlockSeekIndex.start(STORE);
    }
  }

  private static void onConfigurationChange(Configuration conf) {
    try {
      configure(conf);
    } catch (IllegalArgumentException e) {
      LOG.error("Seek indexes keep their settings, since the new ones aren't allowed: {}",
        e.getMessage());
    }
  }

  public static boolean isEnabled() {
    return enabled;
  }

  /** Called when a heap cache takes the block: from then on the block itself owns its index. */
  static void onCached(Cacheable block) {
    if (block instanceof HFileBlock) {
      ((HFileBlock) block).setSeekIndexOwner((HFileBlock) block);
    }
  }

  /** Called when a block is read from a cache that keeps it elsewhere, for its owner's readers. */
  public static void onRead(Cacheable block, SeekIndexOwner owner) {
    if (enabled && block instanceof HFileBlock) {
      ((HFileBlock) block).setSeekIndexOwner(owner);
    }
  }

  /** Called when a heap cache has evicted the block. */
  static void onEvicted(Cacheable block) {
    if (block instanceof HFileBlock) {
      onEvicted((SeekIndexOwner) block);
    }
  }

  /** Called when a block has left its cache; its index is freed. */
  public static void onEvicted(SeekIndexOwner owner) {
    long index = owner.getSeekIndex();
    while (!owner.compareAndSetSeekIndex(index, SeekIndexOwner.EVICTED)) {
      index = owner.getSeekIndex();
    }
    if (index > SeekIndexOwner.EVICTED) {
      STORE.remove(index);
    }
  }
}
