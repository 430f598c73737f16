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
 * One thread answers, several get.
 *
 * The handler goes through the actions in the loop of RSRpcServices, one after another, and builds
 * the response, checks limits and quotas, counts and adds call-backs there, as ever. Only where the
 * loop would serve a get, it asks here. So whatever was written for one thread is touched by one
 * thread, in the request's order; what a get itself needs of its call, it finds in a GetCall of the
 * thread that serves it.
 *
 * The first gets are served by RSRpcServices and timed. When what is left seems worth it
 * (HelperEstimator), it is put into a plan (GetPlanner, GetPlan), and helpers, threads of the pool,
 * are called in. Each thread, the handler among them, claims gets from the plan by counting up an
 * atomic integer, until none is left, and runs them (GetRunner): there are no tasks for gets to
 * queue, to reject or to cancel. A get that nobody claimed when the handler comes to it is the
 * handler's. If somebody did and isn't done, the handler runs one further down meanwhile; it waits
 * (GetWaiter) only when all are claimed, so never for a get that has not begun. Who claims a get
 * has all that it takes to run it, so that it is done whatever happens.
 *
 * A helper that comes submits the next one to the pool, so that the handler doesn't pay for waking
 * all. A get that waits for a device is worth a thread: as many are wanted as their expected
 * waiting fills, if processors have time for them, by the share of its time that a get needs one.
 * So a server whose processors are busy, where a read takes long because its thread isn't run,
 * doesn't want more. Gets served from memory get threads only for processors that are idle
 * (IdleCpus); it is decided after a few gets.
 *
 * Claiming ends for good when the bytes gathered pass the limit of the answer, when the deadline
 * has passed, or when the client is gone; the handler goes on without. So results in
 * flight are bounded by the limit and a get for each thread. What was gathered and isn't asked for,
 * because the loop found the answer too large or failed, is dropped and its scanner closed.
 *
 * There may be a plan for each group of region actions (GetPlanner); not behind one of which the
 * handler left out gets that helpers had begun, for they are in flight until the plan is dropped.
 */
/**
 * The gets of one multi request: lets threads of the pool serve them ahead of the handler, which
 * takes them in the order of the request. Also the request's call-back, which closes the gets'
 * scanners once the response is built. Of the handler's thread.
 */
@InterfaceAudience.Private
final class ParallelGets extends RegionScannersCloseCallBack
  implements RequestReader, HelperUsage {
  private static final Logger LOG = LoggerFactory.getLogger(ParallelGets.class);

  private final ParallelMultiGet.Getter getter;
  private final MultiGetPool pool;
  private final RpcCall call;
  private final HelperEstimator estimator;
  private final MultiGetAccounting accounting;
  /** Null when the request is over. */
  private GetPlanner planner;

  /** Bytes that the answer may have. */
  private long limit;
  /** Null before there is a plan, or a reason to make none. */
  private GetRunner runner;
  /** Null if there is none, or all of it has been taken. */
  private GetPlan plan;
  /** The handler's next get of the plan. */
  private int cursor;
  private boolean hasSkippedGets;

  /**
   * @param call the request's, which is current
   */
  ParallelGets(RSRpcServices services, ParallelMultiGet.Getter getter, MultiGetPool pool,
    RpcCall call, MultiRequest request) {
    this.getter = getter;
    this.pool = pool;
    this.call = call;
    planner = new GetPlanner(services, call, request);
    estimator = new HelperEstimator(pool);
    accounting = new MultiGetAccounting(services, call);
  }

  /**
   * The handler begins with another region action.
   * @param closeCallBack what the request has as call-back; if that isn't of this class, nothing
   *                      happens
   * @param quota         of the region action
   * @param limit         bytes that the answer may have
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
      getRunner().stop(Stop.LIMIT); // The handler's loop asks for no more.
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

  /** Leaves out what the handler's loop left out; what was served ahead of it is dropped later. */
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

  /** A helper that waits for a thread has the plan, and so all that it holds, until it comes. */
  private void closePlanIfOver() {
    if (isPlanOver() && !hasSkippedGets) {
      plan.close();
      plan = null;
      estimator.reset();
    }
  }

  /**
   * Takes the handler's next action out of the plan; may make a plan that begins with it.
   * @param closeCallBack what the request has as call-back
   * @return what {@link #getResult} is to be asked for; null if the caller serves the action
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
      plan = new GetPlan(getRunner(), planner.planFrom(first), Math.max(call.getResponseCellSize(),
        call.getBlockBytesScanned() + call.getResponseExceptionSize()), limit);
      plan.wantHelpers(helpers);
      cursor = 0;
      estimator.helpersSubmitted();
    }
  }

  /**
   * Serves a get that was taken from the plan, unless that has been done.
   * @return the result; null if the get has none
   * @throws IOException what the get failed with; errors and unchecked exceptions are passed on,
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
        runner.runOnHandler(plan, get); // Whoever claims it has to.
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
    plan.submitHelper(pool);
  }

  /** Runs others until this one, which another thread claimed, is done. */
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
   * Begins no more gets, waits for those that have begun, drops what nobody asked for, and keeps
   * nothing of the request: the call, and this with it, stays until the response has been sent.
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

  private static void drop(PlannedGet get) {
    try {
      if (get.failure instanceof Error) {
        LOG.error("A get that was served ahead, and then not asked for, failed", get.failure);
      }
      if (get.scanner != null) {
        get.scanner.close();
      }
    } catch (Throwable t) {
      LOG.error("Exception while closing the scanner {}", get.scanner, t);
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

  /** The response is built: closes the scanners. */
  @Override
  public void run() {
    beforeCleanup();
    super.run();
  }
}
