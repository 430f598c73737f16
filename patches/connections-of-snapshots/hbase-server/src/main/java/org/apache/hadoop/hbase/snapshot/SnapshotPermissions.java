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

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.master.LoadBalancer;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.security.access.PermissionStorage;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.common.collect.ListMultimap;

/** What a snapshot keeps of the permissions of its table, read by a connection that is there. */
@InterfaceAudience.Private
public final class SnapshotPermissions {

  private SnapshotPermissions() {
  }

  /**
   * Returns the connection that a master reads permissions with. A region of the master itself
   * would be read without an RPC, and so for the user whose request the thread serves: then there
   * is none, and who needs one makes it.
   */
  @SuppressWarnings("deprecation") // Tables on the master go with 3.0.0.
  public static Connection connection(MasterServices master) {
    return LoadBalancer.isTablesOnMaster(master.getConfiguration())
      ? null
      : master.getConnection();
  }

  /** Returns whether there is a table of permissions. */
  static boolean areKept(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.tableExists(PermissionStorage.ACL_TABLE_NAME);
    }
  }

  static ListMultimap<String, UserPermission> of(Connection connection, TableName table)
    throws IOException {
    try (Table permissions = connection.getTable(PermissionStorage.ACL_TABLE_NAME)) {
      return PermissionStorage.getTablePermissions(permissions, table);
    }
  }
}
