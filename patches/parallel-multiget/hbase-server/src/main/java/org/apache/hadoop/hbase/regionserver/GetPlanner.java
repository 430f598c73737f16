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
import java.util.Arrays;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.quotas.OperationQuota;
import org.apache.hadoop.hbase.quotas.OperationQuotas;
import org.apache.hadoop.hbase.quotas.RegionServerRpcQuotaManager;
import org.apache.hadoop.hbase.security.User;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;

/**
 * Knows the handler's position in a multi request, and which of the following gets may be served
 * ahead of it. These belong to a group of consecutive region actions. A group ends before a region
 * action that has other actions than gets, is for a system table, or may be refused by a quota:
 * reading ahead for it would spend what the quota protects. A region action with a quota is a group
 * of its own, so that the quota is charged for what helpers did for it and for nothing else. Used
 * by the handler's thread only.
 */
@InterfaceAudience.Private
final class GetPlanner {
  private final RSRpcServices services;
  private final RpcCall call;
  private final MultiRequest request;

  private int regionAction;
  private HRegion region;
  private boolean parallelizable;
  private int servedOfRegionAction;
  /** The first region action behind the group, and the number of gets that are left up to it. */
  private int groupEnd;
  private int remaining;

  GetPlanner(RSRpcServices services, RpcCall call, MultiRequest request) {
    this.services = services;
    this.call = call;
    this.request = request;
  }

  /**
   * Begins a region action. Returns true if a new group begins with it; false if it continues the
   * group, or its gets can't be served ahead.
   */
  boolean startRegionAction(HRegion started, RegionAction actions, OperationQuota quota) {
    while (request.getRegionAction(regionAction) != actions) {
      regionAction++;
    }
    region = started;
    servedOfRegionAction = 0;
    parallelizable = isParallelizable(actions) && !isSystemTable(started);
    if (!parallelizable) {
      groupEnd = regionAction + 1;
      return false;
    }
    boolean limited = !OperationQuotas.isUnlimited(quota);
    if (!limited && regionAction < groupEnd) {
      return false;
    }
    int end = limited ? regionAction + 1 : request.getRegionActionCount();
    remaining = 0;
    for (groupEnd = regionAction; groupEnd < end; groupEnd++) {
      RegionAction ahead = request.getRegionAction(groupEnd);
      if (!isParallelizable(ahead)) {
        break;
      }
      remaining += ahead.getActionCount();
    }
    return true;
  }

  private static boolean isSystemTable(HRegion region) {
    return region.getRegionInfo().getTable().isSystemTable();
  }

  /** Returns the position of the handler's region action in the request. */
  int getRegionAction() {
    return regionAction;
  }

  HRegion getRegion() {
    return region;
  }

  /** Returns false if the handler has to serve the gets of its region action alone. */
  boolean isParallelizable() {
    return parallelizable;
  }

  /** Returns the number of gets of the group that are left, including planned ones. */
  int getRemaining() {
    return remaining;
  }

  /** Takes note that a get of the group is the handler's next, or was left out by it. */
  void countDown() {
    remaining--;
  }

  /** Takes note that the handler serves a get of its region action itself. */
  void servedUnplanned() {
    servedOfRegionAction++;
  }

  /** Returns the gets of the group, beginning with this one of the handler's region action. */
  PlannedGet[] planFrom(Action first) {
    PlannedGet[] gets = new PlannedGet[remaining];
    RegionAction current = request.getRegionAction(regionAction);
    int begin = servedOfRegionAction;
    while (current.getAction(begin) != first) {
      begin++;
    }
    int size = planRegionAction(gets, 0, regionAction, region, begin);
    for (int i = regionAction + 1; i < groupEnd; i++) {
      HRegion ahead;
      try {
        ahead = services.getRegion(request.getRegionAction(i).getRegion());
      } catch (IOException e) {
        continue; // The handler's loop reports it.
      }
      if (isSystemTable(ahead) || mayBeThrottled(ahead)) {
        break;
      }
      size = planRegionAction(gets, size, i, ahead, 0);
    }
    return size == gets.length ? gets : Arrays.copyOf(gets, size);
  }

  private int planRegionAction(PlannedGet[] gets, int size, int index, HRegion in, int begin) {
    RegionAction actions = request.getRegionAction(index);
    int end = size;
    for (int i = begin; i < actions.getActionCount(); i++) {
      Action action = actions.getAction(i);
      if (!action.getGet().getClosestRowBefore()) { // The handler's loop refuses the others.
        gets[end++] = new PlannedGet(index, in, action);
      }
    }
    return end;
  }

  private boolean mayBeThrottled(HRegion ahead) {
    RegionServerRpcQuotaManager quotas = services.regionServer.getRegionServerRpcQuotaManager();
    User user = call.getRequestUser().orElse(null);
    return user == null || !OperationQuotas.isUnlimited(quotas.getQuota(user.getUGI(),
      ahead.getTableDescriptor().getTableName(), ahead.getMinBlockSizeBytes()));
  }

  /**
   * Returns true if the actions may be served in any order: all are gets. A get among other actions
   * sees the effects of those before it.
   */
  static boolean isParallelizable(RegionAction actions) {
    return !actions.hasCondition() && !actions.getAtomic()
      && countGets(actions) == actions.getActionCount();
  }

  /** Returns how many of the actions are gets. */
  static int countGets(RegionAction actions) {
    int gets = 0;
    for (int i = 0; i < actions.getActionCount(); i++) {
      Action action = actions.getAction(i);
      if (action.hasGet()) {
        gets++;
      }
    }
    return gets;
  }
}
