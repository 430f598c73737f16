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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** Run by bin/hbase: asks a server that has {@link AbortObserver} for what makes it abort. */
public final class AbortServer {
  private AbortServer() {
  }

  /** {@code PORT}, the server's. */
  public static void main(String[] args) throws IOException {
    int port = Integer.parseInt(args[0]);
    Configuration conf = HBaseConfiguration.create();
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    try (Connection connection = ConnectionFactory.createConnection(conf);
      Admin admin = connection.getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        if (server.getPort() == port) {
          roll(admin, server);
          return;
        }
      }
    }
    throw new IOException("no server has port " + port);
  }

  private static void roll(Admin admin, ServerName server) {
    try {
      admin.rollWALWriter(server);
    } catch (IOException e) {
      System.out.println(server + " aborts: " + e.getClass().getName());
    }
  }
}
