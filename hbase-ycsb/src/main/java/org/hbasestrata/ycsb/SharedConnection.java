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
package org.hbasestrata.ycsb;

import java.io.IOException;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * The process's one Connection, as HBase wants it: opened for whoever comes first, closed when the
 * last one lets go. Thread-safe.
 */
final class SharedConnection {
  private static Connection connection;
  private static int holders;

  private SharedConnection() {
  }

  /** The client's configuration: hbase-site.xml, and the profile's hbase. and zookeeper. keys. */
  static Configuration configuration(Properties properties) {
    Configuration conf = HBaseConfiguration.create();
    for (String key : properties.stringPropertyNames()) {
      if (key.startsWith("hbase.") || key.startsWith("zookeeper.")) {
        conf.set(key, properties.getProperty(key));
      }
    }
    return conf;
  }

  /** Each call needs its own {@link #release()}. The first one's properties hold. */
  static synchronized Connection acquire(Properties properties) throws IOException {
    if (connection == null) {
      connection = ConnectionFactory.createConnection(configuration(properties));
    }
    holders++;
    return connection;
  }

  static synchronized void release() throws IOException {
    if (--holders == 0) {
      Connection last = connection;
      connection = null;
      last.close();
    }
  }
}
