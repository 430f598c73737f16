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
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;

/** Keys of rows from all over a table. */
final class SomeRows {
  private SomeRows() {
  }

  /** @param count at most so many, each as far from the next */
  static List<byte[]> of(Configuration conf, TableName name, int count) throws IOException {
    List<byte[]> all = new ArrayList<>();
    Scan scan = new Scan().setFilter(new FirstKeyOnlyFilter()).setCacheBlocks(false);
    try (Connection connection = ConnectionFactory.createConnection(conf);
      Table table = connection.getTable(name); ResultScanner scanner = table.getScanner(scan)) {
      for (Result row : scanner) {
        all.add(row.getRow());
      }
    }
    List<byte[]> some = new ArrayList<>();
    int wanted = Math.min(count, all.size());
    for (int i = 0; i < wanted; i++) {
      some.add(all.get((int) ((long) i * all.size() / wanted)));
    }
    return some;
  }
}
