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
package org.apache.hadoop.hbase.regionserver;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** A server ends though the device of its block cache hangs. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestBlockCacheEnd {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestBlockCacheEnd.class);

  private static final long LONG_MS = 3_600_000;
  private static final int TIMEOUT_MS = 60_000;

  private final Configuration conf = new Configuration(false);
  private final CountDownLatch device = new CountDownLatch(1);
  private final AtomicInteger shutdowns = new AtomicInteger();
  private final AtomicInteger aborts = new AtomicInteger();
  private final AtomicInteger deletions = new AtomicInteger();
  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicInteger regions = new AtomicInteger();
  private volatile boolean inFiles = true;
  private volatile int regionsAtAbort;
  private volatile boolean abandoned;
  private volatile boolean aborted;
  private volatile boolean shutDown;
  private volatile boolean flushing;

  private final BlockCache cache = (BlockCache) Proxy.newProxyInstance(
    BlockCache.class.getClassLoader(), new Class<?>[] { BlockCache.class },
    (proxy, method, arguments) -> {
      switch (method.getName()) {
        case "isInFiles":
          return inFiles;
        case "abandon":
          abandoned = true;
          return null;
        case "shutdown":
          shutdowns.incrementAndGet();
          device.await();
          return null;
        default:
          throw new UnsupportedOperationException(method.getName());
      }
    });

  private final BlockCacheEnd.Ending server = new BlockCacheEnd.Ending() {
    @Override
    public boolean isAborted() {
      return aborted;
    }

    @Override
    public boolean isShutDown() {
      looks.incrementAndGet();
      return shutDown;
    }

    @Override
    public int countRegions() {
      return regions.getAndUpdate(count -> Math.max(0, count - 1));
    }

    @Override
    public boolean isFlushing() {
      looks.incrementAndGet();
      return flushing;
    }

    @Override
    public void abort(String why, Throwable cause) {
      regionsAtAbort = regions.get();
      aborts.incrementAndGet();
    }

    @Override
    public void deleteNode() {
      deletions.incrementAndGet();
    }
  };

  private BlockCacheEnd end(long stopMs, long closeMs, long abortMs) {
    return new BlockCacheEnd(cache, server, stopMs, closeMs, abortMs);
  }

  @After
  public void tearDown() {
    device.countDown();
  }

  private void awaitEndOf(String thread) {
    Waiter.waitFor(conf, TIMEOUT_MS, 10,
      () -> Thread.getAllStackTraces().keySet().stream()
        .noneMatch(each -> each.getName().equals(thread)));
  }

  @Test
  public void theNodeOfAnAbortingServerGoesThoughItsEndHangs() {
    end(LONG_MS, LONG_MS, 1).onAbort();
    assertTrue(abandoned);
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> deletions.get() == 1);
    assertEquals("its end is for the cache to begin", 0, shutdowns.get());
  }

  @Test
  public void theNodeOfAnAbortingServerStaysWhileARegionIsFlushed() {
    flushing = true;
    end(LONG_MS, LONG_MS, 1).onAbort();
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> looks.get() > 20);
    assertEquals(0, deletions.get());
    flushing = false;
    awaitEndOf("AbortedServerNode");
    assertEquals(1, deletions.get());
  }

  @Test
  public void anAbortingServerThatEndsInTimeDeletesItsNodeItself() {
    shutDown = true;
    end(LONG_MS, LONG_MS, 1).onAbort();
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> looks.get() > 0);
    awaitEndOf("AbortedServerNode");
    assertEquals(0, deletions.get());
  }

  @Test
  public void anAbortingServerDoesNotWaitForItsCache() {
    aborted = true;
    assertTrue(end(LONG_MS, LONG_MS, LONG_MS).shutdown());
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> shutdowns.get() == 1);
  }

  @Test
  public void anAbortEndsTheWaitOfAStop() {
    new Thread(() -> {
      Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> shutdowns.get() == 1);
      aborted = true;
    }).start();
    assertTrue(end(LONG_MS, LONG_MS, LONG_MS).shutdown());
    assertEquals(0, aborts.get());
  }

  @Test
  public void aStopWaitsUntilTheCacheIsShutDown() {
    new Thread(() -> {
      Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> shutdowns.get() == 1);
      device.countDown();
    }).start();
    assertTrue(end(LONG_MS, 0, LONG_MS).shutdown());
    assertEquals(0, device.getCount());
    assertEquals(0, aborts.get());
  }

  @Test
  public void aStopGoesOnThoughTheDeviceHangsAndIsAnAbortIfRegionsDoNotClose() {
    assertTrue(end(1, 1, LONG_MS).shutdown());
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> aborts.get() == 1);
  }

  @Test
  public void aStopIsNoAbortAsLongAsRegionsClose() {
    regions.set(20);
    assertTrue(end(1, 1, LONG_MS).shutdown());
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> aborts.get() == 1);
    assertEquals(0, regionsAtAbort);
  }

  @Test
  public void aStopWhoseRegionsCloseStaysOneThoughTheDeviceHangs() {
    shutDown = true;
    assertTrue(end(1, 1, LONG_MS).shutdown());
    awaitEndOf("BlockCacheHangs");
    assertEquals(0, aborts.get());
  }

  @Test
  public void aCacheInMemoryIsLeftToTheCaller() {
    inFiles = false;
    BlockCacheEnd end = end(1, 1, 1);
    end.onAbort();
    assertFalse(end.shutdown());
    assertFalse(abandoned);
    assertEquals(0, shutdowns.get());
    awaitEndOf("AbortedServerNode");
    assertEquals(0, deletions.get());
  }

  @Test
  public void aServerWithoutACacheAbortsAsEver() {
    new BlockCacheEnd(null, server, 1, 1, 1).onAbort();
    awaitEndOf("AbortedServerNode");
    assertEquals(0, deletions.get());
  }
}
