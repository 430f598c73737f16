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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.cluster.Jcmd;

/** Has a JVM record itself. */
final class Recorder {
  private static final String RECORDING = "bench";
  /** The first that samples allocations at a bounded rate. */
  private static final int ALLOCATION_SAMPLE_SINCE = 16;

  private final Jcmd jcmd;

  /** @param log what jcmd prints goes there */
  Recorder(long pid, Path log) {
    jcmd = new Jcmd(pid, log);
  }

  /**
   * Starts a flight recording: the same and little for all arms.
   * @param javaVersion the JVM's feature version
   * @param folder      where its settings are written to
   */
  void startRecording(int javaVersion, Path folder) throws InterruptedException {
    Path settings = folder.resolve("server.jfc");
    try {
      Files.writeString(settings, settings(javaVersion));
    } catch (IOException e) {
      throw ToolException.failed(settings + " can't be written: " + ToolException.oneLine(e), e);
    }
    jcmd.ask("JFR.start name=" + RECORDING + " settings=" + quoted(settings));
  }

  /** What the report reads. */
  static String settings(int javaVersion) {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      + "<configuration version=\"2.0\" label=\"bench\">\n");
    if (javaVersion >= ALLOCATION_SAMPLE_SINCE) {
      event(xml, "ObjectAllocationSample", "throttle", "300/s", "stackTrace", "true");
    } else {
      event(xml, "ObjectAllocationInNewTLAB", "stackTrace", "true");
      event(xml, "ObjectAllocationOutsideTLAB", "stackTrace", "true");
    }
    for (String name : List.of("GarbageCollection", "GCPhasePause", "SafepointBegin",
      "SafepointEnd")) {
      event(xml, name, "threshold", "0 ms", "stackTrace", "false");
    }
    return xml.append("</configuration>\n").toString();
  }

  private static void event(StringBuilder xml, String name, String... settings) {
    xml.append("  <event name=\"jdk.").append(name).append("\">\n")
      .append("    <setting name=\"enabled\">true</setting>\n");
    for (int i = 0; i < settings.length; i += 2) {
      xml.append("    <setting name=\"").append(settings[i]).append("\">").append(settings[i + 1])
        .append("</setting>\n");
    }
    xml.append("  </event>\n");
  }

  /** Returns whether garbage was collected: it isn't with -XX:+DisableExplicitGC. */
  boolean endRecordingAndCollectGarbage(Path file) throws InterruptedException {
    return jcmd.ask("JFR.stop name=" + RECORDING + " filename=" + quoted(file), "GC.run").stream()
      .noneMatch(line -> line.contains("Explicit GC is disabled"));
  }

  private static String quoted(Path file) {
    return '"' + file.toString() + '"';
  }

  /** Its command line and the flags that differ from their defaults. */
  List<String> flags() throws InterruptedException {
    List<String> lines = new ArrayList<>(jcmd.ask("VM.command_line", "VM.flags"));
    // Some kilobytes of jars.
    lines.removeIf(line -> line.startsWith("java_class_path"));
    return lines;
  }
}
