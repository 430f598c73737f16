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
package org.apache.hadoop.hbase;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Scans the cells of a list's elements, such as the puts of a batch, and tells from how far it is
 * how much is left. Not thread-safe.
 */
@InterfaceAudience.Private
public final class CellScannableListScanner implements CellScanner {
  private final Iterator<? extends CellScannable> elements;
  private final int count;
  private int begun;
  private CellScanner current;

  /**
   * Begins before the first cell.
   * @param elements must not change while they are scanned
   */
  public CellScannableListScanner(List<? extends CellScannable> elements) {
    this.elements = elements.iterator();
    this.count = elements.size();
  }

  @Override
  public Cell current() {
    return current == null ? null : current.current();
  }

  @Override
  public boolean advance() throws IOException {
    while (current == null || !current.advance()) {
      if (!elements.hasNext()) {
        current = null;
        return false;
      }
      current = elements.next().cellScanner();
      begun++;
    }
    return true;
  }

  /**
   * Returns How many bytes what is left will take, if the elements are alike and the scan is half
   * through the current one. Of a list of one element as much is left as there was.
   * @param bytes what was scanned so far takes
   */
  public long estimateRest(long bytes) {
    return begun == 0 ? 0 : bytes * (2L * (count - begun) + 1) / (2L * begun - 1);
  }
}
