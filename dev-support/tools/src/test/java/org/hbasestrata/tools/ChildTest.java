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
package org.hbasestrata.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ChildTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path log;

  @Before
  public void makeLog() {
    log = folder.getRoot().toPath().resolve("log");
  }

  @Test
  public void returnsAndKeepsWhatIsPrinted() throws Exception {
    assertThat(run("echo one; echo $WHAT >&2")).containsExactly("one", "two");
    assertThat(log).hasContent("one\ntwo");
  }

  @Test
  public void failsWithTheLineThatNamesTheTool() {
    assertThatThrownBy(() -> run("echo 'tool: it is broken'; echo '  end of log'; exit 3"))
      .isInstanceOf(ToolException.class)
      .hasMessage("tool: it is broken (more in " + log + ")");
  }

  @Test
  public void failsWithTheExitCodeWhenThereIsNoSuchLine() {
    assertThatThrownBy(() -> run("echo odd; exit 3"))
      .hasMessage("tool: exit code 3, odd (more in " + log + ")");
  }

  @Test
  public void isEndedWhenItsWaiterIsInterrupted() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
    Child child = Child.start(
      List.of("sh", "-c",
        "trap 'echo ended; exit 0' TERM; echo begun; while :; do sleep 0.1; done"),
      Map.of(), log, line -> {
        lines.add(line);
        begun.countDown();
      });
    begun.await();
    Thread.currentThread().interrupt();
    assertThatThrownBy(child::await).isInstanceOf(InterruptedException.class);
    assertThat(child.isAlive()).isFalse();
    assertThat(Files.readString(log)).contains("ended");
  }

  private List<String> run(String script) throws InterruptedException {
    return Child.run("tool", List.of("sh", "-c", script), Map.of("WHAT", "two"), log);
  }
}
