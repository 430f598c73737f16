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
package org.apache.hadoop.hbase.io.encoding;

import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.yetus.audience.InterfaceAudience;

/** The cell of a seeker that has its key as bytes. It changes as the seeker goes on. */
@InterfaceAudience.Private
public interface EncodedKey {

  /** Returns the array that the key is in from its start on. */
  byte[] getKeyBytes();

  int getKeyLength();

  int getValueLength();

  int getTagsLength();

  /**
   * Returns how many bytes the key has in common with that of the cell before, from its start on.
   * Some encodings don't count those of timestamp and type.
   */
  int getCommonPrefix();

  /** Returns the block, in which the value is. */
  ByteBuff getBlock();

  /** Returns where the value begins in the block. */
  int getValueOffset();

  /** Returns false if it can't go back, as what it has decoded can't be decoded again. */
  boolean canGoBack();

  /** Keeps where it is, if it {@link #canGoBack}. */
  void mark();

  /** Goes back to where it was marked in this block, once. */
  void goBack();
}
