/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hbasestrata.faults;

import java.io.IOException;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;

/** Run by bin/hbase: changes the block size of a table, and writes its files anew. */
public final class BlockSize {
  private static final int POLL_MILLIS = 500;
  private static final int MOST_POLLS = 1200;

  private BlockSize() {
  }

  /** {@code TABLE KILOBYTES}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    TableName table = TableName.valueOf(args[0]);
    int bytes = Integer.parseInt(args[1]) << 10;
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
      Admin admin = connection.getAdmin()) {
      for (ColumnFamilyDescriptor family : admin.getDescriptor(table).getColumnFamilies()) {
        admin.modifyColumnFamily(table,
          ColumnFamilyDescriptorBuilder.newBuilder(family).setBlocksize(bytes).build());
      }
      admin.flush(table);
      long begin = System.currentTimeMillis();
      admin.majorCompact(table);
      for (int i = 0; !isCompacted(admin, table, begin); i++) {
        if (i == MOST_POLLS) {
          throw new IOException("not compacted in " + POLL_MILLIS * MOST_POLLS / 1000 + " s");
        }
        Thread.sleep(POLL_MILLIS);
      }
    }
  }

  private static boolean isCompacted(Admin admin, TableName table, long since)
    throws IOException {
    for (RegionInfo region : admin.getRegions(table)) {
      if (admin.getLastMajorCompactionTimestampForRegion(region.getRegionName()) < since) {
        return false;
      }
    }
    return true;
  }
}
