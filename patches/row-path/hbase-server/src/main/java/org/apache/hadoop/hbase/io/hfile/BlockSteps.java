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

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Goes from cell to cell of a scanner's block, and tells what differs from the one before. An
 * object is made of those that are asked for. Not thread-safe.
 */
@InterfaceAudience.Private
public abstract class BlockSteps {
  /** It stays where it is: the scanner has to go on. */
  public static final int STAYS = 0;
  /** The cell is of another row. */
  public static final int ROW = 1;
  /** The cell is of a later column of the row. */
  public static final int COLUMN = 2;
  /** The cell is of the same column. */
  public static final int VERSION = 3;

  BlockSteps() {
  }

  /** Goes to the next cell, and returns what it is beside the one before. */
  public abstract int next();

  /** As {@link #next} for who asks for the row alone: each cell in it is a {@link #COLUMN}. */
  public abstract int nextRow();

  /** Returns where it is, for {@link #goBack}. */
  public abstract int getPosition();

  /** As {@link #getPosition} for who may go back from any number of cells later. */
  public abstract int mark();

  /**
   * Goes back in the block.
   * @return false if it can't
   */
  public abstract boolean goBack(int position);

  /** Has the scanner go where this is. */
  public abstract void leave();

  /** Makes an object of the cell, such as the scanner makes. */
  public abstract Cell make() throws IOException;

  /** Returns bytes of heap that an object of the current cell counts for. */
  public abstract long getHeapSize(Cell cell);

  /** Returns bytes of the cell with its lengths, but without tags. */
  public abstract int getSize();

  public abstract long getTimestamp();

  public abstract byte getType();

  public abstract boolean hasTags();

  /** Returns true if the block is off the heap, and this can go back to where it was marked. */
  public abstract boolean isDirect() throws IOException;

  /**
   * Returns true if the cell's column is before another one.
   * @param word {@link BlockCells#firstWord} of the qualifier
   */
  public abstract boolean isBeforeColumn(byte[] qualifier, long word);
}
