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

/** What the blocks of a table need. Immutable. */
@InterfaceAudience.Private
public final class TableSizing {
  private final String table;
  private final double referencePercent;
  private final long metadataBytes;
  private final long dataBytes;
  private final long bytes90;
  private final long bytes95;
  private final long bytes99;

  TableSizing(String table, double referencePercent, long metadataBytes, long dataBytes,
    long bytes90, long bytes95, long bytes99) {
    this.table = table;
    this.referencePercent = referencePercent;
    this.metadataBytes = metadataBytes;
    this.dataBytes = dataBytes;
    this.bytes90 = bytes90;
    this.bytes95 = bytes95;
    this.bytes99 = bytes99;
  }

  /**
   * Returns the name, with the namespace unless it is the default one; empty for files of no
   * table.
   */
  public String getTable() {
    return table;
  }

  /** Returns the part of all references that are to blocks of this table. */
  public double getReferencePercent() {
    return referencePercent;
  }

  /** Returns the bytes of its index, bloom and other metadata blocks that are read. */
  public long getMetadataBytes() {
    return metadataBytes;
  }

  /** Returns the bytes of its data blocks that are read. */
  public long getDataBytes() {
    return dataBytes;
  }

  /** Returns the bytes that hold its metadata and serve 90 % of the reads of its data. */
  public long getBytes90() {
    return bytes90;
  }

  /** Returns the same for 95 %. */
  public long getBytes95() {
    return bytes95;
  }

  /** Returns the same for 99 %. */
  public long getBytes99() {
    return bytes99;
  }
}
