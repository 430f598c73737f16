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
package org.apache.hadoop.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.yetus.audience.InterfaceAudience;

/** For how long a call of a scan has its handler. */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class ScanTurnSettings {
  public static final Setting<Integer> MAXIMUM =
    Setting.ofInt("hbase.region.server.rpc.maximum.scan.time.limit.delta", 0,
      "Milliseconds after which a call of a scan that has found too few rows answers with what it"
        + " has, maybe nothing, so that its handler is free for others; 0 for half of the client's"
        + " time-out. Never less than hbase.region.server.rpc.minimum.scan.time.limit.delta.")
      .range(0, 3_600_000);

  private ScanTurnSettings() {
  }

  /** Returns milliseconds, or the largest number if there is no maximum. */
  static long maximum(Configuration conf, long minimum) {
    int maximum = MAXIMUM.read(conf);
    return maximum == 0 ? Long.MAX_VALUE : Math.max(minimum, maximum);
  }
}
