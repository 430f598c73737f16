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
package org.apache.hadoop.hbase.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.MultiActionResultTooLarge;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.ResponseConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;

/** Actions of a multi that failed alike share an exception; each has the one that was sent. */
@Category({ ClientTests.class, SmallTests.class })
public class TestMultiExceptions {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestMultiExceptions.class);

  private static final byte[] REGION = Bytes.toBytes("region");

  private final RegionAction.Builder actions = RegionAction.newBuilder()
    .setRegion(RequestConverter.buildRegionSpecifier(RegionSpecifierType.REGION_NAME, REGION));
  private final RegionActionResult.Builder outcomes = RegionActionResult.newBuilder();

  private ResultOrException.Builder next() {
    actions.addAction(ClientProtos.Action.newBuilder());
    return outcomes.addResultOrExceptionBuilder()
      .setIndex(outcomes.getResultOrExceptionCount() - 1);
  }

  private void failed(Throwable exception) {
    next().setException(ResponseConverter.buildException(exception));
  }

  /** Reads the response as a client does. */
  private Map<Integer, Object> results() throws IOException {
    byte[] sent =
      ClientProtos.MultiResponse.newBuilder().addRegionActionResult(outcomes).build().toByteArray();
    return ResponseConverter.getResults(MultiRequest.newBuilder().addRegionAction(actions).build(),
      ClientProtos.MultiResponse.parseFrom(sent), null).getResults().get(REGION).result;
  }

  private static void assertIs(Throwable expected, Object found) {
    assertEquals(expected.getClass(), found.getClass());
    assertTrue(((Throwable) found).getMessage().contains(expected.getMessage()));
  }

  @Test
  public void thoseThatAreAlikeAreOne() throws IOException {
    Throwable tooLarge = new MultiActionResultTooLarge("no room");
    for (int i = 0; i < 3; i++) {
      failed(tooLarge);
    }
    Map<Integer, Object> results = results();
    assertIs(tooLarge, results.get(0));
    assertSame(results.get(0), results.get(1));
    assertSame(results.get(0), results.get(2));
  }

  @Test
  public void eachActionHasItsOwnOutcome() throws IOException {
    Throwable tooLarge = new MultiActionResultTooLarge("no room");
    Throwable busy = new CallQueueTooBigException("busy");
    failed(tooLarge);
    next().setResult(ProtobufUtil.toResult(Result.EMPTY_RESULT));
    failed(new MultiActionResultTooLarge("no room either"));
    failed(busy);
    failed(busy);
    Map<Integer, Object> results = results();
    assertEquals(5, results.size());
    assertIs(tooLarge, results.get(0));
    assertTrue(((Result) results.get(1)).isEmpty());
    assertNotSame(results.get(0), results.get(2));
    assertIs(new MultiActionResultTooLarge("no room either"), results.get(2));
    assertIs(busy, results.get(3));
    assertSame(results.get(3), results.get(4));
  }

  /** Covers a service's answer, and no answer at all, as a mutation has. */
  @Test
  public void whatDidNotFailIsAsBefore() throws IOException {
    next();
    next().getServiceResultBuilder();
    Map<Integer, Object> results = results();
    assertTrue(((Result) results.get(0)).getExists());
    assertEquals("CoprocessorServiceResult", results.get(1).getClass().getSimpleName());
  }
}
