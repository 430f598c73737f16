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
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.propagation.ContextPropagators;

/** Does nothing, which nobody can know: names and attributes of spans are made for it. */
public final class UnrecognizedOpenTelemetry implements OpenTelemetry {
  /** Makes it the global one, until another is. */
  public static void set() {
    set(new UnrecognizedOpenTelemetry());
  }

  /** Makes the one that is known to do nothing the global one. */
  public static void unset() {
    set(OpenTelemetry.noop());
  }

  private static void set(OpenTelemetry openTelemetry) {
    GlobalOpenTelemetry.resetForTest();
    GlobalOpenTelemetry.set(openTelemetry);
  }

  @Override
  public TracerProvider getTracerProvider() {
    return new TracerProvider() {
      @Override
      public Tracer get(String name) {
        return TracerProvider.noop().get(name);
      }

      @Override
      public Tracer get(String name, String version) {
        return get(name);
      }
    };
  }

  @Override
  public ContextPropagators getPropagators() {
    return ContextPropagators.noop();
  }
}
