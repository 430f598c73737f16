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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.apache.hadoop.hbase.client.Row;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** Keeps the rows that CoreWorkload writes one by one, to be written together. */
final class RowCollector extends DB {
  private final HBaseClient client;
  private final List<Row> rows = new ArrayList<>();

  RowCollector(HBaseClient client) {
    this.client = client;
  }

  List<Row> rows() {
    return rows;
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    rows.add(client.put(key, values));
    return Status.BATCHED_OK;
  }

  @Override
  public Status read(String table, String key, Set<String> fields,
    Map<String, ByteIterator> result) {
    return Status.NOT_IMPLEMENTED;
  }

  @Override
  public Status scan(String table, String startKey, int rowCount, Set<String> fields,
    Vector<HashMap<String, ByteIterator>> result) {
    return Status.NOT_IMPLEMENTED;
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    rows.add(client.change(key, values));
    return Status.BATCHED_OK;
  }

  @Override
  public Status delete(String table, String key) {
    return Status.NOT_IMPLEMENTED;
  }
}
