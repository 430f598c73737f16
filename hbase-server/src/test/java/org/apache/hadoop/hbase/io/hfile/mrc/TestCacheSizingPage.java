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
package org.apache.hadoop.hbase.io.hfile.mrc;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ IOTests.class, SmallTests.class })
public class TestCacheSizingPage {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCacheSizingPage.class);

  @Test
  public void tablesAreFoundByPaths() {
    assertTrue(TableNumbers.nameOf(new Path("hdfs://n/hbase/data/default/t/r/f/x")).equals("t"));
    assertTrue(TableNumbers.nameOf(new Path("/hbase/data/ns/t/r/f/x")).equals("ns:t"));
    assertTrue(
      TableNumbers.nameOf(new Path("/hbase/archive/data/default/t/r/f/x")).equals("t"));
    assertTrue(TableNumbers.nameOf(new Path("/staging/t/r/f/x")).isEmpty());
    assertTrue(TableNumbers.nameOf(new Path("/x")).isEmpty());
  }
}
