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
package org.hbasestrata.gclab.stalls;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Source D's program: it allocates objects of 10 KB into a queue, which it halves when it is full,
 * so that the collector always has something to copy. To be run in a JVM of its own.
 */
public final class AllocationProgram {
  private static final int OBJECT_BYTES = 10 << 10;

  private AllocationProgram() {
  }

  /** {@code SECONDS OBJECTS}: how long, and how many objects the queue may hold. */
  public static void main(String[] args) {
    long end = System.nanoTime() + (long) (Double.parseDouble(args[0]) * 1e9);
    int most = Integer.parseInt(args[1]);
    Deque<byte[]> queue = new ArrayDeque<>();
    while (System.nanoTime() < end) {
      queue.addLast(new byte[OBJECT_BYTES]);
      if (queue.size() >= most) {
        for (int i = most / 2; i > 0; i--) {
          queue.removeFirst();
        }
      }
    }
  }
}
