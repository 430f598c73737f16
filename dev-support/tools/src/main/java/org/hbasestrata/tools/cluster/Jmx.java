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
package org.hbasestrata.tools.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Predicate;
import org.hbasestrata.tools.Json;

/** Asks a daemon over its web port. Thread-safe. */
public final class Jmx {
  private static final int TRIES = 10;
  private static final int PAUSE_MILLIS = 500;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
    .connectTimeout(PATIENCE).build();
  private final int port;

  public Jmx(int port) {
    this.port = port;
  }

  /** The attributes of one MBean; an IOException when there is none of the name. */
  public JsonNode bean(String name) throws IOException, InterruptedException {
    JsonNode bean = beans(name).path(0);
    if (bean.isMissingNode()) {
      throw new IOException("there is no " + name + " on port " + port);
    }
    return bean;
  }

  /** The MBeans that match a pattern. */
  public JsonNode beans(String pattern) throws IOException, InterruptedException {
    return get("/jmx?qry=" + URLEncoder.encode(pattern, StandardCharsets.UTF_8)).path("beans");
  }

  /**
   * An MBean of HBase's metrics. When HBase renews them, as it does some seconds after regions were
   * opened, they vanish for a moment, or are there without attributes; some aren't there before
   * they count something.
   * @param complete whether the MBean has what is wanted
   * @return one that isn't complete when there is no other, or nobody answers, for seconds
   */
  public JsonNode metrics(String name, Predicate<JsonNode> complete) throws InterruptedException {
    JsonNode bean = MissingNode.getInstance();
    for (int i = 0; i < TRIES && (bean.isMissingNode() || !complete.test(bean)); i++) {
      if (i > 0) {
        Thread.sleep(PAUSE_MILLIS);
      }
      try {
        bean = beans(name).path(0);
      } catch (IOException e) {
        // It may be starting.
      }
    }
    return bean;
  }

  /** The effective configuration: an array of objects with key, value and resource. */
  public JsonNode configuration() throws IOException, InterruptedException {
    return get("/conf?format=json").path("properties");
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
      .timeout(PATIENCE).build();
    return Json.MAPPER.readTree(
      client.send(request, HttpResponse.BodyHandlers.ofInputStream()).body());
  }
}
