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

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.Test;

public class UpstreamRulesTest {
  private static final String ENGINE = "hbase.bucketcache.ioengine";
  private static final String SIZE = "hbase.bucketcache.size";
  private static final String L1 = "hbase.bucketcache.l1.ioengine";

  private static List<String> of(Long direct, String... keysAndValues) {
    Configuration conf = new Configuration(false);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return UpstreamRules.of(conf, direct, Collections.emptyMap());
  }

  private static void assertLine(String begin, String fix, Long direct, String... keysAndValues) {
    assertThat(of(direct, keysAndValues)).singleElement().asString().startsWith(begin)
      .contains(fix);
  }

  private static List<String> ofFile(String file, Map<String, String> environment) {
    Configuration conf = new Configuration(false);
    conf.addResource(new Path(Jvms.CONF.resolve(file).toUri()));
    return UpstreamRules.of(conf, null, environment);
  }

  @Test
  public void whatUpstreamTakesOrDoesNotReadIsNoProblem() {
    assertThat(of(null)).isEmpty();
    assertThat(of(2048L, ENGINE, "offheap", SIZE, "1024", L1, "offheap",
      "hbase.bucketcache.l2.ioengine", "segments:/mnt/ssd/cache",
      "hbase.regionserver.get.row.path.enabled", "true", "hbase.rs.cachewarmup.enabled", "true",
      "hbase.bucketcache.single.factor", "0.3", "hbase.bucketcache.multi.factor", "0.4",
      "hbase.bucketcache.memory.factor", "0.3")).isEmpty();
    for (String engine : new String[] { "files:/a,/b", "file:/a", "mmap:/a", "pmem:/a" }) {
      assertThat(of(64L, ENGINE, engine, SIZE, "1024")).isEmpty();
    }
    assertThat(of(null, "hbase.rs.prefetchblocksonopen", "true")).as("the operator's").isEmpty();
  }

  @Test
  public void enginesThatUpstreamLacksGetOneThatItHas() {
    assertLine("hbase.bucketcache.ioengine is segments. ", "Set it to offheap.", null, ENGINE,
      "segments", SIZE, "1024");
    assertLine("hbase.bucketcache.ioengine is segments:/a,/b. ", "Set it to files:/a,/b, ", null,
      ENGINE, "segments:/a,/b", SIZE, "1024");
    assertLine("hbase.bucketcache.ioengine is direct:/a. ", "Set it to files:/a, ", null, ENGINE,
      "direct:/a", SIZE, "1024");
  }

  @Test
  public void tiersAloneAreNoCacheThere() {
    assertLine("hbase.bucketcache.l1.ioengine is offheap. ", "Set hbase.bucketcache.ioengine", null,
      L1, "offheap");
    assertLine("hfile.block.cache.size is 0.6. ", "Upstream has 100 % of it for", null, L1,
      "offheap", ENGINE, "offheap", SIZE, "64", "hfile.block.cache.size", "0.6");
    assertLine("hbase.regionserver.global.memstore.size is 0.5. ", "has 90 % of it for", null, L1,
      "offheap", ENGINE, "offheap", SIZE, "64", "hbase.regionserver.global.memstore.size", "0.5");
  }

  @Test
  public void aSizeHasNoUnitAndFitsIntoDirectMemory() {
    assertLine("hbase.bucketcache.size is 800g. ", "Give MB", null, L1, "offheap", ENGINE,
      "files:/a", SIZE, "800g");
    assertLine("hbase.bucketcache.size is 4096. ", "its JVM allows 2048 MB", 2048L, ENGINE,
      "offheap", SIZE, "4096");
  }

  @Test
  public void factorsAddUpAsUpstreamAddsThem() {
    assertLine("hbase.bucketcache.single.factor is 0.35. ", "gets 0.99999994 rather than 1", null,
      ENGINE, "offheap", SIZE, "64", "hbase.bucketcache.single.factor", "0.35",
      "hbase.bucketcache.multi.factor", "0.45", "hbase.bucketcache.memory.factor", "0.2");
  }

  @Test
  public void ofTheShippedConfigurationTheCodecTheVariablesAndPrefetchHaveToChange() {
    List<String> lines = ofFile("hbase-site.xml", Collections.emptyMap());
    assertThat(lines).extracting(line -> line.substring(0, line.indexOf(' '))).containsExactly(
      "hbase.rs.prefetchblocksonopen", "hbase.io.compress.zstd.codec", SIZE,
      "hbase.regionserver.offheap.global.memstore.size", "hbase.hregion.memstore.flush.size");
    assertThat(lines.get(2)).contains("is ${env.HBASE_BUCKETCACHE_MB:-64}", "so it is 64.");
    assertThat(ofFile("profiles/memory.xml",
      Collections.singletonMap("HBASE_BUCKETCACHE_MB", "5120"))).hasSize(3);
  }
}
