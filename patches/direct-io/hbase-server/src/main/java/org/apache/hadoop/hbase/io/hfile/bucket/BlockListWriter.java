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

import static org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream.computeBoolSize;
import static org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream.computeEnumSize;
import static org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream.computeFixed32Size;
import static org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream.computeInt32Size;
import static org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream.computeInt64Size;
import static org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream.computeStringSize;
import static org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream.computeTagSize;
import static org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream.computeUInt32SizeNoTag;
import static org.apache.hbase.thirdparty.com.google.protobuf.WireFormat.WIRETYPE_LENGTH_DELIMITED;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockPriority;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;

import org.apache.hadoop.hbase.shaded.protobuf.generated.BucketCacheProtos;

/**
 * Writes the list of a BucketCache's blocks while the cache is used. Blocks that are evicted
 * meanwhile may be in the list, and blocks that are cached meanwhile may be missing. Used once, by
 * one thread.
 */
@InterfaceAudience.Private
final class BlockListWriter {
  /*
   * The list has the format that BucketProtoUtils reads: a magic number, the size of a chunk, the
   * number of chunks, and the chunks, each a message behind its length. The first chunk has the
   * cache's own fields around its blocks. The bytes are those that protobuf's classes would write,
   * but no objects are created for blocks. A chunk is encoded into a buffer, and no more than a
   * chunk is held at a time.
   *
   * The number of chunks comes first, but the number of blocks is known only at the end. So there
   * are as many chunks as the blocks need at the beginning. The last chunk also takes the blocks
   * that are cached meanwhile; if blocks are evicted meanwhile the last chunks are empty. Writing
   * the number at the end would need the file's channel, which an interrupt closes, and the thread
   * is interrupted when the cache is shut down. There is always a first chunk, since a list without
   * one can't be read.
   */
  private static final Logger LOG = LoggerFactory.getLogger(BlockListWriter.class);

  /** Some 2 MB. Readers accept any number of blocks in a chunk, and log a line for each chunk. */
  static final int MAX_CHUNK_BLOCKS = 20_000;

  /** Duration of a pause, as a multiple of the time that writing the list took. */
  static final int PAUSE_FACTOR = 9;

  private static final int[] TYPE_NUMBERS = new int[BlockType.values().length];
  private static final int[] PRIORITY_NUMBERS = new int[BlockPriority.values().length];

  static {
    for (BlockType type : BlockType.values()) {
      TYPE_NUMBERS[type.ordinal()] =
        BucketCacheProtos.BlockType.valueOf(type.name().toLowerCase(Locale.ROOT)).getNumber();
    }
    for (BlockPriority priority : BlockPriority.values()) {
      PRIORITY_NUMBERS[priority.ordinal()] = BucketCacheProtos.BlockPriority
        .valueOf(priority.name().toLowerCase(Locale.ROOT)).getNumber();
    }
  }

  private final BucketCache cache;
  private final FileOutputStream list;
  private final ByteArrayOutputStream chunk = new ByteArrayOutputStream();
  private final CodedOutputStream blocks = CodedOutputStream.newInstance(chunk);
  private long chunks;

  private BlockListWriter(BucketCache cache, FileOutputStream list) {
    this.cache = cache;
    this.list = list;
  }

  /**
   * Writes the whole list.
   * @param list      a new file; stays open
   * @param chunkSize number of blocks in a chunk; {@link #MAX_CHUNK_BLOCKS} if it is more than
   *                  that, or not positive
   */
  static void write(BucketCache cache, FileOutputStream list, long chunkSize) throws IOException {
    new BlockListWriter(cache, list).write(chunkSize);
  }

  /**
   * Pauses between two lists, so that listing a big cache that changes takes a tenth of the time.
   * @param start when writing the last list began, in terms of System.nanoTime()
   */
  static void pause(long start) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(PAUSE_FACTOR * (System.nanoTime() - start));
  }

  private void write(long chunkSize) throws IOException {
    list.write(BucketProtoUtils.PB_MAGIC_V2);
    list.write(Bytes.toBytes(chunkSize));
    long blocksOfChunk = chunkSize > 0 ? Math.min(chunkSize, MAX_CHUNK_BLOCKS) : MAX_CHUNK_BLOCKS;
    long count = Math.max(1, (cache.backingMap.size() + blocksOfChunk - 1) / blocksOfChunk);
    list.write(Bytes.toBytes(count));
    long listed = 0;
    for (Map.Entry<BlockCacheKey, BucketEntry> block : cache.backingMap.entrySet()) {
      if (listed == (chunks + 1) * blocksOfChunk && chunks + 1 < count) {
        writeChunk();
      }
      writeBlock(block.getKey(), block.getValue());
      listed++;
    }
    while (chunks < count) {
      writeChunk();
    }
    LOG.debug("{} blocks are listed in {} chunks of {} at most", listed, count, blocksOfChunk);
  }

  private void writeBlock(BlockCacheKey key, BucketEntry entry) throws IOException {
    int keySize = keySize(key);
    // Read once, since readers of the block change them.
    long accessCounter = entry.getAccessCounter();
    int priority = PRIORITY_NUMBERS[entry.getPriority().ordinal()];
    int valueSize = valueSize(entry, accessCounter, priority);
    blocks.writeTag(BucketCacheProtos.BackingMap.ENTRY_FIELD_NUMBER, WIRETYPE_LENGTH_DELIMITED);
    blocks.writeUInt32NoTag(
      messageSize(BucketCacheProtos.BackingMapEntry.KEY_FIELD_NUMBER, keySize)
        + messageSize(BucketCacheProtos.BackingMapEntry.VALUE_FIELD_NUMBER, valueSize));
    blocks.writeTag(BucketCacheProtos.BackingMapEntry.KEY_FIELD_NUMBER, WIRETYPE_LENGTH_DELIMITED);
    blocks.writeUInt32NoTag(keySize);
    writeKey(key);
    blocks.writeTag(BucketCacheProtos.BackingMapEntry.VALUE_FIELD_NUMBER,
      WIRETYPE_LENGTH_DELIMITED);
    blocks.writeUInt32NoTag(valueSize);
    writeValue(entry, accessCounter, priority);
  }

  private static int messageSize(int fieldNumber, int size) {
    return computeTagSize(fieldNumber) + computeUInt32SizeNoTag(size) + size;
  }

  private static int typeNumber(BlockCacheKey key) {
    return TYPE_NUMBERS[key.getBlockType().ordinal()];
  }

  private static int keySize(BlockCacheKey key) {
    return computeStringSize(BucketCacheProtos.BlockCacheKey.HFILENAME_FIELD_NUMBER,
      key.getHfileName())
      + computeInt64Size(BucketCacheProtos.BlockCacheKey.OFFSET_FIELD_NUMBER, key.getOffset())
      + computeEnumSize(BucketCacheProtos.BlockCacheKey.BLOCK_TYPE_FIELD_NUMBER, typeNumber(key))
      + computeBoolSize(BucketCacheProtos.BlockCacheKey.PRIMARY_REPLICA_BLOCK_FIELD_NUMBER,
        key.isPrimary());
  }

  private void writeKey(BlockCacheKey key) throws IOException {
    blocks.writeString(BucketCacheProtos.BlockCacheKey.HFILENAME_FIELD_NUMBER,
      key.getHfileName());
    blocks.writeInt64(BucketCacheProtos.BlockCacheKey.OFFSET_FIELD_NUMBER, key.getOffset());
    blocks.writeEnum(BucketCacheProtos.BlockCacheKey.BLOCK_TYPE_FIELD_NUMBER, typeNumber(key));
    blocks.writeBool(BucketCacheProtos.BlockCacheKey.PRIMARY_REPLICA_BLOCK_FIELD_NUMBER,
      key.isPrimary());
  }

  private static int valueSize(BucketEntry entry, long accessCounter, int priority) {
    int size = computeInt64Size(BucketCacheProtos.BucketEntry.OFFSET_FIELD_NUMBER, entry.offset())
      + computeInt32Size(BucketCacheProtos.BucketEntry.LENGTH_FIELD_NUMBER, entry.getLength())
      + computeInt64Size(BucketCacheProtos.BucketEntry.ACCESS_COUNTER_FIELD_NUMBER, accessCounter)
      + computeInt32Size(BucketCacheProtos.BucketEntry.DESERIALISER_INDEX_FIELD_NUMBER,
        entry.deserializerIndex)
      + computeEnumSize(BucketCacheProtos.BucketEntry.PRIORITY_FIELD_NUMBER, priority)
      + computeInt64Size(BucketCacheProtos.BucketEntry.CACHEDTIME_FIELD_NUMBER,
        entry.getCachedTime())
      + computeInt32Size(BucketCacheProtos.BucketEntry.DISK_SIZE_WITH_HEADER_FIELD_NUMBER,
        entry.getOnDiskSizeWithHeader());
    return entry.checksum == BlockChecksum.NONE
      ? size
      : size + computeFixed32Size(BlockChecksum.FIELD_NUMBER, entry.checksum);
  }

  private void writeValue(BucketEntry entry, long accessCounter, int priority)
    throws IOException {
    blocks.writeInt64(BucketCacheProtos.BucketEntry.OFFSET_FIELD_NUMBER, entry.offset());
    blocks.writeInt32(BucketCacheProtos.BucketEntry.LENGTH_FIELD_NUMBER, entry.getLength());
    blocks.writeInt64(BucketCacheProtos.BucketEntry.ACCESS_COUNTER_FIELD_NUMBER, accessCounter);
    blocks.writeInt32(BucketCacheProtos.BucketEntry.DESERIALISER_INDEX_FIELD_NUMBER,
      entry.deserializerIndex);
    blocks.writeEnum(BucketCacheProtos.BucketEntry.PRIORITY_FIELD_NUMBER, priority);
    blocks.writeInt64(BucketCacheProtos.BucketEntry.CACHEDTIME_FIELD_NUMBER,
      entry.getCachedTime());
    blocks.writeInt32(BucketCacheProtos.BucketEntry.DISK_SIZE_WITH_HEADER_FIELD_NUMBER,
      entry.getOnDiskSizeWithHeader());
    if (entry.checksum != BlockChecksum.NONE) {
      blocks.writeFixed32(BlockChecksum.FIELD_NUMBER, entry.checksum);
    }
  }

  private void writeChunk() throws IOException {
    blocks.flush();
    CodedOutputStream out = CodedOutputStream.newInstance(list);
    if (chunks == 0) {
      writeFirst(out);
    } else {
      out.writeUInt32NoTag(chunk.size());
      out.flush();
      chunk.writeTo(list);
    }
    out.flush();
    chunk.reset();
    chunks++;
  }

  /**
   * Writes the chunk with the cache's own fields. Their numbers are below and above that of the
   * blocks, and fields are written in order.
   */
  private void writeFirst(CodedOutputStream out) throws IOException {
    BucketCacheProtos.BucketCacheEntry fields =
      BucketProtoUtils.toPB(cache, BucketCacheProtos.BackingMap.getDefaultInstance());
    BucketCacheProtos.BucketCacheEntry before =
      fields.toBuilder().clearBackingMap().clearChecksum().clearCachedFiles().buildPartial();
    BucketCacheProtos.BucketCacheEntry after = fields.toBuilder().clearCacheCapacity()
      .clearIoClass().clearMapClass().clearDeserializers().clearBackingMap().buildPartial();
    out.writeUInt32NoTag(before.getSerializedSize()
      + messageSize(BucketCacheProtos.BucketCacheEntry.BACKING_MAP_FIELD_NUMBER, chunk.size())
      + after.getSerializedSize());
    before.writeTo(out);
    out.writeTag(BucketCacheProtos.BucketCacheEntry.BACKING_MAP_FIELD_NUMBER,
      WIRETYPE_LENGTH_DELIMITED);
    out.writeUInt32NoTag(chunk.size());
    out.flush();
    chunk.writeTo(list);
    after.writeTo(out);
  }
}
