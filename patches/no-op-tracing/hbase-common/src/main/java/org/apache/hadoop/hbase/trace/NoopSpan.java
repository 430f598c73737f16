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

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The invalid span, made current without a new context. Where no span is current nothing changes by
 * that, since the invalid one stands for none. Elsewhere OpenTelemetry's own invalid span becomes
 * the current one. A context never has this one in it.
 */
@InterfaceAudience.Private
final class NoopSpan implements Span {
  static final Span INSTANCE = new NoopSpan();

  private NoopSpan() {
  }

  @Override
  public Scope makeCurrent() {
    return Span.current() == Span.getInvalid() ? Scope.noop() : Span.getInvalid().makeCurrent();
  }

  @Override
  public Context storeInContext(Context context) {
    return Span.getInvalid().storeInContext(context);
  }

  @Override
  public SpanContext getSpanContext() {
    return SpanContext.getInvalid();
  }

  @Override
  public boolean isRecording() {
    return false;
  }

  @Override
  public <T> Span setAttribute(AttributeKey<T> key, T value) {
    return this;
  }

  @Override
  public Span setAttribute(String key, String value) {
    return this;
  }

  @Override
  public Span setAttribute(String key, long value) {
    return this;
  }

  @Override
  public Span setAttribute(String key, double value) {
    return this;
  }

  @Override
  public Span setAttribute(String key, boolean value) {
    return this;
  }

  @Override
  public Span setAllAttributes(Attributes attributes) {
    return this;
  }

  @Override
  public Span addEvent(String name, Attributes attributes) {
    return this;
  }

  @Override
  public Span addEvent(String name, Attributes attributes, long timestamp, TimeUnit unit) {
    return this;
  }

  @Override
  public Span setStatus(StatusCode code, String description) {
    return this;
  }

  @Override
  public Span recordException(Throwable exception, Attributes attributes) {
    return this;
  }

  @Override
  public Span updateName(String name) {
    return this;
  }

  @Override
  public void end() {
    // Nothing was begun.
  }

  @Override
  public void end(long timestamp, TimeUnit unit) {
    // Nothing was begun.
  }

  @Override
  public String toString() {
    return Span.getInvalid().toString();
  }
}
