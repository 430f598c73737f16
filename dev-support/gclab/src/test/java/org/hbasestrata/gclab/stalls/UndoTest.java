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
package org.hbasestrata.gclab.stalls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.hbasestrata.tools.ToolException;
import org.junit.Test;

public class UndoTest {
  private final List<String> done = new ArrayList<>();
  private final Undo undo = new Undo();

  @Test
  public void theLastIsUndoneFirstAndOnce() {
    undo.add(() -> done.add("first"));
    undo.add(() -> done.add("last"));
    undo.close();
    undo.close();
    assertThat(done).containsExactly("last", "first");
  }

  @Test
  public void eachIsTriedAndTheFirstFailureIsThrown() {
    undo.add(() -> done.add("first"));
    undo.add(() -> {
      throw new IOException("later");
    });
    undo.add(() -> {
      throw ToolException.failed("umount: busy");
    });
    assertThatThrownBy(undo::close).isInstanceOf(ToolException.class)
      .hasMessageContaining("umount: busy").satisfies(thrown -> assertThat(thrown.getSuppressed())
        .singleElement().extracting(Throwable::getMessage).isEqualTo("later"));
    assertThat(done).containsExactly("first");
  }

  @Test
  public void anInterruptedThreadUndoesAllAndStaysInterrupted() {
    undo.add(() -> done.add("first"));
    undo.add(() -> {
      Thread.sleep(10);
      done.add("last");
    });
    Thread.currentThread().interrupt();
    undo.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(done).containsExactly("last", "first");
  }
}
