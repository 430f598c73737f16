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
package org.apache.hadoop.hbase.io.hfile.segment;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.io.hfile.bucket.DeviceWatch;
import org.apache.yetus.audience.InterfaceAudience;

/** What the parts of a cache do about errors, by the keys of BucketCache. */
@InterfaceAudience.Private
final class PartSettings {
  private final long toleratedNanos;
  private final long retryNanos;

  PartSettings(Configuration conf) {
    toleratedNanos = TimeUnit.MILLISECONDS
      .toNanos(conf.getInt("hbase.bucketcache.ioengine.errors.tolerated.duration",
        BucketCache.DEFAULT_ERROR_TOLERATION_DURATION));
    retryNanos = TimeUnit.MILLISECONDS.toNanos(DeviceWatch.RETRY_INTERVAL.read(conf));
  }

  /** Returns for how long a device may fail until its part is off. */
  long getToleratedNanos() {
    return toleratedNanos;
  }

  /** Returns the time between two tries of a device that is off, 0 for none. */
  long getRetryNanos() {
    return retryNanos;
  }
}
