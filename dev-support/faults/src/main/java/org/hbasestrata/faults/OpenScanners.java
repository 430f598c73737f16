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
import java.nio.file.StandardCopyOption;
import java.util.LinkedList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Run by bin/hbase: reads rows of different blocks often, so that these come to L1, and then has a
 * scanner on each, which holds its block, until a file appears.
 */
public final class OpenScanners {
  private static final int SCANNERS = 1200;
  private static final int ROUNDS = 4;
  private static final int POLL_MILLIS = 100;
  /** So that each has its turn before its lease of a minute is over. */
  private static final int RENEWED = 5;

  private OpenScanners() {
  }

  /** Has the servers keep some of them, each in its turn. */
  private static void renew(List<ResultScanner> scanners) {
    for (int i = 0; i < RENEWED; i++) {
      ResultScanner scanner = scanners.remove(0);
      scanner.renewLease();
      scanners.add(scanner);
    }
  }

  /**
   * {@code TABLE READY_FILE STOP_FILE RESULT_FILE}; what is written when all are open is their
   * number, and at the end how many still were.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    TableName name = TableName.valueOf(args[0]);
    Path ready = Path.of(args[1]);
    Path stop = Path.of(args[2]);
    Configuration conf = HBaseConfiguration.create();
    List<byte[]> rows = SomeRows.of(conf, name, SCANNERS);
    List<ResultScanner> scanners = new LinkedList<>();
    try (Connection connection = ConnectionFactory.createConnection(conf);
      Table table = connection.getTable(name)) {
      for (int i = 0; i < ROUNDS; i++) {
        for (byte[] row : rows) {
          table.get(new Get(row));
        }
      }
      for (byte[] row : rows) {
        ResultScanner scanner = table.getScanner(new Scan().withStartRow(row).setCaching(1));
        scanner.next();
        scanners.add(scanner);
      }
      Path written = Files.writeString(Path.of(args[1] + ".tmp"),
        Integer.toString(scanners.size()));
      Files.move(written, ready, StandardCopyOption.ATOMIC_MOVE);
      while (!Files.exists(stop)) {
        Thread.sleep(POLL_MILLIS);
        renew(scanners);
      }
      int open = 0;
      for (ResultScanner scanner : scanners) {
        open += scanner.next() == null ? 0 : 1;
        scanner.close();
      }
      Files.writeString(Path.of(args[3]), Integer.toString(open));
    }
  }
}
