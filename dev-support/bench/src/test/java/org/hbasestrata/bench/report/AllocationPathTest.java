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
package org.hbasestrata.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.Test;

/** With stacks as a region server has them, innermost frame first, shortened. */
public class AllocationPathTest {
  private static final String HBASE = "org.apache.hadoop.hbase.";
  private static final String HDFS = "org.apache.hadoop.hdfs.";
  private static final String ALLOCATE = HBASE + "io.ByteBuffAllocator.allocate";
  private static final String FLUSH = HBASE + "regionserver.HRegion.internalFlushcache";
  private static final String HANDLER = HBASE + "ipc.RpcHandler.run";

  private static void assertPath(AllocationPath expected, String... frames) {
    assertThat(AllocationPath.of(List.of(frames))).isEqualTo(expected);
  }

  @Test
  public void blocksFromTheFileOfTheCache() {
    assertPath(AllocationPath.L2_READS, ALLOCATE,
      HBASE + "io.hfile.bucket.FileIOEngine.read", HBASE + "io.hfile.bucket.BucketCache.getBlock",
      HBASE + "io.hfile.HFileReaderImpl.readBlock", HANDLER);
    assertPath(AllocationPath.ELSE, ALLOCATE,
      HBASE + "io.hfile.bucket.ByteBufferIOEngine.read",
      HBASE + "io.hfile.bucket.BucketCache.getBlock", HANDLER);
    assertPath(AllocationPath.ELSE, HBASE + "io.hfile.bucket.FileIOEngine.write",
      HBASE + "io.hfile.bucket.BucketCache$WriterThread.run");
  }

  @Test
  public void blocksCachedWhileTheyAreWritten() {
    assertPath(AllocationPath.CACHE_ON_WRITE, ALLOCATE,
      HBASE + "io.hfile.HFileBlock$Writer.cloneUncompressedBufferWithHeader",
      HBASE + "io.hfile.HFileBlock$Writer.getBlockForCaching",
      HBASE + "io.hfile.HFileWriterImpl.lambda$doCacheOnWrite$0", "java.util.Optional.ifPresent",
      HBASE + "io.hfile.HFileWriterImpl.doCacheOnWrite", FLUSH);
    // Of an index or bloom block.
    assertPath(AllocationPath.CACHE_ON_WRITE, ALLOCATE,
      HBASE + "io.hfile.HFileBlock$Writer.getBlockForCaching",
      HBASE + "io.hfile.HFileBlockIndex$BlockIndexWriter.writeIndexBlocks", FLUSH);
  }

  @Test
  public void packetsOfWhatIsWrittenToHdfs() {
    assertPath(AllocationPath.HDFS_PACKETS,
      HDFS + "util.ByteArrayManager$NewByteArrayWithoutLimit.newByteArray",
      HDFS + "DFSOutputStream.createPacket", HDFS + "DFSOutputStream.writeChunk",
      "org.apache.hadoop.fs.FSOutputSummer.write", FLUSH);
    assertPath(AllocationPath.HDFS_PACKETS,
      HDFS + "util.ByteArrayManager$FixedLengthManager.allocate",
      HDFS + "util.ByteArrayManager$Impl.newByteArray");
    assertPath(AllocationPath.ELSE, "org.apache.hadoop.util.DataChecksum.calculateChunkedSums",
      HDFS + "DFSOutputStream.writeChunk", FLUSH);
  }

  @Test
  public void appendsToTheWalAndItsStream() {
    assertPath(AllocationPath.WAL, HBASE + "regionserver.wal.FSWALEntry.<init>",
      HBASE + "regionserver.wal.AbstractFSWAL.stampSequenceIdAndPublishToRingBuffer", HANDLER);
    assertPath(AllocationPath.WAL, HBASE + "wal.WALEdit.<init>", HANDLER);
    assertPath(AllocationPath.WAL,
      HBASE + "io.asyncfs.FanOutOneBlockAsyncDFSOutput.flush0", "java.lang.Thread.run");
  }

  @Test
  public void blocksFromHdfs() {
    assertPath(AllocationPath.HDFS_READS, HDFS + "DFSInputStream.pread",
      HBASE + "io.hfile.HFileBlock$FSReaderImpl.readBlockDataInternal",
      HBASE + "io.hfile.HFileReaderImpl.readBlock", HANDLER);
  }

  @Test
  public void answers() {
    assertPath(AllocationPath.RESPONSES, HBASE + "ipc.CellBlockBuilder.buildCellBlockStream",
      HBASE + "ipc.ServerCall.setResponse", HBASE + "ipc.CallRunner.run", HANDLER);
    assertPath(AllocationPath.ELSE, HBASE + "ipc.ServerCall.getParam", HANDLER);
  }

  @Test
  public void ofTwoPathsTheFirstCounts() {
    assertPath(AllocationPath.CACHE_ON_WRITE,
      HBASE + "io.hfile.HFileBlock$Writer.getBlockForCaching",
      HBASE + "io.hfile.HFileBlock$FSReaderImpl.readBlockData");
  }

  @Test
  public void otherStacksAndNoneAreNamedByNone() {
    assertPath(AllocationPath.ELSE, HBASE + "client.Result.create", HANDLER);
    assertPath(AllocationPath.ELSE);
    // A dot of the table is a dot.
    assertPath(AllocationPath.ELSE, HDFS + "DFSOutputStreamXcreatePacket");
  }
}
