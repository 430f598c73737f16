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

import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.yetus.audience.InterfaceAudience;

/** Settings of {@link StartupWarmup}. */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class StartupWarmupSettings {
  public static final Setting<Integer> MAX_SECONDS =
    Setting.ofInt("hbase.regionserver.startup.warmup.max.seconds", 0,
      "The most seconds, up to 120, that a region server reads rows of its own before it registers"
        + " with the master; 0 for no warm-up.").range(0, 120);

  private StartupWarmupSettings() {
  }
}
