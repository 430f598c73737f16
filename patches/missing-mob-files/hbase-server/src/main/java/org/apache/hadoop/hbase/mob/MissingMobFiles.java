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
package org.apache.hadoop.hbase.mob;

import java.io.FileNotFoundException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.yetus.audience.InterfaceAudience;

/** Whether a compaction leaves out cells whose MOB file is missing. */
@InterfaceAudience.Private
final class MissingMobFiles {
  private MissingMobFiles() {
  }

  static boolean areDiscarded(Configuration conf) {
    return conf.getBoolean(MobConstants.MOB_UNSAFE_DISCARD_MISS_KEY,
      MobConstants.DEFAULT_MOB_DISCARD_MISS);
  }

  /** Returns true if the exception is of a missing file and its cells are left out. */
  static boolean isDiscarded(Configuration conf, DoNotRetryIOException exception) {
    for (Throwable e = exception; e != null; e = e.getCause()) {
      if (e instanceof FileNotFoundException) {
        return areDiscarded(conf);
      }
    }
    return false;
  }
}
