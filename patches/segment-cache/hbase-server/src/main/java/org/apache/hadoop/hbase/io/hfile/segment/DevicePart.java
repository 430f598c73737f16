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
package org.apache.hadoop.hbase.io.hfile.segment;

import java.io.IOException;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segments of one file of a cache. Any thread appends blocks; a thread of the part writes them
 * to the file, makes room, and reads the footers when the cache starts. Thread-safe.
 */
@InterfaceAudience.Private
final class DevicePart {
  private static final Logger LOG = LoggerFactory.getLogger(DevicePart.class);

  private final PartState state;
  private final PartErrors errors;
  private final PartWriter writer;

  /**
   * Creates a part, whose thread isn't started yet. A file without segments is ready for blocks;
   * of another the thread finds the blocks. If the device fails, the part is turned off at once.
   * @param firstNumber number of its first segment in the cache
   * @throws IOException if the file can't be used whatever its device does
   */
  DevicePart(SegmentFile file, int firstNumber, SegmentIndex index, PartSettings settings,
    DeviceAdmission admission, CacheStats stats) throws IOException {
    state = new PartState(file, firstNumber, index);
    IOException failure = state.open();
    errors = new PartErrors(file, settings);
    writer = new PartWriter(state, errors, settings, admission, stats);
    if (failure != null) {
      writer.startsOff(failure);
    }
  }

  void start() {
    writer.start();
  }

  SegmentFile getFile() {
    return state.getFile();
  }

  DeviceSegment[] getSegments() {
    return state.getSegments();
  }

  /** Returns what the part's thread shares with others. */
  PartState getState() {
    return state;
  }

  /** Returns true while the file's device fails. */
  boolean isOff() {
    return state.isOff();
  }

  /** Returns true until all blocks of an earlier process are found. */
  boolean isRecovering() {
    return writer.isRecovering();
  }

  void readSucceeded() {
    errors.readSucceeded();
  }

  void readFailed(IOException reason) {
    errors.readFailed(reason);
  }

  /** Has the thread write what is in memory, and end. */
  void seal() {
    state.close(!writer.isAbandoned());
    writer.end();
  }

  /** Has the thread end without writing what waits. */
  void abandon() {
    writer.abandon();
  }

  /**
   * Waits until all is written, and closes the file.
   * @param waitMs milliseconds to wait at most, at least 1
   * @return false if the device hangs; the file then stays open, since closing it waits, too
   */
  boolean close(long waitMs) {
    if (!writer.awaitEnd(waitMs)) {
      return false;
    }
    try {
      if (writer.hasWrittenAll() && !isOff()) {
        SavedReads.save(getFile(), getSegments(), state.getIndex());
      }
      getFile().close();
    } catch (IOException e) {
      LOG.warn("The reads of blocks in {} aren't saved", getFile().getPath(), e);
    }
    return true;
  }
}
