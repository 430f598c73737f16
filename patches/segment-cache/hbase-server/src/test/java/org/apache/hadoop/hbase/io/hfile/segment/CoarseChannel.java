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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * A channel that refuses what isn't aligned to a file system's block size, as the JDK does for
 * direct I/O, or as a kernel does, which lets what is read behind the file's end be.
 */
final class CoarseChannel extends FileChannel {
  private final FileChannel channel;
  private final int blockSize;
  private final boolean writesOnly;

  /** @param writesOnly whether reads may be as they like */
  CoarseChannel(FileChannel channel, int blockSize, boolean writesOnly) {
    this.channel = channel;
    this.blockSize = blockSize;
    this.writesOnly = writesOnly;
  }

  private void check(ByteBuffer buffer, long position) throws IOException {
    if (position % blockSize != 0 || buffer.remaining() % blockSize != 0) {
      throw new IOException(
        "Number of remaining bytes or position isn't a multiple of " + blockSize);
    }
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    if (!writesOnly) {
      check(target, position);
    }
    return channel.read(target, position);
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    check(source, position);
    return channel.write(source, position);
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public long position() throws IOException {
    return channel.position();
  }

  @Override
  public FileChannel position(long newPosition) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public long size() throws IOException {
    return channel.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    channel.truncate(size);
    return this;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    channel.force(metaData);
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target)
    throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count)
    throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  protected void implCloseChannel() throws IOException {
    channel.close();
  }
}
