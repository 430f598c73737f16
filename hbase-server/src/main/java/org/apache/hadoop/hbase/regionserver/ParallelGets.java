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
import java.util.concurrent.atomic.AtomicInteger;
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
 * The handler goes through the actions in upstream's loop, one after another, and builds the
 * response, checks limits and quotas, counts and adds call-backs there, as ever. Only where the
 * loop would serve a get, it asks here. So whatever upstream wrote for one thread is touched by one
 * thread, in the request's order; what a get itself needs of its call, it finds in a GetCall of the
 * thread that serves it.
 *
 * The first gets are served by upstream's code and timed. When what is left seems worth it, it is
 * put into an array, the plan, and threads of the pool are invited. Each thread, the handler among
 * them, claims gets from the plan by counting up an atomic integer, until none is left: there are
 * no tasks to queue, to reject or to cancel. A get that nobody claimed when the handler comes to it
 * is the handler's. If somebody did and isn't done, the handler serves one further down meanwhile;
 * it waits only when all are claimed, so never for a get that has not begun.
 *
 * A helper that is invited invites the next one, so that the handler doesn't pay for waking all. A
 * get that waits for a device is worth a thread: as many are invited as their expected waiting
 * fills. Gets served from memory get threads only for processors that are idle.
 *
 * Claiming ends for good when the bytes gathered pass the limit of the answer, when the deadline
 * has passed, or when the client is gone; the handler goes on as upstream would. So results in
 * flight are bounded by the limit and a get for each thread. What was gathered and isn't asked for,
 * because upstream's loop found the answer too large or failed, is dropped and its scanner closed.
 *
 * The plan goes on over region actions up to the first one that has other actions than gets, that
 * is for a system table, or that a quota may refuse: reading ahead for it would spend what the
 * quota protects.
 */
/**
 * The gets of one multi request: lets threads of the pool serve them ahead of the handler, which
 * asks for them in the order of the request. Also the request's call-back, which closes the gets'
 * scanners once the response is built.
 * <p>
 * {@link #help} is for the pool's threads; all other methods are for the handler.
 */
@InterfaceAudience.Private
final class ParallelGets extends RegionScannersCloseCallBack implements RequestReader {
  private static final Logger LOG = LoggerFactory.getLogger(ParallelGets.class);

  /** How long to look for a get served from memory to be done before going to sleep for it. */
  private static final long SPIN_NANOS = 20_000;

  private final RSRpcServices services;
  private final ParallelMultiGet.Getter getter;
  private final MultiGetPool pool;
  private final ParallelMultiGetSettings settings;
  private final RpcCall call;
  private final MultiRequest request;
  private final Context tracing = Context.current();
  private final long handOverNanos;

  // Of the handler alone.
  private final DeviceReadTime deviceReadTime = DeviceReadTime.ofThread();
  private final long startDeviceNanos = deviceReadTime.getNanos();
  private final int expectedGets;
  private int regionAction;
  private HRegion region;
  private long limit;
  private boolean spreadable;
  private int servedOfRegionAction;
  private int servedSerially;
  private int servedByHelpers;
  private int servedByHandler;
  private int notSpreadable;
  private long startNanos;
  private long deviceNanos;
  private long helpersDeviceNanos;
  private Reason reason = Reason.SYSTEM_TABLE;
  private GetCall handlerCall;
  private int cursor;
  private boolean finished;

  // Written before the first invitation, read by helpers.
  private PlannedGet[] plan;
  private int planned;
  private long gatherLimit;

  private final AtomicInteger nextClaim = new AtomicInteger();
  private final AtomicInteger invited = new AtomicInteger();
  private final AtomicLong gatheredBytes = new AtomicLong();
  private volatile int wantedHelpers;
  private volatile Stop stop;
  private volatile PlannedGet awaited;
  private volatile Thread waiter;

  /**
   * @param call         the request's, which is current
   * @param expectedGets how many gets of the request may be spread
   */
  ParallelGets(RSRpcServices services, ParallelMultiGet.Getter getter, MultiGetPool pool,
    RpcCall call, MultiRequest request, int expectedGets) {
    this.services = services;
    this.getter = getter;
    this.pool = pool;
    this.settings = pool.getSettings();
    this.call = call;
    this.request = request;
    this.expectedGets = expectedGets;
    handOverNanos = settings.getHandOverNanos();
  }

  /**
   * The handler begins with another region action.
   * @param closeCallBack what the request has as call-back; if that isn't of this class, nothing
   *                      happens
   * @param limit         bytes that the answer may have
   */
  static void enter(RegionScannersCloseCallBack closeCallBack, HRegion region,
    RegionAction actions, long limit) {
    if (closeCallBack instanceof ParallelGets) {
      ((ParallelGets) closeCallBack).enter(region, actions, limit);
    }
  }

  private void enter(HRegion entered, RegionAction actions, long bytes) {
    while (request.getRegionAction(regionAction) != actions) {
      regionAction++;
    }
    region = entered;
    limit = bytes;
    servedOfRegionAction = 0;
    spreadable = ParallelMultiGet.isSpreadable(actions) && !isSystemTable(entered);
    skipPlanTo(regionAction);
  }

  /** Leaves out what upstream's loop left out; what was served ahead of it is dropped later. */
  private void skipPlanTo(int index) {
    int begin = cursor;
    while (begin < planned && plan[begin].regionAction < index) {
      begin++;
    }
    for (int claims; (claims = nextClaim.get()) < begin;) {
      if (nextClaim.compareAndSet(claims, claims + 1)) {
        plan[claims] = null;
      }
    }
    cursor = begin;
  }

  private static boolean isSystemTable(HRegion region) {
    return region.getRegionInfo().getTable().isSystemTable();
  }

  /**
   * Asks whether {@link #next} serves this action, which is the handler's next; upstream's code
   * does if not.
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
    if (plan == null && isHelpWanted() && pool.hasRoom()) {
      plan(action);
    }
    if (
      cursor < planned && plan[cursor].action == action && plan[cursor].region == region
    ) {
      return true;
    }
    servedOfRegionAction++;
    servedSerially++;
    return false;
  }

  /**
   * Decides, from what the gets cost so far, how many helpers are wanted: after the first, the
   * second, the fourth and so on, and after each that waited for a device.
   */
  private boolean isHelpWanted() {
    int remaining = expectedGets - servedSerially;
    if (remaining < 2) {
      return false;
    }
    if (handOverNanos == 0) {
      wantedHelpers = Math.min(settings.getMaxPerRequest(), remaining - 1);
    } else if (servedSerially == 0) {
      startNanos = System.nanoTime();
      reason = Reason.CHEAP;
    } else {
      long before = deviceNanos;
      deviceNanos = deviceReadTime.getNanos() - startDeviceNanos;
      if (deviceNanos > before || Integer.bitCount(servedSerially) == 1) {
        wantedHelpers = countHelpers(remaining);
      }
    }
    return wantedHelpers > 0;
  }

  private int countHelpers(int remaining) {
    int helpers = countHelpersForDevice(remaining);
    if (helpers == 0) {
      helpers = countHelpersForMemory(remaining);
    }
    if (helpers > 0) {
      reason = Reason.QUEUE_FULL;
    }
    return helpers;
  }

  /** Returns How many threads the waiting for a device fills that is to be expected. */
  private int countHelpersForDevice(int remaining) {
    int served = servedSerially + servedByHandler + servedByHelpers;
    long expected = (deviceNanos + helpersDeviceNanos) / served * remaining;
    return atMost(expected / handOverNanos, remaining);
  }

  /** Returns How many idle processors the work fills that is to be expected. */
  private int countHelpersForMemory(int remaining) {
    long expected = (System.nanoTime() - startNanos) / servedSerially * remaining;
    int helpers = atMost(expected / (2 * handOverNanos), remaining);
    reason = helpers == 0 ? Reason.CHEAP : Reason.NO_IDLE_CPU;
    return helpers == 0 ? 0 : Math.min(helpers, Math.max(0, pool.getIdleCpus()));
  }

  private int atMost(long worthwhile, int remaining) {
    return (int) Math.min(worthwhile, Math.min(settings.getMaxPerRequest(), remaining - 1));
  }

  /** Plans all gets from this one on that may be spread. */
  private void plan(Action first) {
    List<PlannedGet> gets = new ArrayList<>(expectedGets - servedSerially);
    RegionAction current = request.getRegionAction(regionAction);
    int begin = servedOfRegionAction;
    while (current.getAction(begin) != first) {
      begin++;
    }
    planRegionAction(gets, regionAction, region, begin);
    for (int i = regionAction + 1; i < request.getRegionActionCount(); i++) {
      RegionAction actions = request.getRegionAction(i);
      if (!ParallelMultiGet.isSpreadable(actions)) {
        break;
      }
      HRegion ahead;
      try {
        ahead = services.getRegion(actions.getRegion());
      } catch (IOException e) {
        continue; // Upstream's loop says so when it comes to it.
      }
      if (isSystemTable(ahead) || mayBeThrottled(ahead)) {
        break;
      }
      planRegionAction(gets, i, ahead, 0);
    }
    plan = gets.toArray(new PlannedGet[0]);
    planned = plan.length;
    gatherLimit = limit;
    gatheredBytes.set(Math.max(call.getResponseCellSize(), call.getBlockBytesScanned()));
    handlerCall = new GetCall(call);
    reason = Reason.LATE;
  }

  private void planRegionAction(List<PlannedGet> gets, int index, HRegion in, int begin) {
    RegionAction actions = request.getRegionAction(index);
    for (int i = begin; i < actions.getActionCount(); i++) {
      Action action = actions.getAction(i);
      if (!action.getGet().getClosestRowBefore()) { // Upstream's loop refuses those.
        gets.add(new PlannedGet(index, in, action));
      }
    }
  }

  private boolean mayBeThrottled(HRegion ahead) {
    RegionServerRpcQuotaManager quotas = services.regionServer.getRegionServerRpcQuotaManager();
    User user = call.getRequestUser().orElse(null);
    return user == null || quotas.getQuota(user.getUGI(), ahead.getTableDescriptor().getTableName(),
      ahead.getMinBlockSizeBytes()).getReadAvailable() != Long.MAX_VALUE;
  }

  /** Invites one if fewer are than wanted and something is left to do; any thread may. */
  private void inviteHelper() {
    int count = invited.get();
    if (
      count < wantedHelpers && nextClaim.get() < planned && stop == null
        && invited.compareAndSet(count, count + 1) && !pool.invite(this)
    ) {
      invited.decrementAndGet();
    }
  }

  /**
   * Serves the action that {@link #serves} was asked for.
   * @return the result; null if upstream's code would have none
   * @throws IOException what the get failed with; errors and unchecked exceptions are passed on,
   *                     too
   */
  static Result next(RegionScannersCloseCallBack closeCallBack) throws IOException {
    return ((ParallelGets) closeCallBack).next();
  }

  private Result next() throws IOException {
    PlannedGet get = plan[cursor];
    boolean claimed = nextClaim.compareAndSet(cursor, cursor + 1);
    widen();
    if (claimed) {
      serveOnHandler(get);
    } else {
      awaitAtWork(get);
    }
    plan[cursor] = null;
    cursor++;
    return answer(get);
  }

  /** Wants more helpers if gets turn out to wait for a device. */
  private void widen() {
    int remaining = planned - cursor;
    if (handOverNanos > 0 && remaining > 1) {
      deviceNanos = deviceReadTime.getNanos() - startDeviceNanos;
      wantedHelpers = Math.max(wantedHelpers, countHelpersForDevice(remaining));
    }
    inviteHelper();
  }

  /** Serves others until this one, which another thread claimed, is done. */
  private void awaitAtWork(PlannedGet get) {
    while (!get.isDone()) {
      PlannedGet ahead = claim();
      if (ahead == null) {
        await(get);
      } else {
        serveOnHandler(ahead);
      }
    }
  }

  private void serveOnHandler(PlannedGet get) {
    RpcServer.setCurrentCall(handlerCall);
    try {
      serve(get, handlerCall, false);
    } finally {
      RpcServer.setCurrentCall(call);
    }
  }

  /** Waits for a get that has begun. An interrupt is kept for the next get, as without waiting. */
  private void await(PlannedGet get) {
    if (deviceNanos + helpersDeviceNanos == 0) {
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

  /** Gives the handler's side of upstream's loop what it would have seen of a get of its own. */
  private Result answer(PlannedGet get) throws IOException {
    if (get.byHelper) {
      servedByHelpers++;
      helpersDeviceNanos += get.deviceNanos;
      ThreadLocalServerSideScanMetrics.addFsReadTime(get.fsReadMillis);
    } else {
      servedByHandler++;
    }
    if (get.scanner != null) {
      addScanner(get.scanner);
    }
    call.incrementBlockBytesScanned(get.blockBytes);
    call.incrementResponseCellSize(get.responseCellBytes);
    call.incrementResponseExceptionSize(get.responseExceptionBytes);
    MetricsRegionServer metrics = services.regionServer.getMetrics();
    if (metrics != null) {
      metrics.updateGet(get.region, get.millis, get.blockBytes);
    }
    return get.getResult();
  }

  /** Serves gets on this thread of the pool until none is left. */
  void help() {
    if (nextClaim.get() >= planned) {
      return;
    }
    inviteHelper();
    GetCall helperCall = new GetCall(call);
    Scope scope = tracing.makeCurrent();
    RpcServer.setCurrentCall(helperCall);
    try {
      for (PlannedGet get; (get = claim()) != null;) {
        serve(get, helperCall, true);
        // A region that closes interrupts who reads from it, but perhaps only when that is over.
        Thread.interrupted();
      }
    } finally {
      RpcServer.setCurrentCall(null);
      scope.close();
    }
  }

  /** Serves a get that this thread claimed; whatever happens, it is done then. */
  private void serve(PlannedGet get, GetCall getCall, boolean byHelper) {
    try {
      long before = EnvironmentEdgeManager.currentTime();
      DeviceReadTime deviceTime = DeviceReadTime.ofThread();
      long deviceBefore = deviceTime.getNanos();
      AtomicLong fsReadTime = ThreadLocalServerSideScanMetrics.getFsReadTimeCounter();
      long fsReadBefore = fsReadTime.get();
      getCall.reset();
      try {
        get.result = getter.get(ProtobufUtil.toGet(get.action.getGet()), get.region,
          getCall.scanners(), getCall);
      } finally {
        get.scanner = getCall.takeScanner();
        get.byHelper = byHelper;
        get.blockBytes = getCall.getBlockBytesScanned();
        get.responseCellBytes = getCall.getResponseCellSize();
        get.responseExceptionBytes = getCall.getResponseExceptionSize();
        get.millis = EnvironmentEdgeManager.currentTime() - before;
        get.deviceNanos = deviceTime.getNanos() - deviceBefore;
        get.fsReadMillis = fsReadTime.get() - fsReadBefore;
        gatheredBytes.addAndGet(Math.max(get.blockBytes, countCellBytes(get.result)));
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
  private PlannedGet claim() {
    if (stop == null) {
      stop = findReasonToStop();
    }
    if (stop != null) {
      return null;
    }
    int claimed = nextClaim.getAndIncrement();
    return claimed < planned ? plan[claimed] : null;
  }

  private Stop findReasonToStop() {
    if (gatheredBytes.get() > gatherLimit) {
      return Stop.LIMIT;
    }
    if (call.disconnectSince() >= 0) {
      return Stop.DISCONNECT;
    }
    return EnvironmentEdgeManager.currentTime() > call.getDeadline() ? Stop.DEADLINE : null;
  }

  /** Those served ahead that nobody asked for are closed, and others never begun. */
  @Override
  public void letGoOfRequest() {
    if (finished) {
      return;
    }
    finished = true;
    int claimed = Math.min(nextClaim.getAndSet(planned), planned);
    int dropped = 0;
    for (int i = 0; i < claimed; i++) {
      if (plan[i] != null) {
        await(plan[i]);
        drop(plan[i]);
        dropped++;
      }
    }
    plan = null;
    count(dropped);
  }

  private static void drop(PlannedGet get) {
    if (get.failure instanceof Error) {
      LOG.error("A get that was served ahead, and then not asked for, failed", get.failure);
    }
    if (get.scanner != null) {
      try {
        get.scanner.close();
      } catch (IOException e) {
        LOG.error("Exception while closing the scanner {}", get.scanner, e);
      }
    }
  }

  private void count(int dropped) {
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
