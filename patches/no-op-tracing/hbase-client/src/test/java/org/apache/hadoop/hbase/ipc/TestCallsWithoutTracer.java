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
package org.apache.hadoop.hbase.ipc;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.sun.management.ThreadMXBean;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.testing.junit4.OpenTelemetryRule;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.client.MetricsConnection;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;

/** A call has the same request, and with a tracer the same span, but nothing is made for none. */
@Category({ ClientTests.class, MediumTests.class })
@SuppressWarnings("try") // Scopes are only closed.
public class TestCallsWithoutTracer {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCallsWithoutTracer.class);

  private static final Logger LOG = LoggerFactory.getLogger(TestCallsWithoutTracer.class);
  private static final int CALLS = 300;
  private static final int ROUNDS = 6;

  /** Bytes that a call saves on the thread that makes it; measured are some 800. */
  private static final long LEAST_SAVED = 400;

  /** Sets an OpenTelemetry that records; a test without one sets another. */
  @Rule
  public final OpenTelemetryRule openTelemetry = OpenTelemetryRule.create();

  private final Configuration conf = HBaseConfiguration.create();

  private static void set(OpenTelemetry instance) {
    GlobalOpenTelemetry.resetForTest();
    GlobalOpenTelemetry.set(instance);
  }

  /** Does nothing, which nobody can know. */
  private static OpenTelemetry unknown() {
    return new OpenTelemetry() {
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
        return ContextPropagators.create(W3CBaggagePropagator.getInstance());
      }
    };
  }

  private static RequestHeader header() {
    return IPCUtil.buildRequestHeader(
      new Call(1, ClientService.getDescriptor().findMethodByName("Multi"),
        MultiRequest.getDefaultInstance(), null, MultiResponse.getDefaultInstance(), 0, 0,
        Collections.emptyMap(), done -> {
        }, MetricsConnection.newCallStats()),
      null);
  }

  @Test
  public void requestHeaderIsTheSame() {
    set(unknown());
    byte[] expected = header().toByteArray();
    set(OpenTelemetry.noop());
    assertTrue(header().hasTraceInfo());
    assertArrayEquals(expected, header().toByteArray());
  }

  @Test
  public void requestHeaderHasTheCurrentSpan() {
    Span span = openTelemetry.getOpenTelemetry().getTracer("test").spanBuilder("s").startSpan();
    try (Scope ignored = span.makeCurrent()) {
      String parent = header().getTraceInfo().getHeadersOrThrow("traceparent");
      assertTrue(parent, parent.contains(span.getSpanContext().getSpanId()));
    }
  }

  /** Makes calls with a client of its own, and returns the least bytes that one of them took. */
  private long bytesOfACall(int rounds) throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long least = Long.MAX_VALUE;
    try (LocalRpcServer server = new LocalRpcServer(LocalRpcServer.Behaviour.ANSWER);
      RpcClient client = new NettyRpcClient(conf)) {
      ClientService.BlockingInterface stub = ClientService.newBlockingStub(
        client.createBlockingRpcChannel(server.name(), User.getCurrent(), 0));
      for (int round = 0; round < rounds; round++) {
        long before = threads.getThreadAllocatedBytes(thread);
        for (int i = 0; i < CALLS; i++) {
          stub.multi(new HBaseRpcControllerImpl(), MultiRequest.getDefaultInstance());
        }
        least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
      }
    }
    return least / CALLS;
  }

  @Test
  public void callsMakeNoSpanBuilders() throws Exception {
    set(unknown());
    long before = bytesOfACall(ROUNDS);
    set(OpenTelemetry.noop());
    long after = bytesOfACall(ROUNDS);
    LOG.info("a call allocates {} bytes, {} with a tracer that does nothing", after, before);
    assertTrue(after + " bytes, and " + before + " with a tracer",
      after <= before - LEAST_SAVED);
  }

  @Test
  public void callsAreRecorded() throws Exception {
    try (LocalRpcServer server = new LocalRpcServer(LocalRpcServer.Behaviour.ANSWER);
      RpcClient client = new NettyRpcClient(conf)) {
      ClientService.newBlockingStub(
        client.createBlockingRpcChannel(server.name(), User.getCurrent(), 0))
        .multi(new HBaseRpcControllerImpl(), MultiRequest.getDefaultInstance());
      // The span ends after the caller was woken up.
      Waiter.waitFor(conf, 60_000, 10, () -> !openTelemetry.getSpans().isEmpty());
      SpanData span = openTelemetry.getSpans().get(0);
      assertEquals("hbase.pb.ClientService/Multi", span.getName());
      assertEquals(SpanKind.CLIENT, span.getKind());
      assertEquals(StatusCode.OK, span.getStatus().getStatusCode());
      assertFalse(span.getParentSpanContext().isValid());
      assertEquals(
        Attributes.builder().put("rpc.system", "HBASE_RPC")
          .put("rpc.service", "hbase.pb.ClientService").put("rpc.method", "Multi")
          .put("net.peer.name", "localhost").put("net.peer.port", server.name().getPort()).build()
          .asMap(),
        span.getAttributes().asMap());
    }
  }
}
