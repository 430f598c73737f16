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
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * Run by bin/hbase: flushes, compacts, splits, moves and balances a table's regions, one of these
 * every few seconds, until a file appears.
 */
public final class Churn {
  private static final int PAUSE_MILLIS = 3000;
  private static final int MOST_REGIONS = 24;
  private static final int MOST_TRIES = 5;

  /** What is done to regions, in turn. */
  enum Step {
    FLUSH("flushes") {
      @Override
      void run(Admin admin, TableName table, SplittableRandom random) throws IOException {
        admin.flush(table);
      }
    },
    COMPACT("compactions") {
      @Override
      void run(Admin admin, TableName table, SplittableRandom random) throws IOException {
        admin.compactRegion(any(admin.getRegions(table), random).getRegionName());
      }
    },
    MOVE("moves") {
      @Override
      void run(Admin admin, TableName table, SplittableRandom random) throws IOException {
        admin.move(any(admin.getRegions(table), random).getEncodedNameAsBytes(),
          any(List.copyOf(admin.getRegionServers()), random));
      }
    },
    SPLIT("splits") {
      @Override
      void run(Admin admin, TableName table, SplittableRandom random) throws IOException {
        if (admin.getRegions(table).size() < MOST_REGIONS) {
          admin.split(table);
        } else {
          admin.majorCompact(table);
        }
      }
    },
    BALANCE("balancer runs") {
      @Override
      void run(Admin admin, TableName table, SplittableRandom random) throws IOException {
        admin.balance();
      }
    };

    private final String label;

    Step(String label) {
      this.label = label;
    }

    /** What it is counted under. */
    String label() {
      return label;
    }

    abstract void run(Admin admin, TableName table, SplittableRandom random) throws IOException;

    private static <T> T any(List<T> list, SplittableRandom random) {
      return list.get(random.nextInt(list.size()));
    }
  }

  private Churn() {
  }

  /** {@code TABLE STOP_FILE RESULT_FILE}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    TableName table = TableName.valueOf(args[0]);
    Path stop = Path.of(args[1]);
    SplittableRandom random = new SplittableRandom();
    Map<String, Integer> done = new TreeMap<>();
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
      Admin admin = connection.getAdmin()) {
      // Other faults want regions to stay where they are.
      admin.balancerSwitch(true, true);
      // Each at least once, also where that takes longer than the load.
      Step[] steps = Step.values();
      for (int i = 0; i < steps.length || !Files.exists(stop); i++) {
        if (isDone(steps[i % steps.length], admin, table, random)) {
          done.merge(steps[i % steps.length].label(), 1, Integer::sum);
        }
      }
      admin.balancerSwitch(false, true);
    }
    Files.writeString(Path.of(args[2]), done.entrySet().stream()
      .map(entry -> "\"" + entry.getKey() + "\":" + entry.getValue())
      .collect(Collectors.joining(",", "{", "}")));
  }

  private static boolean isDone(Step step, Admin admin, TableName table, SplittableRandom random)
    throws InterruptedException {
    for (int i = 0; i < MOST_TRIES; i++) {
      Thread.sleep(PAUSE_MILLIS);
      try {
        step.run(admin, table, random);
        return true;
      } catch (IOException e) {
        // As of a region that is about to be split.
        System.out.println(e);
      }
    }
    return false;
  }
}
