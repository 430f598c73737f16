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
package org.hbasestrata.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hbasestrata.bench.report.Pause.Kind;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What is read of generations, from logs of JDK 11 and 17 that an allocating program left. */
public class GcLogGenerationsTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void ofCmsOnJdk11() throws IOException {
    List<Pause> pauses = read("""
      0.007|gc|Using Concurrent Mark Sweep
      0.231|gc,start|GC(0) Pause Young (Allocation Failure)
      0.234|gc,task|GC(0) Using 2 workers of 2 for evacuation
      0.393|gc,heap|GC(0) ParNew: 109248K->13630K(122880K)
      0.393|gc,heap|GC(0) CMS: 0K->93139K(273088K)
      0.393|gc,metaspace|GC(0) Metaspace: 3056K->3056K(1056768K)
      0.393|gc|GC(0) Pause Young (Allocation Failure) 106M->104M(386M) 162.443ms
      0.393|gc,cpu|GC(0) User=0.04s Sys=0.05s Real=0.16s
      0.640|gc,start|GC(2) Pause Initial Mark
      0.642|gc|GC(2) Pause Initial Mark 197M->197M(386M) 1.905ms
      0.642|gc,cpu|GC(2) User=0.00s Sys=0.00s Real=0.00s
      0.654|gc,start|GC(3) Pause Young (Allocation Failure)
      0.654|gc,task|GC(3) Using 2 workers of 2 for evacuation
      0.654|gc,start|GC(4) Pause Full (Allocation Failure)
      0.654|gc,phases,start|GC(4) Phase 1: Mark live objects
      0.655|gc,phases|GC(4) Phase 1: Mark live objects 1.657ms
      0.655|gc,phases,start|GC(4) Phase 2: Compute new object addresses
      0.657|gc,phases|GC(4) Phase 2: Compute new object addresses 1.218ms
      0.657|gc,phases,start|GC(4) Phase 3: Adjust pointers
      0.657|gc,phases|GC(4) Phase 3: Adjust pointers 0.628ms
      0.657|gc,phases,start|GC(4) Phase 4: Move objects
      0.666|gc,phases|GC(4) Phase 4: Move objects 8.227ms
      0.670|gc|GC(4) Pause Full (Allocation Failure) 304M->121M(386M) 16.273ms
      0.670|gc,heap|GC(3) ParNew: 122880K->0K(122880K)
      0.670|gc,heap|GC(3) CMS: 189028K->124279K(273088K)
      0.670|gc,metaspace|GC(3) Metaspace: 3057K->3057K(1056768K)
      0.671|gc|GC(3) Pause Young (Allocation Failure) 304M->121M(386M) 16.397ms
      0.671|gc,cpu|GC(3) User=0.01s Sys=0.01s Real=0.02s
      1.005|gc,start|GC(10) Pause Remark
      1.009|gc|GC(10) Pause Remark 272M->272M(386M) 3.502ms
      1.009|gc,cpu|GC(10) User=0.00s Sys=0.00s Real=0.00s
      """);
    assertThat(pauses).extracting(Pause::kind).containsExactly(Kind.YOUNG, Kind.CONCURRENT,
      Kind.FULL, Kind.CONCURRENT);
    assertThat(pauses).extracting(Pause::promotedBytes).containsExactly(93_139L << 10, null, null,
      null);
    assertThat(pauses).extracting(Pause::isRemark).containsExactly(false, false, false, true);
  }

  @Test
  public void ofG1OnJdk11() throws IOException {
    assertG1(read("0.004|gc,heap|Heap region size: 1M\n0.017|gc|Using G1\n" + G1));
  }

  @Test
  public void ofG1OnJdk17() throws IOException {
    assertG1(read("0.017|gc|Using G1\n0.020|gc,init|Heap Region Size: 1M\n" + G1));
  }

  private static final String G1 = """
    0.155|gc,start|GC(3) Pause Young (Normal) (G1 Evacuation Pause)
    0.155|gc,task|GC(3) Using 2 workers of 2 for evacuation
    0.161|gc,phases|GC(3)   Pre Evacuate Collection Set: 0.0ms
    0.161|gc,phases|GC(3)   Evacuate Collection Set: 5.8ms
    0.161|gc,phases|GC(3)   Post Evacuate Collection Set: 0.1ms
    0.161|gc,phases|GC(3)   Other: 0.1ms
    0.161|gc,heap|GC(3) Eden regions: 17->0(17)
    0.161|gc,heap|GC(3) Survivor regions: 3->3(3)
    0.161|gc,heap|GC(3) Old regions: 50->67
    0.161|gc,heap|GC(3) Humongous regions: 0->0
    0.161|gc,metaspace|GC(3) Metaspace: 3068K->3068K(1056768K)
    0.161|gc|GC(3) Pause Young (Normal) (G1 Evacuation Pause) 69M->69M(400M) 6.100ms
    0.161|gc,cpu|GC(3) User=0.00s Sys=0.01s Real=0.01s
    """;

  private static void assertG1(List<Pause> pauses) {
    assertThat(pauses).extracting(Pause::kind).containsExactly(Kind.YOUNG);
    assertThat(pauses.get(0).edenBytes()).isEqualTo(17L << 20);
    assertThat(pauses.get(0).promotedBytes()).isEqualTo(17L << 20);
  }

  /** @param log lines of uptime, tags and text */
  private List<Pause> read(String log) throws IOException {
    Path file = folder.getRoot().toPath().resolve("gc.log");
    Files.write(file, log.lines().map(line -> line.split("\\|", 3))
      .map(line -> "[2026-11-20T17:43:2" + line[0] + "+0000][" + line[0] + "s][info][" + line[1]
        + "] " + line[2]).toList());
    GcLog.Reading reading = GcLog.read(file);
    assertThat(reading.problem()).isNull();
    return reading.pauses();
  }
}
