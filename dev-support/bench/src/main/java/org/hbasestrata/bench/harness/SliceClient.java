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
package org.hbasestrata.bench.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.ToolException;

/** A running {@code hbase ycsb slices}: a client process. For one thread. */
final class SliceClient implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int POLL_MILLIS = 500;
  /** What a request may take beyond its own time: the client gives up later, by its retries. */
  private static final int PATIENCE_SECONDS = 60;
  /** For a client to start and to connect. */
  private static final int START_SECONDS = 300;

  private final Child child;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
  private final Path log;
  private final BooleanSupplier serversAlive;
  private final long pid;
  private final String jar;

  /** @param serversAlive whether going on is of any use */
  SliceClient(List<String> command, Map<String, String> environment, Path log,
    BooleanSupplier serversAlive) throws InterruptedException {
    this.log = log;
    this.serversAlive = serversAlive;
    this.child = Child.startListening(command, environment, log, line -> {
      if (line.startsWith("{")) {
        answers.add(line);
      } else {
        lines.add(line);
      }
    });
    try {
      JsonNode hello = answer(TimeUnit.SECONDS.toMillis(START_SECONDS));
      this.pid = hello.path("pid").asLong();
      this.jar = hello.path("client").asText();
    } catch (InterruptedException | RuntimeException e) {
      close();
      throw e;
    }
  }

  long pid() {
    return pid;
  }

  /** The name of the jar that its HBase client is from. */
  String jar() {
    return jar;
  }

  /** The servers that have regions of a table. */
  List<String> servers(String table) throws InterruptedException {
    List<String> servers = new ArrayList<>();
    ask("servers", 0).path("servers").path(table).forEach(server -> servers.add(server.asText()));
    return servers;
  }

  /** Has operations done on a table for some time. */
  void turn(String table, int threads, long millis) throws InterruptedException {
    ask("turn " + table + " " + threads + " " + millis, millis);
  }

  /** What the client did in the turns of a table since this was last asked. */
  JsonNode slice(String table) throws InterruptedException {
    return ask("slice " + table, 0).path("slice");
  }

  private JsonNode ask(String request, long millis) throws InterruptedException {
    try {
      child.tell(request);
    } catch (IOException e) {
      throw failed();
    }
    return answer(millis);
  }

  private JsonNode answer(long millis) throws InterruptedException {
    long seconds = TimeUnit.MILLISECONDS.toSeconds(millis) + PATIENCE_SECONDS;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (System.nanoTime() < deadline && serversAlive.getAsBoolean()) {
      boolean ended = !child.isAlive();
      String answer = answers.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
      if (answer != null) {
        try {
          return JSON.readTree(answer);
        } catch (IOException e) {
          throw ToolException.failed("the client's answer is no JSON: " + answer, e);
        }
      }
      if (ended) {
        throw failed();
      }
    }
    throw ToolException.failed(serversAlive.getAsBoolean()
      ? "the client hasn't answered for " + seconds + " seconds (more in " + log + ")"
      : "a region server ended; its log is kept in the folder logs");
  }

  private ToolException failed() throws InterruptedException {
    return Child.failed("ycsb", child.await(), lines, log);
  }

  @Override
  public void close() {
    child.end();
  }
}
