/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hbasestrata.ycsb;

/** What a latency series is kept for. */
public enum OperationType {
  READ("READ"),
  /** Several rows read in one client batch. */
  MULTIGET("MULTIGET"),
  SCAN("SCAN"),
  /** The next rows of a scan of the whole table. */
  FULL_SCAN("FULL-SCAN"),
  INSERT("INSERT"),
  /** Several rows written in one client batch. */
  INSERT_BATCH("INSERT-BATCH"),
  UPDATE("UPDATE"),
  /** Several rows updated in one client batch. */
  UPDATE_BATCH("UPDATE-BATCH"),
  DELETE("DELETE"),
  /** A READ and an UPDATE of the same row, which are in their own series too. */
  READ_MODIFY_WRITE("READ-MODIFY-WRITE");

  private final String label;

  OperationType(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }
}
