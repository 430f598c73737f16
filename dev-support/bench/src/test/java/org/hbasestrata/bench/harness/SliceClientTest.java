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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.hbasestrata.tools.ToolException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** With scripts in the place of {@code hbase ycsb slices}. */
public class SliceClientTest {
  private static final String HELLO = "echo '{\"pid\":7,\"client\":\"some.jar\"}'; ";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private SliceClient client(String script, BooleanSupplier serversAlive) throws Exception {
    Path log = folder.getRoot().toPath().resolve("log");
    return new SliceClient(List.of("sh", "-c", script), Map.of(), log, serversAlive);
  }

  @Test
  public void asksAndIsAnswered() throws Exception {
    try (SliceClient client = client(HELLO + "echo 'a line for people';"
      + " asked=; while read line; do asked=\"$asked$line;\"; case $line in"
      + " servers) echo '{\"servers\":{\"a\":[\"one\",\"two\"],\"b\":[]}}';;"
      + " *) echo \"{\\\"slice\\\":\\\"$asked\\\"}\";; esac; done", () -> true)) {
      assertThat(client.pid()).isEqualTo(7);
      assertThat(client.jar()).isEqualTo("some.jar");
      client.turn("a", 4, 300);
      client.turn("b", 2, 50);
      assertThat(client.slice("b").asText()).isEqualTo("turn a 4 300;turn b 2 50;slice b;");
      assertThat(client.servers("a")).containsExactly("one", "two");
      assertThat(client.servers("b")).isEmpty();
    }
  }

  @Test
  public void aClientThatEndsIsAFailureWithItsLastWords() throws Exception {
    assertThatThrownBy(() -> client("echo 'ycsb: no such table'; exit 3", () -> true))
      .isInstanceOf(ToolException.class).hasMessageStartingWith("ycsb: no such table");
    try (SliceClient client = client(HELLO + "read line; echo 'ycsb: given up'; exit 3",
      () -> true)) {
      assertThatThrownBy(() -> client.turn("a", 4, 300))
        .isInstanceOf(ToolException.class)
        .hasMessageStartingWith("ycsb: given up");
    }
  }

  @Test
  public void aServerThatEndsIsNotWaitedFor() throws Exception {
    boolean[] alive = { true };
    try (SliceClient client = client(HELLO + "exec sleep 100", () -> alive[0])) {
      alive[0] = false;
      assertThatThrownBy(() -> client.turn("a", 4, 300))
        .isInstanceOf(ToolException.class)
        .hasMessageContaining("a region server ended");
    }
  }
}
