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

import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Records which files are read, and where: below HBase, at the streams of the file system. A test
 * can act before each read. Thread-safe.
 */
public final class FileReads {
  /** Delays a read or makes it fail. */
  public interface Gate {
    void beforeRead(String file, long position, int length) throws IOException;
  }

  /** One read of a file. Immutable. */
  public static final class Read {
    private final String file;
    private final long position;
    private final int length;

    private Read(String file, long position, int length) {
      this.file = file;
      this.position = position;
      this.length = length;
    }

    public String getFile() {
      return file;
    }

    public long getPosition() {
      return position;
    }

    public int getLength() {
      return length;
    }

    /** Returns the number of its bytes that are within a range of the file. */
    private long bytesIn(long from, long to) {
      return Math.max(0, Math.min(position + length, to) - Math.max(position, from));
    }

    @Override
    public String toString() {
      return length + " bytes at " + position + " of " + file;
    }
  }

  private final List<Read> reads = new ArrayList<>();
  private final List<String> opened = new ArrayList<>();
  private volatile Gate gate;

  /** Sets the gate that is called before each read, or null. */
  public void setGate(Gate gate) {
    this.gate = gate;
  }

  public synchronized void clear() {
    reads.clear();
    opened.clear();
  }

  /** Returns how often a file was opened. */
  public synchronized int opened(String file) {
    return Collections.frequency(opened, file);
  }

  /** Returns the reads of a file, in order. */
  public synchronized List<Read> of(String file) {
    List<Read> found = new ArrayList<>(reads);
    found.removeIf(read -> !read.file.equals(file));
    return found;
  }

  /** Returns the number of bytes that were read from a file. */
  public long bytes(String file) {
    return bytes(file, 0, Long.MAX_VALUE);
  }

  /** Returns the number of bytes that were read from a range of a file. */
  public long bytes(String file, long from, long to) {
    return of(file).stream().mapToLong(read -> read.bytesIn(from, to)).sum();
  }

  private synchronized void add(String file, long position, int length) {
    if (length > 0) {
      reads.add(new Read(file, position, length));
    }
  }

  private void beforeRead(String file, long position, int length) throws IOException {
    Gate asked = gate;
    if (asked != null) {
      asked.beforeRead(file, position, length);
    }
  }

  /** Returns the stream with its reads recorded. */
  synchronized FSDataInputStream count(Path path, FSDataInputStream in) {
    opened.add(path.getName());
    return new FSDataInputStream(new CountedStream(path.getName(), in));
  }

  private final class CountedStream extends FSInputStream implements CanUnbuffer {
    private final String file;
    private final FSDataInputStream in;

    CountedStream(String file, FSDataInputStream in) {
      this.file = file;
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      long position = in.getPos();
      beforeRead(file, position, length);
      int count = in.read(bytes, offset, length);
      add(file, position, count);
      return count;
    }

    @Override
    public int read(long position, byte[] bytes, int offset, int length) throws IOException {
      beforeRead(file, position, length);
      int count = in.read(position, bytes, offset, length);
      add(file, position, count);
      return count;
    }

    @Override
    public void readFully(long position, byte[] bytes, int offset, int length)
      throws IOException {
      for (int done = 0; done < length;) {
        int count = read(position + done, bytes, offset + done, length - done);
        if (count < 0) {
          throw new EOFException(file + " ends at " + (position + done));
        }
        done += count;
      }
    }

    @Override
    public void seek(long position) throws IOException {
      in.seek(position);
    }

    @Override
    public long getPos() throws IOException {
      return in.getPos();
    }

    @Override
    public boolean seekToNewSource(long position) throws IOException {
      return in.seekToNewSource(position);
    }

    @Override
    public int available() throws IOException {
      return in.available();
    }

    @Override
    public void unbuffer() {
      in.unbuffer();
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  /** Another file system with its reads recorded. */
  public static final class CountedFileSystem extends FilterFileSystem {
    private final FileReads reads;

    public CountedFileSystem(FileSystem counted, FileReads reads) {
      super(counted);
      this.reads = reads;
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
      return reads.count(path, super.open(path, bufferSize));
    }
  }

  /** HDFS with the reads of user tables' files recorded: for {@code fs.hdfs.impl}. */
  public static class CountedHdfs extends DistributedFileSystem {
    public static final FileReads READS = new FileReads();

    private static final Predicate<Path> IS_OF_USER_TABLE =
      path -> path.toString().contains("/data/default/");

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
      FSDataInputStream in = super.open(path, bufferSize);
      return IS_OF_USER_TABLE.test(path) ? READS.count(path, in) : in;
    }
  }
}
