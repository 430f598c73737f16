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
package org.apache.hadoop.hbase.ipc;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/**
 * A client that sends a batch of puts allocates next to nothing for the batch's bytes. The same
 * measurement without netty's pool proves that it would detect such allocations.
 */
@Category({ ClientTests.class, MediumTests.class })
public class TestPutBatchAllocation {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestPutBatchAllocation.class);

  /** Allocated bytes per byte sent. Iterating over the puts and their cells takes 0.02. */
  private static final double BOUND = 0.04;

  private static final String NETTY = "-Dorg.apache.hbase.thirdparty.io.netty.";
  private static final List<String> POOL_OFF =
    Arrays.asList(NETTY + "allocator.numDirectArenas=0", NETTY + "allocator.numHeapArenas=0",
      NETTY + "noPreferDirect=true");

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private void check(String client) throws IOException, InterruptedException {
    List<Double> pooled = measure(client, Collections.emptyList());
    assertTrue("allocated " + pooled.get(0), pooled.get(0) < BOUND);
    assertEquals("buffers from outside the pool", 0, pooled.get(1), 0);
    double unpooled = measure(client, POOL_OFF).get(0);
    assertTrue("allocated without a pool " + unpooled, unpooled > 1);
  }

  /** Runs in a JVM of its own, since netty's pool is configured once. */
  private List<Double> measure(String client, List<String> options)
    throws IOException, InterruptedException {
    File figures = folder.newFile();
    List<String> command = new ArrayList<>(
      Arrays.asList(System.getProperty("java.home") + "/bin/java", "-Xmx1g",
        "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
        System.getProperty("java.class.path")));
    command.addAll(options);
    command.addAll(Arrays.asList(PutBatchAllocation.class.getName(), client, figures.getPath()));
    Process process = new ProcessBuilder(command).inheritIO().start();
    try {
      assertEquals(0, process.waitFor());
    } finally {
      process.destroyForcibly();
    }
    return Files.readAllLines(figures.toPath(), StandardCharsets.UTF_8).stream()
      .map(Double::valueOf).collect(Collectors.toList());
  }

  @Test
  public void blockingClientAllocatesNoBlocks() throws Exception {
    check(PutBatchAllocation.BLOCKING);
  }

  @Test
  public void nettyClientAllocatesNoBlocks() throws Exception {
    check(PutBatchAllocation.NETTY);
  }
}
