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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.ipc.RequestReader;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.quotas.HelperUsage;
import org.apache.hadoop.hbase.quotas.OperationQuota;
import org.apache.hadoop.hbase.regionserver.MetricsParallelMultiGet.Stop;
import org.apache.hadoop.hbase.regionserver.RSRpcServices.RegionScannersCloseCallBack;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;

/*
 * One thread answers, several threads get.
 *
 * The handler goes through the actions in the loop of RSRpcServices, one after another. There it
 * builds the response, checks limits and quotas, counts, and adds call-backs, as it always does.
 * Only where the loop would serve a get, it asks this class. So code that was written for one
 * thread is run by one thread, in the request's order. What a get itself needs of its call, it
 * finds in the GetCall of the thread that serves it.
 *
 * RSRpcServices serves the first gets, and they are timed. When the remaining gets seem worth it
 * (HelperEstimator), they are put into a plan (GetPlanner, GetPlan), and helpers, threads of the
 * pool, are called in. Each thread, the handler included, claims gets from the plan by incrementing
 * an atomic integer, and runs them (GetRunner), until none is left. So there are no tasks for
 * single gets that could be queued, rejected or cancelled. When the handler comes to a get that
 * nobody has claimed, it serves it. If another thread has claimed the get and isn't done, the
 * handler serves a later one meanwhile. It waits (GetWaiter) only when all gets are claimed, so
 * never for a get that has not begun. A thread that claims a get has all that it takes to run it,
 * so the get is done whatever happens.
 *
 * Each helper submits the next one to the pool, so that the handler doesn't pay for waking all of
 * them. Gets that wait for a device are worth a thread: as many threads are wanted as their
 * expected waiting keeps busy, if the processors have time for them, by the share of its time that
 * a get needs a processor. So no more threads are wanted on a server whose processors are busy,
 * where a read takes long because its thread isn't running. Gets that are served from memory get
 * helpers only for idle processors (IdleCpus), which is decided after a few gets.
 *
 * Claiming ends when the gathered bytes exceed the limit of the response, when the deadline has
 * passed, or when the client has disconnected. The handler then continues alone. So results in
 * flight are limited to the limit and one get per thread. Results that were gathered but not asked
 * for, because the loop found the response too large or failed, are dropped; their scanners are
 * closed with the others.
 *
 * There may be a plan for each group of region actions (GetPlanner). There is none after a region
 * action of which the handler left out gets that helpers had begun: these are in flight until the
 * plan is dropped.
 */
/**
 * The gets of one multi request. Lets threads of the pool serve them ahead of the handler, which
 * takes them in the order of the request. Also the request's call-back, which closes the gets'
 * scanners once the response is built. Used by the handler's thread only.
 */
@InterfaceAudience.Private
final class ParallelGets extends RegionScannersCloseCallBack
  implements RequestReader, HelperUsage {
  private static final Logger LOG = LoggerFactory.getLogger(ParallelGets.class);

  private final RegionGetter getter;
  private final MultiGetPool pool;
  private final RpcCall call;
  private final HelperEstimator estimator;
  private final MultiGetAccounting accounting;
  /** Null once the request is over. */
  private GetPlanner planner;

  /** Maximum bytes of the response. */
  private long limit;
  /** Null before there is a plan, or a reason to make none. */
  private GetRunner runner;
  private final List<RegionScanner> scannersOfDropped = new ArrayList<>(0);
  /** Null if there is no plan, or all its gets have been taken. */
  private GetPlan plan;
  /** Index of the handler's next get in the plan. */
  private int cursor;
  private boolean hasSkippedGets;

  /** @param call the request's, which is the current one */
  ParallelGets(RSRpcServices services, RegionGetter getter, MultiGetPool pool,
    RpcCall call, MultiRequest request) {
    this.getter = getter;
    this.pool = pool;
    this.call = call;
    planner = new GetPlanner(services, call, request);
    estimator = new HelperEstimator(pool);
    accounting = new MultiGetAccounting(services, call);
  }

  /**
   * Begins the handler's next region action.
   * @param closeCallBack the request's call-back; if it isn't of this class, nothing happens
   * @param quota         the quota of the region action
   * @param limit         maximum bytes of the response
   */
  static void startRegionAction(RegionScannersCloseCallBack closeCallBack, HRegion region,
    RegionAction actions, OperationQuota quota, long limit) {
    if (closeCallBack instanceof ParallelGets) {
      ((ParallelGets) closeCallBack).startRegionAction(region, actions, quota, limit);
    }
  }

  private void startRegionAction(HRegion region, RegionAction actions, OperationQuota quota,
    long bytes) {
    limit = bytes;
    accounting.startRegionAction();
    quota.setHelperUsage(this);
    boolean otherGroup = planner.startRegionAction(region, actions, quota);
    if (
      call.getResponseCellSize() > limit
        || call.getBlockBytesScanned() + call.getResponseExceptionSize() > limit
    ) {
      getRunner().stop(Stop.LIMIT); // The handler's loop serves no more gets.
    }
    if (plan != null) {
      skipPlanTo(planner.getRegionAction());
    }
    if (otherGroup) {
      estimator.reset();
    }
  }

  private GetRunner getRunner() {
    if (runner == null) {
      runner = new GetRunner(getter, call);
    }
    return runner;
  }

  /** Skips gets that the handler's loop left out. Those served ahead are dropped later. */
  private void skipPlanTo(int regionAction) {
    for (; cursor < plan.size() && plan.get(cursor).regionAction < regionAction; cursor++) {
      planner.countDown();
      if (plan.claim(cursor)) {
        plan.remove(cursor);
      } else {
        hasSkippedGets = true;
      }
    }
    closePlanIfOver();
  }

  private boolean isPlanOver() {
    return plan == null || cursor == plan.size();
  }

  /** Closes a finished plan, since a helper that waits for a thread refers to it. */
  private void closePlanIfOver() {
    if (isPlanOver() && !hasSkippedGets) {
      plan.close();
      plan = null;
      estimator.reset();
    }
  }

  /**
   * Takes the handler's next action out of the plan. May make a plan that begins with it.
   * @param closeCallBack the request's call-back
   * @return the get, for {@link #getResult}; null if the caller has to serve the action
   */
  static PlannedGet takePlanned(RegionScannersCloseCallBack closeCallBack, Action action) {
    return closeCallBack instanceof ParallelGets
      ? ((ParallelGets) closeCallBack).takePlanned(action)
      : null;
  }

  private PlannedGet takePlanned(Action action) {
    if (!planner.isParallelizable()) {
      if (action.hasGet()) {
        accounting.addUnplanned();
      }
      return null;
    }
    if (isPlanOver()) {
      planIfWorthwhile(action);
    }
    planner.countDown();
    if (!isPlanOver()) {
      PlannedGet next = plan.get(cursor);
      if (next.action == action && next.region == planner.getRegion()) {
        return next;
      }
    }
    estimator.addTimed();
    planner.servedUnplanned();
    accounting.addUnplanned();
    return null;
  }

  private void planIfWorthwhile(Action first) {
    boolean stopped = runner != null && runner.getStop() != null;
    if (planner.getRemaining() < 2 || stopped || hasSkippedGets) {
      return;
    }
    int helpers = estimator.estimateHelpers(planner.getRemaining());
    if (helpers > 0 && pool.hasRoom()) {
      long gathered = Math.max(call.getResponseCellSize(),
        call.getBlockBytesScanned() + call.getResponseExceptionSize());
      plan = new GetPlan(getRunner()::runOnHelper, planner.planFrom(first), gathered, limit);
      plan.wantHelpers(helpers);
      cursor = 0;
      estimator.helpersSubmitted();
    }
  }

  /**
   * Returns the result of a get that was taken from the plan. Serves it, unless that has been done.
   * @return the result; null if the get has none
   * @throws IOException if the get failed with it; errors and unchecked exceptions are rethrown,
   *                     too
   */
  static Result getResult(RegionScannersCloseCallBack closeCallBack, PlannedGet get)
    throws IOException {
    return ((ParallelGets) closeCallBack).getResult(get);
  }

  private Result getResult(PlannedGet get) throws IOException {
    if (plan.claim(cursor)) {
      try {
        submitHelpers();
      } finally {
        runner.runOnHandler(plan, get); // Whoever claims a get has to run it.
      }
    } else {
      submitHelpers();
      awaitAtWork(get);
    }
    if (get.scanner != null) {
      addScanner(get.scanner);
    }
    plan.remove(cursor);
    cursor++;
    estimator.addTimed(get);
    accounting.add(get);
    closePlanIfOver();
    return get.getResult();
  }

  /** Wants more helpers if gets turn out to wait for a device. */
  private void submitHelpers() {
    plan.wantHelpers(
      estimator.estimateMoreHelpers(planner.getRemaining(), plan.countSubmitted()));
    plan.submitHelper(pool::submit);
  }

  /** Serves other gets until this one, which another thread claimed, is done. */
  private void awaitAtWork(PlannedGet get) {
    while (!get.isDone()) {
      PlannedGet ahead = runner.claim(plan);
      if (ahead == null) {
        await(get);
      } else {
        runner.runOnHandler(plan, ahead);
        submitHelpers();
      }
    }
  }

  private void await(PlannedGet get) {
    long start = System.nanoTime();
    runner.await(get, !estimator.isWaitingForDevice());
    accounting.addWaited(System.nanoTime() - start);
  }

  /**
   * Ends serving ahead: no more gets begin, those that have begun are awaited, and those that
   * nobody asked for are dropped. Refers to nothing of the request afterwards, since the call, and
   * this object with it, stays until the response has been sent.
   */
  @Override
  public void beforeCleanup() {
    if (planner == null) {
      return;
    }
    dropPlan();
    planner = null;
    try {
      accounting.update(pool.getMetrics(), estimator.getReason(),
        runner == null ? null : runner.getStop());
    } catch (RuntimeException e) {
      LOG.error("Exception while counting", e);
    }
    runner = null;
  }

  private void dropPlan() {
    GetPlan dropped = plan;
    if (dropped == null) {
      return;
    }
    int claimed = dropped.endClaims();
    for (int i = 0; i < claimed; i++) {
      if (dropped.get(i) != null) {
        await(dropped.get(i));
      }
    }
    plan = null;
    for (int i = 0; i < claimed; i++) {
      if (dropped.get(i) != null) {
        accounting.addDropped(dropped.get(i));
        drop(dropped.get(i));
      }
    }
    dropped.close();
    hasSkippedGets = false;
  }

  private void drop(PlannedGet get) {
    if (get.failure instanceof Error) {
      LOG.error("A get that was served ahead and then dropped failed", get.failure);
    }
    if (get.scanner != null) {
      scannersOfDropped.add(get.scanner); // Cells of other gets may be in what it holds.
    }
  }

  @Override
  public long getMillisSaved() {
    dropPlan();
    return accounting.getMillisSaved();
  }

  @Override
  public long getDroppedBlockBytes() {
    dropPlan();
    return accounting.getDroppedBlockBytes();
  }

  /** Closes the scanners, once the response is built. */
  @Override
  public void run() {
    beforeCleanup();
    try {
      super.run();
    } finally {
      closeScannersOfDropped();
    }
  }

  private void closeScannersOfDropped() {
    for (RegionScanner scanner : scannersOfDropped) {
      try {
        scanner.close();
      } catch (Throwable t) {
        LOG.error("Exception while closing the scanner {}", scanner, t);
      }
    }
    scannersOfDropped.clear();
  }
}
