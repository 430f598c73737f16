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
package org.apache.hadoop.hbase.io;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Opens the streams of a reader when a block is read from them, and not at all if all blocks are in
 * the cache. Thread-safe.
 */
@InterfaceAudience.Private
public final class LateInputStreamWrapper extends FSDataInputStreamWrapper {
  /** Opens the streams. */
  public interface Opener {
    FSDataInputStreamWrapper open() throws IOException;
  }

  private final HFileSystem fs;
  private final Path path;
  private final Opener opener;
  /** Null until the reader says so. */
  private Boolean forceNoHBaseChecksum;
  private boolean closed;
  /** Null until a block is read. */
  private volatile FSDataInputStreamWrapper opened;

  /** @param path of the file; of a link, where it was when it was opened first */
  public LateInputStreamWrapper(HFileSystem fs, Path path, Opener opener) {
    super((FSDataInputStream) null);
    this.fs = fs;
    this.path = path;
    this.opener = opener;
  }

  @Override
  public synchronized void prepareForBlockReader(boolean force) throws IOException {
    forceNoHBaseChecksum = force;
    if (opened != null) {
      opened.prepareForBlockReader(force);
    }
  }

  /**
   * Opens the streams if they aren't.
   * @throws IOException if they can't be opened, or were closed
   */
  @Override
  public void beforeRead() throws IOException {
    if (opened == null) {
      open();
    }
  }

  private synchronized void open() throws IOException {
    if (closed) {
      throw new IOException("The reader of " + path + " was closed");
    }
    if (opened != null) {
      return;
    }
    opened = openPrepared();
  }

  private FSDataInputStreamWrapper openPrepared() throws IOException {
    FSDataInputStreamWrapper streams;
    try {
      streams = opener.open();
    } catch (FileNotFoundException e) {
      // A new scanner may find what has taken the file's place.
      throw new IOException("A scan can't go on in " + path, e);
    }
    boolean prepared = false;
    try {
      if (forceNoHBaseChecksum != null) {
        streams.prepareForBlockReader(forceNoHBaseChecksum);
      }
      prepared = true;
    } finally {
      if (!prepared) {
        streams.close();
      }
    }
    return streams;
  }

  /** Opens the streams for callers who haven't. */
  private FSDataInputStreamWrapper streams() {
    try {
      beforeRead();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return opened;
  }

  @Override
  public boolean shouldUseHBaseChecksum() {
    return streams().shouldUseHBaseChecksum();
  }

  @Override
  public FSDataInputStream getStream(boolean useHBaseChecksum) {
    return streams().getStream(useHBaseChecksum);
  }

  @Override
  public FSDataInputStream fallbackToFsChecksum(int offCount) throws IOException {
    beforeRead();
    return opened.fallbackToFsChecksum(offCount);
  }

  @Override
  public void checksumOk() {
    streams().checksumOk();
  }

  @Override
  public HFileSystem getHfs() {
    return fs;
  }

  @Override
  public void unbuffer() {
    FSDataInputStreamWrapper streams = opened;
    if (streams != null) {
      streams.unbuffer();
    }
  }

  @Override
  public Path getReaderPath() {
    FSDataInputStreamWrapper streams = opened;
    return streams == null ? path : streams.getReaderPath();
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (opened != null) {
      opened.close();
    }
  }
}
