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

import org.junit.Test;

/** {@code hbase cache} of a cluster, and of what is none. */
public class CacheOnCluster {

  private static Packages.Result cache(String... arguments) throws Exception {
    String[] all = new String[arguments.length + 1];
    all[0] = "cache";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return Packages.runScript(Cluster.SHORT_LIVED, "", "bin/hbase", all);
  }

  @Test
  public void theClustersServersAreFoundAndShown() throws Exception {
    Packages.Result cache = cache();
    assertThat(cache.exitCode()).as(cache.output()).isZero();
    assertThat(cache.output()).startsWith("Block cache of ")
      .contains("L1: indexes, bloom filters, and data that is read often\n", "L2: data\n",
        "What the tiers hold", "The last hour", "Warm-ups")
      .doesNotContain("WARN", "NaN");
  }

  @Test
  public void aServerIsAskedByItsAddressWithoutTheCluster() throws Exception {
    String address = Cluster.page().getAuthority();
    Packages.Result cache = cache("--json", address, "localhost:1");
    assertThat(cache.exitCode()).as(cache.output()).isEqualTo(1);
    assertThat(cache.output()).contains("\"server\": \"" + address + "\"", "\"failures\": {",
      "cache: localhost:1: ").containsPattern("\"capacity\": " + (64 << 20) + ",");
  }

  @Test
  public void wrongUseIsOneLine() throws Exception {
    Packages.Result wrong = cache("--jsn");
    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.output().lines()).singleElement().asString().startsWith("cache: '--jsn'");
  }
}
