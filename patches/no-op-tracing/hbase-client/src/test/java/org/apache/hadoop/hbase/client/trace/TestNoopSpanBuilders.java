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
package org.apache.hadoop.hbase.client.trace;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.testing.junit4.OpenTelemetryRule;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.trace.HBaseSemanticAttributes.Operation;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Builders of spans do nothing without a tracer, and all that they did with one. */
@Category({ ClientTests.class, SmallTests.class })
public class TestNoopSpanBuilders {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestNoopSpanBuilders.class);

  private static final TableName TABLE = TableName.valueOf("space", "table");
  private static final byte[] ROW = { 1 };

  /** Sets an OpenTelemetry that records; a test without one resets it. */
  @Rule
  public final OpenTelemetryRule openTelemetry = OpenTelemetryRule.create();

  private int questions;
  private final ClusterConnection connection =
    (ClusterConnection) answering(ClusterConnection.class);

  /** What it is asked for has no user, and a string for itself. */
  private Object answering(Class<?> type) {
    return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
      (proxy, method, arguments) -> answer(method));
  }

  private Object answer(Method method) {
    questions++;
    switch (method.getName()) {
      case "getUser":
        return null;
      case "getConnectionString":
        return "registry";
      default:
        return answering(method.getReturnType());
    }
  }

  private void withoutTracer() {
    GlobalOpenTelemetry.resetForTest();
  }

  @Before
  @After
  public void forgetSpans() {
    openTelemetry.clearSpans();
  }

  @Test
  public void withoutTracerNothingIsAsked() throws Exception {
    withoutTracer();
    RowMutations mutations = new RowMutations(ROW);
    assertFalse(new TableOperationSpanBuilder(connection).setTableName(TABLE)
      .setOperation(new Get(ROW)).get().isRecording());
    assertFalse(new TableOperationSpanBuilder(connection).setTableName(TABLE)
      .setOperation(Operation.BATCH).setContainerOperations(unreadable()).build().isRecording());
    assertFalse(new TableOperationSpanBuilder(connection).setContainerOperations(mutations)
      .setContainerOperations((Row) mutations).setContainerOperations(Operation.PUT).build()
      .isRecording());
    assertFalse(TableOperationSpanBuilder.NOOP.setTableName(TABLE).setOperation(new Get(ROW))
      .setContainerOperations(unreadable()).build().isRecording());
    assertFalse(
      new TableSpanBuilder(connection).setName("name").setTableName(TABLE).get().isRecording());
    assertEquals(0, questions);
  }

  /** Actions that mustn't be looked at. */
  private static List<Row> unreadable() {
    return new AbstractList<Row>() {
      @Override
      public Row get(int index) {
        throw new AssertionError("actions were looked at");
      }

      @Override
      public int size() {
        return 2;
      }
    };
  }

  @Test
  public void noOperationStaysAnError() {
    withoutTracer();
    TableOperationSpanBuilder builder = new TableOperationSpanBuilder(connection);
    assertThrows(NullPointerException.class, () -> builder.setOperation((Operation) null));
    assertThrows(NullPointerException.class, () -> builder.setOperation((Row) null));
  }

  private SpanData finished() {
    assertEquals(1, openTelemetry.getSpans().size());
    return openTelemetry.getSpans().get(0);
  }

  @Test
  public void tracerThatIsSetLaterGetsNamesAndAttributes() {
    withoutTracer();
    new TableOperationSpanBuilder(connection).setOperation(new Get(ROW)).build().end();
    GlobalOpenTelemetry.resetForTest();
    GlobalOpenTelemetry.set(openTelemetry.getOpenTelemetry());
    new TableOperationSpanBuilder(connection).setTableName(TABLE).setOperation(Operation.BATCH)
      .setContainerOperations(Arrays.asList(new Get(ROW), new Delete(ROW))).build().end();

    SpanData span = finished();
    assertEquals("BATCH space:table", span.getName());
    assertEquals(SpanKind.CLIENT, span.getKind());
    assertEquals(attributes().put("db.operation", "BATCH")
      .put(AttributeKey.stringArrayKey("db.hbase.container_operations"),
        Arrays.asList("DELETE", "GET"))
      .build().asMap(), span.getAttributes().asMap());
  }

  private static AttributesBuilder attributes() {
    return Attributes.builder().put("db.system", "hbase").put("db.connection_string", "registry")
      .put("db.name", "space").put("db.hbase.table", "space:table");
  }

  @Test
  public void spanOfATableHasItsAttributes() {
    new TableSpanBuilder(connection).setName("name").setTableName(TABLE).get().end();
    SpanData span = finished();
    assertEquals("name", span.getName());
    assertEquals(SpanKind.INTERNAL, span.getKind());
    assertEquals(attributes().build().asMap(), span.getAttributes().asMap());
  }

  @Test
  public void emptyBatchIsOne() {
    new TableOperationSpanBuilder(connection).setOperation(new ArrayList<Row>()).build()
      .end();
    assertEquals("BATCH UNKNOWN", finished().getName());
  }
}
