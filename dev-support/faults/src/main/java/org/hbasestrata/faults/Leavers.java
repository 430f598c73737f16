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
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.logging.Log4jUtils;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * Run by bin/hbase: requests many rows by multigets and scans, and closes its connection while the
 * server is serving them. Repeats this until a file appears.
 */
public final class Leavers {
  private static final int ROWS = 500;
  private static final int REQUESTS = 4;
  private static final int MOST_MILLIS = 40;
  private static final int PAUSE_MILLIS = 50;

  private Leavers() {
  }

  /** @param args {@code TABLE STOP_FILE RESULT_FILE} */
  public static void main(String[] args) throws IOException, InterruptedException {
    TableName table = TableName.valueOf(args[0]);
    Path stop = Path.of(args[1]);
    // Requests on a closed connection log stacks of a thousand lines.
    Log4jUtils.setRootLevel("ERROR");
    Configuration conf = HBaseConfiguration.create();
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    SplittableRandom random = new SplittableRandom();
    List<Get> gets = gets(conf, table);
    long left = 0;
    while (!Files.exists(stop)) {
      try (AsyncConnection connection =
        FutureUtils.get(ConnectionFactory.createAsyncConnection(conf))) {
        AsyncTable<?> asked = connection.getTable(table);
        // The first request locates the regions.
        FutureUtils.get(asked.getAll(gets.subList(0, REQUESTS)));
        for (int i = 0; i < REQUESTS; i++) {
          asked.get(gets);
          asked.scanAll(new Scan().setLimit(ROWS).setCaching(ROWS / 2)
            .withStartRow(gets.get(random.nextInt(gets.size())).getRow()));
        }
        Thread.sleep(random.nextInt(MOST_MILLIS));
        left++;
      } catch (IOException e) {
        System.out.println(e);
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    Files.writeString(Path.of(args[2]), Long.toString(left));
  }

  /** Returns gets of rows from all over the table. */
  private static List<Get> gets(Configuration conf, TableName table) throws IOException {
    List<Get> gets = new ArrayList<>();
    for (byte[] row : SomeRows.of(conf, table, ROWS)) {
      gets.add(new Get(row));
    }
    return gets;
  }
}
