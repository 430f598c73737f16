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
package org.apache.hadoop.hbase.io.hfile.segment;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.bucket.TestBlockCacheContract;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.ClassRule;
import org.junit.experimental.categories.Category;
import org.junit.runners.Parameterized.Parameters;

/** Caches of segments, and tiers of which one is of segments or both, do what each cache must. */
@Category({ IOTests.class, MediumTests.class })
public class TestSegmentCacheContract extends TestBlockCacheContract {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestSegmentCacheContract.class);

  @Parameters(name = "{0}")
  public static List<Object[]> topologies() {
    List<Object[]> topologies = new ArrayList<>();
    topologies.add(new Object[] { "segments", Kind.SEGMENTS, null, "segments", false });
    topologies.add(new Object[] { "segments on disk", Kind.SEGMENTS, null, "segments:", false });
    for (boolean promotion : new boolean[] { false, true }) {
      topologies.add(composite("segments", "direct", promotion));
      topologies.add(composite("segments", "offheap", promotion));
      topologies.add(composite("segments", "segments", promotion));
      topologies.add(composite("segments", "segments:", promotion));
      topologies.add(composite("offheap", "segments:", promotion));
    }
    return topologies;
  }

  @Override
  protected void validate(BlockCache tier) {
    super.validate(tier);
    if (tier instanceof SegmentCache) {
      SegmentValidator.validate((SegmentCache) tier);
    }
  }
}
