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
package org.apache.hadoop.hbase.io.hfile.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.io.hfile.bucket.CacheFile;
import org.apache.hadoop.hbase.io.hfile.bucket.CacheFileLock;
import org.apache.hadoop.hbase.io.hfile.bucket.DeviceTrial;
import org.apache.hadoop.hbase.io.hfile.bucket.DirectFile;
import org.apache.hadoop.hbase.io.hfile.bucket.MountPoint;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of segments of one size, behind a page that says which size. Read and written without the
 * page cache, where the file system and the JDK can do that. Thread-safe.
 */
@InterfaceAudience.Private
class SegmentFile implements Closeable {
  /** Bytes that positions, lengths and buffers are multiples of. */
  static final int PAGE = DirectFile.ALIGNMENT;

  private static final int CHANNELS = 4;
  /** The most bytes that a device gets at once: reads wait behind them. */
  private static final int WRITE = 1 << 18;

  private static final Logger LOG = LoggerFactory.getLogger(SegmentFile.class);

  private final Path path;
  private final int segmentSize;
  private final int segments;
  private final SegmentFileHeader header;
  private final MountPoint mountPoint;
  private final CacheFileLock lock;
  private final DirectFile.Opener opener;
  /** A channel is a lock, and an interrupted reader closes its own. */
  private final DirectFile[] channels = new DirectFile[CHANNELS];
  private volatile boolean isDirect = true;
  private boolean hasSegments;
  /** False as long as the device doesn't tell. */
  private boolean isOfCache;
  private final LongAdder writtenBytes = new LongAdder();

  /**
   * Opens the file, and creates it if there is none.
   * @param segmentSize bytes
   * @param segments    number of segments
   * @param lock        what has locked the file
   */
  SegmentFile(Path path, int segmentSize, int segments, CacheFileLock lock) throws IOException {
    this(path, segmentSize, segments, lock, DirectFile::openDirect);
  }

  /** @param opener opens the file for direct I/O */
  SegmentFile(Path path, int segmentSize, int segments, CacheFileLock lock,
    DirectFile.Opener opener) throws IOException {
    this.path = path;
    this.opener = opener;
    this.lock = lock;
    mountPoint = MountPoint.of(path);
    this.segmentSize = segmentSize;
    this.segments = segments;
    header = new SegmentFileHeader(segmentSize, segments);
    if (Files.notExists(path)) {
      CacheFile.create(path, 0);
    }
    boolean opened = false;
    try {
      for (int i = 0; i < CHANNELS; i++) {
        channels[i] = isDirect ? openDirectIfPossible() : openCached();
      }
      opened = true;
    } finally {
      if (!opened) {
        close();
      }
    }
  }

  private DirectFile openCached() throws IOException {
    return new DirectFile(path, DirectFile::openCached);
  }

  private DirectFile openDirectIfPossible() throws IOException {
    try {
      return DirectFile.openAndTry(path, opener);
    } catch (IOException | RuntimeException e) {
      warnOfPageCache(e);
      isDirect = false;
      return openCached();
    }
  }

  private void warnOfPageCache(Exception reason) {
    LOG.warn("Direct I/O isn't possible. Blocks in {} go through the page cache: {}", path,
      reason.toString());
  }

  /** Returns true if the file is read and written without the page cache. */
  boolean isDirect() {
    return isDirect;
  }

  /** Returns a buffer that isn't of a pool. */
  static ByteBuffer newBuffer(int bytes) {
    try {
      return DirectFile.allocate(bytes);
    } catch (OutOfMemoryError e) {
      throw new IllegalStateException("There is no direct memory for the block cache's buffers."
        + " Raise HBASE_OFFHEAPSIZE (-XX:MaxDirectMemorySize).", e);
    }
  }

  /**
   * Finds out whether the file has segments of this size. If not, makes it a file that has, without
   * blocks. If it has more than this number, those behind are given up; if less, more follow.
   * @return what the device fails with; null if it works
   * @throws IOException if the file isn't a cache's; the message names it
   */
  IOException open() throws IOException {
    try {
      hasSegments = findSegments();
      isOfCache = hasSegments || lock.isOfCache(path, null);
      if (isOfCache) {
        CacheFile.protect(path);
      }
      if (isOfCache && !hasSegments) {
        makeEmpty();
      }
      if (hasSegments) {
        setNumberOfSegments();
      }
    } catch (IOException e) {
      return e;
    }
    CacheFile.check(path, isOfCache);
    return null;
  }

  /**
   * Returns a buffer for any footer of the file.
   * @throws IllegalStateException if there is no direct memory for that
   */
  ByteBuffer newFooterBuffer() {
    return newBuffer(SegmentStream.CHUNK_MEMORY);
  }

  /** Returns true if the file had segments when it was opened. */
  boolean hasSegments() {
    return hasSegments;
  }

  private boolean findSegments() throws IOException {
    if (Files.size(path) < PAGE) {
      return false;
    }
    SegmentFileHeader there = readHeader();
    boolean found = there.hasSegmentsOf(header);
    if (there.isThere() && !found) {
      LOG.warn("The block cache in {} starts empty: the file has {}, and {} are wanted", path,
        there, header);
    }
    return found;
  }

  private SegmentFileHeader readHeader() throws IOException {
    ByteBuffer page = newBuffer(PAGE);
    read(page, 0);
    return SegmentFileHeader.read(page);
  }

  /**
   * Makes the file one of this number of segments. Whenever that ends, each segment that is left is
   * as it was, and behind the last one that the file ever had it has no bytes.
   */
  private void setNumberOfSegments() throws IOException {
    if (Files.size(path) > offset(segments)) {
      channels[0].truncate(offset(segments));
    }
    SegmentFileHeader there = readHeader();
    if (there.getSegments() != segments) {
      LOG.info("{} has {} from now on; it had {}", path, header, there);
      writeHeader();
    }
  }

  /** Makes the file one without blocks. Throws an exception if it can't be written and read. */
  void makeEmpty() throws IOException {
    // So that no footer stays that is at the end of a segment now.
    channels[0].truncate(0);
    writeHeader();
  }

  private void writeHeader() throws IOException {
    try {
      tryToWriteHeader();
    } catch (IOException e) {
      if (!isDirect) {
        throw e;
      }
      writeThroughPageCache(e);
    }
  }

  private void tryToWriteHeader() throws IOException {
    ByteBuffer page = newBuffer(PAGE);
    header.write(page);
    write(page, 0);
    if (!readHeader().hasSegmentsOf(header)) {
      throw new IOException(path + " has other bytes than were written");
    }
  }

  /** Finds out whether the device fails, or can only not be written with direct I/O. */
  private void writeThroughPageCache(IOException reason) throws IOException {
    DirectFile[] direct = channels.clone();
    isDirect = false;
    boolean works = false;
    try {
      for (int i = 0; i < CHANNELS; i++) {
        channels[i] = direct[0].openAgain(DirectFile::openCached);
      }
      tryToWriteHeader();
      channels[0].force();
      works = true;
    } catch (IOException e) {
      reason.addSuppressed(e);
    } finally {
      isDirect = !works;
      for (int i = 0; i < direct.length; i++) {
        DirectFile unused = works ? direct[i] : channels[i];
        channels[i] = works ? channels[i] : direct[i];
        if (unused != channels[i]) {
          unused.close();
        }
      }
    }
    if (!works) {
      throw reason;
    }
    warnOfPageCache(reason);
  }

  /** Gives the room back that blocks take which are forgotten. */
  void giveRoomBack() {
    try {
      if (isOfCache) {
        channels[0].truncate(0);
      }
    } catch (IOException e) {
      LOG.debug("{} keeps its length", path, e);
    }
  }

  /** Returns the bytes from the file's start to that of a segment. */
  long offset(int segment) {
    return PAGE + (long) segment * segmentSize;
  }

  int getSegmentSize() {
    return segmentSize;
  }

  int getSegments() {
    return segments;
  }

  Path getPath() {
    return path;
  }

  /** Fills the buffer. Throws an EOFException if the file ends before. */
  void read(ByteBuffer buffer, long position) throws IOException {
    channels[(int) Thread.currentThread().getId() & CHANNELS - 1].read(buffer, position);
  }

  /** Writes what remains of the buffer. */
  void write(ByteBuffer buffer, long position) throws IOException {
    int start = buffer.position();
    int end = buffer.limit();
    while (buffer.position() < end) {
      buffer.limit(Math.min(end, buffer.position() + WRITE));
      channels[0].write(buffer, position + buffer.position() - start);
    }
    writtenBytes.add(end - start);
  }

  /** Returns the bytes that were written. */
  long getWrittenBytes() {
    return writtenBytes.sum();
  }

  /**
   * Tries the file's device, which was gone or failed; another one may be in its place. The file
   * has no blocks afterwards.
   * @throws IOException if the device doesn't work
   */
  void tryAgain() throws IOException {
    mountPoint.check();
    CacheFile.checkPath(path);
    lock.renew(path);
    if (Files.notExists(path)) {
      CacheFile.create(path, offset(segments));
    } else {
      // Another device may be there by now, with a file that isn't a cache's.
      CacheFile.check(path, lock.isOfCache(path, null));
      CacheFile.protect(path);
    }
    isOfCache = true;
    CacheFile.checkRoom(path, offset(segments) - Files.size(path));
    for (DirectFile channel : channels) {
      channel.renew();
    }
    // So that a start knows the file if this is the last that happens to it.
    makeEmpty();
    DeviceTrial.tryFile(path, offset(segments));
    makeEmpty();
  }

  @Override
  public void close() throws IOException {
    for (DirectFile channel : channels) {
      if (channel != null) {
        channel.close();
      }
    }
  }
}
