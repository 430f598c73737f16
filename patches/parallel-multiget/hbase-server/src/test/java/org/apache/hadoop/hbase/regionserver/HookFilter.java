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
package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.util.Bytes;

/** Calls a test's hook for each row that a get reads, and lets all cells through. */
public class HookFilter extends FilterBase {
  /** The test's action for a get, on the thread that serves it. */
  @FunctionalInterface
  interface Hook {
    void call(int row) throws Exception;
  }

  static volatile Hook hook;

  /** Called by the server to create the filter that the client sent. */
  public static HookFilter parseFrom(byte[] bytes) {
    return new HookFilter();
  }

  @Override
  public boolean filterRowKey(Cell cell) throws IOException {
    call(hook, numberOf(cell));
    return false;
  }

  static void call(Hook hook, int row) throws IOException {
    if (hook != null) {
      try {
        hook.call(row);
      } catch (IOException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
    }
  }

  /** Returns the number that ends the key of a row, {@code row-017}. */
  static int numberOf(Cell cell) {
    return Integer.parseInt(
      Bytes.toString(cell.getRowArray(), cell.getRowOffset() + 4, cell.getRowLength() - 4));
  }
}
