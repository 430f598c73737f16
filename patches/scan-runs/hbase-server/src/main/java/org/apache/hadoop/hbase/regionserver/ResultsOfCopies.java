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
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.io.ByteBufferWriter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/** Rows whose cells are in a buffer of {@link CellCopies}, one behind the other. */
@InterfaceAudience.Private
final class ResultsOfCopies extends ResultsOfBlock {
  private final ByteBuffer copies;
  private final int begin;
  private final int end;

  /**
   * As {@link ResultsOfBlock}.
   * @param end where the last row ends
   */
  ResultsOfCopies(ByteBuffer copies, int[] begins, int[] counts, int end, boolean keysOnly) {
    super(copies, false, false, begins, counts, keysOnly);
    this.copies = copies;
    begin = begins[0] - Bytes.SIZEOF_INT;
    this.end = end;
  }

  @Override
  int behind(int position) {
    return position + Bytes.SIZEOF_INT;
  }

  @Override
  public boolean writeTo(ByteBufferWriter out) throws IOException {
    out.write(copies, begin, end - begin);
    return true;
  }
}
