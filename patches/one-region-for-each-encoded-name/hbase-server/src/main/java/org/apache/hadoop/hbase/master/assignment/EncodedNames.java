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
package org.apache.hadoop.hbase.master.assignment;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/** Checks that no two regions have one encoded name, which is a hash. */
@InterfaceAudience.Private
public final class EncodedNames {

  private EncodedNames() {
  }

  /**
   * Checks regions that are to be made.
   * @param states  of the regions that there are
   * @param regions may be among these, where making them is tried again
   * @throws DoNotRetryIOException if two have one encoded name
   */
  public static void check(RegionStates states, List<RegionInfo> regions)
    throws DoNotRetryIOException {
    Map<String, RegionInfo> seen = new HashMap<>();
    for (RegionInfo region : regions) {
      String name = region.getEncodedName();
      checkSame(region, seen.put(name, region));
      RegionStateNode node = states.getRegionStateNodeFromEncodedRegionName(name);
      checkSame(region, node == null ? null : node.getRegionInfo());
    }
  }

  private static void checkSame(RegionInfo region, RegionInfo other) throws DoNotRetryIOException {
    if (other != null && !Bytes.equals(region.getRegionName(), other.getRegionName())) {
      throw new DoNotRetryIOException("The encoded name " + region.getEncodedName() + " of "
        + Bytes.toStringBinary(region.getRegionName()) + " is that of "
        + Bytes.toStringBinary(other.getRegionName()) + ", too; another start key is needed");
    }
  }
}
