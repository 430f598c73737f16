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
package org.apache.hadoop.hbase.regionserver;

import static org.junit.Assert.assertEquals;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.Region.Operation;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Each hook that sees a write is known. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestWriteObservers {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestWriteObservers.class);

  private static final List<Class<?>> WRITES = Arrays.asList(Put.class, Delete.class,
    Increment.class, Append.class, CheckAndMutate.class, Mutation.class,
    MiniBatchOperationInProgress.class, WALEdit.class, Operation.class);

  /** Of replay, in which nobody waits for a response. */
  private static boolean isOfReplay(String hook) {
    return hook.contains("WALRestore");
  }

  @Test
  public void noHookOfAWriteIsMissing() {
    TreeSet<String> expected = new TreeSet<>();
    for (Method hook : RegionObserver.class.getMethods()) {
      if (
        Arrays.stream(hook.getParameterTypes()).anyMatch(WRITES::contains)
          && !isOfReplay(hook.getName())
      ) {
        expected.add(hook.getName());
      }
    }
    TreeSet<String> known = new TreeSet<>(WriteObservers.HOOKS);
    known.addAll(WriteObservers.HOOKS_AFTER_SYNC);
    known.addAll(WriteObservers.HOOKS_OF_DELTAS);
    known.addAll(WriteObservers.HOOKS_OF_CHECKS);
    assertEquals(expected, known);
  }
}
