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
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.TagUtil;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.io.AllocationMeter;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.hbase.regionserver.wal.WALCellCodec;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.AbstractFSWALProvider;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALStreamReader;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** A write-ahead log never contains what it can't be replayed with. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestMutationSanityCheck {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestMutationSanityCheck.class);

  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] OTHER = Bytes.toBytes("other");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final byte[] VALUE = Bytes.toBytes(1L);
  private static final int TYPE_AT =
    KeyValue.ROW_OFFSET + KeyValue.KEY_INFRASTRUCTURE_SIZE + 3 + 1 + 1 - 1;
  private static final int TIMESTAMP_AT = TYPE_AT - Bytes.SIZEOF_LONG;

  private final HBaseTestingUtility util = new HBaseTestingUtility();
  private HRegion region;

  @Before
  public void setUp() throws IOException {
    region = util.createLocalHRegion(TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
      .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)).build(), null, null);
  }

  @After
  public void tearDown() throws IOException {
    HBaseTestingUtility.closeRegionAndWAL(region);
    util.cleanupTestDir();
  }

  private static Tag tag(int bytes) {
    return new ArrayBackedTag((byte) 100, new byte[bytes]);
  }

  /** Returns a cell as received in a request's cell block, off the heap, with one byte changed. */
  private static Cell received(int at, int value, Tag... tags) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Codec codec = new KeyValueCodecWithTags();
    Codec.Encoder encoder = codec.getEncoder(out);
    encoder.write(new KeyValue(ROW, FAMILY, QUALIFIER, 7L, KeyValue.Type.Put, VALUE,
      Arrays.asList(tags)));
    encoder.flush();
    byte[] bytes = out.toByteArray();
    bytes[Bytes.SIZEOF_INT + at] = (byte) value;
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length);
    direct.put(bytes).flip();
    Codec.Decoder decoder = codec.getDecoder(new SingleByteBuff(direct));
    assertTrue(decoder.advance());
    return decoder.current();
  }

  private static List<Cell> unreadable() throws IOException {
    byte put = KeyValue.Type.Put.getCode();
    Cell right = received(TYPE_AT, put);
    return Arrays.asList(received(TIMESTAMP_AT, 0x80), received(TYPE_AT, 99),
      // Like cells from protobuf messages, whose lengths haven't been checked.
      PrivateCellUtil.createCell(right, new byte[] { 0, 9, 1, 1 }),
      PrivateCellUtil.createCell(right, new byte[] { 0, 0, 1 }),
      PrivateCellUtil.createCell(right, new byte[] { 0 }),
      PrivateCellUtil.createCell(right, TagUtil.fromList(Arrays.asList(tag(20_000), tag(20_000)))),
      PrivateCellUtil.createCell(right, TagUtil.fromList(Arrays.asList(tag(33_000)))));
  }

  private static Put put(byte[] row) {
    return new Put(row).addColumn(FAMILY, QUALIFIER, VALUE);
  }

  private static List<Mutation> mutations(Cell cell) throws IOException {
    return Arrays.asList(new Put(ROW).add(cell), new Append(ROW).add(cell),
      new Increment(ROW).add(cell), new Delete(ROW).add(cell));
  }

  /** Returns the number of the family's cells in the log, which is read as for its split. */
  private int cellsOfTheLog() throws IOException {
    WAL wal = region.getWAL();
    Path file = AbstractFSWALProvider.getCurrentFileName(wal);
    // Like a server that crashes: the region isn't flushed, and the log isn't archived.
    region.close(true);
    wal.shutdown();
    int cells = 0;
    try (WALStreamReader reader = WALFactory.createStreamReader(util.getTestFileSystem(),
      file, util.getConfiguration())) {
      for (WAL.Entry entry = reader.next(); entry != null; entry = reader.next()) {
        cells += entry.getEdit().getCells().stream()
          .filter(cell -> CellUtil.matchingFamily(cell, FAMILY)).count();
      }
    }
    return cells;
  }

  @Test
  public void whatTheLogCouldNotBeReadWithFailsAlone() throws IOException {
    List<Cell> unreadable = unreadable();
    for (Cell cell : unreadable) {
      Put bad = new Put(ROW).add(cell);
      OperationStatus[] statuses =
        region.batchMutate(new Mutation[] { put(OTHER), bad, put(OTHER) });
      assertEquals(OperationStatusCode.SUCCESS, statuses[0].getOperationStatusCode());
      assertEquals(OperationStatusCode.SANITY_CHECK_FAILURE,
        statuses[1].getOperationStatusCode());
      assertEquals(OperationStatusCode.SUCCESS, statuses[2].getOperationStatusCode());
    }
    assertTrue(region.get(new Get(ROW)).isEmpty());
    assertEquals(2 * unreadable.size(), cellsOfTheLog());
  }

  /** The sink would not be spared: the log of its own server couldn't be split. */
  @Test
  public void theRefusalOfAReplicatedMutationSaysHowReplicationGoesOn() throws IOException {
    for (Cell cell : unreadable()) {
      Put written = new Put(ROW).add(cell);
      Put replicated = new Put(ROW).add(cell);
      replicated.setClusterIds(Arrays.asList(UUID.randomUUID()));

      OperationStatus[] statuses = region.batchMutate(new Mutation[] { written, replicated });

      assertFalse(statuses[0].getExceptionMsg().contains("peer"));
      assertTrue(statuses[1].getExceptionMsg(),
        statuses[1].getExceptionMsg().contains("set_peer_exclude_tableCFs"));
    }
  }

  /** Proves that the rules here are those of the log's readers. */
  @Test
  public void whatIsRefusedCouldNotBeReadFromALog() throws IOException {
    for (Cell cell : unreadable()) {
      ByteArrayOutputStream log = new ByteArrayOutputStream();
      WALCellCodec codec = new WALCellCodec(util.getConfiguration(), null);
      Codec.Encoder encoder = codec.getEncoder(log);
      encoder.write(cell);
      encoder.flush();
      Codec.Decoder decoder = codec.getDecoder(new ByteArrayInputStream(log.toByteArray()));
      assertThrows(Exception.class, decoder::advance);
    }
  }

  /** The bytes would be written to the flushed file where the next cell begins. */
  @Test
  public void bytesOfNoPartAreRefused() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Codec.Encoder encoder = new KeyValueCodecWithTags().getEncoder(out);
    encoder.write(new KeyValue(ROW, FAMILY, QUALIFIER, 7L, KeyValue.Type.Put, VALUE,
      Arrays.asList(tag(5))));
    encoder.flush();
    ByteBuffer direct = ByteBuffer.allocateDirect(out.size());
    direct.put(out.toByteArray()).flip();
    for (ByteBuffer bytes : Arrays.asList(direct, ByteBuffer.wrap(out.toByteArray()))) {
      // The default codec, for cells without tags.
      Codec.Decoder decoder = new KeyValueCodec().getDecoder(new SingleByteBuff(bytes));
      assertTrue(decoder.advance());
      for (Mutation mutation : mutations(decoder.current())) {
        assertRefused(mutation);
      }
    }
    assertRegionTakes(put(OTHER));
  }

  @Test
  public void tagsThatTheRegionAddsCountToo() throws IOException {
    assertRegionTakes(new Put(ROW).add(fullOfTags()));
    assertRefused(new Put(ROW).add(fullOfTags()).setTTL(1_000_000));
    OperationStatus[] statuses = region
      .batchMutate(new Mutation[] { new Put(ROW).add(fullOfTags()).setTTL(1_000_000), put(OTHER) });
    assertEquals("alone", OperationStatusCode.SANITY_CHECK_FAILURE,
      statuses[0].getOperationStatusCode());
    assertEquals(OperationStatusCode.SUCCESS, statuses[1].getOperationStatusCode());
    assertRegionTakes(new Put(ROW).add(withOldTtl()).setTTL(1_000_000));
    // Appends to the existing cell, with its tags.
    assertRefused(new Append(ROW).add(fullOfTags()));
    assertRegionTakes(put(ROW));
    assertEquals(4, cellsOfTheLog());
  }

  /** Returns a cell without room for another tag, but with one that is to be replaced. */
  private static Cell withOldTtl() throws IOException {
    return PrivateCellUtil.createCell(received(TYPE_AT, KeyValue.Type.Put.getCode()),
      TagUtil.fromList(Arrays.asList(tag(32_740),
        new ArrayBackedTag(TagType.TTL_TAG_TYPE, Bytes.toBytes(1L)))));
  }

  /** Returns a cell without room for another tag. */
  private static Cell fullOfTags() throws IOException {
    return PrivateCellUtil.createCell(received(TYPE_AT, KeyValue.Type.Put.getCode()),
      TagUtil.fromList(Arrays.asList(tag(32_760))));
  }

  private void assertRegionTakes(Mutation mutation) throws IOException {
    assertEquals(OperationStatusCode.SUCCESS,
      region.batchMutate(new Mutation[] { mutation })[0].getOperationStatusCode());
  }

  /** Asserts a refusal. Atomic, so that an exception is thrown instead of a status per mutation. */
  private void assertRefused(Mutation mutation) {
    FailedSanityCheckException refusal = assertThrows(FailedSanityCheckException.class,
      () -> region.batchMutate(new Mutation[] { mutation }, true, 0, 0));
    assertTrue(refusal.getMessage(),
      refusal.getMessage().startsWith("A cell of row 'row' can't be written: its "));
  }

  @Test
  public void noKindOfMutationIsWrittenWithIt() throws IOException {
    for (Cell cell : unreadable()) {
      for (Mutation mutation : mutations(cell)) {
        assertRefused(mutation);
      }
    }
    region.put(put(OTHER));
    assertEquals(1, cellsOfTheLog());
  }

  /** Changes the first cell of each batch after the region has checked it. */
  public static final class Changer implements RegionCoprocessor, RegionObserver {
    private static Cell to;

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preBatchMutate(ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch) {
      batch.getOperation(0).getFamilyCellMap().get(FAMILY).set(0, to);
    }
  }

  /** Has hooks, but none that is called after the region has checked a batch. */
  public static final class Bystander implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put,
      WALEdit edit) {
      // Changes nothing.
    }
  }

  private void load(Class<? extends RegionCoprocessor> coprocessor) throws IOException {
    RegionCoprocessorHost host = new RegionCoprocessorHost(region, null, util.getConfiguration());
    host.load(coprocessor, Coprocessor.PRIORITY_USER, util.getConfiguration());
    region.setCoprocessorHost(host);
  }

  @Test
  public void whatACoprocessorMakesUnreadableIsRefused() throws IOException {
    load(Changer.class);
    for (Cell cell : unreadable()) {
      Changer.to = cell;
      assertRefused(put(ROW));
    }
    Changer.to = fullOfTags();
    assertRefused(put(ROW).setTTL(1_000_000));
    assertRegionTakes(put(ROW));
    region.setCoprocessorHost(null);
    assertEquals(1, cellsOfTheLog());
  }

  /** Counts its checks. */
  private static final class CountingCell extends KeyValue {
    private int checks;

    CountingCell() {
      super(ROW, FAMILY, QUALIFIER, 1, Type.Put, VALUE);
    }

    @Override
    public byte getTypeByte() {
      String caller = new Throwable().getStackTrace()[1].getClassName();
      if (caller.equals(MutationSanityCheck.class.getName())) {
        checks++;
      }
      return super.getTypeByte();
    }
  }

  @Test
  public void whatDoesNotChangeIsLookedAtOnce() throws IOException {
    CountingCell cell = new CountingCell();
    assertRegionTakes(new Put(ROW).add(cell));
    assertEquals(1, cell.checks);
    assertRegionTakes(new Put(ROW).add(cell).setTTL(1_000_000));
    assertEquals(2, cell.checks);
    load(Bystander.class);
    assertRegionTakes(new Put(ROW).add(cell));
    assertEquals("what no coprocessor can change", 3, cell.checks);
    Changer.to = cell;
    load(Changer.class);
    assertRegionTakes(new Put(ROW).add(cell));
    assertEquals("what one may change", 5, cell.checks);
    region.setCoprocessorHost(null);
  }

  @Test
  public void tagsAreLookedAtWithoutACopy() throws Exception {
    Cell onHeap = new KeyValue(ROW, FAMILY, QUALIFIER, 7L, KeyValue.Type.Put, VALUE,
      Arrays.asList(tag(300), tag(300)));
    for (
      Cell cell : Arrays.asList(onHeap,
        received(TYPE_AT, KeyValue.Type.Put.getCode(), tag(300), tag(300)))
    ) {
      Put put = new Put(ROW).add(cell);
      long bytes = new AllocationMeter().bytesPerOperation(1000,
        () -> MutationSanityCheck.check(put, put.getFamilyCellMap()));
      assertTrue(bytes + " bytes", bytes < 300);
    }
  }

  @Test
  public void whatIsRightIsWrittenAsItWas() throws IOException {
    List<Cell> right = new ArrayList<>();
    for (KeyValue.Type type : new KeyValue.Type[] { KeyValue.Type.Put, KeyValue.Type.Delete,
      KeyValue.Type.DeleteColumn, KeyValue.Type.DeleteFamily, KeyValue.Type.DeleteFamilyVersion }) {
      right.add(received(TYPE_AT, type.getCode()));
    }
    right.add(received(TIMESTAMP_AT, 0x7f));
    right.add(received(TYPE_AT, KeyValue.Type.Put.getCode(), tag(0), tag(300), tag(32_000)));
    for (Cell cell : right) {
      for (Mutation mutation : mutations(cell)) {
        MutationSanityCheck.check(mutation, mutation.getFamilyCellMap());
      }
      assertEquals(OperationStatusCode.SUCCESS,
        region.batchMutate(new Mutation[] { new Put(ROW).add(cell) })[0]
          .getOperationStatusCode());
    }
    assertEquals(right.size(), cellsOfTheLog());
  }
}
