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

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.CacheWarmupSettings;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCacheSettings;
import org.apache.hadoop.hbase.io.hfile.bucket.DeviceWatch;
import org.apache.hadoop.hbase.io.hfile.bucket.DirectFileIOEngine;
import org.apache.hadoop.hbase.io.hfile.bucket.FileEngineSettings;
import org.apache.hadoop.hbase.ipc.BufferPoolSettings;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all settings of a region server before it is made (STRATA-8), so that a value that isn't
 * allowed is a line of the log and not the innermost cause of an exception.
 */
@InterfaceAudience.Private
public final class SettingsCheck {
  private static final Logger LOG = LoggerFactory.getLogger(SettingsCheck.class);

  /** Each throws an IllegalArgumentException that names the key, its value and what to do. */
  static final List<Consumer<Configuration>> READERS =
    Collections.unmodifiableList(Arrays.asList(BufferPoolSettings::new,
      ParallelMultiGetSettings::new, CacheWarmupSettings::new, SettingsCheck::readTiers,
      conf -> FileEngineSettings.readBoolean(conf, FileEngineSettings.CHECKSUM_KEY, false),
      DirectFileIOEngine::readPoolSize, DeviceWatch::readRetryInterval));

  private SettingsCheck() {
  }

  private static void readTiers(Configuration conf) {
    if (CompositeBucketCacheSettings.isEnabled(conf)) {
      new CompositeBucketCacheSettings(conf);
    }
  }

  /** Returns True if a region server can be made; else the log has a line for each reason. */
  public static boolean passes(Configuration conf) {
    Collection<String> refusals = refusals(conf);
    refusals.forEach(refusal -> LOG.error("The region server doesn't start: {}", refusal));
    return refusals.isEmpty();
  }

  /** Returns What is wrong, of each feature the first thing that it finds. */
  static Collection<String> refusals(Configuration conf) {
    Set<String> refusals = new LinkedHashSet<>();
    for (Consumer<Configuration> reader : READERS) {
      try {
        reader.accept(conf);
      } catch (NumberFormatException e) {
        // Of a key of upstream's, so upstream's code is to tell.
      } catch (IllegalArgumentException e) {
        refusals.add(e.getMessage());
      }
    }
    return refusals;
  }
}
