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
package org.apache.hadoop.hbase.regionserver.wal;

import static org.junit.Assert.assertEquals;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * The DataNodes of a log's stream. On 2.6.4 there was null in place of none, which a roll with
 * DEBUG makes a stream of.
 */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestWALPipeline {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestWALPipeline.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();

  private FSHLog log;

  @Before
  public void openLog() throws Exception {
    UTIL.startMiniDFSCluster(1);
    Configuration conf = UTIL.getConfiguration();
    log = new FSHLog(FileSystem.get(conf), new Path("/hbase"), "logs", conf);
    log.init();
  }

  @After
  public void stop() throws Exception {
    log.close();
    UTIL.shutdownMiniDFSCluster();
  }

  @Test
  public void aStreamThatIsClosedHasNoDataNodes() throws Exception {
    assertEquals(1, log.getPipeline().length);
    ((ProtobufLogWriter) log.writer).getStream().close();
    assertEquals(0, log.getPipeline().length);
    log.rollWriter(true);
    assertEquals(1, log.getPipeline().length);
  }
}
