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

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.hadoop.hbase.conf.Setting.InvalidSettingException;
import org.apache.yetus.audience.InterfaceAudience;

/** Collects what is wrong with a configuration, one line per key. Not thread-safe. */
@InterfaceAudience.Private
final class Refusals {
  private final Map<String, String> lines = new LinkedHashMap<>();

  /**
   * Refuses a value, unless its key has been refused before.
   * @param fix what to do, a sentence or more
   */
  void add(String key, String value, String fix) {
    add(Setting.invalid(key, value, fix));
  }

  /** Refuses the value that an exception names, unless its key has been refused before. */
  void add(InvalidSettingException refusal) {
    lines.putIfAbsent(refusal.getKey(), refusal.getMessage());
  }

  /** Refuses a number that is less than this, unless its key isn't set. */
  void atLeast(Configuration conf, String key, long least) {
    String value = conf.getTrimmed(key);
    if (value != null && conf.getLong(key, least) < least) {
      add(key, value, Setting.atLeast(least));
    }
  }

  boolean has(String key) {
    return lines.containsKey(key);
  }

  /** Returns a line for each refused key. */
  List<String> lines() {
    return new ArrayList<>(lines.values());
  }
}
