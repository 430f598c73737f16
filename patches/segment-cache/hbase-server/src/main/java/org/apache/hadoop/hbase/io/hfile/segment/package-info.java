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
 * A block cache whose blocks lie in segments: stretches of memory, or of a file on a device, that
 * are written once from begin to end and given up as a whole. {@link SegmentCache} is the cache. It
 * is a {@code BlockCache} of its own, and not an engine of BucketCache, whose map and allocator are
 * what it replaces.
 * <p>
 * {@link SegmentIndex} says where a block is, off the heap. A {@link SegmentStore} has the blocks:
 * {@link MemorySegments}, or {@link DeviceSegments} with a {@link DevicePart} for each file. What
 * makes room is {@link MemoryEviction} and {@link PartEviction}; after a start {@link PartRecovery}
 * finds what a device still has. {@link SegmentTier} is one of two tiers.
 * <p>
 * Classes here may use those in {@code io.hfile.bucket}, never the other way around.
 */
package org.apache.hadoop.hbase.io.hfile.segment;
