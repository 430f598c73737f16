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
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.apache.hadoop.hbase.io.hfile.ReaderContext.ReaderType;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store file that a reader was opened for. A coprocessor that makes the reader may give it a
 * {@link StoreFileInfo} and a {@link ReaderContext} of its own. So the reader's scanners are
 * counted at the store file, or the file would be archived while they read. And what the store file
 * opened the reader for decides whether a scanner closes it, or others would read from a stream
 * that is closed. Thread-safe.
 */
@InterfaceAudience.Private
final class StoreFileReaderOwner {
  private static final Logger LOG = LoggerFactory.getLogger(StoreFileReaderOwner.class);

  private final StoreFileInfo file;
  private final boolean ofOneScanner;

  private StoreFileReaderOwner(StoreFileInfo file, ReaderType opened) {
    this.file = file;
    ofOneScanner = opened == ReaderType.STREAM;
  }

  /**
   * Returns who counts the scanners of a reader and closes it.
   * @param file    the store file that opened the reader
   * @param opened  what it opened it with
   * @param info    the reader's own
   * @param context the reader's own
   * @return null if the reader can do that by itself
   */
  static StoreFileReaderOwner of(StoreFileInfo file, ReaderContext opened, StoreFileInfo info,
    ReaderContext context) {
    return info == file && context.getReaderType() == opened.getReaderType()
      ? null
      : new StoreFileReaderOwner(file, opened.getReaderType());
  }

  /** Returns true if the store file is the upper half of a file. */
  boolean isTopHalf() {
    return file.isTopReference();
  }

  int getRefCount() {
    return file.getRefCount();
  }

  void scannerOpened() {
    file.increaseRefCount();
  }

  /** @param reader of the scanner that was closed */
  void scannerClosed(HFile.Reader reader) {
    file.decreaseRefCount();
    if (ofOneScanner) {
      try {
        reader.close(false);
      } catch (IOException e) {
        LOG.warn("Can't close the reader of a scanner of {}", file.getPath(), e);
      }
    }
  }
}
