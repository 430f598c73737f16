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

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.hbasestrata.bench.Server;
import org.hbasestrata.tools.cluster.Jmx;

/** What a region server tells of itself over JMX. Thread-safe. */
final class RegionServer {
  private static final String METRICS = "Hadoop:service=HBase,name=RegionServer,sub=";
  private static final String REQUESTS = "totalRequestCount";
  private static final int METRICS_PAUSE_MILLIS = 500;
  private static final long FRESH_NANOS =
    TimeUnit.SECONDS.toNanos(20L * ArmConf.METRICS_PERIOD_SECONDS);
  private static final Pattern TIER = Pattern.compile("l(\\d)CacheHitCount");

  private static final Pattern SERVER_JAR =
    Pattern.compile("/hbase-server-([0-9][^/:]*)\\.jar(?::|$)");

  private final Jmx jmx;

  RegionServer(Jmx jmx) {
    this.jmx = jmx;
  }

  /**
   * Counters since its start, as of a moment ago.
   * @param tiers          look-ups by tier of the block cache, L1 first
   * @param blockCache     look-ups in the block cache as a whole, in which a block that no tier has
   *                       is missed once
   * @param hdfsBlocksRead HFile blocks read from the file system: what HBase times as reads of
   *                       blocks, by position or in a stream
   * @param requests       requests of clients; unlike rows, of which HBase works out the number now
   *                       and then, as of the very moment
   */
  record Counters(Map<String, Server.CacheTier> tiers, Server.CacheTier blockCache,
    long hdfsBlocksRead, long requests) {
    long hits() {
      return tiers.values().stream().mapToLong(Server.CacheTier::hits).sum();
    }

    long misses() {
      return tiers.values().stream().mapToLong(Server.CacheTier::misses).sum();
    }

    /** What was counted since; a tier that was never asked is left out. */
    Counters since(Counters before) {
      Map<String, Server.CacheTier> changes = new TreeMap<>();
      tiers.forEach((tier, now) -> {
        Server.CacheTier then = before.tiers.get(tier);
        if (then != null && now.hits() + now.misses() > 0) {
          changes.put(tier, now.minus(then));
        }
      });
      return new Counters(changes, blockCache.minus(before.blockCache),
        hdfsBlocksRead - before.hdfsBlocksRead, requests - before.requests);
    }
  }

  /** @throws IOException when it hasn't told them for seconds */
  Counters counters() throws IOException, InterruptedException {
    JsonNode server = metrics("Server", REQUESTS);
    if (!server.has(REQUESTS)) {
      throw new IOException("the region server doesn't show the metrics " + METRICS + "Server");
    }
    Map<String, Server.CacheTier> tiers = new TreeMap<>();
    server.fieldNames().forEachRemaining(name -> {
      Matcher matcher = TIER.matcher(name);
      if (matcher.matches()) {
        tiers.put("L" + matcher.group(1), new Server.CacheTier(server.path(name).asLong(),
          server.path(name.replace("Hit", "Miss")).asLong()));
      }
    });
    JsonNode io = metrics("IO", "FsPReadTime_num_ops");
    return new Counters(tiers, new Server.CacheTier(server.path("blockCacheHitCount").asLong(),
      server.path("blockCacheMissCount").asLong()),
      io.path("FsReadTime_num_ops").asLong() + io.path("FsPReadTime_num_ops").asLong(),
      server.path(REQUESTS).asLong());
  }

  /**
   * Waits until its metrics have counted what a client has had answered.
   * @param requests how many at least since the counters before
   * @throws IOException when they haven't in many times their period
   */
  Counters counters(Counters before, long requests) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + FRESH_NANOS;
    while (true) {
      Counters now = counters();
      long counted = now.requests - before.requests;
      if (counted >= requests) {
        return now;
      }
      if (System.nanoTime() > deadline) {
        throw new IOException("the region server's metrics have counted " + counted
          + " requests, but it has answered " + requests);
      }
      Thread.sleep(METRICS_PAUSE_MILLIS);
    }
  }

  int regions() throws InterruptedException {
    return metrics("Server", "regionCount").path("regionCount").asInt();
  }

  /** @return without the attribute when it isn't there, or nobody answers, for seconds */
  private JsonNode metrics(String set, String attribute) throws InterruptedException {
    return jmx.metrics(METRICS + set, bean -> bean.has(attribute));
  }

  /** Bytes allocated on the heap so far by all threads, ended ones too; null when not known. */
  Double allocatedBytes() throws IOException, InterruptedException {
    JsonNode bytes = jmx.bean("java.lang:type=Threading").path("TotalThreadAllocatedBytes");
    return bytes.isMissingNode() ? null : bytes.asDouble();
  }

  long heapBytes() throws IOException, InterruptedException {
    return jmx.bean("java.lang:type=Memory").path("HeapMemoryUsage").path("used").asLong();
  }

  /** Direct and mapped buffers; what netty allocates behind the JVM's back isn't in it. */
  long bufferBytes() throws IOException, InterruptedException {
    long bytes = 0;
    for (JsonNode pool : jmx.beans("java.nio:type=BufferPool,name=*")) {
      bytes += pool.path("MemoryUsed").asLong();
    }
    return bytes;
  }

  /** Its JVM, and {@link org.hbasestrata.bench.Arm#patchLevel what HBase runs in it}. */
  record Runtime(String name, int version, List<String> arguments, String patchLevel) {
  }

  Runtime runtime() throws IOException, InterruptedException {
    JsonNode bean = jmx.bean("java.lang:type=Runtime");
    List<String> arguments = new ArrayList<>();
    bean.path("InputArguments").forEach(argument -> arguments.add(argument.asText()));
    return new Runtime(bean.path("VmVersion").asText() + ' ' + bean.path("VmVendor").asText(),
      Integer.parseInt(bean.path("SpecVersion").asText().replaceFirst("^1\\.", "")), arguments,
      patchLevel(bean.path("ClassPath").asText()));
  }

  /** Upstream's servers have no such bean: of them the jar says which release they are. */
  private String patchLevel(String classPath) throws IOException, InterruptedException {
    JsonNode level = jmx.beans("Hadoop:service=HBase,name=PatchLevel").path(0);
    if (level.has("Version")) {
      return level.path("Version").asText();
    }
    Matcher jar = SERVER_JAR.matcher(classPath);
    return jar.find() ? "stock " + jar.group(1) : null;
  }

  /** Its effective configuration, but for what its code sets, such as its own name. */
  Map<String, String> configuration() throws IOException, InterruptedException {
    Map<String, String> values = new TreeMap<>();
    StreamSupport.stream(jmx.configuration().spliterator(), false)
      .filter(entry -> !entry.path("resource").asText().equals("programmatically"))
      .forEach(entry -> values.put(entry.path("key").asText(), entry.path("value").asText()));
    return values;
  }
}
