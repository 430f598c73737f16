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
 * BucketCache, the engines that keep its blocks, and its tiers. What patches add, by feature, with
 * the class that the entry seam of the feature is in:
 * <dl>
 * <dt>HBASE-22802, files of the block cache. Entry seam: {@code BucketCache}</dt>
 * <dd>{@link DirectFileIOEngine} is the engine {@code direct:}; it reads and writes each
 * {@link DirectFile} with buffers of an {@link AlignedBufferPool}, and has its counts in
 * {@link MetricsDirectFiles}. {@link BlockChecksum} verifies blocks in files by {@link Crc32c},
 * throws {@link BlockChecksumException} and counts in {@link MetricsBlockChecksums}.
 * {@link BlockListWriter} writes the list of blocks. {@link FileEngineSettings} and
 * {@link FileEnginePaths} read and check keys and paths; {@link BlockCacheKeys} are the keys that a
 * block may be cached with.</dd>
 * <dt>HBASE-23296, block cache of two tiers. Entry seam: {@code BlockCacheFactory}</dt>
 * <dd>{@link CacheTier} and {@link FirstCacheTier} are what tiers of any engine do;
 * {@link TierEngines} finds the {@link TierSettings} of the engine that {@link TierKeys} name.
 * {@link TierBucketCache} is a tier, {@link FirstTierBucketCache} the one in memory,
 * {@link BucketCacheTierSettings} has the settings of either.</dd>
 * <dt>HBASE-23355, cache warm-up. Entry seam: {@code CacheConfig}</dt>
 * <dd>{@link BlockResidency} says whether a cache has a block.</dd>
 * <dt>STRATA-3, failing devices. Entry seam: {@code BucketCache}</dt>
 * <dd>{@link DeviceWatch} turns a cache off whose device has only had {@link DeviceErrors} for too
 * long, {@link DeviceTrial} finds out that it works again, {@link MountPoint} that it is there,
 * {@link MetricsDeviceWatch} counts.</dd>
 * <dt>STRATA-5, files for one server only. Entry seam: {@code BucketCache}</dt>
 * <dd>{@link CacheFile} creates and protects files, {@link CacheFileLock} locks them, and
 * {@link CacheFileContent} tells them from others.</dd>
 * <dt>STRATA-6, lists of blocks that can't be read. Entry seam: {@code BucketCache}</dt>
 * <dd>{@link ListChunk} refuses one that was cut.</dd>
 * <dt>STRATA-7, the set of a file's blocks. Entry seam: {@code BucketCache}</dt>
 * <dd>{@link BlocksByFile} keeps it equal to the map of blocks.</dd>
 * <dt>STRATA-13, blocks that are being written. Entry seam: {@code BucketCache}</dt>
 * <dd>{@link HeldBlocks} keeps their buffers.</dd>
 * <dt>STRATA-22, segments. Entry seam: {@code BlockCacheFactory}</dt>
 * <dd>{@link FileBlockSource} lists files, and the blocks of a file.</dd>
 * <dt>STRATA-23, cheaper reads from memory. Entry seam: {@code BucketCache}</dt>
 * <dd>{@link MemoryReads} reads without a lock.</dd>
 * <dt>STRATA-25, cache sizing. Entry seam: {@code HFileReaderImpl}</dt>
 * <dd>{@link BucketCacheState} tells whether a cache is on, and which sizes its slots have.</dd>
 * <dt>STRATA-33, hot blocks of regions that move. Entry seam: {@code HRegionServer}</dt>
 * <dd>{@link FileBlocks} lists the blocks that a cache of any topology has of some files.</dd>
 * <dt>STRATA-38, blocks of regions that left. Entry seam: {@code HRegionServer}</dt>
 * <dd>{@link FilesWithBlocks} lists the files that a cache of any topology has blocks of.</dd>
 * </dl>
 * Classes of patches here don't use those in {@code io.hfile}, which use these.
 */
package org.apache.hadoop.hbase.io.hfile.bucket;
