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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.MetaCellComparator;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.HalfStoreFileReader;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.MultiByteBuff;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/**
 * Scanners of random files are used with and without indexes, and must not differ. The property
 * block.seek.blocks says how many blocks are tried; a class of tests is ended after 13 minutes.
 */
@Category({ IOTests.class, MediumTests.class })
public class TestBlockSeeker {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestBlockSeeker.class);

  private static final int BLOCKS = Integer.getInteger("block.seek.blocks", 250);
  private static final int MOST_BLOCKS = 20 * BLOCKS;
  private static final int FILE_BYTES = 400_000;
  private static final int MAX_CELLS = 6_000;
  private static final int SEEKS_PER_FILE = 200;
  private static final int STEPS_PER_SCANNER = 6;
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final KeyValue.Type[] TYPES = { KeyValue.Type.Put, KeyValue.Type.Put,
    KeyValue.Type.Put, KeyValue.Type.Delete, KeyValue.Type.DeleteColumn };

  @Rule
  public final RandomSeed seed = new RandomSeed();

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = new Configuration();
  private FileSystem fs;
  private Random random;
  private SplittingCache cache;
  private int files;

  /** A heap cache whose readers get blocks in one or several buffers, on the heap or off it. */
  private static final class SplittingCache extends LruBlockCache {
    private final Random random;
    /** As the scanner sees it, not the cache. */
    private boolean isSplit;

    SplittingCache(Random random) {
      super(64 << 20, 64 << 10, false);
      this.random = random;
    }

    @Override
    public Cacheable getBlock(BlockCacheKey key, boolean caching, boolean repeat,
      boolean updateCacheMetrics) {
      HFileBlock cached = (HFileBlock) super.getBlock(key, caching, repeat, updateCacheMetrics);
      if (cached == null) {
        return null;
      }
      ByteBuffer bytes = ByteBuffer.allocate(cached.getSerializedLength());
      cached.serialize(bytes, true);
      bytes.rewind();
      try {
        HFileBlock read = (HFileBlock) cached.getDeserializer()
          .deserialize(isSplit ? split(bytes) : whole(bytes), ByteBuffAllocator.HEAP);
        BlockSeekIndex.onRead(read, cached);
        return read;
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    private ByteBuff whole(ByteBuffer bytes) {
      return new SingleByteBuff(random.nextBoolean() ? bytes : direct(bytes));
    }

    private static ByteBuffer direct(ByteBuffer bytes) {
      ByteBuffer copy = ByteBuffer.allocateDirect(bytes.remaining());
      copy.put(bytes);
      copy.flip();
      return copy;
    }

    private ByteBuff split(ByteBuffer bytes) {
      List<ByteBuffer> parts = new ArrayList<>();
      boolean isDirect = random.nextBoolean();
      int most = Math.max(64, bytes.capacity() / (1 + random.nextInt(8)));
      while (bytes.hasRemaining()) {
        byte[] part = new byte[Math.min(bytes.remaining(), 40 + random.nextInt(most))];
        bytes.get(part);
        parts.add(isDirect ? direct(ByteBuffer.wrap(part)) : ByteBuffer.wrap(part));
      }
      return new MultiByteBuff(parts.toArray(new ByteBuffer[0]));
    }
  }

  /** What a scanner is asked. */
  private enum Step {
    SEEK,
    RESEEK,
    SEEK_BEFORE,
    NEXT
  }

  /** Shape of a file and of its cells. */
  private final class Shape {
    final boolean isMeta = random.nextInt(8) == 0;
    final boolean hasTags = random.nextInt(3) == 0;
    final boolean hasMvcc = random.nextInt(4) != 0;
    final long maxSequenceId = 1L << random.nextInt(4) * 12;
    final int blockSize = 8192 << random.nextInt(4);
    final int valueBytes = new int[] { 1, 20, 20, 100, 1_000, 20_000 }[random.nextInt(6)];
    final int rows = random.nextInt(4) == 0 ? 1 : 1 + random.nextInt(2_000);
    final int columns = new int[] { 1, 5, 50 }[random.nextInt(3)];
    final int versions = new int[] { 1, 1, 3, 500 }[random.nextInt(4)];
    final String prefix = "user000000000000000000".substring(0, random.nextInt(22));
    final boolean isBinary = random.nextBoolean();
    final CellComparator comparator =
      isMeta ? MetaCellComparator.META_COMPARATOR : CellComparatorImpl.COMPARATOR;

    byte[] row() {
      int number = random.nextInt(rows);
      if (isMeta) {
        return Bytes.toBytes("t" + number % 3 + "," + number + "," + number % 7);
      }
      return isBinary
        ? Bytes.add(Bytes.toBytes(prefix), Bytes.toBytes(number * 104_729))
        : Bytes.toBytes(prefix + number);
    }

    byte[] qualifier() {
      return Bytes.toBytes("q" + random.nextInt(columns));
    }

    KeyValue cell() {
      byte[] value = new byte[1 + random.nextInt(valueBytes)];
      random.nextBytes(value);
      KeyValue.Type type = TYPES[random.nextInt(TYPES.length)];
      boolean ofFamily = random.nextInt(50) == 0;
      List<Tag> tags = new ArrayList<>();
      for (int i = hasTags ? random.nextInt(3) : 0; i > 0; i--) {
        tags.add(new ArrayBackedTag((byte) i, new byte[random.nextInt(40)]));
      }
      KeyValue cell = new KeyValue(row(), FAMILY, ofFamily ? null : qualifier(),
        1 + random.nextInt(versions), ofFamily ? KeyValue.Type.DeleteFamily : type, value, tags);
      cell.setSequenceId(hasMvcc ? (long) (random.nextDouble() * maxSequenceId) : 0);
      return cell;
    }

    /** Returns a key that some seek may have: of a cell, beside one, or of no cell at all. */
    Cell key(List<Cell> cells) {
      Cell near = cells.get(random.nextInt(cells.size()));
      switch (random.nextInt(9)) {
        case 0:
          return PrivateCellUtil.createFirstOnRow(near);
        case 1:
          return PrivateCellUtil.createLastOnRow(near);
        case 2:
          return PrivateCellUtil.createFirstOnRowCol(near);
        case 3:
          return PrivateCellUtil.createLastOnRowCol(near);
        case 4:
          return cell();
        case 5:
          return new KeyValue(CellUtil.cloneRow(near), FAMILY, qualifier(), near.getTimestamp(),
            KeyValue.Type.Put);
        case 6:
          byte[] row = CellUtil.cloneRow(near);
          return PrivateCellUtil.createFirstOnRow(isMeta ? row : Bytes.add(row, new byte[1]));
        case 7:
          KeyValue other = KeyValueUtil.copyToNewKeyValue(near);
          other.setSequenceId(random.nextInt(9));
          return other;
        default:
          return near;
      }
    }
  }

  @Before
  public void setUp() throws IOException {
    fs = FileSystem.getLocal(conf);
    random = seed.newRandom();
    cache = new SplittingCache(seed.newRandom());
  }

  @After
  public void tearDown() {
    turnOn(false);
  }

  static void turnOn(boolean on) {
    Configuration switched = new Configuration(false);
    switched.setBoolean(BlockSeekIndexSettings.ENABLED.key(), on);
    // Little memory, so that indexes lose it to others.
    switched.set(BlockSeekIndexSettings.SIZE.key(), "1m");
    BlockSeekIndex.configure(switched);
  }

  private static List<Cell> cells(Shape shape) {
    TreeSet<Cell> cells = new TreeSet<>(shape.comparator);
    long bytes = 0;
    for (int tries = 0; tries < MAX_CELLS && bytes < FILE_BYTES; tries++) {
      KeyValue cell = shape.cell();
      if (cells.add(cell)) {
        bytes += cell.getLength();
      }
    }
    return new ArrayList<>(cells);
  }

  private Path write(Shape shape, List<Cell> cells, DataBlockEncoding encoding)
    throws IOException {
    Path path = new Path(folder.getRoot().toURI().toString(), String.format("%032x", ++files));
    HFileContext context = new HFileContextBuilder().withBlockSize(shape.blockSize)
      .withIncludesTags(shape.hasTags).withIncludesMvcc(shape.hasMvcc)
      .withCellComparator(shape.comparator).withDataBlockEncoding(encoding).build();
    try (HFile.Writer writer = HFile.getWriterFactory(conf, CacheConfig.DISABLED)
      .withPath(fs, path).withFileContext(context).create()) {
      for (Cell cell : cells) {
        writer.append(cell);
      }
      writer.appendTrackedTimestampsToMetadata();
    }
    return path;
  }

  /** A file, or half of it. */
  private interface ScannerSource extends AutoCloseable {
    HFileScanner open();

    @Override
    void close() throws IOException;
  }

  private ScannerSource whole(Path path) throws IOException {
    HFile.Reader reader = HFile.createReader(fs, path,
      new CacheConfig(conf, null, cache, ByteBuffAllocator.HEAP), true, conf);
    return new ScannerSource() {
      @Override
      public HFileScanner open() {
        return reader.getScanner(conf, true, true);
      }

      @Override
      public void close() throws IOException {
        reader.close(true);
      }
    };
  }

  private ScannerSource half(Path path, byte[] splitRow, boolean top) throws IOException {
    Reference half =
      top ? Reference.createTopReference(splitRow) : Reference.createBottomReference(splitRow);
    ReaderContext context = new ReaderContextBuilder()
      .withInputStreamWrapper(new FSDataInputStreamWrapper(fs, path))
      .withFileSize(fs.getFileStatus(path).getLen()).withFileSystem(fs)
      .withFilePath(path.suffix(".fedcba9876543210fedcba9876543210"))
      .withReaderType(ReaderContext.ReaderType.PREAD).build();
    HFileInfo info = new HFileInfo(context, conf);
    HalfStoreFileReader reader = new HalfStoreFileReader(context, info,
      new CacheConfig(conf, null, cache, ByteBuffAllocator.HEAP), half,
      new StoreFileInfo(conf, fs, fs.getFileStatus(path), half), conf);
    info.initMetaAndIndex(reader.getHFileReader());
    return new ScannerSource() {
      @Override
      public HFileScanner open() {
        return reader.getScanner(true, true, false);
      }

      @Override
      public void close() throws IOException {
        reader.close(true);
      }
    };
  }

  /** Does the same steps with the same keys for each seed, and returns what came of them. */
  private List<String> run(ScannerSource source, Shape shape, List<Cell> cells, long seedOfSteps) {
    List<String> outcomes = new ArrayList<>();
    random = new Random(seedOfSteps);
    for (int i = 0; i < SEEKS_PER_FILE / STEPS_PER_SCANNER; i++) {
      HFileScanner scanner = source.open();
      Cell last = null;
      for (int j = 0; j < STEPS_PER_SCANNER; j++) {
        Step step = Step.values()[j == 0 ? 0 : random.nextInt(Step.values().length)];
        Cell key = shape.key(cells);
        if (step == Step.RESEEK && (last == null || shape.comparator.compare(key, last) < 0)) {
          step = Step.SEEK;
        }
        last = key;
        outcomes.add(step + " " + CellUtil.getCellKeyAsString(key) + ": "
          + perform(scanner, step, key));
      }
      scanner.close();
    }
    return outcomes;
  }

  private static String perform(HFileScanner scanner, Step step, Cell key) {
    try {
      switch (step) {
        case SEEK:
          return scanner.seekTo(key) + state(scanner);
        case RESEEK:
          return scanner.reseekTo(key) + state(scanner);
        case SEEK_BEFORE:
          return scanner.seekBefore(key) + state(scanner);
        default:
          return scanner.next() + state(scanner);
      }
    } catch (IOException | RuntimeException e) {
      return e.toString();
    }
  }

  private static String state(HFileScanner scanner) {
    if (!scanner.isSeeked()) {
      return " nowhere";
    }
    KeyValue cell = KeyValueUtil.copyToNewKeyValue(scanner.getCell());
    return " " + cell + " " + Bytes.hashCode(cell.getBuffer());
  }

  private void assertSame(ScannerSource source, Shape shape, List<Cell> cells) {
    long seedOfSteps = random.nextLong();
    Random before = random;
    turnOn(false);
    cache.isSplit = before.nextInt(3) == 0;
    List<String> expected = run(source, shape, cells, seedOfSteps);
    turnOn(true);
    // The first round may build indexes, the second uses all of them.
    for (int round = 0; round < 2; round++) {
      List<String> outcomes = run(source, shape, cells, seedOfSteps);
      for (int i = 0; i < expected.size(); i++) {
        assertEquals(expected.get(i), outcomes.get(i));
      }
    }
    random = before;
  }

  @Test
  public void scannersAreWhereTheyAreWithoutIndexes() throws IOException {
    long jumps = MetricsBlockSeekIndex.JUMPS.sum();
    long built = MetricsBlockSeekIndex.BUILT.sum();
    int blocks = 0;
    Random seeds = seed.newRandom();
    // Some shapes have few blocks that are worth an index: others follow then.
    while (
      blocks < BLOCKS || blocks < MOST_BLOCKS
        && (MetricsBlockSeekIndex.BUILT.sum() - built <= BLOCKS / 4
          || MetricsBlockSeekIndex.JUMPS.sum() - jumps <= BLOCKS)
    ) {
      random = new Random(seeds.nextLong());
      Shape shape = new Shape();
      List<Cell> cells = cells(shape);
      Path path = write(shape, cells, DataBlockEncoding.NONE);
      try (ScannerSource source = whole(path)) {
        assertSame(source, shape, cells);
      }
      if (!shape.isMeta && random.nextInt(3) == 0) {
        byte[] splitRow = CellUtil.cloneRow(cells.get(random.nextInt(cells.size())));
        try (ScannerSource source = half(path, splitRow, random.nextBoolean())) {
          assertSame(source, shape, cells);
        }
      }
      blocks += (int) (fs.getFileStatus(path).getLen() / shape.blockSize) + 1;
      fs.delete(path, false);
    }
    assertTrue("indexes were built", MetricsBlockSeekIndex.BUILT.sum() - built > BLOCKS / 4);
    assertTrue("indexes were used", MetricsBlockSeekIndex.JUMPS.sum() - jumps > BLOCKS);
  }

  @Test
  public void encodedBlocksGetNoIndex() throws IOException {
    long built = MetricsBlockSeekIndex.BUILT.sum();
    Shape shape = new Shape();
    List<Cell> cells = cells(shape);
    for (DataBlockEncoding encoding : new DataBlockEncoding[] { DataBlockEncoding.FAST_DIFF,
      DataBlockEncoding.ROW_INDEX_V1 }) {
      try (ScannerSource source = whole(write(shape, cells, encoding))) {
        assertSame(source, shape, cells);
      }
    }
    assertEquals(built, MetricsBlockSeekIndex.BUILT.sum());
  }
}
