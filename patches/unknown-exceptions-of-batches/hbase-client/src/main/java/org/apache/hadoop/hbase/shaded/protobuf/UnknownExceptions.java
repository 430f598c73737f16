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
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.yetus.audience.InterfaceAudience;

/** Stands in for exceptions of a server that a client can't make. Stateless. */
@InterfaceAudience.Private
final class UnknownExceptions {
  private UnknownExceptions() {
  }

  /**
   * Returns what the client throws in place of the server's exception. It is to be tried again if
   * that is one of Java or Hadoop, such as of a write-ahead log that is about to be rolled.
   * @param type the name of the server's exception
   * @param text what it says
   */
  static IOException of(String type, String text, ReflectiveOperationException cause) {
    String message = "The server answered with an exception that can't be made here, " + type + ": "
      + text;
    boolean again = type.startsWith("java.") || type.startsWith("org.apache.hadoop.");
    return again && !isDoNotRetry(type)
      ? new IOException(message, cause)
      : new DoNotRetryIOException(message, cause);
  }

  private static boolean isDoNotRetry(String type) {
    try {
      return DoNotRetryIOException.class
        .isAssignableFrom(Class.forName(type, false, UnknownExceptions.class.getClassLoader()));
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}
