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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.RpcThrottlingException;
import org.apache.hadoop.hbase.quotas.ThrottleType;

/**
 * Run by bin/hbase as the superuser: gives one user a quota on {@link SecureTables#GUARDED}, and
 * has that user and another one read its rows, by gets and multigets, until the first was held up;
 * then without the quota.
 */
public final class QuotaLoad {
  static final String THROTTLED = "throttled";
  static final String OTHERS_THROTTLED = "throttled without a quota";
  private static final TableName TABLE = TableName.valueOf(SecureTables.GUARDED);
  private static final String BOUNDED = "bob";
  private static final int REQUESTS_A_MINUTE = 60;
  private static final int MULTIGET = 20;
  private static final int LEAST_ROUNDS = 20;
  private static final int MOST_SECONDS = 180;

  private final LongAdder wrong = new LongAdder();
  private final LongAdder rows = new LongAdder();
  private volatile boolean done;
  private volatile Exception failure;

  private QuotaLoad() {
  }

  /** {@code RESULT_FILE}. */
  public static void main(String[] args) throws Exception {
    QuotaLoad load = new QuotaLoad();
    Configuration conf = HBaseConfiguration.create();
    // Who is held up is told, and doesn't wait.
    Configuration once = new Configuration(conf);
    once.setInt("hbase.client.retries.number", 0);
    long[] throttled = new long[2];
    try (Connection superuser = ConnectionFactory.createConnection(conf);
      Admin admin = superuser.getAdmin();
      Connection bounded = SecureLoad.connect(once, SecureLoad.keytabUser(conf, BOUNDED));
      Connection other = SecureLoad.connect(once, SecureLoad.keytabUser(conf, "alice"));
      Table ofBounded = bounded.getTable(TABLE);
      Table ofOther = other.getTable(TABLE)) {
      admin.setQuota(QuotaSettingsFactory.throttleUser(BOUNDED, TABLE, ThrottleType.REQUEST_NUMBER,
        REQUESTS_A_MINUTE, TimeUnit.MINUTES));
      Thread others = new Thread(() -> {
        try {
          for (int i = 0; i < LEAST_ROUNDS || !load.done; i++) {
            throttled[1] += load.read(ofOther, i);
          }
        } catch (IOException | RuntimeException e) {
          load.failure = e;
        }
      });
      others.start();
      try {
        await("a quota that holds", i -> {
          throttled[0] += load.read(ofBounded, i);
          return throttled[0] > 0 && i >= LEAST_ROUNDS;
        });
      } finally {
        load.done = true;
        others.join();
      }
      admin.setQuota(QuotaSettingsFactory.unthrottleUser(BOUNDED, TABLE));
      await("a quota that is gone", i -> load.read(ofBounded, i) == 0);
    }
    if (load.failure != null) {
      throw load.failure;
    }
    Files.writeString(Path.of(args[0]),
      String.format("{\"operations\":%d,\"wrong\":%d,\"%s\":%d,\"%s\":%d}%n", load.rows.sum(),
        load.wrong.sum(), THROTTLED, throttled[0], OTHERS_THROTTLED, throttled[1]));
  }

  /** Something that is tried again and again. */
  private interface Step {
    boolean isDone(int i) throws IOException;
  }

  private static void await(String what, Step step) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
    for (int i = 0; !step.isDone(i); i++) {
      if (System.nanoTime() > end) {
        throw new IOException("not in " + MOST_SECONDS + " s: " + what);
      }
    }
  }

  /** A get and a multiget; returns how many of the two were held up. */
  private int read(Table table, int i) throws IOException {
    List<Get> gets = new ArrayList<>();
    for (int j = 0; j < MULTIGET; j++) {
      gets.add(get(i + j));
    }
    return tried(() -> new Result[] { table.get(gets.get(0)) }, gets)
      + tried(() -> table.get(gets), gets);
  }

  /** Reads rows. */
  private interface Read {
    Result[] rows() throws IOException;
  }

  private int tried(Read read, List<Get> gets) throws IOException {
    try {
      Result[] results = read.rows();
      for (int i = 0; i < results.length; i++) {
        rows.increment();
        if (
          !SecureLoad.isRight(results[i], gets.get(i).getRow(), 0, SecureTables.OPEN,
            SecureTables.SECRET)
        ) {
          wrong.increment();
        }
      }
      return 0;
    } catch (IOException e) {
      if (!isThrottling(e)) {
        throw e;
      }
      return 1;
    }
  }

  private static Get get(int i) {
    return new Get(SecureTables.row("fixed", i % SecureTables.ROWS))
      .addFamily(SecureTables.FAMILY);
  }

  private static boolean isThrottling(Throwable e) {
    if (e instanceof RetriesExhaustedWithDetailsException) {
      return ((RetriesExhaustedWithDetailsException) e).getCauses().stream()
        .allMatch(QuotaLoad::isThrottling);
    }
    return e instanceof RpcThrottlingException
      || e.getCause() != null && isThrottling(e.getCause());
  }
}
