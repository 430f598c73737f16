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

import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ScheduledChore;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.bucket.FilesWithBlocks;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the blocks of regions that close, so that they are there when the region comes back, and
 * evicts those of files that no region of the server has had for some time. Off unless
 * {@link OrphanBlocksSettings#TTL_SECONDS} is set.
 */
/*
 * A look lists the files that have blocks first, then those that are being written or that regions
 * have, in the order in which a file goes from one to the next. A writer is known until it is
 * closed, or collected as garbage after a failure; its file is in a store within seconds, which is
 * sooner than it would expire. A region that is being opened isn't online yet, so nothing is
 * evicted while there is one. Evicting a file that a region gets at that moment costs hits, no
 * more.
 */
@InterfaceAudience.Private
final class OrphanBlocks extends ScheduledChore {
  private static final Logger LOG = LoggerFactory.getLogger(OrphanBlocks.class);

  private static final int LOOKS_PER_TTL = 10;
  private static final int LEAST_PERIOD_SECONDS = 1;
  private static final int MOST_PERIOD_SECONDS = 60;

  /** Stores don't know the MOB files that their cells refer to. */
  private static final Pattern MOB_FILE = Pattern.compile("(.*-)?[0-9a-f]{72}(_[0-9a-f]+)?");

  /** Of the files that this process writes, as long as anyone else refers to them. */
  private static final Set<HFile.Writer> WRITERS = Collections.newSetFromMap(new WeakHashMap<>());
  private static volatile boolean isUsed;

  private final HRegionServer server;
  private final BlockCache cache;
  private final OrphanFiles files;
  private final MetricsOrphanBlocks metrics = MetricsOrphanBlocks.getInstance();

  OrphanBlocks(HRegionServer server, BlockCache cache, int ttlSeconds) {
    super("OrphanBlocks", server,
      (int) TimeUnit.SECONDS.toMillis(
        Math.max(LEAST_PERIOD_SECONDS, Math.min(MOST_PERIOD_SECONDS, ttlSeconds / LOOKS_PER_TTL))));
    this.server = server;
    this.cache = cache;
    files = new OrphanFiles(TimeUnit.SECONDS.toNanos(ttlSeconds));
    isUsed = true;
  }

  /**
   * Creates it if the configuration asks for it.
   * @param cache the server's, or null if there is none
   * @return null if it is off
   * @throws IllegalArgumentException if the value isn't allowed; the message names the key, the
   *                                  value and what to do
   */
  static OrphanBlocks create(HRegionServer server, BlockCache cache, Configuration conf) {
    int ttlSeconds = OrphanBlocksSettings.TTL_SECONDS.read(conf);
    return cache == null || ttlSeconds == 0 ? null : new OrphanBlocks(server, cache, ttlSeconds);
  }

  /** Has the blocks of a region stay that is about to close, for whatever reason. */
  static void onClosing(HRegion region) {
    RegionServerServices services = region.getRegionServerServices();
    if (services instanceof HRegionServer && ((HRegionServer) services).orphanBlocks != null) {
      region.getStores().forEach(store -> store.getCacheConfig().setEvictOnClose(false));
    }
  }

  /** Has the blocks stay that are cached while a flush or compaction writes a file. */
  static void onCreateWriter(HFile.Writer writer) {
    if (isUsed) {
      synchronized (WRITERS) {
        WRITERS.add(writer);
      }
    }
  }

  /** Its file will be in a store within seconds, or never. */
  static void onCloseWriter(HFile.Writer writer) {
    if (isUsed) {
      synchronized (WRITERS) {
        WRITERS.remove(writer);
      }
    }
  }

  @Override
  protected void chore() {
    Set<String> cached = FilesWithBlocks.of(cache);
    boolean isOpening = isOpeningRegions();
    Set<String> owned = namesBeingWritten();
    boolean hasMob = false;
    for (HRegion region : server.getOnlineRegionsLocalContext()) {
      for (HStore store : region.getStores()) {
        addFiles(store, owned);
        hasMob |= store instanceof HMobStore;
      }
    }
    if (hasMob) {
      cached.removeIf(file -> MOB_FILE.matcher(file).matches());
    }
    List<String> expired = files.update(cached, owned, System.nanoTime());
    metrics.returned.incr(files.getReturned());
    if (!isOpening && !isOpeningRegions()) {
      expired.forEach(this::giveUp);
    }
    metrics.orphans.set(files.size());
  }

  private boolean isOpeningRegions() {
    return server.getRegionsInTransitionInRS().containsValue(Boolean.TRUE);
  }

  private void giveUp(String file) {
    int blocks = cache.evictBlocksByHfileName(file);
    files.remove(file);
    metrics.filesGivenUp.incr();
    metrics.blocksGivenUp.incr(blocks);
    LOG.debug("{} blocks of {} are evicted, which no region here has had for long", blocks, file);
  }

  static Set<String> namesBeingWritten() {
    synchronized (WRITERS) {
      return WRITERS.stream().map(writer -> writer.getPath().getName())
        .collect(Collectors.toCollection(HashSet::new));
    }
  }

  /** Adds the names that blocks of the store's files may be cached with. */
  static void addFiles(HStore store, Set<String> names) {
    addFiles(store.getStorefiles(), names);
    addFiles(store.getCompactedFiles(), names);
  }

  private static void addFiles(Collection<HStoreFile> files, Set<String> names) {
    for (HStoreFile file : files) {
      addName(file.getPath().getName(), names);
    }
  }

  /** Adds a file's name, and that of the file that it is a reference or a link to. */
  static void addName(String file, Set<String> names) {
    names.add(file);
    if (HFileLink.isHFileLink(file)) {
      names.add(HFileLink.getReferencedHFileName(file));
    } else if (StoreFileInfo.isReference(file)) {
      addName(StoreFileInfo.getReferredToRegionAndFile(file).getSecond(), names);
    }
  }
}
