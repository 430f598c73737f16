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
package org.apache.hadoop.hbase.nio;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Waiter;

import org.apache.hbase.thirdparty.io.netty.buffer.PooledByteBufAllocator;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetectorFactory;

/**
 * Leaks that netty's detector finds in this process: pooled buffers of HBase and of netty that
 * became garbage before they were released.
 */
public final class ResourceLeaks {
  private static final Queue<String> REPORTS = new ConcurrentLinkedQueue<>();
  private static final long TIMEOUT_MS = 120_000;

  private ResourceLeaks() {
  }

  /** Collects the reports of one detector. */
  private static final class Detector<T> extends ResourceLeakDetector<T> {
    Detector(Class<T> type, int samplingInterval) {
      super(type, samplingInterval);
    }

    @Override
    protected boolean needReport() {
      return true;
    }

    @Override
    protected void reportTracedLeak(String type, String records) {
      REPORTS.add(type + records);
    }

    @Override
    protected void reportUntracedLeak(String type) {
      REPORTS.add(type);
    }
  }

  /** Begins to watch. To be called before the watched classes are loaded, so first of all. */
  public static void watch() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new ResourceLeakDetectorFactory() {
      @Override
      @SuppressWarnings("deprecation") // The only one that is abstract.
      public <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> type,
        int samplingInterval, long maxActive) {
        return new Detector<>(type, samplingInterval);
      }
    });
  }

  /** Returns the leaks so far, each with the places where it was created and last used. */
  public static List<String> find() {
    // The collector may report a leak after one that it found at the same time, but not after one
    // that it found later.
    leakOnPurpose("first");
    leakOnPurpose("second");
    return new ArrayList<>(REPORTS);
  }

  /**
   * Leaks a buffer and waits for the report, so that a detector that doesn't work fails the test.
   */
  private static void leakOnPurpose(String which) {
    // Netty reports leaks with the same history once.
    String hint = which + " leak on purpose at " + System.nanoTime();
    RefCnt.create(() -> {
    }).touch(hint);
    Waiter.waitFor(new Configuration(false), TIMEOUT_MS, 10, () -> {
      System.gc();
      // A detector reports when the next resource is created.
      RefCnt.create(() -> {
      }).release();
      PooledByteBufAllocator.DEFAULT.directBuffer().release();
      return REPORTS.removeIf(report -> report.contains(hint));
    });
  }
}
