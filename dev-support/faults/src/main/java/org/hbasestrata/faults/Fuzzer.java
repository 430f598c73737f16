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
package org.hbasestrata.faults;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Sends damaged bytes to a server from several threads, over one connection after the other, and
 * counts what comes of them. The damages of a thread follow from a number. Thread-safe.
 */
abstract class Fuzzer {
  /** In a row, by a server that is gone: a minute of them. */
  private static final int MOST_REFUSED = 6000;
  private static final long REFUSED_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int MOST_DAMAGES = 4;
  static final int MOST_BYTES = 64;
  static final int[] EXTREMES = { 0, -1, 1, Integer.MAX_VALUE, Integer.MIN_VALUE, 1 << 28, 127,
    128, 255, 65536 };

  private final InetSocketAddress server;
  private final int inputs;
  private final int connections;
  private final AtomicInteger left;
  private final LongAdder answers = new LongAdder();
  private final LongAdder broken = new LongAdder();
  private final LongAdder closed = new LongAdder();
  private final LongAdder silent = new LongAdder();
  private volatile boolean gone;

  /** @param connections that it has at a time, each with a thread */
  Fuzzer(InetSocketAddress server, int inputs, int connections) {
    this.server = server;
    this.inputs = inputs;
    this.connections = connections;
    left = new AtomicInteger(inputs);
  }

  /**
   * Sends inputs over a new connection, with {@link #takeInput} before and {@link #answered} after
   * each. What it throws is counted by its type.
   */
  abstract void send(Socket socket, SplittableRandom random)
    throws IOException, InterruptedException;

  /** Returns false if enough inputs have been sent. */
  final boolean takeInput() {
    return left.getAndDecrement() > 0;
  }

  final void answered() {
    answers.increment();
  }

  final Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.setTcpNoDelay(true);
    try {
      socket.connect(server);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    return socket;
  }

  final void run(long seed) throws IOException, InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      Thread thread = new Thread(() -> send(random), "fuzzer-" + i);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (gone) {
      throw new IOException(server + " takes no connections any more");
    }
  }

  private void send(SplittableRandom random) {
    int refused = 0;
    while (left.get() > 0 && !gone) {
      try (Socket socket = connect()) {
        refused = 0;
        send(socket, random);
      } catch (ConnectException e) {
        broken.increment();
        if (++refused >= MOST_REFUSED) {
          gone = true;
        }
        LockSupport.parkNanos(REFUSED_PAUSE_NANOS);
      } catch (EOFException e) {
        closed.increment();
      } catch (SocketTimeoutException e) {
        silent.increment();
      } catch (IOException e) {
        broken.increment();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Returns what was counted, by its name in the result. */
  Map<String, Long> counts() {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("injected", (long) inputs);
    counts.put("answers", answers.sum());
    counts.put("connections broken", broken.sum());
    counts.put("connections closed", closed.sum());
    counts.put("not answered", silent.sum());
    return counts;
  }

  final void write(Path result) throws IOException {
    Files.writeString(result, counts().entrySet().stream()
      .map(count -> "\"" + count.getKey() + "\":" + count.getValue())
      .collect(Collectors.joining(",", "{", "}\n")));
  }

  /** With its length in front. */
  static byte[] framed(byte[] bytes) {
    return ByteBuffer.allocate(Integer.BYTES + bytes.length).putInt(bytes.length).put(bytes)
      .array();
  }

  /** The same bytes with up to four damages. */
  static byte[] damaged(byte[] whole, SplittableRandom random) {
    byte[] bytes = whole.clone();
    for (int i = random.nextInt(MOST_DAMAGES); i >= 0 && bytes.length > 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(6)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt();
        case 2 -> bytes = spliced(bytes, at, 0, random(random.nextInt(MOST_BYTES), random));
        case 3 -> bytes = spliced(bytes, at, random.nextInt(bytes.length - at + 1), new byte[0]);
        case 4 -> {
          if (bytes.length >= Integer.BYTES) {
            ByteBuffer.wrap(bytes).putInt(Math.min(at, bytes.length - Integer.BYTES),
              EXTREMES[random.nextInt(EXTREMES.length)]);
          }
        }
        default -> bytes = spliced(bytes, at, 0, bytes);
      }
    }
    return bytes;
  }

  private static byte[] random(int length, SplittableRandom random) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) random.nextInt();
    }
    return bytes;
  }

  /** Replaces some bytes by others. */
  private static byte[] spliced(byte[] bytes, int at, int removed, byte[] with) {
    return ByteBuffer.allocate(bytes.length - removed + with.length).put(bytes, 0, at).put(with)
      .put(bytes, at + removed, bytes.length - at - removed).array();
  }
}
