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
package org.apache.hadoop.hbase.io.hfile;

import org.apache.hadoop.conf.Configuration;

/** The seek index, which a region server turns on when it starts. */
public final class SeekIndexes {
  private SeekIndexes() {
  }

  /** Upstream has no such class, and stays as it is. */
  public static void configure(boolean on) throws ReflectiveOperationException {
    Configuration settings = new Configuration(false);
    settings.setBoolean("hbase.regionserver.block.seek.index.enabled", on);
    settings.set("hbase.regionserver.block.seek.index.size", "64m");
    try {
      Class.forName("org.apache.hadoop.hbase.io.hfile.BlockSeekIndex")
        .getMethod("start", Configuration.class).invoke(null, settings);
    } catch (ClassNotFoundException e) {
      // This is the arm with upstream's jars.
    }
  }
}
