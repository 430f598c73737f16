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
 * A block cache whose blocks lie in segments, with an index off the heap. STRATA-22. Entry seam:
 * {@code BlockCacheFactory}.
 * <p>
 * {@link SegmentIndex} has a {@link FileTable} for each HFile: {@link Entries} of two words, the
 * second an {@link EntryWord} with the block's {@link BlockClass}, in {@link IndexPages} off the
 * heap; {@link TableSize} says how many. {@link Occupancy} counts what is in the index. No block
 * has an object on the heap.
 */
package org.apache.hadoop.hbase.io.hfile.segment;
