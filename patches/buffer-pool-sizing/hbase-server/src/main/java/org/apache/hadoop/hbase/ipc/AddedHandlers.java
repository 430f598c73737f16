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

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/** Counts the handlers that a scheduler has beside those of {@link SimpleRpcScheduler}. */
/*
 * A scheduler such as Phoenix's has executors of its own for some requests, and hands the others to
 * a SimpleRpcScheduler. No method of RpcScheduler tells of them, so the fields of the scheduler are
 * looked at, and those of schedulers in these. Handlers that aren't those of an RpcExecutor aren't
 * found.
 */
@InterfaceAudience.Private
final class AddedHandlers {
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<RpcScheduler> schedulers = new ArrayDeque<>();
  private int count;

  private AddedHandlers() {
  }

  /**
   * Returns their number. It is known before the scheduler is started.
   * @param scheduler null for none
   */
  static int count(RpcScheduler scheduler) {
    AddedHandlers handlers = new AddedHandlers();
    handlers.add(scheduler);
    while (!handlers.schedulers.isEmpty()) {
      handlers.look(handlers.schedulers.pop());
    }
    return handlers.count;
  }

  private void look(RpcScheduler scheduler) {
    for (Class<?> type = scheduler.getClass(); type != RpcScheduler.class; type =
      type.getSuperclass()) {
      if (type != SimpleRpcScheduler.class) {
        for (Field field : type.getDeclaredFields()) {
          look(scheduler, field);
        }
      }
    }
  }

  private void look(RpcScheduler scheduler, Field field) {
    boolean has = RpcExecutor.class.isAssignableFrom(field.getType())
      || RpcScheduler.class.isAssignableFrom(field.getType());
    if (has && !Modifier.isStatic(field.getModifiers())) {
      field.setAccessible(true);
      try {
        add(field.get(scheduler));
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void add(Object part) {
    if (part == null || !seen.add(part)) {
      return;
    }
    if (part instanceof RpcScheduler) {
      schedulers.push((RpcScheduler) part);
    } else {
      count += ((RpcExecutor) part).getHandlerCount();
    }
  }
}
