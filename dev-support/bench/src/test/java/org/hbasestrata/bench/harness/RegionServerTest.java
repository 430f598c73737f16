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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.hbasestrata.bench.Server.CacheTier;
import org.hbasestrata.tools.cluster.Jmx;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class RegionServerTest {
  private static final String RENEWED = "{\"beans\": [{\"name\": \"renewed\"}]}";
  private static final String NONE = "{\"beans\": []}";
  private static final String IO =
    "{\"beans\": [{\"FsReadTime_num_ops\": 2, \"FsPReadTime_num_ops\": 3}]}";

  private HttpServer server;
  private RegionServer regionServer;
  private volatile Iterator<String> answers;

  @Before
  public void startServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/jmx", exchange -> {
      String answer = exchange.getRequestURI().getQuery().endsWith("sub=IO") ? IO : answers.next();
      byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
      exchange.close();
    });
    server.start();
    regionServer = new RegionServer(new Jmx(server.getAddress().getPort()));
  }

  @After
  public void stopServer() {
    server.stop(0);
  }

  @Test
  public void metricsThatAreRenewedAreReadAgain() throws Exception {
    answers = List.of(NONE, RENEWED, counted(7)).iterator();
    RegionServer.Counters counters = regionServer.counters();
    assertThat(counters.requests()).isEqualTo(7);
    assertThat(counters.hdfsBlocksRead()).isEqualTo(5);
    assertThat(counters.tiers()).isEqualTo(Map.of("L1", new CacheTier(70, 1)));
  }

  @Test
  public void withoutMetricsThereAreNoCounters() {
    answers = Stream.generate(() -> RENEWED).iterator();
    assertThatThrownBy(() -> regionServer.counters()).isInstanceOf(IOException.class)
      .hasMessageContaining("sub=Server");
  }

  @Test
  public void whatWasAnsweredIsCountedBeforeCountersAreTaken() throws Exception {
    answers = List.of(counted(7), counted(7), counted(9), counted(11)).iterator();
    RegionServer.Counters before = regionServer.counters();
    assertThat(regionServer.counters(before, 4).requests()).isEqualTo(11);
  }

  @Test
  public void whatItRunsIsItsPatchLevelElseTheReleaseOfItsJar() throws Exception {
    String runtime = "{\"beans\": [{\"VmVersion\": \"17\", \"VmVendor\": \"x\","
      + " \"SpecVersion\": \"17\", \"ClassPath\":"
      + " \"/conf:/lib/hbase-server-2.6.4-hadoop3.jar:/lib/x.jar\"}]}";
    answers = List.of(runtime, "{\"beans\": [{\"Version\": \"2.6.4-strata.1\"}]}").iterator();
    assertThat(regionServer.runtime().patchLevel()).isEqualTo("2.6.4-strata.1");
    answers = List.of(runtime, NONE).iterator();
    assertThat(regionServer.runtime().patchLevel()).isEqualTo("stock 2.6.4-hadoop3");
  }

  private static String counted(int requests) {
    return "{\"beans\": [{\"totalRequestCount\": " + requests + ", \"l1CacheHitCount\": "
      + requests * 10 + ", \"l1CacheMissCount\": 1}]}";
  }
}
