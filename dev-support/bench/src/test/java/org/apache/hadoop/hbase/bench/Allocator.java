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
package org.apache.hadoop.hbase.bench;

/** Allocates as if it were HBase. */
public final class Allocator {
  private static volatile Object allocated;

  private Allocator() {
  }

  /** Allocates so many arrays of a mebibyte. */
  public static void mebibytes(int count) {
    for (int i = 0; i < count; i++) {
      allocated = new byte[1 << 20];
    }
  }

  /** Allocates for so long, and now and then collects everything. */
  public static void main(String[] args) {
    long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000;
    while (System.nanoTime() < end) {
      mebibytes(200);
      System.gc();
    }
  }
}
