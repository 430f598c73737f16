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
package org.apache.hadoop.hbase.io.hfile;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * A block isn't in memory, or a lock isn't free, and the thread must not wait for it; or what is
 * read is more than it may do. An error, since exceptions on the way have other meanings: a bloom
 * filter that can't be read is switched off for good, and a cached block that can't be is evicted.
 * Has no stack trace. Thread-safe.
 */
@InterfaceAudience.Private
public final class NotInMemoryError extends Error {
  private static final long serialVersionUID = 1L;

  private static final NotInMemoryError INSTANCE = new NotInMemoryError();

  private NotInMemoryError() {
    super("What is read isn't in memory, is locked, or is too much", null, false, false);
  }

  public static NotInMemoryError get() {
    return INSTANCE;
  }
}
