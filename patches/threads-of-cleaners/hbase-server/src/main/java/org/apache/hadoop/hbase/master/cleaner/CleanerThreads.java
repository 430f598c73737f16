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
package org.apache.hadoop.hbase.master.cleaner;

import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How many threads a cleaner has. */
@InterfaceAudience.Private
final class CleanerThreads {

  private static final Logger LOG = LoggerFactory.getLogger(CleanerThreads.class);

  private CleanerThreads() {
  }

  /**
   * Returns the number of threads, or the other one if it is less than one, which the log is told.
   * @param key what configures the number
   */
  static int valid(String key, int number, int otherwise) {
    if (number > 0) {
      return number;
    }
    LOG.warn("{} is {}, but a cleaner needs a thread at least; it has {}", key, number, otherwise);
    return otherwise;
  }
}
