/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hbasestrata.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The rules and the dashboard of the tarball, without a server. */
public class PrometheusIT {
  private static final String TESTS = "block-cache.rules.test.yml";
  /** Metrics of upstream that they use; PrometheusOnCluster finds them at a server. */
  private static final Set<String> UPSTREAMS =
    Set.of("server_block_cache_hit_count", "server_block_cache_miss_count");

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void rulesRaiseWhatTheirTestsSay() throws Exception {
    assumeTrue("promtool isn't installed", Monitoring.isInstalled("promtool"));
    Path root = folder.getRoot().toPath();
    Files.copy(Monitoring.file(Monitoring.RULES), root.resolve(Monitoring.RULES));
    Files.copy(Packages.module("hbase-it").resolve("src/test/resources").resolve(TESTS),
      root.resolve(TESTS));
    for (String[] command : new String[][] { { "promtool", "check", "rules", Monitoring.RULES },
      { "promtool", "test", "rules", TESTS } }) {
      Packages.Result result = Packages.run(root, command);
      assertThat(result.exitCode()).as(result.output()).isZero();
    }
  }

  @Test
  public void eachMetricOfRulesAndDashboardIsOneThatTheServerHas() throws Exception {
    Set<String> known =
      Monitoring.metrics(Files.readString(Packages.dist().resolve("docs/metrics.md")));
    known.addAll(UPSTREAMS);
    assertThat(Monitoring.metrics()).hasSizeGreaterThan(40).isSubsetOf(known);
  }

  @Test
  public void dashboardHasQueries() {
    assertThat(Monitoring.queries()).hasSizeGreaterThan(40).noneMatch(query -> query.contains("$"));
  }
}
