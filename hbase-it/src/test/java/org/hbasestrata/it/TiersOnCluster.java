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

import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * A region server that caches in two tiers, L1 in direct memory and L2 in a file: it serves what
 * was written, shows both tiers, and keeps its files to itself.
 */
public class TiersOnCluster {
  /** Small chunks of indexes and bloom filters, so that there are some beside the roots. */
  static final String SITE = """
    <configuration>
      <property><name>hbase.bucketcache.l1.ioengine</name><value>offheap</value></property>
      <property><name>hbase.bucketcache.l1.size</name><value>64m</value></property>
      <property>
        <name>hbase.bucketcache.l2.ioengine</name>
        <value>file:${hbase.tmp.dir}/block-cache</value>
      </property>
      <property><name>hbase.bucketcache.l2.size</name><value>256m</value></property>
      <property>
        <name>hbase.bucketcache.l2.persistent.path</name>
        <value>${hbase.tmp.dir}/block-cache.map</value>
      </property>
      <property>
        <name>hbase.regionserver.block.cache.mrc.enabled</name>
        <value>true</value>
      </property>
      <property><name>hfile.index.block.max.size</name><value>4096</value></property>
      <property><name>io.storefile.bloom.block.size</name><value>4096</value></property>
    </configuration>
    """;

  @BeforeClass
  public static void read() throws Exception {
    ClusterIT.readAndVerify("point-get", 10_000);
  }

  private static String bean(String sub) throws Exception {
    return Cluster.get("/jmx?qry=Hadoop:service=HBase,name=RegionServer,sub=" + sub);
  }

  /** Waits until an attribute is more than that: JMX is some seconds behind. */
  private static void awaitMoreThan(long least, String sub, String attribute) throws Exception {
    Pattern pattern = Pattern.compile('"' + attribute + "\"\\s*:\\s*(\\d+)");
    Await.until(attribute + " of " + sub + " isn't over " + least, () -> {
      Matcher matcher = pattern.matcher(bean(sub));
      return matcher.find() && Long.parseLong(matcher.group(1)) > least;
    });
  }

  @Test
  public void jmxShowsWhatTheTiersHoldAndWhatMoved() throws Exception {
    for (String attribute : new String[] { "promotionCount", "l1IndexBlockCount",
      "l1BloomBlockCount", "l1DataBlockCount", "l1MetadataHitCount", "l1UsedSize", "l2UsedSize" }) {
      awaitMoreThan(0, "BlockCacheTiers", attribute);
    }
    awaitMoreThan(200, "BlockCacheTiers", "l2DataBlockCount");
    assertThat(bean("BlockCacheTiers")).containsPattern("\"l1Enabled\"\\s*:\\s*1")
      .containsPattern("\"l2Enabled\"\\s*:\\s*1")
      .containsPattern("\"l1Capacity\"\\s*:\\s*" + (64 << 20))
      .containsPattern("\"l2Capacity\"\\s*:\\s*" + (256 << 20))
      .containsPattern("\"failedDemotionCount\"\\s*:\\s*0");
    for (String attribute : new String[] { "l1CacheHitCount", "l2CacheHitCount", "l1CacheSize",
      "l2CacheSize", "l1CacheCount", "l2CacheCount" }) {
      awaitMoreThan(0, "Server", attribute);
    }
  }

  @Test
  public void prometheusGetsTheSame() throws Exception {
    awaitMoreThan(0, "BlockCacheTiers", "promotionCount");
    assertThat(Cluster.get("/prometheus"))
      .containsPattern("(?m)^block_cache_tiers_promotion_count\\{.*} [1-9]")
      .containsPattern("(?m)^block_cache_tiers_l2data_block_count\\{.*} [1-9]")
      .containsPattern("(?m)^server_l1cache_hit_count\\{.*} [1-9]");
  }

  @Test
  public void theServersPageShowsBothTiers() throws Exception {
    assertThat(Cluster.get("/rs-status")).contains("CompositeBucketCache", "FirstTierBucketCache",
      "TierBucketCache", "ByteBufferIOEngine", "FileIOEngine", "jira/browse/HBASE-23296")
      .doesNotContain("LruBlockCache").doesNotContain("CompositeBucketCache.html")
      .doesNotContain("TierBucketCache.html");
  }

  @Test
  public void theServersPageHasTheAdviceOfTheCachesSizingAndALink() throws Exception {
    assertThat(Cluster.get("/rs-status")).containsPattern(
      "<p>(Not known|L1 |L2 )[^<]+\\. <a href=\"/cache-sizing\">What other sizes would serve</a>");
  }

  @Test
  public void filesAreTheFirstServersUntilItIsKilledAndThenServeTheNext() throws Exception {
    awaitMoreThan(200, "BlockCacheTiers", "l2DataBlockCount");
    Path file = Cluster.folder().resolve("data/tmp/block-cache");
    Packages.Result second = secondServer();
    assertThat(second.exitCode()).as(second.output()).isEqualTo(1);
    assertThat(second.output())
      .containsPattern("The region server doesn't start: hbase.bucketcache.l2.ioengine is file:"
        + file + ". " + file + " is in use by the block cache of process [0-9]+@\\S+; stop that,"
        + " or give each server files of its own\\.")
      .doesNotContain("Caused by");
    Cluster.succeed("kill", "regionserver", "1");
    Await.until("it still runs", () -> Cluster.command("status").exitCode() != 0);
    Cluster.succeed("restart", "regionserver", "1");
    Cluster.succeed("status");
    awaitMoreThan(200, "BlockCacheTiers", "l2DataBlockCount");
    ClusterIT.readAndVerify("point-get", 2_000);
  }

  /** As region server 1 is started, but for its name and ports, of which any will do. */
  private static Packages.Result secondServer() throws Exception {
    return Packages.runScript(
      Map.of("HBASE_CONF_DIR", Cluster.folder().resolve("conf").toString(), "HBASE_ROOT_LOGGER",
        "INFO,console", "HBASE_OPTS", Cluster.SHORT_LIVED.get("HBASE_OPTS")),
      "", "bin/hbase", "regionserver", "-D", "hbase.regionserver.port=0", "-D",
      "hbase.regionserver.info.port=-1", "start");
  }
}
