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

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.hbasestrata.bench.ConfigDifference;
import org.junit.Test;

public class DifferencesTest {
  private final Differences differences = new Differences();

  @Test
  public void whatArmsShareIsNotThere() {
    add("a", Map.of("k", "1"), List.of("-Xmx1g", "-XX:+UseG1GC"));
    add("b", Map.of("k", "1"), List.of("-Xmx1g", "-XX:+UseG1GC"));
    assertThat(differences.found()).isEmpty();
  }

  @Test
  public void findsOtherValuesAndMissingOnes() {
    add("a", Map.of("k", "1", "only.a", "x"), List.of("-Xmx1g", "-XX:+UseG1GC"));
    add("b", Map.of("k", "2"), List.of("-Xmx2g", "-XX:-UseG1GC"));
    assertThat(differences.found()).containsExactlyInAnyOrder(
      new ConfigDifference("hbase-site.xml", "k", Map.of("a", "1", "b", "2")),
      new ConfigDifference("hbase-site.xml", "only.a", Map.of("a", "x")),
      new ConfigDifference("jvm", "-Xmx", Map.of("a", "1g", "b", "2g")),
      new ConfigDifference("jvm", "-XX:UseG1GC", Map.of("a", "+", "b", "-")));
  }

  @Test
  public void whereJarsAreIsNoSetting() {
    add("a", Map.of(), List.of("-Dhbase.home.dir=/x"));
    add("b", Map.of(), List.of("-Dhbase.home.dir=/y"));
    assertThat(differences.found()).isEmpty();
  }

  @Test
  public void theLaterFlagWins() {
    assertThat(Differences.flags(List.of("-Xmx1g", "-XX:MaxGCPauseMillis=50", "-Xmx2g")))
      .containsOnly(Map.entry("-Xmx", "2g"), Map.entry("-XX:MaxGCPauseMillis", "50"));
  }

  private void add(String name, Map<String, String> configuration, List<String> arguments) {
    differences.add(new ArmSpec(name, Path.of("/conf"), ArmSpec.STRATA), configuration, arguments);
  }
}
