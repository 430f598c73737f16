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
package org.apache.hadoop.hbase.security.access;

import static org.junit.Assert.assertEquals;

import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.filter.Filter.ReturnCode;
import org.apache.hadoop.hbase.regionserver.ReusedMemory;
import org.apache.hadoop.hbase.security.Superusers;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.testclassification.SecurityTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.SimpleMutableByteRange;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Versions of a column are counted across calls, when the first one's memory is another's. */
@Category({ SecurityTests.class, SmallTests.class })
public class TestAccessControlFilterShipped {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestAccessControlFilterShipped.class);

  private static final byte[] NAME = Bytes.toBytes("n");

  @Test
  public void versionsAreCounted() throws Exception {
    Configuration conf = HBaseConfiguration.create();
    User user = User.createUserForTesting(conf, "super", new String[0]);
    conf.set(Superusers.SUPERUSER_CONF_KEY, "super");
    Superusers.initialize(conf);
    AccessControlFilter filter = new AccessControlFilter(new AuthManager(conf), user,
      TableName.valueOf("t"), AccessControlFilter.Strategy.CHECK_TABLE_AND_CF_ONLY,
      Collections.singletonMap(new SimpleMutableByteRange(NAME), 1));
    ReusedMemory memory = ReusedMemory.onHeap();
    filter.beforeShipped();
    assertEquals(ReturnCode.INCLUDE,
      filter.filterCell(memory.add(new KeyValue(NAME, NAME, NAME, 2, NAME))));
    filter.beforeShipped();
    memory.reuse();
    assertEquals(ReturnCode.SKIP, filter.filterCell(new KeyValue(NAME, NAME, NAME, 1, NAME)));
  }
}
