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

import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.MetricsParallelMultiGet.Stop;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Runs planned gets of a request on the threads of its handler and of helpers, each with the
 * request's user, call and trace, until there is a reason to stop. Thread-safe, except for methods
 * for the handler.
 */
@InterfaceAudience.Private
final class GetRunner {
  private final RegionGetter getter;
  private final RpcCall call;
  private final Context tracing = Context.current();
  private final GetCall handlerCall;
  private final GetWaiter waiter = new GetWaiter();
  private volatile Stop stop;

  /** @param call the request's, which is the current one */
  GetRunner(RegionGetter getter, RpcCall call) {
    this.getter = getter;
    this.call = call;
    handlerCall = new GetCall(call);
  }

  /** Runs gets of the plan on this thread of the pool until none is left. */
  void runOnHelper(GetPlan plan) {
    GetCall helperCall = new GetCall(call);
    Scope scope = tracing.makeCurrent();
    try {
      for (PlannedGet get; (get = claim(plan)) != null;) {
        run(plan, get, helperCall, true);
        // A region that closes interrupts its readers, perhaps only after they have finished.
        Thread.interrupted();
      }
    } finally {
      scope.close();
    }
  }

  /** Runs a get that the handler claimed. For the handler. */
  void runOnHandler(GetPlan plan, PlannedGet get) {
    run(plan, get, handlerCall, false);
  }

  /** Runs a get that this thread claimed. It is done afterwards, even if it failed. */
  private void run(GetPlan plan, PlannedGet get, GetCall getCall, boolean byHelper) {
    try {
      RpcServer.setCurrentCall(getCall);
      try {
        plan.addGathered(get.run(getter, getCall, byHelper));
      } finally {
        RpcServer.setCurrentCall(byHelper ? null : call);
      }
    } catch (Throwable t) {
      get.failure = t; // Thrown again when the handler comes to this get.
    } finally {
      waiter.done(get);
    }
  }

  /** Waits until a get that a helper claimed is done. For the handler. */
  void await(PlannedGet get, boolean spin) {
    waiter.await(get, spin);
  }

  /** Claims a get for this thread; returns null if there is none, or a reason to stop. */
  PlannedGet claim(GetPlan plan) {
    if (stop == null) {
      stop = findReasonToStop(plan);
    }
    return stop == null ? plan.claimNext() : null;
  }

  private Stop findReasonToStop(GetPlan plan) {
    if (plan.isBeyondLimit()) {
      return Stop.LIMIT;
    }
    if (call.disconnectSince() >= 0) {
      return Stop.DISCONNECT;
    }
    return EnvironmentEdgeManager.currentTime() > call.getDeadline() ? Stop.DEADLINE : null;
  }

  /** Lets no more gets begin, for this reason. */
  void stop(Stop reason) {
    stop = reason;
  }

  /** Returns the reason to stop, or null. */
  Stop getStop() {
    return stop;
  }
}
