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
package org.apache.hadoop.hbase.trace;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import com.sun.management.ThreadMXBean;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.lang.management.ManagementFactory;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.MiscTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Without a tracer spans are what the no-op tracer makes of them, and cost nothing. */
@Category({ MiscTests.class, SmallTests.class })
@SuppressWarnings("try") // Scopes are only closed.
public class TestNoopTracing {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestNoopTracing.class);

  private static final int SPANS = 100_000;

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder().setTracerProvider(
    SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(exporter)).build())
    .build();

  @Before
  public void forgetOpenTelemetry() {
    GlobalOpenTelemetry.resetForTest();
  }

  @After
  public void close() {
    GlobalOpenTelemetry.resetForTest();
    sdk.close();
    assertSame("no span is left current", Span.getInvalid(), Span.current());
  }

  private static Span ofNoopTracer() {
    return OpenTelemetry.noop().getTracer("test").spanBuilder("span").startSpan();
  }

  private static Span valid() {
    return Span.wrap(SpanContext.create("0123456789abcdef0123456789abcdef", "0123456789abcdef",
      TraceFlags.getSampled(), TraceState.getDefault()));
  }

  private static void assertLikeNoopTracers(Span span) {
    assertTrue(NoopTracing.isNoop());
    Span noop = ofNoopTracer();
    assertFalse(span.isRecording());
    assertEquals(noop.getSpanContext(), span.getSpanContext());
    assertEquals(noop.toString(), span.toString());
    Span before = Span.current();
    SpanContext inNoop;
    try (Scope ignored = noop.makeCurrent()) {
      inNoop = Span.current().getSpanContext();
    }
    try (Scope ignored = span.makeCurrent()) {
      assertEquals(inNoop, Span.current().getSpanContext());
      assertFalse(Span.current().isRecording());
    }
    assertSame(before, Span.current());
    assertEquals(noop.getSpanContext(),
      Span.fromContext(Context.root().with(span)).getSpanContext());
  }

  @Test
  public void spansAreTheNoopTracers() {
    assertLikeNoopTracers(TraceUtil.createSpan("span"));
    try (Scope ignored = Span.getInvalid().makeCurrent()) {
      assertLikeNoopTracers(TraceUtil.createSpan("span"));
    }
    try (Scope ignored = valid().makeCurrent()) {
      assertLikeNoopTracers(TraceUtil.createSpan("span"));
      assertTrue(TraceUtil.createSpan("span").getSpanContext().isValid());
    }
  }

  @Test
  public void spansOfOtherTracersStayTheirs() {
    Span other = sdk.getTracer("application").spanBuilder("other").startSpan();
    try (Scope ignored = other.makeCurrent()) {
      assertLikeNoopTracers(TraceUtil.createSpan("span"));
      Span span = TraceUtil.createSpan("span");
      assertEquals(other.getSpanContext(), span.getSpanContext());
      try (Scope ignoredToo = span.makeCurrent()) {
        Span.current().updateName("inner");
        Span.current().end();
      }
      span.end();
    }
    assertTrue(other.isRecording());
    other.end();
    assertEquals("other", exporter.getFinishedSpanItems().get(0).getName());
  }

  @Test
  public void invalidSpanHidesOthers() {
    Span invalid = TraceUtil.createRemoteSpan("span", Context.root());
    try (Scope ignoredToo = valid().makeCurrent()) {
      try (Scope ignored = invalid.makeCurrent()) {
        assertFalse(Span.current().getSpanContext().isValid());
      }
      assertTrue(Span.current().getSpanContext().isValid());
    }
  }

  @Test
  public void remoteParentIsKept() {
    Context remote = Context.root().with(valid());
    Span span = TraceUtil.createRemoteSpan("span", remote);
    assertEquals(valid().getSpanContext(), span.getSpanContext());
    assertFalse(span.isRecording());
  }

  @Test
  public void onlyTheInvalidSpanIsReplaced() {
    Span valid = valid();
    assertSame(valid, NoopTracing.cheapest(valid));
    Span span = sdk.getTracer("application").spanBuilder("span").startSpan();
    assertSame(span, NoopTracing.cheapest(span));
    assertNotSame(Span.getInvalid(), NoopTracing.cheapest(Span.getInvalid()));
    assertLikeNoopTracers(NoopTracing.cheapest(Span.getInvalid()));
  }

  @Test
  public void openTelemetryThatOnlyPropagatesHasNoTracer() {
    assertTrue(NoopTracing.isPropagationNoop());
    GlobalOpenTelemetry.resetForTest();
    GlobalOpenTelemetry.set(OpenTelemetry
      .propagating(ContextPropagators.create(W3CTraceContextPropagator.getInstance())));
    assertTrue(NoopTracing.isNoop());
    assertFalse(NoopTracing.isPropagationNoop());
  }

  @Test
  public void openTelemetryThatIsSetLaterRecords() {
    assertTrue(NoopTracing.isNoop());
    TraceUtil.createSpan("before").end();
    GlobalOpenTelemetry.resetForTest();
    GlobalOpenTelemetry.set(sdk);
    assertFalse(NoopTracing.isNoop());
    TraceUtil.trace(() -> TraceUtil.createClientSpan("client").end(), "internal");
    TraceUtil.createRemoteSpan("server", Context.root().with(valid())).end();

    assertEquals(3, exporter.getFinishedSpanItems().size());
    SpanData client = exporter.getFinishedSpanItems().get(0);
    SpanData internal = exporter.getFinishedSpanItems().get(1);
    SpanData server = exporter.getFinishedSpanItems().get(2);
    assertEquals("client", client.getName());
    assertEquals(SpanKind.CLIENT, client.getKind());
    assertEquals(internal.getSpanContext(), client.getParentSpanContext());
    assertEquals("internal", internal.getName());
    assertEquals(SpanKind.INTERNAL, internal.getKind());
    assertEquals(StatusCode.OK, internal.getStatus().getStatusCode());
    assertEquals("server", server.getName());
    assertEquals(SpanKind.SERVER, server.getKind());
    assertEquals(valid().getSpanContext(), server.getParentSpanContext());
  }

  @Test
  public void spansAreNotAllocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long before = threads.getThreadAllocatedBytes(thread);
      for (int i = 0; i < SPANS; i++) {
        Span span = TraceUtil.createSpan("span");
        try (Scope ignored = span.makeCurrent()) {
          span.setStatus(StatusCode.OK);
        } finally {
          span.end();
        }
      }
      least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
    }
    assertTrue(least + " bytes for " + SPANS + " spans", least < SPANS);
  }
}
