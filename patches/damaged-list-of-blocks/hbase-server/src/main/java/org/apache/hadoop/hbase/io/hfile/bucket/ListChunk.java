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
package org.apache.hadoop.hbase.io.hfile.bucket;

import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;

/** A chunk in the list of cached blocks: a protobuf message that is preceded by its length. */
@InterfaceAudience.Private
final class ListChunk {
  private ListChunk() {
  }

  /**
   * Checks that the chunk at the current position is complete. A chunk that was cut between two of
   * its fields would parse, but might lack the checksum that ties the list to the cache's file.
   * @param list its position doesn't change
   * @throws EOFException if the chunk isn't complete
   */
  static void checkWhole(FileInputStream list) throws IOException {
    long start = list.getChannel().position();
    int first = list.read();
    if (first < 0) {
      throw new EOFException("The list of cached blocks was cut: it ends at " + start);
    }
    int length = CodedInputStream.readRawVarint32(first, list);
    if (length > list.available()) {
      throw new EOFException("The list of cached blocks was cut: a chunk at " + start + " has "
        + list.available() + " of its " + length + " bytes");
    }
    list.getChannel().position(start);
  }
}
