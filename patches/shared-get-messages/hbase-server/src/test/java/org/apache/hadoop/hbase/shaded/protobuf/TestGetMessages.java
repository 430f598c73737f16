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
package org.apache.hadoop.hbase.shaded.protobuf;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.client.Action;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;

/** A get has the same message in a batch as alone. */
@Category({ ClientTests.class, SmallTests.class })
public class TestGetMessages {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestGetMessages.class);

  private static final int GETS = 20_000;
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final Filter[] FILTERS =
    { null, new KeyOnlyFilter(), new ColumnPrefixFilter(Bytes.toBytes("c")) };

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private static byte[] name(Random random) {
    return Bytes.toBytes(random.nextInt(3));
  }

  /** Mostly like others, so that many can share. */
  private static Get get(Random random) throws IOException {
    Get get = new Get(Bytes.toBytes(random.nextInt()));
    if (random.nextInt(4) > 0) {
      get.addFamily(FAMILY);
    }
    while (random.nextInt(3) == 0) {
      get.addColumn(random.nextBoolean() ? FAMILY : name(random), name(random));
    }
    switch (random.nextInt(40)) {
      case 0:
        get.setCacheBlocks(false);
        break;
      case 1:
        get.readVersions(1 + random.nextInt(3));
        break;
      case 2:
        get.setMaxResultsPerColumnFamily(random.nextInt(3));
        break;
      case 3:
        get.setRowOffsetPerColumnFamily(random.nextInt(3));
        break;
      case 4:
        get.setCheckExistenceOnly(true);
        break;
      case 5:
        get.setConsistency(Consistency.TIMELINE);
        break;
      case 6:
        get.setLoadColumnFamiliesOnDemand(random.nextBoolean());
        break;
      case 7:
        get.setQueryMetricsEnabled(true);
        break;
      case 8:
        get.setTimeRange(random.nextInt(2), 5 + random.nextInt(2));
        break;
      case 9:
        get.setColumnFamilyTimeRange(FAMILY, random.nextInt(2), 5 + random.nextInt(2));
        break;
      case 10:
        get.setAttribute("a", name(random));
        break;
      case 11:
        get.setReplicaId(random.nextInt(3));
        break;
      case 12:
        get.setTimestamp(random.nextInt(3));
        break;
      default:
        get.setFilter(FILTERS[random.nextInt(FILTERS.length)]);
    }
    return get;
  }

  @Test
  public void getsHaveTheMessagesThatTheyHaveAlone() throws IOException {
    Random random = seed.newRandom();
    List<Action> actions = new ArrayList<>();
    for (int i = 0; i < GETS; i++) {
      actions.add(new Action(get(random), i));
    }
    MultiRequest.Builder request = MultiRequest.newBuilder();
    RequestConverter.buildNoDataRegionActions(FAMILY, actions, new ArrayList<>(), request,
      RegionAction.newBuilder(), ClientProtos.Action.newBuilder(), MutationProto.newBuilder(), 0,
      null);
    RegionAction region = request.getRegionAction(0);
    assertEquals(GETS, region.getActionCount());
    for (int i = 0; i < GETS; i++) {
      assertEquals(i, region.getAction(i).getIndex());
      assertEquals("get " + i, ProtobufUtil.toGet((Get) actions.get(i).getAction()),
        region.getAction(i).getGet());
    }
  }

  @Test
  public void getsThatAskTheSameShareTheFilter() throws IOException {
    GetMessages messages = new GetMessages();
    ClientProtos.Get first = messages.of(new Get(FAMILY).setFilter(FILTERS[2]));
    ClientProtos.Get second = messages.of(new Get(Bytes.toBytes("g")).setFilter(FILTERS[2]));
    assertSame(first.getFilter(), second.getFilter());
    assertEquals("g", second.getRow().toStringUtf8());
    assertNull(messages.of(new Get(FAMILY).setAttribute("a", FAMILY)));
    assertEquals(0, messages.of(new Get(FAMILY)).getAttributeCount());
  }

  /** Whoever adds a field to gets has to say whether they are compared by it. */
  @Test
  public void getsHaveNoOtherFields() {
    TreeSet<String> fields = new TreeSet<>();
    for (Class<?> c = Get.class; c != Object.class; c = c.getSuperclass()) {
      for (Field field : c.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
          fields.add(field.getName());
        }
      }
    }
    assertEquals("[attributes, cacheBlocks, checkExistenceOnly, closestRowBefore,"
      + " colFamTimeRangeMap, consistency, familyMap, filter, loadColumnFamiliesOnDemand,"
      + " maxVersions, priority, queryMetricsEnabled, row, storeLimit, storeOffset,"
      + " targetReplicaId, tr]", fields.toString());
  }
}
