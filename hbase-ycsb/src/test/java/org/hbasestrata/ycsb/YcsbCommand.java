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
package org.hbasestrata.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.BeforeClass;

/** The command in this JVM, and what it printed. */
public abstract class YcsbCommand {
  private final ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
  private final ByteArrayOutputStream errBytes = new ByteArrayOutputStream();

  /** Of the cluster that it talks to. */
  abstract int zooKeeperPort();

  @BeforeClass
  public static void useTheProfilesThatShip() {
    System.setProperty(YcsbTool.PROFILE_DIR_PROPERTY, Path.of("..", "conf", "ycsb").toString());
  }

  final int ycsb(String... arguments) {
    return ycsbReading("", arguments);
  }

  /** @param input what it reads */
  final int ycsbReading(String input, String... arguments) {
    outBytes.reset();
    errBytes.reset();
    List<String> all = new ArrayList<>(List.of(arguments));
    if (!all.contains("profiles")) {
      all.addAll(List.of("-p", "hbase.zookeeper.quorum=localhost", "-p",
        "hbase.zookeeper.property.clientPort=" + zooKeeperPort()));
    }
    return new YcsbTool(new StringReader(input),
      new PrintStream(outBytes, true, StandardCharsets.UTF_8),
      new PrintStream(errBytes, true, StandardCharsets.UTF_8)).execute(all.toArray(new String[0]));
  }

  final String out() {
    return outBytes.toString(StandardCharsets.UTF_8);
  }

  final String err() {
    return errBytes.toString(StandardCharsets.UTF_8);
  }

  final void assertOneLineOfError(String... parts) {
    assertThat(err().strip().lines()).singleElement().asString().startsWith("ycsb: ")
      .contains(parts);
  }
}
