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

import java.io.IOException;
import java.nio.file.Path;

/** Connections are begun with damage, or only begun, while others read. */
final class HostileHandshakes {
  /** For a request there are many; a handshake is a connection. */
  private static final int REQUESTS_PER_HANDSHAKE = 10;
  private static final int HALF_OPEN = 1000;
  /** A server takes 1 MB; the rest is in buffers of sockets. */
  private static final int MOST_OF_A_TOKEN = 16 << 20;
  private static final int BRIEF_HALF_OPEN = 100;
  /** Every other handshake isn't answered, for it lacks bytes: most of them wait. */
  private static final int CONNECTIONS = 32;
  /** So few that servers which have just started answer in time. */
  private static final int BRIEF_CONNECTIONS = 8;

  private HostileHandshakes() {
  }

  static void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    scene.load();
    scene.spread(Scene.TABLE);
    Path result = scene.folder().resolve(outcome.name() + ".json");
    new Hostility(scene, outcome).run(scene.amounts().beside(), HandshakeFuzzer.class, result,
      Integer.toString(scene.amounts().inputs() / REQUESTS_PER_HANDSHAKE),
      Long.toString(scene.amounts().seed()), result.toString(),
      Integer.toString(scene.regionServer(1).port()),
      Integer.toString(scene.amounts().brief() ? BRIEF_HALF_OPEN : HALF_OPEN),
      Integer.toString(scene.amounts().brief() ? BRIEF_CONNECTIONS : CONNECTIONS));
    outcome.expect(outcome.count("answers") > 0, "no handshake was answered");
    outcome.expect(outcome.count("connections closed") > 0, "no connection was closed");
    outcome.expect(outcome.count("logged in") > 0, "no handshake came to its end");
    outcome.expect(outcome.count(HandshakeFuzzer.ENDED) == outcome.count(HandshakeFuzzer.HALF_OPEN),
      "a handshake may last for good");
    outcome.expect(outcome.count(HandshakeFuzzer.ENDLESS) < MOST_OF_A_TOKEN,
      "a token may have any length");
  }
}
