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

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCacheValidator;
import org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks;
import org.apache.hadoop.hbase.io.hfile.bucket.UnreliableEngine;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.LargeTests;
import org.apache.hadoop.hbase.util.BloomFilterFactory;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** What a warm-up reads of a file, recorded below HBase, and what is in the cache afterwards. */
@RunWith(Parameterized.class)
@Category({ IOTests.class, LargeTests.class })
public class TestHFileWarmup {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestHFileWarmup.class);

  private static final Configuration DEFAULTS = HBaseConfiguration.create();
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int TIMEOUT_MS = 120_000;
  private static final int INTERVAL_MS = 5;
  private static final int TIER_MB = 32;
  private static final int BLOCK_SIZE = 4 * 1024;
  /** A reader also reads the header of the next block. */
  private static final int NEXT_HEADER = HFileBlock.headerSize(true);
  private static final int ROWS = 3_000;
  private static final int QUEUE_LENGTH = 8;
  private static final int RETAINING_FILES = 200;
  /** Bytes that a file's warm-up may retain, whatever the file's size: names, progress. */
  private static final int MAX_RETAINED = 4_000;
  private static final String REGION = "0123456789abcdef0123456789abcdef";
  private static final String PARENT = "fedcba9876543210fedcba9876543210";
  private static final Predicate<Block> ALL = block -> true;

  private enum Topology {
    LRU,
    COMBINED_OFFHEAP,
    COMBINED_FILE,
    COMPOSITE
  }

  /** Properties of a file. */
  private static final class Shape {
    private final int levels;
    private final BloomType bloom;
    private int rows = ROWS;
    private int valueSize = 300;
    private int blockSize = BLOCK_SIZE;
    private boolean deletes;
    private DataBlockEncoding encoding = DataBlockEncoding.NONE;
    private Compression.Algorithm compression = Compression.Algorithm.NONE;

    Shape(int levels, BloomType bloom) {
      this.levels = levels;
      this.bloom = bloom;
    }

    @Override
    public String toString() {
      return levels + " levels of index, bloom " + bloom + ", " + rows + " rows of " + valueSize
        + " bytes, deletes " + deletes + ", encoding " + encoding + ", compression " + compression;
    }
  }

  /** A block of a file, as found by reading the file from begin to end. */
  private static final class Block {
    private final long offset;
    private final int size;
    private final BlockType type;

    Block(HFileBlock block) {
      offset = block.getOffset();
      size = block.getOnDiskSizeWithHeader();
      type = block.getBlockType();
    }

    boolean isData() {
      return type.isData();
    }

    boolean isMetadata() {
      return type.getCategory() == BlockCategory.INDEX
        || type.getCategory() == BlockCategory.BLOOM;
    }

    @Override
    public String toString() {
      return type + " at " + offset;
    }
  }

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Parameter
  public Topology topology;

  private final Configuration conf = new Configuration(DEFAULTS);
  private final ColumnFamilyDescriptorBuilder family =
    ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setPrefetchBlocksOnOpen(true);
  private final FileReads reads = new FileReads();
  private final List<HFile.Reader> readers = new ArrayList<>();
  private FileSystem fs;
  private Path familyPath;
  private ByteBuffAllocator pool;
  private BlockCache cache;
  private BlockCache dataTier;
  private Map<String, Long> countersBefore;

  @Parameters(name = "{0}")
  public static Topology[] topologies() {
    return Topology.values();
  }

  @Before
  public void setUp() throws Exception {
    LocalFileSystem local = FileSystem.getLocal(conf);
    fs = new FileReads.CountedFileSystem(local.getRawFileSystem(), reads);
    familyPath = new Path(folder.getRoot().toURI().toString(), "table/" + REGION + "/f");
    fs.mkdirs(familyPath);
    conf.setBoolean(CacheWarmupSettings.ENABLED.key(), true);
    conf.setInt(HFileBlockIndex.MIN_INDEX_NUM_ENTRIES_KEY, 2);
    conf.setInt(BloomFilterFactory.IO_STOREFILE_BLOOM_BLOCK_SIZE, 1024);
    // Blocks are in pooled buffers, bigger ones in several.
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 2048);
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 1);
    conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, 1000);
    pool = ByteBuffAllocator.create(conf, true);
    setDelay(0);
    countersBefore = counters();
    start(TIER_MB, 10_000);
  }

  private void setDelay(int millis) {
    Configuration delay = new Configuration(conf);
    delay.setInt(PrefetchExecutor.PREFETCH_DELAY, millis);
    PrefetchExecutor.loadConfiguration(delay);
  }

  /** Starts a cache instead of the one before. */
  private void start(int dataMb, int queueLength) {
    if (cache != null) {
      cache.shutdown();
    }
    Configuration ofCache = new Configuration(conf);
    ofCache.setLong("hfile.onheap.block.cache.fixed.size",
      (topology == Topology.LRU ? (long) dataMb : 8L) << 20);
    if (topology != Topology.LRU) {
      ofCache.set("hbase.bucketcache.ioengine", topology == Topology.COMBINED_OFFHEAP
        ? "offheap"
        : "file:" + new File(folder.getRoot(), "data"));
      ofCache.setInt("hbase.bucketcache.size", dataMb);
      ofCache.setInt("hbase.bucketcache.writer.threads", 1);
      ofCache.setInt("hbase.bucketcache.writer.queuelength", queueLength);
      // A small tier has few buckets, so it gets few slot sizes.
      ofCache.set("hbase.bucketcache.bucket.sizes",
        dataMb == TIER_MB ? "2048,5120,9216,66560,132096" : "5120");
      if (topology == Topology.COMPOSITE) {
        ofCache.set("hbase.bucketcache.l1.ioengine", "offheap");
        ofCache.setInt("hbase.bucketcache.l1.size", 8);
      }
    }
    cache = BlockCacheFactory.createBlockCache(ofCache);
    dataTier = CacheWarmupPolicy.dataTier(cache);
  }

  private List<BucketCache> bucketCaches() {
    BlockCache[] levels = cache.getBlockCaches();
    return Arrays.stream(levels == null ? new BlockCache[0] : levels)
      .filter(BucketCache.class::isInstance).map(BucketCache.class::cast)
      .collect(Collectors.toList());
  }

  @After
  public void tearDown() throws Exception {
    reads.setGate(null);
    BlockWarmer.THROTTLE.setRate(0);
    setDelay(0);
    for (HFile.Reader reader : readers) {
      close(reader);
    }
    Waiter.waitFor(conf, TIMEOUT_MS, INTERVAL_MS, () -> !isAnyWarmed());
    for (BucketCache tier : bucketCaches()) {
      BucketCacheValidator.awaitWritten(tier);
      if (works(tier)) {
        BucketCacheValidator.awaitWritten(tier);
        BucketCacheValidator.validate(tier);
      }
    }
    assertEquals("buffers are back in the pool", pool.getUsedBufferCount(),
      pool.getFreeBufferCount());
    cache.shutdown();
  }

  private static boolean isAnyWarmed() {
    return Thread.getAllStackTraces().values().stream().flatMap(Arrays::stream)
      .anyMatch(frame -> frame.getClassName().equals(HFileWarmup.class.getName()));
  }

  private static void close(HFile.Reader reader) throws IOException {
    reader.close(false);
  }

  /** Returns the counters and gauges as the metrics system reads them, by name. */
  static Map<String, Long> counters() {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    MetricsCacheWarmup.get().getMetrics(collector, true);
    Map<String, Long> counters = new HashMap<>();
    for (MetricsRecord metrics : collector.getRecords()) {
      for (AbstractMetric metric : metrics.metrics()) {
        counters.put(metric.name(), metric.value().longValue());
      }
    }
    return counters;
  }

  /** Returns by how much a counter grew in this test. */
  private long counted(String name) {
    return counters().get(name) - countersBefore.get(name);
  }

  private CacheConfig config() {
    return new CacheConfig(conf, family.build(), cache, pool);
  }

  private static List<KeyValue> cells(Shape shape, int row) {
    List<KeyValue> cells = new ArrayList<>();
    if (shape.deletes && row % 5 == 0) {
      cells.add(new KeyValue(NumberedRows.key(row), FAMILY, null, 1,
        KeyValue.Type.DeleteFamily));
    }
    cells.add(new KeyValue(NumberedRows.key(row), FAMILY, QUALIFIER, 2,
      NumberedRows.value(row, shape.valueSize)));
    return cells;
  }

  /** Writes a file that isn't cached and leaves no layout. */
  private Path write(Shape shape) throws IOException {
    Path path = write(shape, CacheConfig.DISABLED);
    assertNull(WrittenFiles.get(path.getName(), cache));
    return path;
  }

  /** Writes a file as a flush or a compaction does. */
  private Path write(Shape shape, CacheConfig config) throws IOException {
    int[] indexSizes = { 0, 1 << 20, 2048, 512, 190 };
    conf.setInt(HFileBlockIndex.MAX_CHUNK_SIZE_KEY, indexSizes[shape.levels]);
    HFileContext context = new HFileContextBuilder().withBlockSize(shape.blockSize)
      .withDataBlockEncoding(shape.encoding).withCompression(shape.compression).build();
    StoreFileWriter writer =
      new StoreFileWriter.Builder(conf, config, fs).withOutputDir(familyPath)
        .withBloomType(shape.bloom).withMaxKeyCount(shape.rows).withFileContext(context).build();
    for (int i = 0; i < shape.rows; i++) {
      for (KeyValue cell : cells(shape, i)) {
        writer.append(cell);
      }
    }
    writer.appendTrackedTimestampsToMetadata();
    writer.close();
    return writer.getPath();
  }

  private static List<Shape> shapes() {
    List<Shape> shapes = new ArrayList<>();
    for (int levels = 1; levels <= 4; levels++) {
      shapes.add(new Shape(levels, BloomType.ROW));
    }
    shapes.add(new Shape(2, BloomType.NONE));
    Shape deletes = new Shape(2, BloomType.ROWCOL);
    deletes.deletes = true;
    shapes.add(deletes);
    for (DataBlockEncoding encoding : Arrays.asList(DataBlockEncoding.FAST_DIFF,
      DataBlockEncoding.ROW_INDEX_V1)) {
      Shape encoded = new Shape(3, BloomType.ROW);
      encoded.encoding = encoding;
      shapes.add(encoded);
    }
    Shape compressed = new Shape(2, BloomType.ROW);
    compressed.compression = Compression.Algorithm.GZ;
    shapes.add(compressed);
    return shapes;
  }

  private static Shape shape() {
    return new Shape(2, BloomType.ROW);
  }

  /** Returns the blocks that a cache keeps, read without a cache. */
  private List<Block> blocks(Path path) throws IOException {
    List<Block> blocks = new ArrayList<>();
    try (HFile.Reader reader = HFile.createReader(FileSystem.getLocal(conf), path, conf)) {
      HFileBlock.BlockIterator all = reader.getUncachedBlockReader().blockRange(0,
        reader.getTrailer().getLoadOnOpenDataOffset());
      HFileBlock block;
      while ((block = all.nextBlock()) != null) {
        blocks.add(new Block(block));
      }
      all.freeBlocks();
    }
    return blocks;
  }

  private HFile.Reader open(Path path) throws IOException {
    reads.clear();
    HFile.Reader reader = HFile.createReader(fs, path, config(), true, conf);
    readers.add(reader);
    return reader;
  }

  private HFile.Reader openAndWarm(Path path) throws Exception {
    HFile.Reader reader = open(path);
    awaitEnd(path);
    return reader;
  }

  private void awaitEnd(Path path) throws Exception {
    Waiter.waitFor(conf, TIMEOUT_MS, INTERVAL_MS, () -> PrefetchExecutor.isCompleted(path));
    awaitWritten();
  }

  private void awaitWritten() throws InterruptedException {
    for (BucketCache tier : bucketCaches()) {
      BucketCacheValidator.awaitWritten(tier);
    }
  }

  private static BlockCacheKey key(Path path, Block block) {
    return new BlockCacheKey(path.getName(), block.offset, true, block.type);
  }

  private boolean isCached(Path path, Block block) {
    Cacheable found = cache.getBlock(key(path, block), false, false, false);
    if (found == null) {
      return false;
    }
    found.release();
    return true;
  }

  private void assertCached(Shape shape, Path path, Predicate<Block> expected)
    throws IOException {
    List<Block> blocks = blocks(path);
    assertSame("cached of " + shape, blocks, expected, block -> isCached(path, block));
    assertThatMetadataIsInL1(path, blocks);
  }

  /** Asserts that both predicates select the same blocks. */
  private static void assertSame(String message, List<Block> blocks, Predicate<Block> expected,
    Predicate<Block> actual) {
    List<Block> differ = blocks.stream()
      .filter(block -> expected.test(block) != actual.test(block)).collect(Collectors.toList());
    assertTrue(message + ": " + differ.size() + " of " + blocks.size() + " differ, as "
      + differ.stream().limit(5).collect(Collectors.toList()), differ.isEmpty());
  }

  private void assertThatMetadataIsInL1(Path path, List<Block> blocks) {
    for (Block block : blocks) {
      if (
        block.isMetadata() && cache instanceof CombinedBlockCache && isCached(path, block)
      ) {
        assertTrue(block + " is in L1",
          ((CombinedBlockCache) cache).getFirstLevelCache().containsBlock(key(path, block)));
      }
    }
  }

  private long bytesOfBlocks(Path path, HFile.Reader reader) {
    return reads.bytes(path.getName(), 0, reader.getTrailer().getLoadOnOpenDataOffset());
  }

  /** Asserts that each of these blocks was read once, and no other one. */
  private void assertRead(Shape shape, Path path, HFile.Reader reader, Predicate<Block> expected)
    throws IOException {
    List<Block> blocks = blocks(path);
    Set<Block> read = new HashSet<>();
    long least = 0;
    for (Block block : blocks) {
      long bytes =
        reads.bytes(path.getName(), block.offset + NEXT_HEADER, block.offset + block.size);
      if (bytes > 0) {
        assertEquals(block + " is read once", block.size - NEXT_HEADER, bytes);
        read.add(block);
        least += block.size;
      }
    }
    assertSame("read of " + shape, blocks, expected, read::contains);
    long bytes = bytesOfBlocks(path, reader);
    assertTrue(bytes + " bytes for blocks of " + least,
      bytes >= least && bytes <= least + (long) NEXT_HEADER * read.size());
  }

  /** Reads all cells, and compares them with those that were written. */
  private void assertReadable(Shape shape, HFile.Reader reader) throws IOException {
    try (HFileScanner scanner = reader.getScanner(conf, true, true)) {
      boolean more = scanner.seekTo();
      for (int i = 0; i < shape.rows; i++) {
        for (KeyValue expected : cells(shape, i)) {
          assertTrue(more);
          Cell cell = scanner.getCell();
          assertTrue(CellUtil.equals(expected, cell));
          assertArrayEquals(CellUtil.cloneValue(expected), CellUtil.cloneValue(cell));
          more = scanner.next();
        }
      }
      assertFalse(more);
    }
  }

  @Test
  public void ofAFileAboveTheThresholdIndexAndBloomAreCached() throws Exception {
    conf.setLong(CacheWarmupSettings.OPEN_THRESHOLD.key(), 0);
    for (Shape shape : shapes()) {
      Path path = write(shape);
      HFile.Reader reader = openAndWarm(path);
      assertEquals(shape.toString(), shape.levels, reader.getTrailer().getNumDataIndexLevels());
      assertCached(shape, path, Block::isMetadata);
      assertRead(shape, path, reader, Block::isMetadata);
      assertReadable(shape, reader);
    }
    assertEquals(shapes().size(), counted("filesWarmed"));
    assertEquals(0, counted("blocksMissing"));
  }

  @Test
  public void ofABigFileAboveTheThresholdAtMostTwoPercentAreRead() throws Exception {
    conf.setLong(CacheWarmupSettings.OPEN_THRESHOLD.key(), 16L << 20);
    conf.setInt(BloomFilterFactory.IO_STOREFILE_BLOOM_BLOCK_SIZE, 128 * 1024);
    Shape shape = new Shape(2, BloomType.ROW);
    shape.blockSize = 64 * 1024;
    shape.valueSize = 1024;
    shape.rows = 18_000;
    Path path = write(shape);
    long size = fs.getFileStatus(path).getLen();
    assertTrue(size > 16L << 20);
    HFile.Reader reader = openAndWarm(path);
    assertCached(shape, path, Block::isMetadata);
    assertRead(shape, path, reader, Block::isMetadata);
    long read = reads.bytes(path.getName());
    assertTrue(read + " of " + size + " bytes are read", read <= size / 50);
  }

  @Test
  public void ofAFileBelowTheThresholdEveryBlockIsCached() throws Exception {
    for (Shape shape : shapes()) {
      Path path = write(shape);
      HFile.Reader reader = openAndWarm(path);
      assertCached(shape, path, ALL);
      assertRead(shape, path, reader, ALL);
      long read = bytesOfBlocks(path, reader);
      assertReadable(shape, reader);
      assertEquals("from the cache", read, bytesOfBlocks(path, reader));
      start(TIER_MB, 10_000);
    }
    assertEquals(shapes().size(), counted("filesWarmed"));
    assertEquals(0, counted("filesWarmedWithoutRead"));
    assertEquals(0, counted("blocksMissing"));
  }

  private CacheConfig onWrite() {
    return new CacheConfig(conf, ColumnFamilyDescriptorBuilder.newBuilder(family.build())
      .setCacheDataOnWrite(true).setCacheIndexesOnWrite(true).setCacheBloomsOnWrite(true).build(),
      cache, pool);
  }

  @Test
  public void ofAFileThatItsWriterCachedNothingIsRead() throws Exception {
    for (Shape shape : shapes()) {
      Path path = write(shape, onWrite());
      HFile.Reader reader = openAndWarm(path);
      assertEquals(shape.toString(), 0, bytesOfBlocks(path, reader));
      assertCached(shape, path, ALL);
      assertNull("it needn't be known any more", WrittenFiles.get(path.getName(), cache));
      assertReadable(shape, reader);
      assertEquals(0, bytesOfBlocks(path, reader));
      start(TIER_MB, 10_000);
    }
    assertEquals(shapes().size(), counted("filesWarmedWithoutRead"));
    assertEquals(0, counted("blocksDroppedOnWrite"));
    assertEquals(0, counted("blocksDropped"));
    assertEquals(0, counted("blocksRead"));
  }

  @Test
  public void ofAFileThatItsWriterCachedNothingIsReadThoughThereIsNoPrefetch() throws Exception {
    family.setPrefetchBlocksOnOpen(false);
    Path path = write(shape(), onWrite());
    HFile.Reader reader = openAndWarm(path);
    assertEquals(0, bytesOfBlocks(path, reader));
    assertCached(shape(), path, ALL);
  }

  @Test
  public void aFileOfWhichTheWriterCachedNothingIsWarmedByWhatItSays() throws Exception {
    for (Shape shape : shapes()) {
      Path path = write(shape, config());
      assertCached(shape, path, block -> false);
      HFile.Reader reader = openAndWarm(path);
      assertCached(shape, path, ALL);
      assertRead(shape, path, reader, ALL);
      start(TIER_MB, 10_000);
    }
  }

  @Test
  public void whatIsInTheCacheIsNotRead() throws Exception {
    for (Shape shape : shapes()) {
      Path path = write(shape);
      close(openAndWarm(path));
      HFile.Reader again = openAndWarm(path);
      assertEquals(shape.toString(), 0, bytesOfBlocks(path, again));
      close(again);
      List<Block> blocks = blocks(path);
      Set<Long> gone = new HashSet<>();
      for (int i = 0; i < blocks.size(); i += 3) {
        assertTrue(cache.evictBlock(key(path, blocks.get(i))));
        gone.add(blocks.get(i).offset);
      }
      HFile.Reader third = openAndWarm(path);
      assertCached(shape, path, ALL);
      assertRead(shape, path, third, block -> gone.contains(block.offset));
      start(TIER_MB, 10_000);
    }
  }

  @Test
  public void whatIsEvictedOfAWarmFileIsCachedAgainWhenItIsRead() throws Exception {
    Path path = write(shape());
    HFile.Reader reader = openAndWarm(path);
    for (Block block : blocks(path)) {
      assertTrue(cache.evictBlock(key(path, block)));
    }
    assertCached(shape(), path, block -> false);
    assertReadable(shape(), reader);
    awaitWritten();
    assertEquals(Collections.emptyList(), blocks(path).stream()
      .filter(block -> block.isData() && !isCached(path, block)).collect(Collectors.toList()));
  }

  /** Has the queue be empty, for room in which a warm-up waits for seconds only. */
  private void writeBeforeEachRead() {
    reads.setGate((file, position, length) -> {
      try {
        if (isWarmUp()) {
          awaitWritten();
        }
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
    });
  }

  private BucketCache bucketCache() {
    assumeTrue(dataTier instanceof BucketCache);
    return (BucketCache) dataTier;
  }

  @Test
  public void whatWaitsInTheQueueOfTheCacheIsNotRead() throws Exception {
    UnreliableEngine engine = UnreliableEngine.under(bucketCache());
    Path path;
    HFile.Reader reader;
    engine.stall();
    try {
      path = write(shape(), onWrite());
      assertNotEquals(0, dataTier.getBlockCount());
      reader = open(path);
      // In settle() the warm-up has passed all blocks, and waits for those in the queue.
      Waiter.waitFor(conf, TIMEOUT_MS, INTERVAL_MS,
        () -> isIn("settle") || PrefetchExecutor.isCompleted(path));
      assertEquals(0, bytesOfBlocks(path, reader));
    } finally {
      engine.resume();
    }
    awaitEnd(path);
    assertEquals(0, bytesOfBlocks(path, reader));
    assertCached(shape(), path, ALL);
  }

  private static boolean isIn(String method) {
    return Thread.getAllStackTraces().values().stream().flatMap(Arrays::stream)
      .anyMatch(frame -> frame.getClassName().equals(BlockWarmer.class.getName())
        && frame.getMethodName().equals(method));
  }

  @Test
  public void onlyWhatAFullQueueDroppedIsReadWhenTheFileIsOpened() throws Exception {
    bucketCache();
    start(TIER_MB, QUEUE_LENGTH);
    UnreliableEngine engine = UnreliableEngine.under(bucketCache());
    Path path;
    engine.stall();
    try {
      path = write(shape(), onWrite());
    } finally {
      engine.resume();
    }
    awaitWritten();
    List<Block> data =
      blocks(path).stream().filter(Block::isData).collect(Collectors.toList());
    long dropped = data.size() - QUEUE_LENGTH;
    assertEquals(dropped, counted("blocksDroppedOnWrite"));
    assertCached(shape(), path,
      block -> block.isMetadata() || block.offset <= data.get(QUEUE_LENGTH - 1).offset);
    writeBeforeEachRead();
    HFile.Reader reader = openAndWarm(path);
    assertCached(shape(), path, ALL);
    assertRead(shape(), path, reader,
      block -> block.isData() && block.offset > data.get(QUEUE_LENGTH - 1).offset);
    assertEquals(dropped, counted("blocksRead"));
    assertTrue("bytesRead", counted("bytesRead") >= dropped * BLOCK_SIZE);
    assertTrue("blocksCachedBefore", counted("blocksCachedBefore") >= QUEUE_LENGTH);
    assertEquals(0, counted("blocksMissing"));
  }

  @Test
  public void aBlockThatIsOfferedUntilThereIsRoomFailsOnce() throws Exception {
    bucketCache();
    start(TIER_MB, QUEUE_LENGTH);
    UnreliableEngine engine = UnreliableEngine.under(bucketCache());
    Path path = write(shape());
    long failed;
    engine.stall();
    try {
      open(path);
      Waiter.waitFor(conf, TIMEOUT_MS, INTERVAL_MS,
        () -> dataTier.getStats().getFailedInserts() > 0);
      Thread.sleep(40 * INTERVAL_MS);
      failed = dataTier.getStats().getFailedInserts();
    } finally {
      engine.resume();
    }
    awaitEnd(path);
    assertEquals(1, failed);
  }

  @Test
  public void anEmptyFileIsWarm() throws Exception {
    Shape shape = new Shape(1, BloomType.ROW);
    shape.rows = 0;
    for (int threshold = 0; threshold <= 1 << 20; threshold += 1 << 20) {
      conf.setLong(CacheWarmupSettings.OPEN_THRESHOLD.key(), threshold);
      for (Path path : new Path[] { write(shape), write(shape, onWrite()) }) {
        HFile.Reader reader = openAndWarm(path);
        assertEquals(0, bytesOfBlocks(path, reader));
      }
    }
    assertEquals(4, counted("filesWarmed"));
  }

  private HFile.Reader open(FSDataInputStreamWrapper stream, Path path, long size)
    throws IOException {
    reads.clear();
    ReaderContext context =
      new ReaderContextBuilder().withInputStreamWrapper(stream).withFilePath(path)
        .withFileSize(size).withFileSystem(stream.getHfs()).withPrimaryReplicaReader(true)
        .withReaderType(ReaderContext.ReaderType.PREAD).build();
    HFileInfo info = new HFileInfo(context, conf);
    HFile.Reader reader = HFile.createReader(context, info, config(), conf);
    readers.add(reader);
    return reader;
  }

  @Test
  public void ofAReferenceIndexAndBloomAreCached() throws Exception {
    Path path = write(shape());
    Path reference = new Path(familyPath, path.getName() + "." + PARENT);
    HFile.Reader reader =
      open(new FSDataInputStreamWrapper(fs, path), reference, fs.getFileStatus(path).getLen());
    awaitEnd(reference);
    assertSame("cached", blocks(path), Block::isMetadata, block -> isCached(reference, block));
    assertRead(shape(), path, reader, Block::isMetadata);
  }

  @Test
  public void ofAReferenceWhatIsCachedOfTheFileIsNotRead() throws Exception {
    // LruBlockCache doesn't look for the key of the referred file.
    bucketCache();
    Path path = write(shape());
    openAndWarm(path);
    Path reference = new Path(familyPath, path.getName() + "." + PARENT);
    HFile.Reader reader =
      open(new FSDataInputStreamWrapper(fs, path), reference, fs.getFileStatus(path).getLen());
    awaitEnd(reference);
    if (topology == Topology.COMPOSITE) {
      assertEquals(0, bytesOfBlocks(path, reader));
    }
    assertEquals(0, blocks(path).stream().filter(Block::isData)
      .filter(block -> reads.bytes(path.getName(), block.offset + NEXT_HEADER,
        block.offset + block.size) > 0)
      .count());
  }

  @Test
  public void aLinkIsWarmedAsTheFileIs() throws Exception {
    Path path = write(shape());
    Path absent = new Path(familyPath, "absent");
    HFileLink link = new HFileLink(path, absent, absent, absent);
    HFile.Reader reader =
      open(new FSDataInputStreamWrapper(fs, link, false, -1), path,
        fs.getFileStatus(path).getLen());
    awaitEnd(path);
    assertCached(shape(), path, ALL);
    assertRead(shape(), path, reader, ALL);
  }

  @Test
  public void aLinkIsWarmedFromTheArchive() throws Exception {
    Path path = write(shape());
    Path archived = new Path(familyPath.getParent(), path.getName());
    HFileLink link = new HFileLink(path, new Path(familyPath, "t"), new Path(familyPath, "m"),
      archived);
    assertTrue(fs.rename(path, archived));
    HFile.Reader reader =
      open(new FSDataInputStreamWrapper(fs, link, false, -1), archived,
        fs.getFileStatus(archived).getLen());
    awaitEnd(archived);
    assertCached(shape(), archived, ALL);
    assertReadable(shape(), reader);
  }

  /** Opens a file whose warm-up reads one block, and then waits for the throttle. */
  private HFile.Reader openAndStay(Path path) throws Exception {
    BlockWarmer.THROTTLE.setRate(1);
    HFile.Reader reader = open(path);
    Waiter.waitFor(conf, TIMEOUT_MS, INTERVAL_MS, () -> counted("blocksRead") == 1 && isIn("read"));
    return reader;
  }

  @Test
  public void aWarmUpReadsNoFasterThanTheRate() throws Exception {
    Path path = write(shape());
    HFile.Reader reader = openAndStay(path);
    long read = bytesOfBlocks(path, reader);
    assertTrue(read + " bytes are one block", read < 2 * BLOCK_SIZE);
    BlockWarmer.THROTTLE.setRate(0);
    awaitEnd(path);
    assertCached(shape(), path, ALL);
    assertRead(shape(), path, reader, ALL);
  }

  @Test
  public void aWarmUpGoesOnAfterAnUpdateOfTheConfiguration() throws Exception {
    Path path = write(shape());
    HFile.Reader reader = openAndStay(path);
    // The change stops the running warm-up and requests it again.
    setDelay(0);
    BlockWarmer.THROTTLE.setRate(0);
    Waiter.waitFor(conf, TIMEOUT_MS, INTERVAL_MS, () -> counted("filesWarmed") == 1);
    awaitEnd(path);
    assertCached(shape(), path, ALL);
    assertRead(shape(), path, reader, ALL);
    assertEquals(0, counted("filesCancelled"));
  }

  @Test
  public void aWarmUpThatWaitsToGoOnIsNotRunning() throws Exception {
    Path path = write(shape());
    HFile.Reader reader = openAndStay(path);
    assertEquals(1, (long) counters().get("filesRunning"));
    setDelay(TIMEOUT_MS);
    Waiter.waitFor(conf, TIMEOUT_MS, INTERVAL_MS, () -> counters().get("filesRunning") == 0);
    assertEquals(1, (long) counters().get("filesWaiting"));
    close(reader);
    assertEquals(0, (long) counters().get("filesWaiting"));
    Waiter.waitFor(conf, TIMEOUT_MS, INTERVAL_MS, () -> !isAnyWarmed());
  }

  @Test
  public void aWarmUpEndsAtOnceWhenItsFileIsClosed() throws Exception {
    Path path = write(shape());
    HFile.Reader reader = openAndStay(path);
    close(reader);
    Waiter.waitFor(conf, TIMEOUT_MS, INTERVAL_MS, () -> !isAnyWarmed());
    assertEquals(1, counted("filesCancelled"));
    assertEquals(0, counted("filesWarmed"));
    assertEquals(1, counted("blocksRead"));
    assertEquals(0, (long) counters().get("filesRunning"));
    assertFalse(PrefetchExecutor.getPrefetchFutures().containsKey(path));
  }

  @Test
  public void aWarmUpThatReadsEndsWhenItsFileIsClosed() throws Exception {
    Path path = write(shape());
    CountDownLatch inRead = new CountDownLatch(1);
    AtomicInteger count = new AtomicInteger();
    HFile.Reader reader = null;
    reads.setGate((file, position, length) -> {
      if (isWarmUp() && count.incrementAndGet() == 20) {
        inRead.countDown();
        try {
          new CountDownLatch(1).await();
        } catch (InterruptedException e) {
          throw new InterruptedIOException();
        }
      }
    });
    reader = open(path);
    assertTrue(inRead.await(TIMEOUT_MS, TimeUnit.MILLISECONDS));
    close(reader);
    Waiter.waitFor(conf, TIMEOUT_MS, INTERVAL_MS, () -> !isAnyWarmed());
    assertEquals(1, counted("filesCancelled"));
    assertEquals(20, count.get());
  }

  private static boolean isWarmUp() {
    return Arrays.stream(Thread.currentThread().getStackTrace())
      .anyMatch(frame -> frame.getClassName().equals(HFileWarmup.class.getName()));
  }

  @Test
  public void aWarmUpThatWaitsIsForgottenWhenItsFileIsClosed() throws Exception {
    setDelay(TIMEOUT_MS);
    Path path = write(shape());
    HFile.Reader reader = open(path);
    assertEquals(1, (long) counters().get("filesWaiting"));
    assertEquals(1, HFileWarmup.getReport().getFiles().get(0).getFilesWaiting());
    close(reader);
    assertEquals(0, (long) counters().get("filesWaiting"));
    assertEquals(Collections.emptyList(), HFileWarmup.getReport().getFiles());
    assertEquals(0, counted("blocksRead"));
  }

  @Test
  public void aWarmUpEndsWhenItsFileIsGone() throws Exception {
    Path path = write(shape());
    AtomicInteger count = new AtomicInteger();
    reads.setGate((file, position, length) -> {
      if (isWarmUp() && count.incrementAndGet() > 20) {
        throw new IOException("Moved to the archive");
      }
    });
    HFile.Reader reader = openAndWarm(path);
    assertEquals(1, counted("filesFailed"));
    assertEquals("it isn't tried again", 21, count.get());
    assertReadable(shape(), reader);
  }

  @Test
  public void aWarmUpEndsWhenTheCacheBreaks() throws Exception {
    bucketCache();
    conf.setInt("hbase.bucketcache.ioengine.errors.tolerated.duration", 1);
    start(TIER_MB, QUEUE_LENGTH);
    UnreliableEngine engine = UnreliableEngine.under(bucketCache());
    Shape shape = shape();
    shape.rows = 2 * ROWS;
    Path path = write(shape);
    AtomicInteger count = new AtomicInteger();
    reads.setGate((file, position, length) -> {
      if (isWarmUp() && count.incrementAndGet() == 40) {
        engine.fail();
      }
    });
    HFile.Reader reader = openAndWarm(path);
    assertFalse(works(dataTier));
    assertReadable(shape, reader);
    long data = blocks(path).stream().filter(Block::isData).count();
    assertTrue("it doesn't read what can't be cached: " + count, count.get() < data / 2);
  }

  /** Returns true if the tier serves a block that it was given. */
  private static boolean works(BlockCache tier) {
    BlockCacheKey key = TestBlocks.key("probe", 0, BlockType.DATA);
    tier.cacheBlock(key, TestBlocks.block(key, 1024));
    Cacheable found = tier.getBlock(key, false, false, false);
    if (found == null) {
      return false;
    }
    found.release();
    return true;
  }

  @Test
  public void aWarmUpRestsWhileReadersMissTheCache() throws Exception {
    Path path = write(shape());
    long slow = TimeUnit.MILLISECONDS.toNanos(20);
    int slowReads = 5;
    AtomicLong last = new AtomicLong();
    AtomicInteger count = new AtomicInteger();
    List<Long> rests = Collections.synchronizedList(new ArrayList<>());
    BlockCacheKey absent = TestBlocks.key("absent", 0, BlockType.DATA);
    reads.setGate((file, position, length) -> {
      if (!isWarmUp()) {
        return;
      }
      long now = System.nanoTime();
      if (last.get() != 0) {
        rests.add(now - last.get());
      }
      last.set(0);
      if (count.incrementAndGet() <= slowReads) {
        assertNull(cache.getBlock(absent, true, false, true));
        while (System.nanoTime() - now < slow) {
          Thread.yield();
        }
        last.set(System.nanoTime());
      }
    });
    openAndWarm(path);
    assertEquals(slowReads, rests.size());
    for (long rest : rests) {
      assertTrue(rest + " ns of rest", rest >= 3 * slow);
    }
    assertCached(shape(), path, ALL);
  }

  @Test
  public void dataThatThereIsNoRoomForIsNotRead() throws Exception {
    start(4, QUEUE_LENGTH);
    writeBeforeEachRead();
    Shape shape = shape();
    shape.rows = 2 * ROWS;
    // Blocks of another file, which have to stay cached.
    Path others = write(shape);
    openAndWarm(others);
    long before = dataTier.getBlockCount();
    long evicted = dataTier.getStats().getEvictedCount();
    Path path = write(shape);
    HFile.Reader reader = openAndWarm(path);
    assertEquals("evicted", evicted, dataTier.getStats().getEvictedCount());
    assertTrue(dataTier.getBlockCount() > before);
    assertCached(shape, others, ALL);
    List<Block> blocks = blocks(path);
    assertTrue(blocks.stream().filter(Block::isMetadata).allMatch(block -> isCached(path, block)));
    long cached = blocks.stream().filter(block -> isCached(path, block)).count();
    assertTrue(cached < blocks.size());
    assertRead(shape, path, reader, block -> isCached(path, block));
    assertReadable(shape, reader);
  }

  /** A cache that has no room as long as it looks for its blocks. */
  private static final class RecoveringCache extends LruBlockCache {
    private final CountDownLatch awaited = new CountDownLatch(1);
    private volatile boolean recovering = true;

    RecoveringCache() {
      super((long) TIER_MB << 20, BLOCK_SIZE);
    }

    @Override
    public boolean isRecovering() {
      if (Arrays.stream(Thread.currentThread().getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals("awaitRecovery"))) {
        awaited.countDown();
      }
      return recovering;
    }

    @Override
    public Optional<Boolean> hasRoom(boolean metadata, long bytes) {
      return Optional.of(!recovering);
    }
  }

  @Test
  public void aFileThatIsOpenedWhileTheCacheLooksForItsBlocksIsWarmedAfterwards()
    throws Exception {
    assumeTrue(topology == Topology.LRU);
    cache.shutdown();
    RecoveringCache recovering = new RecoveringCache();
    cache = recovering;
    dataTier = recovering;
    Path path = write(shape());
    HFile.Reader reader = open(path);
    assertTrue(recovering.awaited.await(TIMEOUT_MS, TimeUnit.MILLISECONDS));
    assertEquals(0, recovering.getBlockCount());
    recovering.recovering = false;
    awaitEnd(path);
    assertCached(shape(), path, ALL);
    assertReadable(shape(), reader);
  }

  @Test
  public void metadataDoesNotWaitForTheRecoveryOfTheTierOfData() throws Exception {
    assumeTrue(topology == Topology.LRU);
    cache.shutdown();
    RecoveringCache recovering = new RecoveringCache();
    LruBlockCache first = new LruBlockCache((long) TIER_MB << 20, BLOCK_SIZE);
    cache = new CombinedBlockCache(first, recovering);
    dataTier = recovering;
    Path path = write(shape());
    Path later = write(shape());
    // Looked up before the warm-ups, which end when a reader of their file is closed.
    List<Block> blocks = blocks(path);
    List<Block> laterBlocks = blocks(later);
    HFile.Reader reader = open(path);
    awaitMetadata(path, blocks);
    assertTrue(recovering.awaited.await(TIMEOUT_MS, TimeUnit.MILLISECONDS));
    // The first file's data is waited for, and doesn't keep the second one's metadata waiting.
    HFile.Reader laterReader = open(later);
    awaitMetadata(later, laterBlocks);
    assertEquals(0, recovering.getBlockCount());
    recovering.recovering = false;
    awaitEnd(path);
    awaitEnd(later);
    assertCached(shape(), path, ALL);
    assertCached(shape(), later, ALL);
    assertReadable(shape(), reader);
    assertReadable(shape(), laterReader);
  }

  private void awaitMetadata(Path path, List<Block> blocks) {
    Waiter.waitFor(conf, TIMEOUT_MS, INTERVAL_MS,
      () -> blocks.stream().filter(Block::isMetadata).allMatch(block -> isCached(path, block)));
  }

  @Test
  public void offMeansThatTheReaderPrefetches() throws Exception {
    conf.unset(CacheWarmupSettings.ENABLED.key());
    assertNull(config().getWarmupPolicy());
    Path path = write(shape(), config());
    assertNull(WrittenFiles.get(path.getName(), cache));
    setDelay(TIMEOUT_MS);
    HFile.Reader reader = open(path);
    Runnable prefetch = PrefetchExecutor.getPrefetchRunnable().get(path);
    assertTrue(prefetch.getClass().getName().startsWith(HFilePreadReader.class.getName()));
    assertEquals(0, (long) counters().get("filesWaiting"));
    close(reader);
    setDelay(0);
    HFile.Reader warm = openAndWarm(path);
    assertCached(shape(), path, ALL);
    assertReadable(shape(), warm);
    assertEquals(0, counted("filesWarmed"));
    assertEquals(0, counted("blocksRead"));
  }

  /** Opens one of the measured files, which have different paths and the same name. */
  private interface Opener {
    void open(Path path) throws Exception;
  }

  /** Returns the bytes that are reachable on the heap. */
  private static long reachableBytes() throws Exception {
    String histogram = (String) ManagementFactory.getPlatformMBeanServer().invoke(
      new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
      new Object[] { null }, new String[] { String[].class.getName() });
    String[] total = histogram.substring(histogram.lastIndexOf("Total")).trim().split("\\s+");
    return Long.parseLong(total[2]);
  }

  /**
   * Returns the bytes that the opener retains for each of many files, before they are closed.
   * @param folder of the files, another one each time
   */
  private long retainedBytes(Path file, Opener opener, String folder) throws Exception {
    // What the first file loads and caches isn't counted.
    opener.open(new Path(familyPath, folder + "/0/" + file.getName()));
    long before = reachableBytes();
    for (int i = 1; i <= RETAINING_FILES; i++) {
      opener.open(new Path(familyPath, folder + "/" + i + "/" + file.getName()));
    }
    return (reachableBytes() - before) / RETAINING_FILES;
  }

  /** Returns how often it looked: what else the JVM does in the meantime is in the heap, too. */
  private int assertNothingIsRetained(Path file, Opener opener) throws Exception {
    conf.unset(CacheWarmupSettings.ENABLED.key());
    family.setPrefetchBlocksOnOpen(false);
    // What an earlier test left may go between two looks at the heap, which then tells too little.
    long cold = Math.max(retainedBytes(file, opener(file), "cold1"),
      retainedBytes(file, opener(file), "cold2"));
    conf.setBoolean(CacheWarmupSettings.ENABLED.key(), true);
    family.setPrefetchBlocksOnOpen(true);
    int looks = 1;
    long warm = retainedBytes(file, opener, "warm1");
    while (warm >= cold + MAX_RETAINED && looks < 3) {
      looks++;
      warm = Math.min(warm, retainedBytes(file, opener, "warm" + looks));
    }
    // A warm-up that kept the positions of data blocks would retain 12 bytes for each.
    assertTrue(warm + " bytes; " + cold + " without a warm-up", warm < cold + MAX_RETAINED);
    return looks;
  }

  private static Shape shapeOfManyBlocks() {
    Shape shape = shape();
    shape.blockSize = 512;
    return shape;
  }

  private Opener opener(Path file) throws IOException {
    long size = fs.getFileStatus(file).getLen();
    FSDataInputStreamWrapper stream = new FSDataInputStreamWrapper(fs, file);
    return path -> open(stream, path, size);
  }

  @Test
  public void ofFilesThatAreWarmNothingIsRetained() throws Exception {
    Path file = write(shapeOfManyBlocks());
    Opener opener = opener(file);
    int looks = assertNothingIsRetained(file, path -> {
      opener.open(path);
      awaitEnd(path);
    });
    assertEquals(looks * (RETAINING_FILES + 1), counted("filesWarmed"));
  }

  @Test
  public void ofFilesThatWaitForTheirDataNothingIsRetained() throws Exception {
    setDelay(TIMEOUT_MS);
    // The index and bloom blocks of this file aren't cached yet, so others postpone their data.
    open(write(shape()));
    Path file = write(shapeOfManyBlocks());
    Opener opener = opener(file);
    assertNothingIsRetained(file, path -> {
      opener.open(path);
      Runnable warmup = PrefetchExecutor.getPrefetchRunnable().get(path);
      warmup.run();
      assertTrue("it waits", warmup == PrefetchExecutor.getPrefetchRunnable().get(path));
    });
    assertEquals(0, counted("filesWarmed"));
    assertCached(shapeOfManyBlocks(), file, Block::isMetadata);
  }

  @Test
  public void ofFilesThatWereWrittenHereNothingIsRetainedHoweverTheirWarmUpEnds()
    throws Exception {
    Path file = write(shapeOfManyBlocks(), onWrite());
    HFileBlockLayout layout = WrittenFiles.get(file.getName(), cache).layout();
    assertTrue(cache.evictBlock(key(file, blocks(file).get(0))));
    reads.setGate((name, position, length) -> {
      if (isWarmUp()) {
        throw new IOException("Moved to the archive");
      }
    });
    setDelay(TIMEOUT_MS);
    Opener opener = opener(file);
    AtomicInteger count = new AtomicInteger();
    int looks = assertNothingIsRetained(file, path -> {
      CacheWarmup.onWritten(onWrite(), file.getName(), copy(layout));
      opener.open(path);
      Runnable warmup = PrefetchExecutor.getPrefetchRunnable().get(path);
      switch (count.getAndIncrement() % 4) {
        case 0:
          // The warm-up hasn't begun.
          break;
        case 1:
          Thread.currentThread().interrupt();
          warmup.run();
          assertFalse(Thread.interrupted());
          break;
        case 2:
          CacheWarmup.onCloseRegion(path.getParent().getParent().getName());
          break;
        default:
          warmup.run();
          break;
      }
    });
    assertEquals(looks * (RETAINING_FILES + 1) / 4, counted("filesFailed"));
  }

  private static HFileBlockLayout copy(HFileBlockLayout layout) {
    HFileBlockLayout copy = new HFileBlockLayout(CacheWarmupPolicy.Extent.EVERYTHING);
    for (BlockCategory category : Arrays.asList(BlockCategory.INDEX, BlockCategory.BLOOM,
      BlockCategory.DATA)) {
      HFileBlockLayout.Blocks blocks = layout.of(category);
      for (int i = 0; i < blocks.count(); i++) {
        copy.add(category, blocks.offset(i), blocks.size(i));
      }
    }
    return copy;
  }

  @Test
  public void aWriterNotesNoDataThatIsNotToBeCached() throws Exception {
    CacheConfig metadata = new CacheConfig(conf, ColumnFamilyDescriptorBuilder
      .newBuilder(family.build()).setCacheIndexesOnWrite(true).setCacheBloomsOnWrite(true).build(),
      cache, pool);
    Path path = write(shape(), metadata);
    HFileBlockLayout layout = WrittenFiles.get(path.getName(), cache).layout();
    assertEquals(0, layout.of(BlockCategory.DATA).count());
    HFile.Reader reader = openAndWarm(path);
    assertEquals(0, bytesOfBlocks(path, reader));
    assertCached(shape(), path, Block::isMetadata);
  }

  @Test
  public void aFileIsWarmedThoughWhatItsWriterSaidIsForgottenMeanwhile() throws Exception {
    for (Shape shape : shapes()) {
      Path path = write(shape, onWrite());
      awaitWritten();
      cache.evictBlocksByHfileName(path.getName());
      setDelay(TIMEOUT_MS);
      HFile.Reader reader = open(path);
      WrittenFiles.forget(path.getName());
      PrefetchExecutor.getPrefetchRunnable().get(path).run();
      awaitWritten();
      assertCached(shape, path, ALL);
      assertRead(shape, path, reader, ALL);
      start(TIER_MB, 10_000);
    }
    assertEquals(0, counted("blocksMissing"));
  }
}
