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
package org.apache.hadoop.hbase.client;

import org.apache.hadoop.hbase.util.PatchLevel;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.apache.yetus.audience.InterfaceAudience;

/** Keeps a client from connecting with jars of different patch levels. */
@InterfaceAudience.Private
final class ClientPatchLevel {
  private ClientPatchLevel() {
  }

  /**
   * Checks the jars on the class path.
   * @throws IllegalStateException if they have different patch levels
   */
  static void verify() {
    try {
      PatchLevel.current().verifyLoaded();
    } catch (NoClassDefFoundError e) {
      throw new IllegalStateException(
        "HBase jars that don't belong together are on the class path: "
        + ClientPatchLevel.class.getProtectionDomain().getCodeSource().getLocation()
        + " is patched, "
        + VersionInfo.class.getProtectionDomain().getCodeSource().getLocation()
        + " is upstream's. Remove the one that should not be there.");
    }
  }
}
