/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hbasestrata.ycsb;

import java.util.List;

/**
 * A table that {@link Slices} have operations done on. Each thread has a number of its own; the
 * other methods are called while no thread is at work.
 */
public interface SliceTable extends AutoCloseable {
  /**
   * Does one operation, and records it, also when it failed.
   * @param thread from 0
   */
  void operate(int thread);

  /** What was recorded. */
  Latencies latencies();

  /** The servers that have regions of it. */
  List<String> servers();

  @Override
  void close();
}
