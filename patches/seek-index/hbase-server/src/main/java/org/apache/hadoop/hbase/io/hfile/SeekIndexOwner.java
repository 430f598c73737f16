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

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Something that a cache keeps for as long as it holds a block, and that the block's seek index is
 * found by: a heap cache's block, or the entry of a block that is elsewhere. What it keeps is a
 * handle of {@link SeekIndexStore}, or one of the states below. Thread-safe.
 */
@InterfaceAudience.Private
public interface SeekIndexOwner {
  /** No seek has begun in the block since it is cached. */
  long NOT_SOUGHT = 0;
  /** A seek has begun in the block; the next one that may do so builds an index. */
  long SOUGHT = 1;
  /** The block needs no index, or is none that can have one. */
  long WITHOUT_INDEX = 2;
  /** The block has left the cache. Final. */
  long EVICTED = 3;

  /** Returns a handle or a state. */
  long getSeekIndex();

  /** Sets a handle or a state if it is the expected one; returns whether it was. */
  boolean compareAndSetSeekIndex(long expected, long update);
}
