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
package org.apache.hadoop.hbase.ipc;

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The cells of a put that came in its message. They refer to none of the bytes of the request. Used
 * by one thread.
 */
@InterfaceAudience.Private
public final class PutCells implements CellScanner {
  private final List<Cell> cells;
  private int current = -1;

  PutCells(List<Cell> cells) {
    this.cells = cells;
  }

  @Override
  public Cell current() {
    return current >= 0 && current < cells.size() ? cells.get(current) : null;
  }

  @Override
  public boolean advance() {
    return ++current < cells.size();
  }
}
