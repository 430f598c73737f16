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
package org.apache.hadoop.hbase.regionserver;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.http.prometheus.PrometheusHadoopServlet;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.BlockSeekIndex;
import org.apache.hadoop.hbase.io.hfile.CoprocessorCellsSettings;
import org.apache.hadoop.hbase.io.hfile.MetricsSuspectDataNodes;
import org.apache.hadoop.hbase.io.hfile.mrc.CacheSizing;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricType;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/**
 * The page of the metrics is what the running code registers. With
 * {@code -Dmetrics.page.write=true} it is written.
 */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestMetricsPage {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestMetricsPage.class);

  private static final Path FOLDER = Paths.get("../patches");
  private static final Path PAGE = Paths.get("../docs/metrics.md");
  private static final String HISTOGRAM = "HandOverMicros";

  private static final String HEAD = String.join("\n",
    "<!-- Made by TestMetricsPage of hbase-server from the metrics that the code registers. -->",
    "# Metrics", "",
    "Each metric that is new here. `sub=NAME` stands for the bean",
    "`Hadoop:service=HBase,name=RegionServer,sub=NAME` in JMX, `http://SERVER:16030/jmx`.",
    "`/prometheus` on the same port has them by the second name. A counter counts since the",
    "server's start, a gauge is what is now. Of a feature that is off the bean",
    "isn't there, or counts nothing; the features' pages say more. [Alerts and a",
    "dashboard](monitoring.md) are ready.", "");

  /** The beans, and the folders of their patches, or pages in docs if they are of several. */
  private static final String[][] BEANS = { { "BlockCacheTiers", "composite-bucket-cache" },
    { "BlockCacheDirectFiles", "direct-io" }, { "BlockCacheChecksums", "checksums" },
    { "BlockCacheDevice", "failing-devices" }, { "SegmentCache", "segment-cache" },
    { "CacheSizing", "cache-sizing" }, { "CacheWarmup", "cache-warm-up" },
    { "BufferPool", "pooled-buffers" }, { "BlockSeekIndex", "seek-index" },
    { "CoprocessorCells", "coprocessor-cells" }, { "Gets", "row-path" },
    { "EventLoopGets", "event-loop-gets" }, { "MultiGet", "parallel-multiget" },
    { "Scans", "scan-runs" }, { "Compactions", "cursor-compaction" },
    { "MemStoreIndex", "memstore-index" }, { "AsyncPuts", "async-puts" },
    { "HotBlocks", "hot-block-handover" }, { "StartupWarmup", "startup-warm-up" },
    { "OrphanBlocks", "orphan-blocks" }, { "RegionMoveWaits", "calls-wait-for-region" },
    { "SuspectDataNodes", "suspect-datanodes" } };

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final StringBuilder page = new StringBuilder();

  @Test
  public void thePageIsWhatTheCodeRegisters() throws Exception {
    page.append(HEAD);
    addCaches();
    String current = Files.exists(PAGE)
      ? new String(Files.readAllBytes(PAGE), StandardCharsets.UTF_8)
      : "";
    if (Boolean.getBoolean("metrics.page.write")) {
      Files.write(PAGE, page.toString().getBytes(StandardCharsets.UTF_8));
    } else {
      assertEquals("run this test with -Dmetrics.page.write=true", page.toString(), current);
    }
  }

  @Test
  public void eachSourceOfMetricsIsOnThePage() throws IOException {
    Set<String> sources = new TreeSet<>();
    try (Stream<Path> files = Files.walk(FOLDER)) {
      for (Path file : files.filter(file -> file.getFileName().toString()
        .matches("Metrics.*[.]java")).collect(Collectors.toList())) {
        String code = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        sources.add(code.replaceFirst("(?s).*\"RegionServer,sub=([A-Za-z]+)\"\\).*", "$1"));
      }
    }
    assertEquals(
      new TreeSet<>(Arrays.stream(BEANS).map(bean -> bean[0]).collect(Collectors.toList())),
      sources);
  }

  /** Has each source register, and adds its bean while there is something to show. */
  private void addCaches() throws Exception {
    Configuration tiers = HBaseConfiguration.create();
    tiers.set("hbase.bucketcache.l1.ioengine", "offheap");
    tiers.set("hbase.bucketcache.l1.size", "32m");
    tiers.set("hbase.bucketcache.l2.ioengine", "direct:" + folder.getRoot() + "/cache");
    tiers.set("hbase.bucketcache.l2.size", "32m");
    tiers.set("hbase.bucketcache.ioengine.retry.interval", "10000");
    tiers.setBoolean("hbase.regionserver.block.cache.mrc.enabled", true);
    Configuration segments = HBaseConfiguration.create();
    segments.set("hbase.bucketcache.ioengine", "segments");
    segments.set("hbase.bucketcache.size", "4");
    BlockCache first = BlockCacheFactory.createBlockCache(tiers);
    BlockCache second = BlockCacheFactory.createBlockCache(segments);
    CacheSizing.prepare(first, tiers, Collections::emptyList);
    CacheSizing.start(first);
    try {
      call("org.apache.hadoop.hbase.io.hfile.MetricsCacheWarmup", "get");
      Object pool = call("org.apache.hadoop.hbase.ipc.MetricsBufferPool", "get");
      ByteBuffAllocator buffers =
        ByteBuffAllocator.create(HBaseConfiguration.create(), true);
      Method show = pool.getClass().getDeclaredMethod("show", ByteBuffAllocator.class);
      show.setAccessible(true);
      show.invoke(pool, buffers);
      Configuration other = HBaseConfiguration.create();
      other.setBoolean(CoprocessorCellsSettings.HELD.key(), true);
      CoprocessorCellsSettings.of(other);
      other.setBoolean("hbase.regionserver.block.seek.index.enabled", true);
      BlockSeekIndex.start(other);
      MetricsRowPath.getInstance();
      MetricsScanRuns.getInstance();
      MetricsCursorCompactions.getInstance();
      MetricsMemStoreIndex.getInstance();
      MetricsAsyncPuts.getInstance();
      MetricsHotBlocks.getInstance();
      MetricsStartupWarmup.getInstance();
      MetricsOrphanBlocks.getInstance();
      MetricsRegionMoveWaits.getInstance();
      MetricsEventLoopGets.getInstance();
      MetricsParallelMultiGet.getInstance();
      MetricsSuspectDataNodes.getInstance();
      for (String[] bean : BEANS) {
        addBean(bean[0], bean[1]);
      }
      assertNotNull(buffers);
    } finally {
      BlockSeekIndex.start(new Configuration(false));
      CacheSizing.stop(first);
      second.shutdown();
      first.shutdown();
    }
  }

  private static Object call(String className, String method) throws Exception {
    Method found = Class.forName(className).getDeclaredMethod(method);
    found.setAccessible(true);
    return found.invoke(null);
  }

  private void addBean(String bean, String feature) throws Exception {
    MetricsSource source =
      DefaultMetricsSystem.instance().getSource("RegionServer,sub=" + bean);
    assertNotNull(bean, source);
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    MetricsRecord record = collector.getRecords().get(0);
    page.append("\n## ").append(bean).append("\n\n`sub=").append(bean).append("`, of\n[")
      .append(title(feature)).append("](").append(link(feature)).append(").\n\n")
      .append("| metric, and at `/prometheus` | kind | unit | what it is |\n|---|---|---|---|\n");
    List<AbstractMetric> metrics = new ArrayList<>();
    record.metrics().forEach(metrics::add);
    assertFalse(bean, metrics.isEmpty());
    boolean histogram = false;
    for (AbstractMetric metric : metrics) {
      if (!metric.name().startsWith(HISTOGRAM)) {
        addMetric(metric.name(), prometheusName(record.name(), metric.name()),
          metric.type() == MetricType.COUNTER ? "counter" : "gauge", unit(metric.name()),
          metric.description());
      } else if (!histogram) {
        histogram = true;
        addMetric(HISTOGRAM + "_*", prometheusName(record.name(), HISTOGRAM) + "_*", "histogram",
          "microseconds", metric.description());
      }
    }
  }

  private void addMetric(String... cells) {
    page.append("| `").append(cells[0]).append("`<br>`").append(cells[1]).append("` | ")
      .append(String.join(" | ", Arrays.asList(cells).subList(2, cells.length))).append(" |\n");
  }

  /** Returns where a feature's page is, from docs. */
  private static String link(String feature) {
    String ofPatch = "../patches/" + feature + "/README.md";
    return Files.exists(PAGE.resolveSibling(ofPatch)) ? ofPatch : feature + ".md";
  }

  /** Returns the first line of a feature's page. */
  private static String title(String feature) throws IOException {
    return Files.readAllLines(PAGE.resolveSibling(link(feature))).get(0).replace("# ", "");
  }

  private static String prometheusName(String record, String metric) throws Exception {
    Method method = PrometheusHadoopServlet.class.getDeclaredMethod("toPrometheusName",
      String.class, String.class);
    method.setAccessible(true);
    return (String) method.invoke(null, record, metric);
  }

  /** Returns the unit that a metric's name tells. */
  private static String unit(String metric) {
    return metric.matches(".*(Bytes|Size|Capacity|BytesOfCall)|bytesRead") ? "bytes"
      : metric.endsWith("Millis") ? "milliseconds"
      : metric.endsWith("Percent") ? "%"
      : metric.endsWith("Ratio") ? "0 to 1"
      : metric.matches(".*Enabled|adviceKnown") ? "0 or 1"
      : "number";
  }
}
