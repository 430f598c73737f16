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

import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;

/**
 * The batch of a call: whether it only has writes that needn't be waited for, and which of them is
 * run. Of the call's thread.
 */
@InterfaceAudience.Private
final class WriteBatch {
  private final boolean plain;
  private final boolean mixed;
  /** Of the region that it is at. */
  private RegionAction actions;
  /** The first one of those that are run together. */
  private MutationProto running;

  WriteBatch(MultiRequest request) {
    plain = isPlain(request);
    mixed = plain && isMixed(request);
  }

  /** Comes to a region. */
  void begin(RegionAction actionsOfRegion) {
    actions = actionsOfRegion;
    boolean together = actions.hasCondition() || actions.getAtomic();
    running = together && actions.getActionCount() > 0
      ? actions.getAction(0).getMutation()
      : null;
  }

  boolean isAt(RegionAction actionsOfRegion) {
    return actions == actionsOfRegion;
  }

  /** Comes to a write of the region. */
  void begin(Action action) {
    running = action.getMutation();
  }

  /** Returns true if a write needn't be waited for, and is the one that is run. */
  boolean mayRun(MutationProto mutation) {
    return plain && running == mutation;
  }

  /** Returns true if it doesn't only have puts and deletes. */
  boolean isMixed() {
    return mixed;
  }

  private static boolean isMixed(MultiRequest request) {
    for (RegionAction actions : request.getRegionActionList()) {
      for (Action action : actions.getActionList()) {
        MutationType type = action.getMutation().getMutateType();
        if (
          actions.hasCondition() || type == MutationType.INCREMENT || type == MutationType.APPEND
        ) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether there are only writes that don't read what others of them write without a lock. */
  private static boolean isPlain(MultiRequest request) {
    for (RegionAction actions : request.getRegionActionList()) {
      for (Action action : actions.getActionList()) {
        if (!action.hasMutation()) {
          return false;
        }
        MutationType type = action.getMutation().getMutateType();
        boolean isPlain = actions.hasCondition()
          ? actions.getActionCount() == 1
          : !actions.getAtomic() || type == MutationType.PUT || type == MutationType.DELETE;
        if (!isPlain) {
          return false;
        }
      }
    }
    return true;
  }
}
