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

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What is done in place of tracing while the global OpenTelemetry has no tracer. Thread-safe.
 * <p>
 * The no-op tracer takes a name and attributes, and returns a span that only has the context of the
 * current one. Whoever asks first whether there is a tracer needn't make these. It is asked each
 * time, since an application may set its OpenTelemetry, and an agent may replace it, at any time.
 */
@InterfaceAudience.Private
public final class NoopTracing {
  private NoopTracing() {
  }

  /** Returns whether no span is recorded, whatever its name and attributes. */
  public static boolean isNoop() {
    return GlobalOpenTelemetry.getTracerProvider() == TracerProvider.noop();
  }

  /** Returns whether nothing of a context goes into a request. */
  public static boolean isPropagationNoop() {
    return GlobalOpenTelemetry.getPropagators().getTextMapPropagator() == TextMapPropagator.noop();
  }

  /** Returns what the no-op tracer makes of the current span, for any name and attributes. */
  public static Span newSpan() {
    return withContextOf(Span.current());
  }

  /**
   * Returns what the no-op tracer makes of a parent.
   * @param parent which may have come with a request
   */
  public static Span newSpan(Context parent) {
    return withContextOf(Span.fromContext(parent));
  }

  private static Span withContextOf(Span span) {
    SpanContext context = span.getSpanContext();
    return context.isValid() ? Span.wrap(context) : NoopSpan.INSTANCE;
  }

  /** Returns the span, or, for the invalid one, another one that is cheaper to make current. */
  public static Span cheapest(Span span) {
    return span == Span.getInvalid() ? NoopSpan.INSTANCE : span;
  }
}
