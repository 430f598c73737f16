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
package org.apache.hadoop.hbase.io.hfile;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hbase.io.FileLink;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.Threads;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ IOTests.class, MediumTests.class })
public class TestSuspectDataNodes {
  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestSuspectDataNodes.class);

  private static final int READ_MILLIS = 50;
  private static final int PROBE_MILLIS = 1_000;
  private static final int BLOCK_BYTES = 1024;
  private static final int MOST_MILLIS = 60_000;
  private static final Path FILE = new Path("/file");
  private static final byte[] ROW = { 1 };
  private static int contexts;

  private final HBaseTestingUtility util = new HBaseTestingUtility();
  private final MetricsSuspectDataNodes metrics = MetricsSuspectDataNodes.getInstance();
  private Configuration conf;
  private HFileSystem hfs;
  private DFSClient client;

  @Before
  public void startThreeDataNodes() throws Exception {
    conf = util.getConfiguration();
    // Clients of the same context share what detects dead nodes.
    conf.set("dfs.client.context", "suspects" + contexts++);
    conf.setBoolean("dfs.client.deadnode.detection.enabled", true);
    conf.setInt("dfs.client.deadnode.detection.probe.suspectnode.interval.ms", 10);
    conf.setInt("dfs.client.deadnode.detection.probe.deadnode.interval.ms", 10);
    conf.setInt("dfs.client.deadnode.detection.idle.sleep.ms", 10);
    conf.setInt("dfs.client.deadnode.detection.probe.connection.timeout.ms", PROBE_MILLIS);
    conf.setInt("ipc.client.connect.max.retries", 0);
    conf.setInt("dfs.client.read.prefetch.size", BLOCK_BYTES);
    conf.setInt("dfs.namenode.fs-limits.min-block-size", BLOCK_BYTES);
    conf.setInt(SuspectDataNodeSettings.READ_MILLIS.key(), READ_MILLIS);
    util.startMiniDFSCluster(3);
    hfs = new HFileSystem(conf, false);
    client = ((DistributedFileSystem) hfs.getBackingFs()).getClient();
  }

  @After
  public void stop() throws Exception {
    SuspectDataNodes.forget();
    util.shutdownMiniDFSCluster();
  }

  private FSDataInputStream file(int replicas) throws IOException {
    return file(replicas, 1);
  }

  private FSDataInputStream file(int replicas, int blocks) throws IOException {
    try (FSDataOutputStream out =
      hfs.create(FILE, true, BLOCK_BYTES, (short) replicas, BLOCK_BYTES)) {
      out.write(new byte[blocks * BLOCK_BYTES]);
    }
    // DataNodes tell the NameNode of their replicas later.
    while (
      Arrays.stream(hfs.getFileBlockLocations(FILE, 0, blocks * BLOCK_BYTES))
        .anyMatch(block -> replicas(block) < replicas)
    ) {
      Threads.sleep(10);
    }
    return hfs.open(FILE);
  }

  private static int replicas(BlockLocation block) {
    try {
      return block.getNames().length;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static DatanodeInfo first(FSDataInputStream in) throws IOException {
    return ((DFSInputStream) in.getWrappedStream()).getAllBlocks().get(0).getLocations()[0];
  }

  private static int value(String name, MetricsCollectorImpl collector) {
    for (AbstractMetric metric : collector.getRecords().get(0).metrics()) {
      if (metric.name().equals(name)) {
        return metric.value().intValue();
      }
    }
    throw new AssertionError("there is no " + name);
  }

  private void awaitSuspects(long count) {
    util.waitFor(MOST_MILLIS, () -> metrics.suspects.value() == count);
  }

  @Test
  public void aNodeThatDoesNotAnswerIsSetAside() throws Exception {
    SuspectDataNodes suspects = SuspectDataNodes.create(hfs, conf);
    assertNotNull(suspects);
    long before = metrics.suspects.value();
    try (FSDataInputStream in = file(3)) {
      DatanodeInfo first = first(in);
      util.getDFSCluster().stopDataNode(first.getXferAddr());
      suspects.readTook(in, 0, READ_MILLIS);
      awaitSuspects(before + 1);
      util.waitFor(MOST_MILLIS, () -> client.getDeadNodeDetector().isDeadNode(first));
      MetricsCollectorImpl collector = new MetricsCollectorImpl();
      metrics.getMetrics(collector, true);
      assertEquals(1, value("deadDataNodes", collector));
      // Of the other two the first is asked now.
      suspects.readTook(in, 0, READ_MILLIS);
      awaitSuspects(before + 2);
    }
  }

  @Test
  public void aNodeThatAnswersStaysInUse() throws Exception {
    long before = metrics.suspects.value();
    try (FSDataInputStream in = file(3)) {
      SuspectDataNodes.create(hfs, conf).readTook(in, 0, READ_MILLIS);
      awaitSuspects(before + 1);
      Thread.sleep(PROBE_MILLIS);
      assertFalse(client.getDeadNodeDetector().isDeadNode(first(in)));
    }
  }

  /** Each block keeps a replica, also if it is this server that can't probe. */
  @Test
  public void twoAreSuspectedAtATimeAndEachOnceUntilItsProbeHasEnded() throws Exception {
    SuspectDataNodes suspects = SuspectDataNodes.create(hfs, conf);
    try (FSDataInputStream file = file(3)) {
      DFSInputStream in = (DFSInputStream) file.getWrappedStream();
      DatanodeInfo[] nodes = in.getAllBlocks().get(0).getLocations();
      AtomicLong clock = new AtomicLong(1);
      EnvironmentEdgeManager.injectEdge(clock::get);
      assertTrue(suspects.suspect(in, nodes[0]));
      assertFalse(suspects.suspect(in, nodes[0]));
      assertTrue(suspects.suspect(in, nodes[1]));
      assertFalse(suspects.suspect(in, nodes[2]));
      clock.addAndGet(2 * PROBE_MILLIS);
      assertTrue(suspects.suspect(in, nodes[2]));
    } finally {
      EnvironmentEdgeManager.reset();
    }
  }

  @Test
  public void whereABlockIsIsNotAskedFor() throws Exception {
    SuspectDataNodes suspects = SuspectDataNodes.create(hfs, conf);
    long before = metrics.suspects.value();
    try (FSDataInputStream in = file(3, 3)) {
      suspects.readTook(in, 2 * BLOCK_BYTES, READ_MILLIS);
      suspects.readTook(in, 0, READ_MILLIS);
      // One thread does both in turn.
      awaitSuspects(before + 1);
    }
  }

  @Test
  public void aReadThroughALinkIsSeen() throws Exception {
    file(3).close();
    long before = metrics.suspects.value();
    try (FSDataInputStream in = new FileLink(FILE, FILE).open(hfs)) {
      SuspectDataNodes.create(hfs, conf).readTook(in, 0, READ_MILLIS);
      awaitSuspects(before + 1);
    }
  }

  @Test
  public void aFasterReadSuspectsNobody() throws Exception {
    SuspectDataNodes suspects = SuspectDataNodes.create(hfs, conf);
    long reads = metrics.slowReads.value();
    try (FSDataInputStream in = file(3)) {
      suspects.readTook(in, 0, READ_MILLIS - 1);
      assertEquals(reads, metrics.slowReads.value());
      suspects.readTook(in, 0, READ_MILLIS);
      assertEquals(reads + 1, metrics.slowReads.value());
    }
  }

  @Test
  public void aReaderOfAnHFileTellsWhatItsReadsTook() throws Exception {
    HFileContext context = new HFileContextBuilder().build();
    try (HFile.Writer writer = HFile.getWriterFactory(conf, new CacheConfig(conf))
      .withPath(hfs, FILE).withFileContext(context).create()) {
      writer.append(new KeyValue(ROW, ROW, ROW, 1, ROW));
    }
    try (HFile.Reader reader =
      HFile.createReader(hfs, FILE, new CacheConfig(conf), true, conf)) {
      long before = metrics.slowReads.value();
      AtomicLong clock = new AtomicLong();
      EnvironmentEdgeManager.injectEdge(() -> clock.addAndGet(READ_MILLIS));
      HFileScanner streaming = reader.getScanner(conf, false, false);
      assertTrue(streaming.seekTo());
      assertEquals(before, metrics.slowReads.value());
      HFileScanner positional = reader.getScanner(conf, false, true);
      assertTrue(positional.seekTo());
      assertEquals(before + 1, metrics.slowReads.value());
    } finally {
      EnvironmentEdgeManager.reset();
    }
  }

  @Test
  public void theOnlyReplicaIsNotSuspected() throws Exception {
    long before = metrics.suspects.value();
    SuspectDataNodes suspects = SuspectDataNodes.create(hfs, conf);
    try (FSDataInputStream one = file(1)) {
      suspects.readTook(one, 0, READ_MILLIS);
    }
    hfs.delete(FILE, false);
    try (FSDataInputStream three = file(3)) {
      suspects.readTook(three, 0, READ_MILLIS);
      // One thread does both in turn.
      awaitSuspects(before + 1);
    }
  }

  @Test
  public void nobodyIsSuspectedUnlessBothKeysAreSet() throws Exception {
    Configuration off = new Configuration(conf);
    off.unset(SuspectDataNodeSettings.READ_MILLIS.key());
    assertNull(SuspectDataNodes.create(hfs, off));
    assertNull(SuspectDataNodes.create(null, conf));
    Configuration undetected = new Configuration(conf);
    undetected.setBoolean("dfs.client.deadnode.detection.enabled", false);
    undetected.set("dfs.client.context", "undetected");
    undetected.setBoolean("fs.hdfs.impl.disable.cache", true);
    assertNull(SuspectDataNodes.create(new HFileSystem(undetected, false), undetected));
  }
}
