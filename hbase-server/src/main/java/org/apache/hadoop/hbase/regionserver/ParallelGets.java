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
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.hfile.DeviceReadTime;
import org.apache.hadoop.hbase.ipc.RequestReader;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.monitoring.ThreadLocalServerSideScanMetrics;
import org.apache.hadoop.hbase.quotas.HelperUsage;
import org.apache.hadoop.hbase.quotas.OperationQuota;
import org.apache.hadoop.hbase.quotas.OperationQuotas;
import org.apache.hadoop.hbase.quotas.RegionServerRpcQuotaManager;
import org.apache.hadoop.hbase.regionserver.MetricsParallelMultiGet.Reason;
import org.apache.hadoop.hbase.regionserver.MetricsParallelMultiGet.Stop;
import org.apache.hadoop.hbase.regionserver.RSRpcServices.RegionScannersCloseCallBack;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
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
 * The first gets are served by RSRpcServices and timed. When what is left seems worth it, it is
 * put into a plan, and threads of the pool are invited. Each thread, the handler among them, claims
 * gets from the plan by counting up an atomic integer, until none is left: there are no tasks to
 * queue, to reject or to cancel. A get that nobody claimed when the handler comes to it is the
 * handler's. If somebody did and isn't done, the handler serves one further down meanwhile; it
 * waits only when all are claimed, so never for a get that has not begun. Who claims a get has all
 * that it takes to serve it, so that it is done whatever happens.
 *
 * A helper that is invited invites the next one, so that the handler doesn't pay for waking all. A
 * get that waits for a device is worth a thread: as many are invited as their expected waiting
 * fills, if processors have time for them, by the share of its time that a get needs one. So a
 * server whose processors are busy, where a read takes long because its thread isn't run, doesn't
 * invite more. Gets served from memory get threads only for processors that are idle (IdleCpus); it
 * is decided after a few gets.
 *
 * Claiming ends for good when the bytes gathered pass the limit of the answer, when the deadline
 * has passed, or when the client is gone; the handler goes on without. So results in
 * flight are bounded by the limit and a get for each thread. What was gathered and isn't asked for,
 * because the loop found the answer too large or failed, is dropped and its scanner closed.
 *
 * The plan goes on over region actions up to the first one that has other actions than gets, that
 * is for a system table, or that a quota may refuse: reading ahead for it would spend what the
 * quota protects. Behind that one there may be another plan; not if gets of one were left out, for
 * they are in flight until the end. A region action with a quota has a plan of its own, so that
 * the quota is charged for all that helpers did for it, and for nothing else.
 */
/**
 * The gets of one multi request: lets threads of the pool serve them ahead of the handler, which
 * asks for them in the order of the request. Also the request's call-back, which closes the gets'
 * scanners once the response is built.
 * <p>
 * {@link #help} is for the pool's threads; all other methods are for the handler.
 */
@InterfaceAudience.Private
final class ParallelGets extends RegionScannersCloseCallBack
  implements RequestReader, HelperUsage {
  private static final Logger LOG = LoggerFactory.getLogger(ParallelGets.class);

  /** How long to look for a get served from memory to be done before going to sleep for it. */
  private static final long SPIN_NANOS = 20_000;

  /** After so many gets it isn't asked any more whether those served from memory get help. */
  private static final int MOST_TIMED_FOR_MEMORY = 4;

  /** Share of its time that a thread works at least, however much a get waits for a device. */
  private static final double LEAST_WORKING = 0.05;

  /** What a failure adds to an answer, estimated: the text of its stack trace. */
  private static final long STACK_FRAME_BYTES = 100;
  private static final int MOST_CAUSES = 8;

  private final RSRpcServices services;
  private final ParallelMultiGet.Getter getter;
  private final MultiGetPool pool;
  private final ParallelMultiGetSettings settings;
  private final RpcCall call;
  private MultiRequest request;
  private final Context tracing = Context.current();
  private final long handOverNanos;

  // Of the handler alone.
  private final DeviceReadTime deviceReadTime = DeviceReadTime.ofThread();
  private int regionAction;
  private HRegion region;
  private long limit;
  private boolean spreadable;
  /** The first region action behind this one that can't be in a plan with it, and gets up to it. */
  private int stretchEnd;
  private int remaining;
  private int servedOfRegionAction;
  private int servedSerially;
  private int servedByHelpers;
  private int servedByHandler;
  private int notSpreadable;
  private int dropped;
  private Reason reason = Reason.SYSTEM_TABLE;

  // For the quota of the region action.
  private long helperNanos;
  private long droppedBlockBytes;

  // What gets of the stretch cost so far.
  private int timed;
  private long startNanos;
  private long startDeviceNanos;
  private long timedNanos;
  private long deviceNanos;

  private GetCall handlerCall;
  private int wantedHelpers;
  private int cursor;
  private boolean gaps;
  private boolean finished;

  private GetPlan plan;

  private volatile Stop stop;
  private volatile PlannedGet awaited;
  private volatile Thread waiter;

  /**
   * @param call the request's, which is current
   */
  ParallelGets(RSRpcServices services, ParallelMultiGet.Getter getter, MultiGetPool pool,
    RpcCall call, MultiRequest request) {
    this.services = services;
    this.getter = getter;
    this.pool = pool;
    this.settings = pool.getSettings();
    this.call = call;
    this.request = request;
    handOverNanos = settings.getHandOverNanos();
  }

  /**
   * The handler begins with another region action.
   * @param closeCallBack what the request has as call-back; if that isn't of this class, nothing
   *                      happens
   * @param quota         of the region action
   * @param limit         bytes that the answer may have
   */
  static void enter(RegionScannersCloseCallBack closeCallBack, HRegion region,
    RegionAction actions, OperationQuota quota, long limit) {
    if (closeCallBack instanceof ParallelGets) {
      ((ParallelGets) closeCallBack).enter(region, actions, quota, limit);
    }
  }

  private void enter(HRegion entered, RegionAction actions, OperationQuota quota, long bytes) {
    while (request.getRegionAction(regionAction) != actions) {
      regionAction++;
    }
    region = entered;
    limit = bytes;
    servedOfRegionAction = 0;
    helperNanos = 0;
    droppedBlockBytes = 0;
    quota.setHelperUsage(this);
    spreadable = ParallelMultiGet.isSpreadable(actions) && !isSystemTable(entered);
    if (
      call.getResponseCellSize() > limit
        || call.getBlockBytesScanned() + call.getResponseExceptionSize() > limit
    ) {
      stop = Stop.LIMIT; // The handler's loop asks for no more.
    }
    if (!isPlanOver()) {
      skipPlanTo(regionAction);
    }
    if (!spreadable) {
      stretchEnd = regionAction + 1;
    } else if (!OperationQuotas.isUnlimited(quota)) {
      beginStretch(regionAction + 1);
    } else if (regionAction >= stretchEnd) {
      beginStretch(request.getRegionActionCount());
    }
  }

  private void beginStretch(int end) {
    timed = 0;
    remaining = 0;
    stretchEnd = regionAction;
    for (; stretchEnd < end; stretchEnd++) {
      RegionAction actions = request.getRegionAction(stretchEnd);
      if (!ParallelMultiGet.isSpreadable(actions)) {
        break;
      }
      remaining += actions.getActionCount();
    }
  }

  /** Leaves out what the handler's loop left out; what was served ahead of it is dropped later. */
  private void skipPlanTo(int index) {
    for (; cursor < plan.size() && plan.get(cursor).regionAction < index; cursor++) {
      remaining--;
      if (plan.claim(cursor)) {
        plan.remove(cursor);
      } else {
        gaps = true;
      }
    }
    endPlanIfOver();
  }

  private static boolean isSystemTable(HRegion region) {
    return region.getRegionInfo().getTable().isSystemTable();
  }

  /**
   * Asks whether {@link #next} serves this action, which is the handler's next; if not, the caller
   * does.
   * @param closeCallBack what the request has as call-back
   */
  static boolean serves(RegionScannersCloseCallBack closeCallBack, Action action) {
    return closeCallBack instanceof ParallelGets && ((ParallelGets) closeCallBack).serves(action);
  }

  private boolean serves(Action action) {
    if (!spreadable) {
      notSpreadable += action.hasGet() ? 1 : 0;
      return false;
    }
    if (isPlanOver() && isHelpWanted() && pool.hasRoom()) {
      plan(action);
    }
    remaining--;
    if (!isPlanOver() && plan.get(cursor).action == action && plan.get(cursor).region == region) {
      return true;
    }
    timed++;
    servedOfRegionAction++;
    servedSerially++;
    return false;
  }

  /** What waits for a thread keeps the plan, and so all that it has, until the thread comes. */
  private void endPlanIfOver() {
    if (isPlanOver() && !gaps) {
      plan.end();
      plan = null;
      timed = 0;
    }
  }

  private boolean isPlanOver() {
    return plan == null || cursor == plan.size();
  }

  /**
   * Decides, from what the gets cost so far, how many helpers are wanted: after the first, the
   * second, the fourth and so on, and after the first that waited for a device.
   */
  private boolean isHelpWanted() {
    wantedHelpers = 0;
    if (remaining < 2 || stop != null || gaps) {
      return false;
    }
    if (handOverNanos == 0) {
      wantedHelpers = atMost(Long.MAX_VALUE);
    } else if (timed == 0) {
      startNanos = System.nanoTime();
      startDeviceNanos = deviceReadTime.getNanos();
      deviceNanos = 0;
      reason = Reason.CHEAP;
    } else {
      long before = deviceNanos;
      deviceNanos = deviceReadTime.getNanos() - startDeviceNanos;
      if (Integer.bitCount(timed) == 1 || (before == 0 && deviceNanos > 0)) {
        timedNanos = System.nanoTime() - startNanos;
        wantedHelpers = countHelpers();
      }
    }
    return wantedHelpers > 0;
  }

  private int countHelpers() {
    int helpers = countHelpersForDevice(0);
    if (helpers == 0 && timed <= MOST_TIMED_FOR_MEMORY) {
      helpers = countHelpersForMemory();
    }
    if (helpers > 0) {
      reason = Reason.QUEUE_FULL;
    }
    return helpers;
  }

  /**
   * Returns How many threads the waiting for a device fills that is to be expected.
   * @param invited how many have been invited already
   */
  private int countHelpersForDevice(int invited) {
    int helpers = atMost(deviceNanos / timed * remaining / handOverNanos);
    if (helpers <= invited) {
      return helpers;
    }
    double working = Math.max(LEAST_WORKING, 1 - (double) deviceNanos / timedNanos);
    return Math.min(helpers, invited + pool.getRoomForWaiting(working));
  }

  /** Returns How many idle processors the work fills that is to be expected. */
  private int countHelpersForMemory() {
    int helpers = atMost(timedNanos / timed * remaining / (2 * handOverNanos));
    if (helpers == 0) {
      reason = Reason.CHEAP;
      return 0;
    }
    helpers = Math.min(helpers, pool.getIdleCpus());
    if (helpers <= 0) {
      reason = Reason.NO_IDLE_CPU;
      return 0;
    }
    return helpers;
  }

  private int atMost(long worthwhile) {
    return (int) Math.min(worthwhile, Math.min(settings.getMaxPerRequest(), remaining - 1));
  }

  /** Plans all gets from this one on that may be spread. */
  private void plan(Action first) {
    List<PlannedGet> gets = new ArrayList<>(remaining);
    RegionAction current = request.getRegionAction(regionAction);
    int begin = servedOfRegionAction;
    while (current.getAction(begin) != first) {
      begin++;
    }
    planRegionAction(gets, regionAction, region, begin);
    for (int i = regionAction + 1; i < stretchEnd; i++) {
      RegionAction actions = request.getRegionAction(i);
      HRegion ahead;
      try {
        ahead = services.getRegion(actions.getRegion());
      } catch (IOException e) {
        continue; // The handler's loop says so when it comes to it.
      }
      if (isSystemTable(ahead) || mayBeThrottled(ahead)) {
        break;
      }
      planRegionAction(gets, i, ahead, 0);
    }
    if (handlerCall == null) {
      handlerCall = new GetCall(call);
    }
    plan = new GetPlan(this, gets, Math.max(call.getResponseCellSize(),
      call.getBlockBytesScanned() + call.getResponseExceptionSize()), limit);
    plan.wantHelpers(wantedHelpers);
    cursor = 0;
    reason = Reason.LATE;
  }

  private void planRegionAction(List<PlannedGet> gets, int index, HRegion in, int begin) {
    RegionAction actions = request.getRegionAction(index);
    for (int i = begin; i < actions.getActionCount(); i++) {
      Action action = actions.getAction(i);
      if (!action.getGet().getClosestRowBefore()) { // The handler's loop refuses those.
        gets.add(new PlannedGet(index, in, action));
      }
    }
  }

  private boolean mayBeThrottled(HRegion ahead) {
    RegionServerRpcQuotaManager quotas = services.regionServer.getRegionServerRpcQuotaManager();
    User user = call.getRequestUser().orElse(null);
    return user == null || !OperationQuotas.isUnlimited(quotas.getQuota(user.getUGI(),
      ahead.getTableDescriptor().getTableName(), ahead.getMinBlockSizeBytes()));
  }

  /**
   * Serves the action that {@link #serves} was asked for.
   * @return the result; null if the get has none
   * @throws IOException what the get failed with; errors and unchecked exceptions are passed on,
   *                     too
   */
  static Result next(RegionScannersCloseCallBack closeCallBack) throws IOException {
    return ((ParallelGets) closeCallBack).next();
  }

  private Result next() throws IOException {
    PlannedGet get = plan.get(cursor);
    if (plan.claim(cursor)) {
      serveOnHandler(get);
    } else {
      widen();
      awaitAtWork(get);
    }
    if (get.scanner != null) {
      addScanner(get.scanner);
    }
    plan.remove(cursor);
    cursor++;
    add(get);
    endPlanIfOver();
    return get.getResult();
  }

  /** Invites helpers; wants more if gets turn out to wait for a device. */
  private void widen() {
    if (handOverNanos > 0 && remaining > 1 && deviceNanos > 0) {
      plan.wantHelpers(countHelpersForDevice(plan.countInvited()));
    }
    plan.inviteHelper(pool);
  }

  /** Serves others until this one, which another thread claimed, is done. */
  private void awaitAtWork(PlannedGet get) {
    while (!get.isDone()) {
      PlannedGet ahead = claim(plan);
      if (ahead == null) {
        await(get);
      } else {
        serveOnHandler(ahead);
      }
    }
  }

  private void serveOnHandler(PlannedGet get) {
    serve(plan, get, handlerCall, false);
  }

  /** Waits for a get that has begun. An interrupt is kept for the next get, as without waiting. */
  private void await(PlannedGet get) {
    if (get.isDone()) {
      return;
    }
    if (deviceNanos == 0) {
      long end = System.nanoTime() + SPIN_NANOS;
      while (!get.isDone() && System.nanoTime() < end) {
        // Served from memory, it is likely to be done sooner than this thread would be awake.
      }
    }
    boolean interrupted = false;
    waiter = Thread.currentThread();
    awaited = get;
    while (!get.isDone()) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    awaited = null;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Gives the handler's side of its loop what it would have seen of a get of its own. */
  private void add(PlannedGet get) {
    if (get.byHelper) {
      servedByHelpers++;
      helperNanos += get.nanos;
      ThreadLocalServerSideScanMetrics.addFsReadTime(get.fsReadMillis);
    } else {
      servedByHandler++;
    }
    timed++;
    timedNanos += get.nanos;
    deviceNanos += get.deviceNanos;
    call.incrementBlockBytesScanned(get.blockBytes);
    call.incrementResponseCellSize(get.responseCellBytes);
    call.incrementResponseExceptionSize(get.responseExceptionBytes);
    MetricsRegionServer metrics = services.regionServer.getMetrics();
    if (metrics != null) {
      metrics.updateGet(get.region, get.millis, get.blockBytes);
    }
  }

  /** Serves gets of the plan on this thread of the pool until none is left. */
  void help(GetPlan helped) {
    helped.inviteHelper(pool);
    GetCall helperCall = new GetCall(call);
    Scope scope = tracing.makeCurrent();
    try {
      for (PlannedGet get; (get = claim(helped)) != null;) {
        serve(helped, get, helperCall, true);
        // A region that closes interrupts who reads from it, but perhaps only when that is over.
        Thread.interrupted();
      }
    } finally {
      scope.close();
    }
  }

  /** Serves a get that this thread claimed; whatever happens, it is done then. */
  private void serve(GetPlan of, PlannedGet get, GetCall getCall, boolean byHelper) {
    try {
      get.byHelper = byHelper;
      if (!byHelper) {
        widen();
      }
      RpcServer.setCurrentCall(getCall);
      try {
        serve(of, get, getCall);
      } finally {
        RpcServer.setCurrentCall(byHelper ? null : call);
      }
    } catch (Throwable t) {
      get.failure = t; // Thrown to the handler when it comes to this get.
    } finally {
      get.setDone();
      if (awaited == get) {
        LockSupport.unpark(waiter);
      }
    }
  }

  private void serve(GetPlan of, PlannedGet get, GetCall getCall) throws IOException {
    long before = EnvironmentEdgeManager.currentTime();
    long nanosBefore = System.nanoTime();
    DeviceReadTime deviceTime = DeviceReadTime.ofThread();
    long deviceBefore = deviceTime.getNanos();
    AtomicLong fsReadTime = ThreadLocalServerSideScanMetrics.getFsReadTimeCounter();
    long fsReadBefore = fsReadTime.get();
    long failureBytes = 0;
    getCall.reset();
    try {
      get.result = getter.get(ProtobufUtil.toGet(get.action.getGet()), get.region,
        getCall.scanners(), getCall);
    } catch (Throwable t) {
      failureBytes = estimateBytes(t);
      throw t;
    } finally {
      get.scanner = getCall.takeScanner();
      get.blockBytes = getCall.getBlockBytesScanned();
      get.responseCellBytes = getCall.getResponseCellSize();
      get.responseExceptionBytes = getCall.getResponseExceptionSize();
      get.millis = EnvironmentEdgeManager.currentTime() - before;
      get.nanos = System.nanoTime() - nanosBefore;
      get.deviceNanos = deviceTime.getNanos() - deviceBefore;
      get.fsReadMillis = fsReadTime.get() - fsReadBefore;
      of.addGathered(Math.max(get.blockBytes + failureBytes, countCellBytes(get.result)));
    }
  }

  /** Returns About how many bytes of the answer its stack trace takes. */
  private static long estimateBytes(Throwable failure) {
    long bytes = 0;
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MOST_CAUSES; i++) {
      bytes += (1 + cause.getStackTrace().length) * STACK_FRAME_BYTES;
      cause = cause.getCause();
    }
    return bytes;
  }

  private static long countCellBytes(Result result) {
    long bytes = 0;
    if (result != null && !result.isEmpty()) {
      for (Cell cell : result.rawCells()) {
        bytes += PrivateCellUtil.estimatedSerializedSizeOf(cell);
      }
    }
    return bytes;
  }

  /** Returns A get that is now this thread's to serve, or null if it is to take none any more. */
  private PlannedGet claim(GetPlan from) {
    if (stop == null) {
      stop = findReasonToStop(from);
    }
    return stop == null ? from.claimNext() : null;
  }

  private Stop findReasonToStop(GetPlan from) {
    if (from.isBeyondLimit()) {
      return Stop.LIMIT;
    }
    if (call.disconnectSince() >= 0) {
      return Stop.DISCONNECT;
    }
    return EnvironmentEdgeManager.currentTime() > call.getDeadline() ? Stop.DEADLINE : null;
  }

  /**
   * Those served ahead that nobody asked for are closed, and others never begun. Throws nothing:
   * after it the buffers go back.
   */
  @Override
  public void letGoOfRequest() {
    if (finished) {
      return;
    }
    dropPlan();
    finished = true;
    try {
      count();
    } catch (RuntimeException e) {
      LOG.error("Exception while counting", e);
    }
    // The call, and with it this, is kept until the response has been sent.
    request = null;
    region = null;
    handlerCall = null;
  }

  /** Begins no more gets, waits for those that have begun, and drops what nobody asked for. */
  private void dropPlan() {
    GetPlan ended = plan;
    if (ended == null) {
      return;
    }
    int claimed = ended.endClaims();
    for (int i = 0; i < claimed; i++) {
      if (ended.get(i) != null) {
        await(ended.get(i));
      }
    }
    plan = null;
    for (int i = 0; i < claimed; i++) {
      PlannedGet get = ended.get(i);
      if (get != null) {
        dropped++;
        droppedBlockBytes += get.blockBytes;
        helperNanos += get.byHelper ? get.nanos : 0;
        drop(get);
      }
    }
    ended.end();
  }

  @Override
  public long getMillis() {
    dropPlan();
    return TimeUnit.NANOSECONDS.toMillis(helperNanos);
  }

  @Override
  public long getDroppedBlockBytes() {
    dropPlan();
    return droppedBlockBytes;
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

  private void count() {
    MetricsParallelMultiGet metrics = pool.getMetrics();
    int byHandler = servedSerially + servedByHandler + notSpreadable;
    if (servedByHelpers > 0) {
      metrics.addParallel(servedByHelpers, byHandler);
    } else if (byHandler > 0) {
      metrics.addSerial(reason, byHandler);
    }
    metrics.addDropped(dropped);
    if (stop != null) {
      metrics.addStop(stop);
    }
  }

  /** The response is built: closes the scanners. */
  @Override
  public void run() {
    letGoOfRequest();
    super.run();
  }
}
