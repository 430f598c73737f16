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
package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.assertIsBlock;
import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.block;
import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.key;
import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.untyped;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCacheSettings;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/**
 * Whatever happens to the device under a BucketCache, the cache serves what was cached or misses,
 * is turned off in time, and is turned on again.
 */
@RunWith(Parameterized.class)
@Category({ IOTests.class, MediumTests.class })
public class TestDeviceWatch extends BucketCacheTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestDeviceWatch.class);

  private static final int FOR_EVER = Integer.MAX_VALUE;
  private static final String RETRIES = "BucketCacheDeviceRetry";
  private static final long SECONDS_TO_TURN = 60;
  private static final int USERS = 4;
  private static final int CYCLES = 10;

  @Rule
  public final RandomSeed seed = new RandomSeed();

  @Parameter(0)
  public String engine;
  @Parameter(1)
  public boolean persistent;

  private final long offs = MetricsDeviceWatch.getTurnedOffCount();
  private final long ons = MetricsDeviceWatch.getTurnedOnCount();

  @Parameters(name = "{0}, persistent {1}")
  public static List<Object[]> engines() {
    return Arrays.asList(new Object[] { "file", false }, new Object[] { "file", true },
      new Object[] { "files", false }, new Object[] { "direct", false },
      new Object[] { "direct", true });
  }

  @Override
  @After
  public void tearDown() {
    super.tearDown();
    assertEquals("caches that wait", 0, MetricsDeviceWatch.getOff());
  }

  private void start(String retryMs, boolean kept, int toleratedMs) throws IOException {
    if (retryMs != null) {
      conf.set(DeviceWatch.RETRY_INTERVAL.key(), retryMs);
    }
    String files = engine.equals("files") ? file() + "," + file() + "2" : file().toString();
    start(engine + ":" + files, CAPACITY, kept, toleratedMs);
  }

  /** Starts a cache whose engine can be made to fail; such an engine has no list of blocks. */
  private UnreliableEngine startUnreliable(String retryMs, int toleratedMs) throws Exception {
    start(retryMs, false, toleratedMs);
    UnreliableEngine device = UnreliableEngine.under(cache);
    fill();
    return device;
  }

  /** Makes the files impossible to open again, as if the device were removed. */
  private void takeDeviceAway() throws IOException {
    Files.move(file().toPath(), new File(folder.getRoot(), "away").toPath());
    assertTrue(file().mkdir());
    closeFiles();
  }

  private void closeFiles() {
    ((FileIOEngine) cache.ioEngine).closeFileChannels();
  }

  private void putNewDeviceIn() throws IOException {
    Files.delete(file().toPath());
  }

  private void cacheOne(int number) {
    BlockCacheKey key = key("another", number * 10_000L, BlockType.DATA);
    cache.cacheBlock(key, block(key, SIZE));
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertTrue(what, System.nanoTime() - start < SECONDS_TO_TURN * 1_000_000_000);
      Thread.sleep(1);
    }
  }

  private void useUntilOff() throws InterruptedException {
    int[] number = { 0 };
    await("off", () -> {
      countServed();
      cacheOne(number[0]++);
      return !cache.isCacheEnabled();
    });
    assertEquals(offs + 1, MetricsDeviceWatch.getTurnedOffCount());
  }

  private void assertComesBackEmptyAndWorks() throws InterruptedException {
    await("on again", () -> MetricsDeviceWatch.getTurnedOnCount() == ons + 1);
    assertTrue(cache.isCacheEnabled());
    assertEquals(0, countServed());
    fill();
    assertEquals(BLOCKS, countServed());
    BucketCacheValidator.validate(cache);
  }

  private void turnOff(String error) throws Exception {
    Field field = BucketCache.class.getDeclaredField("deviceWatch");
    field.setAccessible(true);
    DeviceWatch watch = (DeviceWatch) field.get(cache);
    // The first is tolerated.
    await("off", () -> {
      watch.writeFailed(new IOException(error));
      return !cache.isCacheEnabled();
    });
  }

  /** Returns why it doesn't work, or null. */
  private IOException tryDevice() {
    return DeviceTrial.run(cache, Collections.emptyList(), () -> false);
  }

  /** Waits until the cache is empty, and the next try far away. */
  private void awaitEmpty() throws InterruptedException {
    await("empty", () -> cache.backingMap.isEmpty()
      && Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals(RETRIES)
          && Arrays.stream(thread.getStackTrace())
            .anyMatch(frame -> frame.getMethodName().equals("pause"))
          && thread.getState() == Thread.State.TIMED_WAITING));
  }

  private static boolean isRetrying() {
    return Thread.getAllStackTraces().keySet().stream()
      .anyMatch(thread -> thread.getName().equals(RETRIES));
  }

  @Test
  public void aCacheWhoseDeviceWasGoneComesBackWithIt() throws Exception {
    start("1", persistent, 0);
    fill();
    takeDeviceAway();
    useUntilOff();
    assertEquals(0, countServed());
    assertFalse(cache.evictBlock(keys.get(0)));
    putNewDeviceIn();
    assertComesBackEmptyAndWorks();
    if (cache.privateFiles) {
      assertIsItsOwnersOnly();
    }
  }

  private void assertIsItsOwnersOnly() throws IOException {
    assertEquals("rw-------",
      PosixFilePermissions.toString(Files.getPosixFilePermissions(file().toPath())));
  }

  /** As by a thread that opens a closed channel again while the file is gone. */
  @Test
  public void aFileThatWasCreatedMeanwhileIsProtected() throws Exception {
    assumeTrue(engine.equals("direct"));
    start(Integer.toString(FOR_EVER), persistent, 0);
    fill();
    takeDeviceAway();
    useUntilOff();
    putNewDeviceIn();
    Files.createFile(file().toPath(),
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
    assertNull(tryDevice());
    assertIsItsOwnersOnly();
  }

  @Test
  public void whatWasCachedBeforeDoesNotComeBackWithARestart() throws Exception {
    // A list that the cache's own thread was writing would come behind the one that is removed.
    conf.setLong(CacheConfig.BUCKETCACHE_PERSIST_INTERVAL_KEY, TimeUnit.HOURS.toMillis(1));
    start("1", persistent, 0);
    fill();
    if (persistent) {
      cache.persistToFile();
      assertTrue(list().exists());
    }
    takeDeviceAway();
    useUntilOff();
    await("the list is gone", () -> !list().exists());
    cache.shutdown();
    // One that was under way may have locked the file.
    await("tries end", () -> !isRetrying());
    assertFalse(list().exists());
    Files.delete(file().toPath());
    Files.move(new File(folder.getRoot(), "away").toPath(), file().toPath());
    start("1", persistent, 0);
    assertEquals(0, countServed());
    fill();
    assertEquals(BLOCKS, countServed());
  }

  @Test
  public void aLinkIsNotFollowedWhenTheFileIsCreatedAnew() throws Exception {
    File target = new File(folder.getRoot(), "target");
    Files.createSymbolicLink(file().toPath(), target.toPath());
    assertThrows(IOException.class, () -> CacheFile.create(file().toPath(), 1));
    assertFalse(target.exists());
  }

  @Test
  public void aFileBehindALinkIsNotWrittenToWhenTheDeviceIsTried() throws Exception {
    assumeTrue(engine.equals("direct"));
    start("1", persistent, 0);
    fill();
    Files.delete(file().toPath());
    Files.createSymbolicLink(file().toPath(), folder.newFolder().toPath());
    closeFiles();
    useUntilOff();
    File target = folder.newFile();
    File link = new File(folder.getRoot(), "link");
    Files.createSymbolicLink(link.toPath(), target.toPath());
    Files.move(link.toPath(), file().toPath(), StandardCopyOption.ATOMIC_MOVE);
    File lock = new File(file() + ".lock");
    assertTrue(lock.delete());
    assertNotNull(tryDevice());
    assertFalse("nothing is written before the file is known", lock.exists());
    assertFalse(cache.isCacheEnabled());
    assertEquals(0, target.length());
    Files.delete(file().toPath());
    assertComesBackEmptyAndWorks();
  }

  @Test
  public void aDeviceWithAnotherFileIsNotTried() throws Exception {
    assumeTrue(engine.equals("direct"));
    start(null, persistent, 0);
    fill();
    byte[] image = new byte[1 << 20];
    new Random(1).nextBytes(image); // Any bytes do.
    Arrays.fill(image, 0, 1024, (byte) 0);
    assertTrue(file().delete());
    Files.write(file().toPath(), image);
    assertNotNull(tryDevice());
    assertArrayEquals(image, Files.readAllBytes(file().toPath()));
    assertTrue(file().delete());
    assertNull(tryDevice());
  }

  @Test
  public void aTrialCreatesFilesAsTheEngineHasThem() throws Exception {
    assumeTrue(engine.equals("direct") && !persistent);
    String three = "direct:" + file() + "," + file() + "2," + file() + "3";
    start(three, CAPACITY, false, 0);
    long size = file().length();
    assertTrue("it isn't a third", size * 3 > CAPACITY);
    assertTrue(file().delete());
    assertNull(tryDevice());
    assertEquals(size, file().length());
    cache.shutdown();
    start(three, CAPACITY, false, 0);
  }

  @Test
  public void theFilesAreLockedAgainWhenTheDeviceIsTried() throws Exception {
    assumeTrue(engine.equals("direct"));
    start("1", persistent, 0);
    File lock = new File(file() + ".lock");
    // The device, or another one, has been mounted.
    assertTrue(lock.delete());
    assertNull("it works", tryDevice());
    assertTrue(lock.exists());
    assertNotNull(CacheFileLock.refusal(file().toPath()));
  }

  @Test
  public void nothingIsCreatedWhereThereIsNoRoom() {
    assertThrows(IOException.class, () -> CacheFile.create(file().toPath(), Long.MAX_VALUE));
    assertFalse(file().exists());
  }

  @Test
  public void blocksThatCannotBeReadAreMissedAndCachedAnew() throws Exception {
    UnreliableEngine device = startUnreliable("1", FOR_EVER);
    long misses = cache.getStats().getMissCount();
    long errors = MetricsDeviceWatch.getReadErrorCount();
    device.failReads();
    for (BlockCacheKey key : keys) {
      // As a scan looks it up.
      assertNull(cache.getBlock(untyped(key), true, false, true));
    }
    assertEquals(misses + BLOCKS, cache.getStats().getMissCount());
    assertEquals(errors + BLOCKS, MetricsDeviceWatch.getReadErrorCount());
    BucketCacheValidator.validate(cache);
    assertEquals(0, cache.getBackingMap().size());
    device.heal();
    fill();
    assertEquals(BLOCKS, countServed());
    assertEquals(offs, MetricsDeviceWatch.getTurnedOffCount());
  }

  @Test
  public void aDeviceThatCannotBeReadTurnsTheCacheOff() throws Exception {
    UnreliableEngine device = startUnreliable("1", 0);
    device.failReads();
    await("off", () -> {
      cacheOne(0);
      Cacheable found = cache.getBlock(key("another", 0, BlockType.DATA), true, false, true);
      if (found != null) {
        // The block still waited to be written.
        found.release();
      }
      // It can be written to, and so comes back at once.
      return MetricsDeviceWatch.getTurnedOffCount() == offs + 1;
    });
    device.heal();
    assertComesBackEmptyAndWorks();
  }

  @Test
  public void blocksThatCannotBeWrittenAreDroppedOnce() throws Exception {
    UnreliableEngine device = startUnreliable("1", FOR_EVER);
    long errors = MetricsDeviceWatch.getWriteErrorCount();
    device.fail();
    cacheOne(0);
    cacheOne(1);
    BucketCacheValidator.awaitWritten(cache);
    assertEquals(errors + 2, MetricsDeviceWatch.getWriteErrorCount());
    assertEquals(2, cache.getStats().getFailedInserts());
    assertEquals("others are served", BLOCKS, countServed());
    BucketCacheValidator.validate(cache);
  }

  @Test
  public void aDeviceThatCannotBeWrittenTurnsTheCacheOffThoughItCanBeRead() throws Exception {
    UnreliableEngine device = startUnreliable("1", 0);
    device.fail();
    useUntilOff();
    assertNull(cache.getBlock(keys.get(0), true, false, true));
    await("tries", TestDeviceWatch::isRetrying);
    assertFalse(cache.isCacheEnabled());
    device.heal();
    assertComesBackEmptyAndWorks();
  }

  @Test
  public void anErrorDoesNotEndTheTries() throws Exception {
    UnreliableEngine device = startUnreliable("1", 0);
    device.fail();
    useUntilOff();
    AtomicInteger thrown = new AtomicInteger();
    setEngine((IOEngine) Proxy.newProxyInstance(IOEngine.class.getClassLoader(),
      new Class<?>[] { IOEngine.class }, (proxy, method, arguments) -> {
        thrown.incrementAndGet();
        throw new LinkageError("of a test");
      }));
    await("tries", () -> thrown.get() > 2);
    device.heal();
    setEngine(device);
    assertComesBackEmptyAndWorks();
  }

  private void setEngine(IOEngine changed) throws ReflectiveOperationException {
    Field field = BucketCache.class.getDeclaredField("ioEngine");
    field.setAccessible(true);
    field.set(cache, changed);
  }

  @Test
  public void aDeviceThatWasFullComesBack() throws Exception {
    start("1", persistent, 0);
    fill();
    turnOff("No space left on device");
    assertComesBackEmptyAndWorks();
    assertEquals(bytesOfFile(), file().length());
  }

  @Test
  public void aFullDeviceGetsItsRoomBack() throws Exception {
    start(Integer.toString(FOR_EVER), persistent, 0);
    fill();
    turnOff("No space left on device");
    awaitEmpty();
    assertEquals(0, file().length());
    cache.shutdown();
    await("a stop doesn't wait for the next try", () -> !isRetrying());
  }

  @Test
  public void theRoomOfABadDeviceIsNotGivenBack() throws Exception {
    start(Integer.toString(FOR_EVER), persistent, 0);
    fill();
    turnOff("Input/output error");
    awaitEmpty();
    assertEquals(bytesOfFile(), file().length());
    cache.shutdown();
    await("ends", () -> !isRetrying());
  }

  private long bytesOfFile() {
    return CAPACITY / (engine.equals("files") ? 2 : 1);
  }

  /** Its lock is another cache's then. */
  @Test
  public void aTryThatIsUnderWayAtAStopWritesNothing() throws Exception {
    start("1", persistent, 0);
    fill();
    byte[] before = Files.readAllBytes(file().toPath());
    assertNotNull(DeviceTrial.run(cache, Collections.emptyList(), () -> true));
    assertFalse(DeviceTrial.giveRoomBack(cache, Collections.emptyList(), () -> true));
    assertArrayEquals(before, Files.readAllBytes(file().toPath()));
  }

  @Test
  public void whatCannotBeSyncedIsDropped() throws Exception {
    UnreliableEngine device = startUnreliable("1", FOR_EVER);
    device.failSyncs();
    cacheOne(0);
    BucketCacheValidator.awaitWritten(cache);
    assertNull(cache.getBlock(key("another", 0, BlockType.DATA), true, false, true));
    BucketCacheValidator.validate(cache);
    device.heal();
    cacheOne(0);
    BucketCacheValidator.awaitWritten(cache);
    assertEquals(BLOCKS + 1, cache.getBackingMap().size());
  }

  @Test
  public void whatStillWaitsWhenACacheThatIsOffIsShutDownIsReleased() throws Exception {
    UnreliableEngine device = startUnreliable("1", 0);
    device.stall();
    BlockCacheKey key = key("another", 0, BlockType.DATA);
    HFileBlock block = block(key, SIZE);
    cache.cacheBlock(key, block);
    device.failReads();
    // Each block is evicted, and can't be cached again.
    Iterator<BlockCacheKey> unread = keys.iterator();
    await("off", () -> {
      read(unread.next());
      return !cache.isCacheEnabled();
    });
    cache.shutdown();
    assertTrue(cache.ramCache.isEmpty());
    assertEquals(1, block.refCnt());
  }

  /** The cache's structure survives what many threads do while it is turned off and on. */
  @Test
  public void aCacheInUseGoesOffAndOnAgainAndAgain() throws Exception {
    startTier();
    UnreliableEngine device = UnreliableEngine.under(cache);
    AtomicBoolean ended = new AtomicBoolean();
    AtomicReference<Throwable> problem = new AtomicReference<>();
    List<Thread> users = new ArrayList<>();
    for (int i = 0; i < USERS; i++) {
      SplittableRandom random = seed.newRandom(i);
      Thread user = new Thread(() -> use(ended, random));
      user.setUncaughtExceptionHandler((thread, failure) -> problem.set(failure));
      user.start();
      users.add(user);
    }
    for (int i = 0; i < CYCLES && problem.get() == null; i++) {
      if (i % 2 == 0) {
        device.fail();
      } else {
        device.failSyncs();
      }
      await("off", () -> !cache.isCacheEnabled() || problem.get() != null);
      device.heal();
      long turnedOn = ons + i + 1;
      await("on again",
        () -> MetricsDeviceWatch.getTurnedOnCount() == turnedOn || problem.get() != null);
    }
    ended.set(true);
    for (Thread user : users) {
      user.join();
    }
    assertNull(problem.get());
    BucketCacheValidator.awaitWritten(cache);
    BucketCacheValidator.validate(cache);
    fill();
    assertEquals(BLOCKS, countServed());
  }

  /**
   * Starts a tier. A single BucketCache miscounts blocks that are evicted while they are written.
   */
  private void startTier() throws IOException {
    conf.set("hbase.bucketcache.l1.ioengine", "offheap");
    conf.set("hbase.bucketcache.l1.size", "1m");
    conf.set("hbase.bucketcache.bucket.sizes", "12288");
    conf.set("hbase.bucketcache.l2.ioengine", engine + ":" + file());
    conf.set("hbase.bucketcache.l2.size", "4m");
    conf.set("hbase.bucketcache.ioengine.errors.tolerated.duration", "0");
    conf.set(DeviceWatch.RETRY_INTERVAL.key(), "1");
    cache =
      (TierBucketCache) TierEngines.create(new CompositeBucketCacheSettings(conf).getL2(), SIZE);
  }

  private void use(AtomicBoolean ended, SplittableRandom random) {
    while (!ended.get()) {
      BlockCacheKey key = key(FILE, random.nextInt(BLOCKS) * 10_000L, BlockType.DATA);
      Cacheable found = cache.getBlock(key, true, false, true);
      if (found != null) {
        assertIsBlock(key, SIZE, found);
        found.release();
      } else {
        cache.cacheBlock(key, block(key, SIZE));
      }
      if (random.nextInt(4) == 0) {
        cache.evictBlock(key);
      }
    }
  }

  @Test
  public void withoutTheKeyACacheThatIsOffStaysOff() throws Exception {
    await("tries of another test end", () -> !isRetrying());
    UnreliableEngine device = startUnreliable(null, 0);
    device.failReads();
    await("off", () -> {
      countServed();
      return !cache.isCacheEnabled();
    });
    device.heal();
    for (Thread writer : cache.writerThreads) {
      writer.join();
    }
    assertEquals(offs, MetricsDeviceWatch.getTurnedOffCount());
    assertFalse(isRetrying());
    assertFalse(cache.isCacheEnabled());
  }

  @Test
  public void aBadIntervalStopsTheStart() {
    for (String bad : new String[] { "-1", "soon", "10s", "99999999999" }) {
      IllegalArgumentException error =
        assertThrows(IllegalArgumentException.class, () -> start(bad, persistent, 0));
      assertTrue(error.getMessage(),
        error.getMessage().startsWith("hbase.bucketcache.ioengine.retry.interval is " + bad));
    }
  }
}
