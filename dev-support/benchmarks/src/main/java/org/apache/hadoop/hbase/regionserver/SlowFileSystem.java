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

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;

/** The local file system, but each read at a position takes a device's time, many at once. */
public class SlowFileSystem extends LocalFileSystem {
  private static final long READ_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    return new FSDataInputStream(new SlowStream(super.open(path, bufferSize)));
  }

  private static final class SlowStream extends FSInputStream {
    private final FSDataInputStream file;

    SlowStream(FSDataInputStream file) {
      this.file = file;
    }

    @Override
    public int read(long position, byte[] buffer, int offset, int length) throws IOException {
      LockSupport.parkNanos(READ_NANOS);
      return file.read(position, buffer, offset, length);
    }

    @Override
    public int read() throws IOException {
      return file.read();
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      return file.read(buffer, offset, length);
    }

    @Override
    public void seek(long position) throws IOException {
      file.seek(position);
    }

    @Override
    public long getPos() throws IOException {
      return file.getPos();
    }

    @Override
    public boolean seekToNewSource(long target) throws IOException {
      return file.seekToNewSource(target);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
