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
import java.nio.file.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** Run by bin/hbase: has a region server read one value after the other, and the old ones again. */
public final class UpdateConfig {
  private UpdateConfig() {
  }

  /** {@code SITE PORT [KEY VALUE]...}: its site file, and its RPC port. */
  public static void main(String[] args) throws IOException {
    Site site = Site.read(Path.of(args[0]));
    int port = Integer.parseInt(args[1]);
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
      Admin admin = connection.getAdmin()) {
      ServerName server = admin.getRegionServers().stream().filter(one -> one.getPort() == port)
        .findAny().orElseThrow(() -> new IOException("no region server at port " + port));
      try {
        for (int i = 2; i < args.length; i += 2) {
          site.with(args[i], args[i + 1]);
          admin.updateConfiguration(server);
        }
      } finally {
        site.restore();
        admin.updateConfiguration(server);
      }
    }
  }
}
