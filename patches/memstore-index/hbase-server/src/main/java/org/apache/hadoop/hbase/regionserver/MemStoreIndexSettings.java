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

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Settings of the index of memstores. */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class MemStoreIndexSettings {
  private static final Logger LOG = LoggerFactory.getLogger(MemStoreIndexSettings.class);

  public static final Setting<Boolean> TREE_ENABLED =
    Setting.ofBoolean("hbase.regionserver.memstore.index.tree.enabled", false,
      "Whether the cells that a memstore takes are in a tree, in place of a skip list. A"
        + " table or family may have its own, in its `CONFIGURATION`.");

  private MemStoreIndexSettings() {
  }

  /**
   * Creates a set of cells in a tree for a new segment.
   * @param conf of the store; null for a segment that stays empty
   * @return the set; null if it isn't to be in a tree
   */
  static CellSet createTree(Configuration conf, CellComparator comparator) {
    if (conf == null || !isTreeEnabled(conf)) {
      return null;
    }
    MetricsMemStoreIndex.getInstance().incrTrees();
    return new CellSet(new CellTreeMap(comparator));
  }

  /** A table's own value isn't looked at before. One that isn't allowed mustn't end a flush. */
  private static boolean isTreeEnabled(Configuration conf) {
    try {
      return TREE_ENABLED.read(conf);
    } catch (IllegalArgumentException e) {
      LOG.warn("A memstore goes without a tree: {}", e.getMessage());
      return false;
    }
  }
}
