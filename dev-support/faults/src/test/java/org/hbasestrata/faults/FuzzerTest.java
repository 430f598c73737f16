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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.hbasestrata.tools.Json;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class FuzzerTest {
  private static final int INPUTS = 200;
  private static final int CONNECTIONS = 8;
  private static final byte[] SEED = "a request".getBytes(StandardCharsets.UTF_8);

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  /** Closes each second connection, once it has got an input; else answers, three times at most. */
  private static void serve(ServerSocket server, AtomicInteger received) {
    try {
      for (int connection = 0;; connection++) {
        try (Socket socket = server.accept()) {
          DataInputStream in = new DataInputStream(socket.getInputStream());
          for (int i = 0; i < 3; i++) {
            int length = in.readInt();
            in.skipNBytes(length);
            received.incrementAndGet();
            if (connection % 2 == 1) {
              break;
            }
            socket.getOutputStream().write(1);
          }
        } catch (EOFException e) {
          // The inputs are sent.
        }
      }
    } catch (IOException e) {
      // The server was closed.
    }
  }

  @Test
  public void eachInputIsSentAndItsOutcomeCounted() throws Exception {
    AtomicInteger received = new AtomicInteger();
    Path result = folder.getRoot().toPath().resolve("result.json");
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      new Thread(() -> serve(server, received)).start();
      Fuzzer fuzzer = new Fuzzer((InetSocketAddress) server.getLocalSocketAddress(), INPUTS,
        CONNECTIONS) {
        @Override
        void send(Socket socket, SplittableRandom random) throws IOException {
          DataInputStream in = new DataInputStream(socket.getInputStream());
          while (takeInput()) {
            socket.getOutputStream().write(framed(damaged(SEED, random)));
            in.readByte();
            answered();
          }
        }
      };
      fuzzer.run(1);
      fuzzer.write(result);
      assertThat(fuzzer.counts()).contains(entry("injected", (long) INPUTS));
      assertThat(fuzzer.counts().get("answers")).isPositive();
      long unanswered = fuzzer.counts().get("connections closed")
        + fuzzer.counts().get("connections broken") + fuzzer.counts().get("not answered");
      assertThat(unanswered).isPositive();
      assertThat(fuzzer.counts().get("answers") + unanswered).isEqualTo(INPUTS);
      assertThat(received.get()).isBetween(fuzzer.counts().get("answers").intValue(), INPUTS);
      assertThat(Json.MAPPER.readTree(Files.readString(result)).path("answers").asLong())
        .isEqualTo(fuzzer.counts().get("answers"));
    }
  }

  @Test
  public void damagesFollowFromTheSeed() {
    byte[] damaged = Fuzzer.damaged(SEED, new SplittableRandom(7));
    assertThat(damaged).isNotEqualTo(SEED)
      .isEqualTo(Fuzzer.damaged(SEED, new SplittableRandom(7)));
    assertThat(Fuzzer.framed(SEED)).hasSize(Integer.BYTES + SEED.length).endsWith(SEED)
      .startsWith(0, 0, 0, SEED.length);
  }
}
