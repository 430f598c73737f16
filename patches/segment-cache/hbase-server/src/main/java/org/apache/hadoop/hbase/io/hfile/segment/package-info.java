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
 * A block cache whose blocks lie in segments, with an index off the heap. What patches add, by
 * feature, with the class that the entry seam of the feature is in:
 * <dl>
 * <dt>STRATA-22, a cache of segments. Entry seam: {@code BlockCacheFactory}</dt>
 * <dd>{@link SegmentCache} is the cache, which {@link SegmentCacheFactory} creates with {@link
 * SegmentCacheSettings} and a {@link SegmentSize}; a {@link SegmentStore} has its blocks, and an
 * {@link IndexedCache} is what it is by its index. It is a {@code BlockCache} of its own, and not
 * an engine of BucketCache, whose map and allocator are what it replaces. {@link
 * MetricsSegmentCache} has the counts; {@link CachedFiles} and {@link SegmentCachedBlock} are what
 * pages show.
 * <p>
 * The index: {@link SegmentIndex} has a {@link FileTable} for each HFile. It is an {@link
 * EntryTable}, of {@link Entries} of two words, the second an {@link EntryWord} with the block's
 * {@link BlockClass}, in {@link IndexPages} off the heap; {@link TableSize} says how many. {@link
 * Occupancy} counts what is in the index.
 * <p>
 * In memory: {@link MemorySegments} writes a {@link BlockRecord} with its {@link RecordHeader} to a
 * {@link MemorySegment}, and reads it back without a copy; {@link RecordSeekIndex} is where the
 * handle of its seek index is. {@link MemoryEviction} makes room: it takes a segment of a
 * {@link SegmentQueue}, and writes some of its {@link SegmentBlocks} again. A {@link MemoryPolicy}
 * says which, by {@link MostRead}: {@link ReadAgainPolicy} those that were read since they came,
 * remembering others as {@link GhostBlocks}.
 * <p>
 * As a tier: {@link SegmentTier} is either tier on a device or in memory, {@link FirstSegmentTier}
 * the first, where {@link FirstTierPolicy} evicts data before metadata.
 * <p>
 * On devices: {@link DeviceSegments} spreads blocks over files. A {@link DevicePart} is one
 * {@link SegmentFile}, which begins with a {@link SegmentFileHeader}, with its
 * {@link PartSettings}; a {@link SegmentStream} fills a {@link DeviceSegment} with
 * {@link DeviceRecord}s and a {@link SegmentFooter}, which a {@link PartWriter} writes; if the
 * device's errors last, it turns the part off. {@link DeviceAdmission} says which blocks are worth
 * that, also by their {@link BlockOrigin}; a {@link WriteResult} says what became of one.
 * {@link PartEviction} makes room, {@link PartRecovery} finds blocks after a start by
 * {@link FooterReaders}, and adds them to the index as {@link FoundBlocks}; both read footers by
 * {@link SegmentFooters}. {@link SavedReads} keeps the counts of reads over a restart.</dd>
 * </dl>
 * Classes here may use those in {@code io.hfile.bucket}, never the other way around.
 */
package org.apache.hadoop.hbase.io.hfile.segment;
