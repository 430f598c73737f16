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
package org.hbasestrata.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.Test;

public class GcLogOptionsTest {
  private static List<String> translate(String... options) {
    List<PresetLine> lines = new ArrayList<>();
    for (String option : options) {
      lines.add(new PresetLine(option, "because", Range.ALL, "line", true));
    }
    return GcLogOptions.translate(lines).stream().map(PresetLine::option)
      .collect(Collectors.toList());
  }

  @Test
  public void theOptionsOfJdk8BecomeOneXlogInTheirPlace() {
    assertThat(translate("-Xmx1g", "-Xloggc:/logs/a b.log", "-XX:+PrintGCDetails",
      "-XX:+UseG1GC", "-XX:+PrintGCDateStamps", "-XX:+PrintGCApplicationStoppedTime",
      "-XX:+PrintAdaptiveSizePolicy", "-XX:+UseGCLogFileRotation", "-XX:NumberOfGCLogFiles=4",
      "-XX:GCLogFileSize=10m")).containsExactly("-Xmx1g",
        "-Xlog:gc*,safepoint,gc+ergo*=trace:file=\"/logs/a b.log\":time,uptime,level,tags"
          + ":filecount=4,filesize=10m",
        "-XX:+UseG1GC");
  }

  @Test
  public void aPlainLogIsOfCollectionsAlone() {
    assertThat(translate("-Xloggc:gc.log"))
      .containsExactly("-Xlog:gc:file=\"gc.log\":time,uptime,level,tags");
    assertThat(translate("-XX:+PrintGC", "-XX:+PrintTenuringDistribution", "-XX:-PrintGCDetails"))
      .containsExactly("-Xlog:gc,gc+age*=trace:stdout:time,uptime,level,tags");
  }

  @Test
  public void whatIsNoLogStaysAsItIs() {
    assertThat(translate("-Xlog:async", "-XX:+UseZGC")).containsExactly("-Xlog:async",
      "-XX:+UseZGC");
  }
}
