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
package org.apache.hadoop.hbase.io.hfile.mrc;

import org.apache.yetus.audience.InterfaceAudience;

/** What a tier holds of a column family. Immutable. */
@InterfaceAudience.Private
public final class HeldBytes {
  private final String tier;
  private final String table;
  private final String family;
  private final long blocks;
  private final long bytes;

  HeldBytes(String tier, String table, String family, long blocks, long bytes) {
    this.tier = tier;
    this.table = table;
    this.family = family;
    this.blocks = blocks;
    this.bytes = bytes;
  }

  /** Returns the name of the tier. */
  public String getTier() {
    return tier;
  }

  /** Returns the name of the table; empty for files that no open region has. */
  public String getTable() {
    return table;
  }

  /** Returns the name of the column family. */
  public String getFamily() {
    return family;
  }

  /** Returns the number of blocks. */
  public long getBlocks() {
    return blocks;
  }

  /** Returns their bytes. */
  public long getBytes() {
    return bytes;
  }
}
