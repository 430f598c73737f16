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
package org.apache.hadoop.hbase.shaded.protobuf;

import java.io.IOException;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;

/**
 * Converts the exceptions of a response's actions, and shares one object between equal ones that
 * follow each other. A server that is out of room for results sends the same exception for each of
 * possibly 100,000 gets. Not thread-safe.
 */
@InterfaceAudience.Private
final class AlikeExceptions {
  private NameBytesPair last;
  private Throwable exception;

  /**
   * Converts an exception that a server sent. Returns the previous object if this one is equal.
   * @throws IOException if it can't be converted
   */
  Throwable get(NameBytesPair sent) throws IOException {
    if (!sent.equals(last)) {
      exception = ProtobufUtil.toException(sent);
      last = sent;
    }
    return exception;
  }
}
