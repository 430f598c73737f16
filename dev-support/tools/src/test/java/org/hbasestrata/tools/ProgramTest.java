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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ProgramTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void returnsTheExitCodeAndKeepsWhatIsPrinted() throws Exception {
    Path output = folder.getRoot().toPath().resolve("new/output");
    assertThat(Program.run(sh("echo one; cat; exit 3"), output, 60)).hasValue(3);
    assertThat(output).hasContent("one");
  }

  @Test
  public void whatTakesTooLongIsKilledWithItsChildren() throws Exception {
    Path output = folder.getRoot().toPath().resolve("output");
    int seconds = 1;
    // On a busy machine it hasn't said by then which its child is.
    do {
      assertThat(seconds).isLessThan(600);
      assertThat(Program.run(sh("sleep 600 & echo $!; wait"), output, seconds)).isEmpty();
      seconds *= 4;
    } while (Files.size(output) == 0);
    long child = Long.parseLong(Files.readString(output).strip());
    assertThat(ProcessHandle.of(child)).isEmpty();
  }

  private ProcessBuilder sh(String script) {
    return Program.in(folder.getRoot().toPath(), List.of("sh", "-c", script));
  }
}
