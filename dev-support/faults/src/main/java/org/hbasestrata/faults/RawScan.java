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
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** Run by bin/hbase: flushes a table, and reads all of its cells, deletes and old ones too. */
public final class RawScan {
  /** What they are counted under. */
  static final String CELLS = "cells read back";

  private RawScan() {
  }

  /** {@code TABLE RESULT_FILE}. */
  public static void main(String[] args) throws IOException {
    TableName name = TableName.valueOf(args[0]);
    long cells = 0;
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
      Admin admin = connection.getAdmin(); Table table = connection.getTable(name)) {
      admin.flush(name);
      try (
        ResultScanner scanner = table.getScanner(new Scan().setRaw(true).readAllVersions())) {
        for (Result result : scanner) {
          cells += result.size();
        }
      }
    }
    Files.writeString(Path.of(args[1]), "{\"" + CELLS + "\":" + cells + "}");
  }
}
