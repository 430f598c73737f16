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
/**
 * HFiles, and the caches of their blocks. What patches add, by feature, with the class that the
 * entry seam of the feature is in:
 * <dl>
 * <dt>HBASE-21917, checksums in place. Entry seam: {@code ChecksumUtil}</dt>
 * <dd>{@link DirectChecksum} verifies those of a block in direct memory.</dd>
 * <dt>HBASE-23063, parallel multiget. Entry seam: {@code RSRpcServices}</dt>
 * <dd>{@link DeviceReadTime} notes how long a thread waited for devices, and has a
 * {@link NotInMemoryError} end what must not wait.</dd>
 * <dt>HBASE-23296, block cache of two tiers. Entry seam: {@code BlockCacheFactory}</dt>
 * <dd>{@link CompositeBucketCache} is the cache, created with {@link CompositeBucketCacheSettings};
 * its tiers are in {@code io.hfile.bucket}. Which blocks move between them is decided by a
 * {@link CachePlacementAdmissionPolicy}, which is {@link TinyLfuPlacementAdmissionPolicy}, with a
 * {@link FrequencySketch} and a {@link HitShareWatch}. {@link TierMoves} copies them, limited by
 * {@link DemotionBackOff} and {@link FileLocks}; {@link MetadataDrain} copies metadata at a stop.
 * {@link CompositeCacheStats} and {@link MetricsCompositeBucketCache} have the counts, of which a
 * {@link RepeatedOffer} changes none. {@link NoHeapBlockCache} stands for the cache before the heap
 * tuner, {@link BlockCacheLink} on the server's page.</dd>
 * <dt>HBASE-23355, cache warm-up. Entry seam: {@code CacheConfig}</dt>
 * <dd>{@link CacheWarmupPolicy} decides what of a file is cached, by {@link CacheWarmupSettings}.
 * {@link CacheWarmup} connects the writer of a file, which leaves an {@link HFileBlockLayout}, with
 * its opener. {@link HFileWarmup} caches what is missing: {@link BlockWarmer} reads it,
 * {@link PrefetchThrottle} limits the bytes per second. {@link WarmupProgress},
 * {@link CacheWarmupMXBean} and {@link MetricsCacheWarmup} show it.</dd>
 * <dt>STRATA-16, seek indexes of cached blocks. Entry seam: {@code HFileReaderImpl}</dt>
 * <dd>{@link BlockSeeker} builds and uses the index of a block; {@link SeekIndexStore} has the
 * memory, and a {@link SeekIndexOwner} the handle of the index. {@link BlockSeekIndex} turns them
 * on and off by {@link BlockSeekIndexSettings}, and frees those of evicted blocks;
 * {@link MetricsBlockSeekIndex} has the counts.</dd>
 * <dt>STRATA-17, cells of coprocessors' scanners. Entry seam: {@code RegionCoprocessorHost}</dt>
 * <dd>{@link CoprocessorCells} keeps them valid, by {@link CoprocessorCellsSettings}.
 * {@link HeldCells} is what one call holds, {@link MetricsCoprocessorCells} counts it.</dd>
 * <dt>STRATA-19, the row path of gets. Entry seam: {@code RSRpcServices}</dt>
 * <dd>{@link GetBlocks} reads the blocks of gets, and keeps index and bloom blocks for the next
 * one, each a {@link KeptBlock}. A {@link GetBudget} bounds what one does on an event loop. A
 * {@link BlockCell} is one cell of a block after another.</dd>
 * <dt>STRATA-22, a cache of segments. Entry seam: {@code BlockCacheFactory}</dt>
 * <dd>{@link ReaderFile} is what the cache has of an open file; all else is in
 * {@code io.hfile.segment}.</dd>
 * <dt>STRATA-23, cheaper reads from memory. Entry seam: {@code BucketCache}</dt>
 * <dd>{@link CachedHFileBlock} makes the blocks that come out of a cache.</dd>
 * <dt>STRATA-46, blocks that were cached compressed. Entry seam: {@code HFileReaderImpl}</dt>
 * <dd>{@link PackedBlocks} tells them from others.</dd>
 * </dl>
 * Classes of patches here may use those in {@code io.hfile.bucket}, never the other way around.
 */
package org.apache.hadoop.hbase.io.hfile;
