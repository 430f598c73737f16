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

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.commons.lang3.StringUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.IndividualBytesFieldCell;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.NoTagsKeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.TagUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.ManualEnvironmentEdge;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * Files that compactions and flushes write with cursors are those that they write with a scanner,
 * and readers see the same after as before. {@code -Dtest.rounds} says how many tables are tried.
 */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestCursorCompactionFiles extends CursorCompactionTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCursorCompactionFiles.class);

  private static final int ROUNDS = Integer.getInteger("test.rounds", 40);
  private static final long DAY = 24L * 60 * 60 * 1000;
  private static final BloomType[] BLOOMS = { BloomType.NONE, BloomType.ROW, BloomType.ROWCOL };
  private static final String[] QUALIFIERS =
    { "", "a", "ab", "abcdefgh", "abcdefghi", "abcdefgi", "b", "z" };

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private final ManualEnvironmentEdge clock = new ManualEnvironmentEdge();
  private Random random;
  private MemoryCompactionPolicy inMemory = MemoryCompactionPolicy.NONE;
  private boolean hasReader;
  private boolean anyDeletes;
  private boolean tags;
  private boolean odd;
  /** What rows begin with. */
  private String prefix = "row";
  /** Null if blocks are on the heap. */
  private ByteBuffAllocator allocator;

  @Before
  public void stopClock() {
    random = seed.newRandom();
    EnvironmentEdgeManager.injectEdge(clock);
  }

  @After
  public void startClock() {
    EnvironmentEdgeManager.reset();
  }

  @Test
  public void aFileIsTheSameByteForByte() throws IOException {
    int files = 0;
    for (int round = 0; round < ROUNDS; round++) {
      String table = openRandom(false);
      long begun = METRICS.getBegun();
      List<HStoreFile> all = new ArrayList<>(store.getStorefiles());
      boolean major = random.nextBoolean();
      for (int from = 0; from < all.size(); from++) {
        List<HStoreFile> some = all.subList(from, all.size());
        int held = heldBuffers();
        byte[] scanned = takeBytes(compact(false, major, some));
        assertEquals(table, begun + from, METRICS.getBegun());
        byte[] cursors = takeBytes(compact(true, major, some));
        assertEquals(table, begun + from + 1, METRICS.getBegun());
        assertEquals(table, held, heldBuffers());
        assertArrayEquals(table + ", from file " + from + (major ? ", major" : ", minor"), scanned,
          cursors);
        files++;
      }
      close();
    }
    System.out.println(files + " files are the same");
    assertTrue(files >= ROUNDS);
  }

  @Test
  public void aFlushedFileIsTheSameByteForByte() throws IOException {
    MemoryCompactionPolicy[] kinds = MemoryCompactionPolicy.values();
    for (int round = 0; round < ROUNDS; round++) {
      inMemory = kinds[random.nextInt(kinds.length)];
      String table = openRandom(false);
      for (int segments = random.nextInt(4); segments > 0; segments--) {
        write(20 + random.nextInt(200));
        flushInMemory();
      }
      write(20 + random.nextInt(200));
      MemStoreSnapshot snapshot = store.memstore.snapshot();
      long flushes = METRICS.getFlushes();
      byte[] scanned = takeBytes(flush(false, snapshot, null));
      assertEquals(table, flushes, METRICS.getFlushes());
      byte[] cursors = takeBytes(flush(true, snapshot, null));
      assertEquals(table, flushes + 1, METRICS.getFlushes());
      assertArrayEquals(table, scanned, cursors);
      close();
    }
  }

  /** Cells of other classes than those of most clients, and tags that nobody should write. */
  @Test
  public void aFlushedFileOfUnusualCellsIsTheSame() throws IOException {
    clock.setValue(System.currentTimeMillis());
    for (DataBlockEncoding encoding : new DataBlockEncoding[] { DataBlockEncoding.NONE,
      DataBlockEncoding.DIFF }) {
      conf.setBoolean(MemStoreLAB.USEMSLAB_KEY, false);
      open(ColumnFamilyDescriptorBuilder.newBuilder(F).setDataBlockEncoding(encoding).build());
      for (int i = 0; i < 200; i++) {
        store.memstore.add(unusual(i, encoding != DataBlockEncoding.NONE), null);
      }
      MemStoreSnapshot snapshot = store.memstore.snapshot();
      long failures = METRICS.getFailedFlushes();
      assertArrayEquals(encoding.toString(), takeBytes(flush(false, snapshot, null)),
        takeBytes(flush(true, snapshot, null)));
      assertEquals(failures, METRICS.getFailedFlushes());
      close();
    }
  }

  /** @param encoded if not, all bytes of a cell are written, also tags that it doesn't tell of */
  private Cell unusual(int number, boolean encoded) throws IOException {
    byte[] row = Bytes.toBytes(number);
    // The biggest cell is a plain one, since bytes that a cell doesn't tell of count otherwise.
    byte[] value = new byte[number == 6 ? 1000 : random.nextInt(400)];
    random.nextBytes(value);
    byte[] ttl = TagUtil.fromList(
      Collections.singletonList(new ArrayBackedTag(TagType.TTL_TAG_TYPE, Bytes.toBytes(1L))));
    KeyValue plain = new KeyValue(row, F, F, timestamp(), value);
    ExtendedCell cell;
    switch (number % 7) {
      case 0:
        cell = (ExtendedCell) PrivateCellUtil.createCell(plain, HConstants.EMPTY_BYTE_ARRAY);
        break;
      case 1:
        cell = (ExtendedCell) PrivateCellUtil.createCell(plain, F, HConstants.EMPTY_BYTE_ARRAY);
        break;
      case 2:
        cell = (ExtendedCell) PrivateCellUtil.createCell(plain, ttl);
        break;
      case 3:
        KeyValue tagged = new KeyValue(row, F, F, timestamp(), KeyValue.Type.Put, value, ttl);
        cell = encoded
          ? new NoTagsKeyValue(tagged.getBuffer(), tagged.getOffset(), tagged.getLength())
          : tagged;
        break;
      case 4:
        cell = new IndividualBytesFieldCell(row, F, F, timestamp(), KeyValue.Type.Put, 0, value,
          number % 2 == 0 ? null : ttl);
        break;
      case 5:
        // A length beyond the end, of a kind that nobody knows; encoders can't write it.
        byte[] damaged = { 0x7f, 1, 77, 0 };
        cell = (ExtendedCell) PrivateCellUtil.createCell(plain, encoded ? ttl : damaged);
        break;
      default:
        cell = plain;
    }
    cell.setSequenceId(number + 1);
    return cell;
  }

  private void flushInMemory() throws IOException {
    if (store.memstore instanceof CompactingMemStore) {
      CompactingMemStore memstore = (CompactingMemStore) store.memstore;
      memstore.flushInMemory();
      UTIL.waitFor(30_000, 1, () -> !memstore.isMemStoreFlushingInMemory());
    }
  }

  @Test
  public void readersSeeTheSameAfterAsBefore() throws IOException {
    conf.setBoolean(CursorCompactionSettings.ENABLED.key(), true);
    for (int round = 0; round < ROUNDS; round++) {
      String table = openRandom(true);
      List<String> before = read();
      long begun = METRICS.getBegun();
      region.compact(true);
      assertTrue(table, METRICS.getBegun() > begun || store.getStorefilesCount() == 0);
      assertEquals(table, before, read());
      region.compact(true);
      assertEquals(table, before, read());
      close();
    }
  }

  /**
   * Makes a region of random settings, and files of random cells.
   * @param anywhere whether columns without a name have cells of which a scanner drops more or
   *                 less, depending on where the file's blocks end; and nothing is kept that
   *                 readers see or don't, depending on compactions
   */
  private String openRandom(boolean anywhere) throws IOException {
    hasReader = !anywhere && random.nextInt(3) == 0;
    anyDeletes = anywhere;
    tags = random.nextInt(3) == 0;
    odd = !anywhere && random.nextInt(4) == 0;
    boolean old = random.nextInt(3) == 0;
    clock.setValue(System.currentTimeMillis() + (old ? 7 * DAY : 0));
    KeepDeletedCells[] kept = KeepDeletedCells.values();
    int maxVersions = 1 + random.nextInt(4);
    int minVersions = !anywhere && random.nextInt(3) == 0 ? random.nextInt(maxVersions) : 0;
    boolean expires = minVersions > 0 || random.nextInt(3) == 0;
    ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(F)
      .setMaxVersions(maxVersions).setMinVersions(minVersions).setInMemoryCompaction(inMemory)
      .setBlocksize(1 << 7 + random.nextInt(6))
      .setDataBlockEncoding(encoding()).setBloomFilterType(BLOOMS[random.nextInt(BLOOMS.length)])
      .setCompressionType(
        random.nextInt(3) == 0 ? Compression.Algorithm.GZ : Compression.Algorithm.NONE)
      .setKeepDeletedCells(
        anywhere ? KeepDeletedCells.FALSE : kept[random.nextInt(kept.length)]);
    if (expires) {
      family.setTimeToLive(20);
    }
    conf.setLong("hbase.hstore.time.to.purge.deletes", random.nextInt(4) == 0 ? 15000 : 0);
    conf.setInt("hbase.hstore.compaction.kv.max", 1 + random.nextInt(20));
    prefix = random.nextInt(5) == 0 ? StringUtils.repeat("row", 1 + random.nextInt(1000)) : "row";
    open(family.build());
    allocator = null;
    if (random.nextBoolean()) {
      // Blocks are in one buffer, or in several.
      allocator = ByteBuffAllocator.create(bufferSettings(256 << random.nextInt(6)), true);
      setAllocator(store.getCacheConfig(), allocator);
    }
    int files = !anywhere && random.nextInt(8) == 0 ? 12 : 1 + random.nextInt(5);
    RegionScanner reader = null;
    for (int file = 0; file < files; file++) {
      if (hasReader && file == files / 2) {
        reader = region.getScanner(new Scan());
      }
      if (random.nextInt(6) == 0) {
        bulkLoad(file);
      } else {
        write(20 + random.nextInt(200));
        region.flush(true);
      }
    }
    return "hold reader " + (reader != null) + ", tags " + tags + ", odd " + odd + ", clock " + old
      + ", " + family.build();
  }

  private static Configuration bufferSettings(int bytes) {
    Configuration settings = new Configuration(false);
    settings.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, bytes);
    settings.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, 10_000);
    settings.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 0);
    return settings;
  }

  /** A region that is opened without a server has blocks on the heap. */
  private static void setAllocator(CacheConfig cache, ByteBuffAllocator allocator) {
    try {
      Field field = CacheConfig.class.getDeclaredField("byteBuffAllocator");
      field.setAccessible(true);
      field.set(cache, allocator);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns how many buffers have been taken and not given back. */
  private int heldBuffers() {
    return allocator == null ? 0 : allocator.getUsedBufferCount() - allocator.getFreeBufferCount();
  }

  private DataBlockEncoding encoding() {
    DataBlockEncoding[] encodings = DataBlockEncoding.values();
    return random.nextBoolean()
      ? DataBlockEncoding.NONE
      : encodings[random.nextInt(encodings.length)];
  }

  private byte[] row() {
    return Bytes.toBytes(prefix + "abcdefgh".substring(0, random.nextInt(9)) + random.nextInt(5));
  }

  private long timestamp() {
    return EnvironmentEdgeManager.currentTime() - 1000L * random.nextInt(40);
  }

  private void write(int operations) throws IOException {
    for (int i = 0; i < operations; i++) {
      byte[] row = row();
      if (odd && random.nextInt(10) == 0) {
        writeOdd(row);
      } else if (random.nextInt(5) > 0) {
        region.put(put(row));
      } else {
        region.delete(delete(row));
      }
    }
  }

  private Put put(byte[] row) {
    Put put = new Put(row).setDurability(Durability.SKIP_WAL);
    if (tags && random.nextBoolean()) {
      put.setTTL(1000L * random.nextInt(40));
    }
    for (int column = 1 + random.nextInt(4); column > 0; column--) {
      int most = random.nextInt(20) > 0 ? 50 : random.nextInt(20) > 0 ? 3000 : 200_000;
      byte[] value = new byte[random.nextInt(most)];
      random.nextBytes(value);
      put.addColumn(F, qualifier(), timestamp(), value);
    }
    return put;
  }

  private byte[] qualifier() {
    int first = anyDeletes || !hasReader ? 0 : 1;
    return Bytes.toBytes(QUALIFIERS[first + random.nextInt(QUALIFIERS.length - first)]);
  }

  /** Cells that clients may send, though no method of {@link Put} or {@link Delete} makes them. */
  private void writeOdd(byte[] row) throws IOException {
    byte[] named = Bytes.toBytes(QUALIFIERS[1 + random.nextInt(QUALIFIERS.length - 1)]);
    byte[] value = Bytes.toBytes("odd");
    switch (random.nextInt(3)) {
      case 0:
        region.delete(new Delete(row).setDurability(Durability.SKIP_WAL)
          .add(new KeyValue(row, F, named, timestamp(), KeyValue.Type.DeleteFamilyVersion)));
        break;
      case 1:
        region.put(new Put(row).setDurability(Durability.SKIP_WAL)
          .add(new KeyValue(row, F, named, timestamp(), KeyValue.Type.Maximum, value)));
        break;
      default:
        region.put(new Put(row).setDurability(Durability.SKIP_WAL)
          .add(new KeyValue(row, F, named, timestamp(), KeyValue.Type.Minimum, value)));
    }
  }

  private Delete delete(byte[] row) {
    Delete delete = new Delete(row).setDurability(Durability.SKIP_WAL);
    byte[] named = Bytes
      .toBytes(QUALIFIERS[(anyDeletes ? 0 : 1) + random.nextInt(QUALIFIERS.length - 1)]);
    switch (random.nextInt(5)) {
      case 0:
        return delete.addFamily(F, timestamp());
      case 1:
        return delete.addFamilyVersion(F, timestamp());
      case 2:
        return delete.addColumn(F, named, timestamp());
      default:
        return delete.addColumns(F, named, timestamp());
    }
  }

  private void bulkLoad(int number) throws IOException {
    TreeSet<KeyValue> cells = new TreeSet<>(CellComparator.getInstance());
    for (int i = 0; i < 100; i++) {
      cells.add(new KeyValue(row(), F, qualifier(), timestamp(), Bytes.toBytes("bulk" + i)));
    }
    FileSystem fs = store.getFileSystem();
    Path file = new Path(UTIL.getDataTestDir("bulk"), "f/" + number);
    HFile.WriterFactory factory =
      HFile.getWriterFactory(conf, new CacheConfig(conf)).withPath(fs, file)
        .withFileContext(new HFileContextBuilder().withDataBlockEncoding(encoding()).build());
    try (HFile.Writer writer = factory.create()) {
      for (KeyValue cell : cells) {
        writer.append(cell);
      }
      if (random.nextBoolean()) {
        writer.appendFileInfo(HStoreFile.BULKLOAD_TIME_KEY, Bytes.toBytes(1L));
      }
    }
    region.bulkLoadHFiles(Collections.singleton(new Pair<>(F, file.toString())),
      random.nextBoolean(), null);
  }
}
