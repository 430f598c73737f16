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

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.apache.hadoop.hbase.util.UnsafeAccess;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that is read and written without the page cache (O_DIRECT). Positions, lengths and buffer
 * addresses must be multiples of {@link #ALIGNMENT}. Thread-safe. If a thread is interrupted while
 * it reads or writes, Java closes the channel: that thread gets an exception, and the others
 * continue with a new channel, to the same file. Only regular files are opened.
 */
@InterfaceAudience.Private
public final class DirectFile implements Closeable {
  /** Bytes. The alignment that file systems and devices require, or a multiple of it. */
  public static final int ALIGNMENT = 4096;

  private static final Logger LOG = LoggerFactory.getLogger(DirectFile.class);

  /**
   * Allocates direct memory that begins at a multiple of {@link #ALIGNMENT}, of which this wastes
   * so many bytes.
   * @param length bytes
   * @throws OutOfMemoryError if the JVM allows no more direct memory
   */
  public static ByteBuffer allocate(int length) {
    ByteBuffer memory = ByteBuffer.allocateDirect(length + ALIGNMENT);
    long address = UnsafeAccess.directBufferAddress(memory);
    memory.position((int) (align(address) - address));
    memory.limit(memory.position() + length);
    return memory.slice();
  }

  /** Rounds a number up to a multiple of {@link #ALIGNMENT}. */
  public static long align(long number) {
    return (number + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Opens a channel to a file that exists. Tests replace it. */
  public interface Opener {
    FileChannel open(Path path) throws IOException;
  }

  private interface Transfer {
    int apply(FileChannel channel, ByteBuffer buffer, long position) throws IOException;
  }

  private static final Transfer READ = FileChannel::read;
  private static final Transfer WRITE = FileChannel::write;

  private final Path path;
  private final Opener opener;
  private volatile FileChannel channel;
  /** Tells the file from others; null if it isn't known which one it is to be. */
  @GuardedBy("this")
  private Object fileKey;
  @GuardedBy("this")
  private boolean closed;

  public DirectFile(Path path, Opener opener) throws IOException {
    this(path, opener, null);
  }

  private DirectFile(Path path, Opener opener, Object fileKey) throws IOException {
    this.path = path;
    this.opener = opener;
    this.fileKey = fileKey;
    channel = open();
  }

  /**
   * Opens the same file in another way.
   * @throws IOException if the path has another file by now, or on any other error
   */
  public synchronized DirectFile openAgain(Opener other) throws IOException {
    return new DirectFile(path, other, fileKey);
  }

  @GuardedBy("this")
  private FileChannel open() throws IOException {
    Object key = readFileKey();
    FileChannel opened = opener.open(path);
    boolean same = false;
    try {
      same = Objects.equals(key, readFileKey()) && (fileKey == null || fileKey.equals(key));
    } finally {
      if (!same) {
        opened.close();
      }
    }
    if (!same) {
      throw new FileSystemException(path.toString(), null, "was replaced by another file");
    }
    fileKey = key;
    return opened;
  }

  private Object readFileKey() throws IOException {
    BasicFileAttributes attributes =
      Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!attributes.isRegularFile()) {
      throw new FileSystemException(path.toString(), null, "isn't a regular file");
    }
    return attributes.fileKey();
  }

  /**
   * Opens a file for direct I/O.
   * @throws UnsupportedOperationException if the JDK doesn't support it; 10 and later do
   * @throws IOException                   if the file system doesn't support it, or on any other
   *                                       error
   */
  public static FileChannel openDirect(Path path) throws IOException {
    return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE,
      LinkOption.NOFOLLOW_LINKS, directOption());
  }

  /** Opens a file for I/O through the page cache. */
  public static FileChannel openCached(Path path) throws IOException {
    return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE,
      LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Opens a file for direct I/O and reads from it, since some file systems refuse it only then.
   * @throws IOException if direct I/O isn't possible
   */
  public static DirectFile openAndTry(Path path, Opener opener) throws IOException {
    DirectFile file = new DirectFile(path, opener);
    boolean possible = false;
    try {
      file.read(allocate(ALIGNMENT), 0);
      possible = true;
    } catch (EOFException e) {
      LOG.debug("{} is empty", path);
      possible = true;
    } finally {
      if (!possible) {
        file.close();
      }
    }
    return file;
  }

  @SuppressWarnings({ "unchecked", "rawtypes" })
  private static OpenOption directOption() {
    try {
      Class<? extends Enum> options =
        Class.forName("com.sun.nio.file.ExtendedOpenOption").asSubclass(Enum.class);
      return (OpenOption) Enum.valueOf(options, "DIRECT");
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      throw new UnsupportedOperationException("direct I/O needs JDK 10 or later", e);
    }
  }

  /**
   * Reads until the buffer is full.
   * @throws EOFException if the file ends before
   */
  public void read(ByteBuffer buffer, long position) throws IOException {
    transfer(READ, buffer, position);
  }

  /** Writes all remaining bytes of the buffer. */
  public void write(ByteBuffer buffer, long position) throws IOException {
    transfer(WRITE, buffer, position);
  }

  private void transfer(Transfer transfer, ByteBuffer buffer, long position) throws IOException {
    long bufferAtPosition = position - buffer.position();
    while (buffer.hasRemaining()) {
      FileChannel current = channel;
      try {
        if (transfer.apply(current, buffer, bufferAtPosition + buffer.position()) < 0) {
          throw new EOFException(path + " ends at " + current.size() + ", before "
            + (bufferAtPosition + buffer.limit()));
        }
      } catch (ClosedByInterruptException e) {
        throw e;
      } catch (ClosedChannelException e) {
        reopen(current, e);
      }
    }
  }

  private synchronized void reopen(FileChannel gone, ClosedChannelException cause)
    throws IOException {
    if (closed) {
      throw cause;
    }
    if (channel == gone) {
      LOG.info("Opening {} again", path);
      channel = open();
    }
  }

  /**
   * Cuts the file that is open, whatever its path has by now.
   * @param length bytes that are left at most
   */
  public void truncate(long length) throws IOException {
    while (true) {
      FileChannel current = channel;
      try {
        current.truncate(length);
        return;
      } catch (ClosedByInterruptException e) {
        throw e;
      } catch (ClosedChannelException e) {
        reopen(current, e);
      }
    }
  }

  /** Waits until all that was written is on the device. */
  public void force() throws IOException {
    channel.force(true);
  }

  /** Closes the channel. The next read or write opens the file by its name, also another one. */
  public synchronized void renew() throws IOException {
    fileKey = null;
    channel.close();
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    channel.close();
  }
}
