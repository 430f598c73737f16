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
package org.apache.hadoop.hbase.regionserver.wal;

import java.util.function.Consumer;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells a listener that a sync has ended. No thread waits for it, and none uses it again. */
@InterfaceAudience.Private
final class ListenedSyncFuture extends SyncFuture {
  private static final Logger LOG = LoggerFactory.getLogger(ListenedSyncFuture.class);

  private final Consumer<Throwable> listener;

  /** @param listener is given null if the sync succeeded, else why not; must not block */
  ListenedSyncFuture(Consumer<Throwable> listener) {
    this.listener = listener;
  }

  @Override
  boolean done(long txid, Throwable t) {
    boolean first = super.done(txid, t);
    if (first) {
      try {
        listener.accept(getThrowable());
      } catch (Throwable e) {
        // The log has others to tell.
        LOG.error("Sync {} ended, and its listener failed", getTxid(), e);
      }
    }
    return first;
  }
}
