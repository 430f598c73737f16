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

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Prometheus scrapes the region server, and evaluates the rules and the dashboard's queries. */
public class PrometheusOnCluster {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Process prometheus;
  private String address;

  @Before
  public void start() throws Exception {
    assumeTrue("prometheus isn't installed", Monitoring.isInstalled("prometheus"));
    Path root = folder.getRoot().toPath();
    address = "127.0.0.1:" + ShellIT.freePort();
    Path config = root.resolve("prometheus.yml");
    Files.writeString(config, """
      global: {scrape_interval: 1s, evaluation_interval: 1s}
      rule_files: ['%s']
      scrape_configs:
        - job_name: hbase
          metrics_path: /prometheus
          static_configs: [{targets: ['%s']}]
      """.formatted(Monitoring.file(Monitoring.RULES), Cluster.page().getAuthority()));
    prometheus = new ProcessBuilder("prometheus", "--config.file=" + config,
      "--storage.tsdb.path=" + root.resolve("data"), "--web.listen-address=" + address)
        .redirectErrorStream(true).redirectOutput(root.resolve("log").toFile()).start();
    Await.until("no rates yet", () -> !isEmpty(query("rate(server_block_cache_hit_count[1m])")));
    ClusterIT.readAndVerify("point-get", 2_000);
    // The server counts the reads some seconds later.
    Await.until("no ratio of hits yet",
      () -> !isEmpty(query("instance:hbase_block_cache_hits:ratio_rate5m")));
  }

  @After
  public void stop() throws InterruptedException {
    if (prometheus != null) {
      prometheus.destroy();
      if (!prometheus.waitFor(10, TimeUnit.SECONDS)) {
        prometheus.destroyForcibly();
      }
    }
  }

  private String get(String path) throws IOException, InterruptedException {
    HttpRequest request =
      HttpRequest.newBuilder(URI.create("http://" + address + "/api/v1/" + path)).build();
    try {
      return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (ConnectException e) {
      return "";
    }
  }

  private String query(String query) throws IOException, InterruptedException {
    return get("query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
  }

  private static boolean isEmpty(String answer) {
    return !answer.contains("\"value\":[");
  }

  @Test
  public void theDashboardsQueriesAndTheRulesHaveValues() throws Exception {
    Set<String> served = Monitoring.metrics(Cluster.get("/prometheus"));
    List<String> queries = Monitoring.queries();
    Set<String> without = new TreeSet<>();
    for (String query : queries) {
      assertThat(query(query)).as(query).contains("\"status\":\"success\"");
      // Those of an engine that this server hasn't, and of what wasn't done.
      if (!served.containsAll(Monitoring.metrics(query)) || query.contains(" >= 0")
        || query.contains(" > 0)")) {
        if (isEmpty(query(query))) {
          without.add(query);
        }
      } else {
        // There is none after a scrape that took longer than the time to the next one.
        Await.until("no value of " + query, () -> !isEmpty(query(query)));
      }
    }
    assertThat(without).hasSizeLessThan(queries.size() / 2);

    String rules = get("rules");
    assertThat(rules).contains("HBaseBlockCacheTierOff", "\"health\":\"ok\"")
      .doesNotContain("\"health\":\"err\"", "\"health\":\"unknown\"");
    assertThat(get("alerts")).doesNotContain("\"state\":\"firing\"");
  }
}
