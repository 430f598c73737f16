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

import java.io.File;
import java.util.Collection;
import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.ClassRule;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** What {@link TestPackedBlocks} says holds for two tiers of segments. */
@RunWith(Parameterized.class)
@Category({ IOTests.class, MediumTests.class })
public class TestPackedBlocksInTiers extends TestPackedBlocks {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestPackedBlocksInTiers.class);

  @Parameters(name = "{0} {1}")
  public static Collection<Object[]> engines() {
    return Collections.singleton(new Object[] { "segments:$", DataBlockEncoding.NONE });
  }

  @Override
  void configure(Configuration ofCache, File files) {
    ofCache.set("hbase.bucketcache.l1.ioengine", "segments");
    ofCache.set("hbase.bucketcache.l1.size", "64m");
    ofCache.set("hbase.bucketcache.l2.ioengine", "segments:" + new File(files, "cache"));
    ofCache.set("hbase.bucketcache.l2.size", "64m");
  }
}
