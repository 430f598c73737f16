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

import java.nio.file.Files;
import org.junit.AfterClass;
import org.junit.Test;

/**
 * A region server by each profile of conf/profiles, taken as an operator does: by one line, and for
 * an SSD the path.
 */
public class ProfilesOnCluster {
  private static final String INCLUDE =
    "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"profiles/%s.xml\"/>";
  private static final String SSD = """
    <property>
      <name>hbase.profile.ssd.path</name>
      <value>${hbase.tmp.dir}/segments</value>
    </property>
    <property><name>hbase.bucketcache.l2.size</name><value>256m</value></property>
    """;

  private static void restart(String site) throws Exception {
    Files.writeString(Cluster.folder().resolve("conf/hbase-site-operator.xml"), site);
    Cluster.succeed("restart", "regionserver", "1");
  }

  @AfterClass
  public static void asBefore() throws Exception {
    restart(TiersOnCluster.SITE);
  }

  /** Returns what the page of a server says that was started with a profile, and has read. */
  private static String pageWith(String profile, String properties) throws Exception {
    restart("<configuration>" + INCLUDE.formatted(profile) + properties + "</configuration>");
    ClusterIT.readAndVerify("point-get", 2_000);
    return Cluster.get("/rs-status");
  }

  @Test
  public void eachStartsAServerThatServesFromItsCache() throws Exception {
    assertThat(pageWith("memory", "")).contains("LruBlockCache", "ByteBufferIOEngine")
      .doesNotContain("SegmentTier");
    assertThat(pageWith("ssd", SSD)).contains("CompositeBucketCache", "FirstTierBucketCache",
      "SegmentTier");
    assertThat(Cluster.folder().resolve("data/tmp/segments")).isNotEmptyFile();
  }
}
