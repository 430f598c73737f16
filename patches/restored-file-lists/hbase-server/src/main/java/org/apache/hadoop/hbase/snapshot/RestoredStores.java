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
package org.apache.hadoop.hbase.snapshot;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.mob.MobUtils;
import org.apache.hadoop.hbase.regionserver.StoreUtils;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTrackerFactory;
import org.apache.yetus.audience.InterfaceAudience;

/** Stores of regions that are restored. */
@InterfaceAudience.Private
final class RestoredStores {
  /** A key that isn't public where it is read. */
  private static final String MIGRATION_SOURCE = "hbase.store.file-tracker.migration.src.impl";

  private RestoredStores() {
  }

  /**
   * Returns the configuration that a region server will open the store with. Where no list of the
   * store's files is kept, its store file tracker is the default one, which writes none. Where a
   * table is on its way to another tracker, it is the one that the files are listed by until then.
   * @param conf   the master's
   * @param table  as it is restored
   * @param family may be a family that the table has no longer
   */
  static Configuration configuration(Configuration conf, TableDescriptor table, RegionInfo region,
    byte[] family) {
    ColumnFamilyDescriptor descriptor = table.getColumnFamily(family);
    if (descriptor == null || MobUtils.isMobRegionInfo(region)) {
      Configuration withoutList = new Configuration(conf);
      withoutList.set(StoreFileTrackerFactory.TRACKER_IMPL,
        StoreFileTrackerFactory.Trackers.DEFAULT.name());
      return withoutList;
    }
    Configuration store = StoreUtils.createStoreConfiguration(conf, table, descriptor);
    String source = store.get(MIGRATION_SOURCE);
    if (
      source != null
        && StoreFileTrackerFactory.isMigration(StoreFileTrackerFactory.getTrackerClass(store))
    ) {
      store.set(StoreFileTrackerFactory.TRACKER_IMPL, source);
    }
    return store;
  }
}
