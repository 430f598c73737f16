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
package org.apache.hadoop.hbase.ipc;

import static org.apache.hadoop.hbase.io.ByteBuffAllocator.BUFFER_SIZE_KEY;
import static org.apache.hadoop.hbase.io.ByteBuffAllocator.DEFAULT_BUFFER_SIZE;
import static org.apache.hadoop.hbase.io.ByteBuffAllocator.MAX_BUFFER_COUNT_KEY;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.Server;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.util.DirectMemoryDemand;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.hbase.testclassification.RPCTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ RPCTests.class, SmallTests.class })
public class TestBufferPoolSizing {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestBufferPoolSizing.class);

  private static final long MB = 1L << 20;
  private static final long MUCH_MEMORY = 64L << 30;
  /** For 30 handlers, 2 flushes, 2 compactions of 10 files, and 4 prefetch threads. */
  private static final int NEEDED_BY_DEFAULT = 30 * (2 * 29 + 50 + 2) + 2 + 2 * 21 + 4 * 3;

  private final Configuration conf = HBaseConfiguration.create(new Configuration(false));

  public TestBufferPoolSizing() {
    conf.setBoolean(BufferPoolSettings.ENABLED.key(), true);
  }

  private BufferPoolSizing size(long directMemory) {
    return new BufferPoolSizing(conf, 0, directMemory);
  }

  private long needed() {
    return size(MUCH_MEMORY).getNeededBuffers();
  }

  @Test
  public void isOffUnlessSwitchedOn() {
    conf.unset(BufferPoolSettings.ENABLED.key());
    assertSame(conf, BufferPool.size(null, null, conf, true));
    conf.set(BufferPoolSettings.ENABLED.key(), "false");
    assertSame(conf, BufferPool.size(null, null, conf, true));
    conf.set(BufferPoolSettings.ENABLED.key(), "true");
    assertSame("a server without a pool", conf, BufferPool.size(null, null, conf, false));
    assertSame("a master", conf, BufferPool.size(aMaster(), null, conf, true));
    Configuration sized = BufferPool.size(null, null, conf, true);
    assertEquals(72 * 1024, sized.getInt(BUFFER_SIZE_KEY, 0));
    assertEquals("the server's own configuration stays", 0, conf.getInt(BUFFER_SIZE_KEY, 0));
  }

  private static Server aMaster() {
    return (Server) Proxy.newProxyInstance(TestBufferPoolSizing.class.getClassLoader(),
      new Class<?>[] { MasterServices.class }, (proxy, method, args) -> {
        throw new AssertionError(method.getName());
      });
  }

  @Test
  public void aServerThatIsNotAskedHasThePoolOfBefore() throws Exception {
    conf.unset(BufferPoolSettings.ENABLED.key());
    ByteBuffAllocator pool = server().getByteBuffAllocator();
    assertEquals(DEFAULT_BUFFER_SIZE, pool.getBufferSize());
    ByteBuffAllocator before = ByteBuffAllocator.create(new Configuration(false), true);
    assertEquals(before.getTotalBufferCount(), pool.getTotalBufferCount());
  }

  @Test
  public void aServerHasThePoolThatWasComputed() throws Exception {
    ByteBuffAllocator pool = server().getByteBuffAllocator();
    assertEquals(72 * 1024, pool.getBufferSize());
    assertEquals(BufferPool.size(null, null, conf, true).getInt(MAX_BUFFER_COUNT_KEY, 0),
      pool.getTotalBufferCount());
  }

  private RpcServerInterface server() throws Exception {
    return server(new FifoRpcScheduler(conf, 1));
  }

  private RpcServerInterface server(RpcScheduler scheduler) throws Exception {
    RpcServerInterface server = RpcServerFactory.createRpcServer(null, "test",
      Collections.emptyList(), new InetSocketAddress("localhost", 0), conf, scheduler);
    server.stop();
    return server;
  }

  @Test
  public void keysOfThePoolWin() {
    conf.setInt(BUFFER_SIZE_KEY, 10_000);
    conf.setInt(MAX_BUFFER_COUNT_KEY, 7);
    Configuration sized = BufferPool.size(null, null, conf, true);
    assertEquals(10_000, sized.getInt(BUFFER_SIZE_KEY, 0));
    assertEquals(7, sized.getInt(MAX_BUFFER_COUNT_KEY, 0));
    conf.unset(BUFFER_SIZE_KEY);
    conf.unset(MAX_BUFFER_COUNT_KEY);
    conf.setInt("hbase.ipc.server.reservoir.initial.max", 9);
    assertEquals("their old names, too", 9, size(MUCH_MEMORY).getBufferCount());
  }

  @Test
  public void aBufferHoldsABlockThatOvershoots() {
    // What a reader takes from the pool: a block of 64 KB that ends with a cell of 7 KB, five
    // checksums, its header and that of the next block.
    Configuration sized = BufferPool.size(null, null, conf, true);
    ByteBuffAllocator pool = ByteBuffAllocator.create(sized, true);
    int block = 64 * 1024 - 1 + 7 * 1024 + 5 * 4 + 2 * 33;
    assertTrue(pool.allocate(block) instanceof SingleByteBuff);
    assertFalse("by default", ByteBuffAllocator.create(new Configuration(false), true)
      .allocate(block) instanceof SingleByteBuff);
  }

  @Test
  public void thereAreAsManyAsAFullLoadTakes() {
    assertEquals(NEEDED_BY_DEFAULT, needed());
    assertEquals(NEEDED_BY_DEFAULT, size(MUCH_MEMORY).getBufferCount());
    conf.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, 31);
    assertEquals(NEEDED_BY_DEFAULT + 110, needed());
  }

  @Test
  public void handlersThatASchedulerAddsCount() throws Exception {
    assertEquals(0, AddedHandlers.count(null));
    assertEquals(0, AddedHandlers.count(new FifoRpcScheduler(conf, 5)));
    RpcScheduler general = new SimpleRpcScheduler(conf, 30, 20, 3, null, 0);
    assertEquals("its own are those of the settings", 0, AddedHandlers.count(general));
    RpcScheduler adding = new AddingScheduler(conf, general);
    assertEquals(4 + 7, AddedHandlers.count(adding));
    assertEquals("one in another", 4 + 7, AddedHandlers.count(new DelegatingRpcScheduler(adding)));
    assertEquals("one that extends it", 6, AddedHandlers.count(new ExtendedScheduler(conf)));

    ByteBuffAllocator pool = server(adding).getByteBuffAllocator();
    assertEquals(BufferPool.size(null, adding, conf, true).getInt(MAX_BUFFER_COUNT_KEY, 0),
      pool.getTotalBufferCount());
    BufferPoolSizing sizing = new BufferPoolSizing(conf, 11, MUCH_MEMORY);
    assertEquals(NEEDED_BY_DEFAULT + 11 * 110, sizing.getNeededBuffers());
    assertTrue(sizing.toString(),
      sizing.toString().contains(" 110 for each of 30 handlers and 11 of the scheduler's own, "));
  }

  /** Hands over to another, and has executors beside it, one of them twice. */
  private static final class AddingScheduler extends DelegatingRpcScheduler {
    private final RpcExecutor some;
    private final RpcExecutor same;
    private final BalancedQueueRpcExecutor more;
    private final RpcExecutor none = null;

    private AddingScheduler(Configuration conf, RpcScheduler delegate) {
      super(delegate);
      some = new BalancedQueueRpcExecutor("some", 4, 10, null, conf, null);
      same = some;
      more = new BalancedQueueRpcExecutor("more", 7, 10, null, conf, null);
    }
  }

  private static final class ExtendedScheduler extends SimpleRpcScheduler {
    private final RpcExecutor more;

    private ExtendedScheduler(Configuration conf) {
      super(conf, 30, 20, 3, null, 0);
      more = new BalancedQueueRpcExecutor("more", 6, 10, null, conf, null);
    }
  }

  @Test
  public void blocksInTheCachesQueuesCount() {
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "offheap");
    conf.set(HConstants.BUCKET_CACHE_SIZE_KEY, "64");
    assertEquals(NEEDED_BY_DEFAULT + 3 * 64, needed());
  }

  @Test
  public void partsThatAreRegisteredCount() {
    DirectMemoryDemand.register("a test", of -> new DirectMemoryDemand(of.getInt("test", 0), MB));
    try {
      assertEquals(NEEDED_BY_DEFAULT, needed());
      conf.setInt("test", 1000);
      assertEquals(NEEDED_BY_DEFAULT + 1000, needed());
      String numbers = size(MUCH_MEMORY).toString();
      assertTrue(numbers, numbers.contains(" handlers, 0 for the block cache's queues, ")
        && numbers.contains(", 1000 for a test, "));
      conf.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, 1000);
      DirectMemoryDemand.register("a test", of -> new DirectMemoryDemand(0, 100 * MB));
      assertEquals((400 - 100 - 64) * MB / (72 * 1024), size(400 * MB).getBufferCount());
    } finally {
      DirectMemoryDemand.register("a test", of -> new DirectMemoryDemand(0, 0));
    }
  }

  @Test
  public void theDirectMemoryThatIsLeftBoundsThem() {
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "offheap");
    conf.set(HConstants.BUCKET_CACHE_SIZE_KEY, "200");
    conf.set(MemorySizeUtil.OFFHEAP_MEMSTORE_SIZE_KEY, "100");
    BufferPoolSizing sizing = size(400 * MB);
    assertEquals((400 - 200 - 100 - 64) * MB / (72 * 1024), sizing.getBufferCount());
    assertEquals("an oversized cache is told elsewhere", 0, size(300 * MB).getBufferCount());
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "file:/nowhere");
    assertEquals((400 - 100 - 64) * MB / (72 * 1024), size(400 * MB).getBufferCount());
    conf.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, 1000);
    assertEquals("a sixteenth stays free", (3200 - 100 - 200) * MB / (72 * 1024),
      size(3200 * MB).getBufferCount());
  }

  @Test
  public void theAdviceIsEnough() {
    assertEquals("what was computed wasn't", "Set " + MAX_BUFFER_COUNT_KEY + ", "
      + NEEDED_BY_DEFAULT + ", to " + 2 * NEEDED_BY_DEFAULT + ".",
      size(MUCH_MEMORY).advice(NEEDED_BY_DEFAULT));
    conf.setInt(MAX_BUFFER_COUNT_KEY, 10);
    assertEquals("Set " + MAX_BUFFER_COUNT_KEY + ", 10, to " + NEEDED_BY_DEFAULT + ".",
      size(MUCH_MEMORY).advice(10));
    assertEquals("a pool of smaller buffers needs more of them for responses",
      NEEDED_BY_DEFAULT + 30 * 6, neededByDefaultBuffers());
  }

  private long neededByDefaultBuffers() {
    conf.unset(BufferPoolSettings.ENABLED.key());
    return needed();
  }

  /** Asserts that the memory in an advice makes room for the buffers, and that less doesn't. */
  private void assertSuffices(String text, long directMemory, int buffers) {
    Matcher matcher = Pattern
      .compile("aise HBASE_OFFHEAPSIZE \\(-XX:MaxDirectMemorySize\\), (\\d+) MB, by (\\d+) MB")
      .matcher(text);
    assertTrue(text, matcher.find());
    assertEquals(directMemory / MB, Long.parseLong(matcher.group(1)));
    long advised = directMemory + Long.parseLong(matcher.group(2)) * MB;
    conf.setInt(MAX_BUFFER_COUNT_KEY, Integer.MAX_VALUE);
    int room = size(advised).getBufferCount();
    int roomWithLess = size(advised - MB).getBufferCount();
    conf.unset(MAX_BUFFER_COUNT_KEY);
    assertTrue(text + " has room for " + room, room >= buffers);
    assertTrue(text + " is too much", roomWithLess < buffers);
  }

  @Test
  public void theAdviceSaysHowMuchMemoryIsMissing() {
    conf.set(MemorySizeUtil.OFFHEAP_MEMSTORE_SIZE_KEY, "100");
    for (long directMemory : new long[] { 90 * MB, 170 * MB, 256 * MB }) {
      int count = size(directMemory).getBufferCount();
      String advice = size(directMemory).advice(count);
      assertTrue(advice, advice.startsWith("Raise HBASE_OFFHEAPSIZE") && advice
        .endsWith(": it then has " + NEEDED_BY_DEFAULT + " buffers instead of " + count + "."));
      assertSuffices(advice, directMemory, NEEDED_BY_DEFAULT);
    }
    conf.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, 1000);
    int much = (int) needed();
    assertSuffices(size(1024 * MB).advice(0), 1024 * MB, much);
    conf.setInt(MAX_BUFFER_COUNT_KEY, 10);
    String advice = size(1024 * MB).advice(10);
    assertTrue(advice, advice.startsWith(
      "Set " + MAX_BUFFER_COUNT_KEY + ", 10, to " + much + " and raise HBASE_OFFHEAPSIZE"));
    assertSuffices(advice, 1024 * MB, much);
  }

  @Test
  public void aNumberBeyondTheDirectMemoryIsCut() {
    int room = (int) (64 * MB / (72 * 1024));
    conf.setInt(MAX_BUFFER_COUNT_KEY, room);
    assertFalse(size(128 * MB).isCut());
    assertEquals(room, size(128 * MB).getBufferCount());
    for (int wanted : new int[] { room + 1, 100_000 }) {
      conf.setInt(MAX_BUFFER_COUNT_KEY, wanted);
      BufferPoolSizing sizing = size(128 * MB);
      assertTrue(sizing.isCut());
      assertEquals(room, sizing.getBufferCount());
      int target = Math.min(wanted, NEEDED_BY_DEFAULT);
      String advice = sizing.cutAdvice();
      assertTrue(advice, advice.startsWith(MAX_BUFFER_COUNT_KEY + " is " + wanted
        + ", the pool has " + room + " buffers of 73728 bytes: ") && advice.contains(
          " A full load takes " + NEEDED_BY_DEFAULT + "; for " + target + " raise HBASE_OFFHEAP"));
      String later = sizing.advice(room);
      assertTrue(later,
        later.endsWith(": it then has " + target + " buffers instead of " + room + "."));
      assertSuffices(advice, 128 * MB, target);
      assertSuffices(later, 128 * MB, target);
    }
    conf.setInt(MAX_BUFFER_COUNT_KEY, 100_000);
    String enough = size(512 * MB).cutAdvice();
    assertTrue(enough, enough.endsWith(" A full load takes " + NEEDED_BY_DEFAULT + ": lower it."));
    conf.unset(MAX_BUFFER_COUNT_KEY);
    assertFalse("what is computed isn't", size(128 * MB).isCut());
  }

  private void assertRefused(String key, String value, String allowed) {
    conf.set(key, value);
    String message = assertThrows(IllegalArgumentException.class, () -> size(MUCH_MEMORY))
      .getMessage();
    assertTrue(message, message.startsWith(key + " is " + value + ". " + allowed));
    assertFalse(message, message.contains("\n"));
    conf.unset(key);
  }

  @Test
  public void whatIsNotAllowedIsRefused() {
    for (String value : new String[] { "yes", "T", "1" }) {
      assertRefused(BufferPoolSettings.ENABLED.key(), value, "Give true or false.");
    }
  }

  @Test
  public void theMetricsShowThePool() throws Exception {
    conf.setInt(MAX_BUFFER_COUNT_KEY, 1);
    ByteBuffAllocator pool =
      ByteBuffAllocator.create(BufferPool.size(null, null, conf, true), true);
    BufferPool.show(null, null, conf, pool);
    assertTrue("in JMX", ManagementFactory.getPlatformMBeanServer().isRegistered(
      new ObjectName("Hadoop:service=HBase,name=RegionServer,sub=BufferPool")));
    assertMetric("maxBufferCount", 1);
    assertMetric("heapFallbackCount", 0);
    assertMetric("heapFallbackRatio", 0.0);
    pool.allocateOneBuffer();
    pool.allocateOneBuffer();
    assertMetric("bufferSize", 72 * 1024);
    assertMetric("bufferCount", 1);
    assertMetric("poolBytes", 72 * 1024);
    assertMetric("heapFallbackCount", 1);
    assertMetric("heapFallbackBytes", 72 * 1024);
    assertMetric("heapFallbackRatio", 0.5);
  }

  private static void assertMetric(String name, Number expected) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    MetricsBufferPool.get().getMetrics(collector, true);
    for (AbstractMetric metric : collector.getRecords().get(0).metrics()) {
      if (metric.name().equals(name)) {
        assertEquals(name, expected.doubleValue(), metric.value().doubleValue(), 0);
        return;
      }
    }
    throw new AssertionError("there is no " + name);
  }
}
