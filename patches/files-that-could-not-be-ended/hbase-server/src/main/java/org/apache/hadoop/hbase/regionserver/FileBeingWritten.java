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
package org.apache.hadoop.hbase.regionserver;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.UnendedStream;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of a flush or a compaction, which {@link #close()} removes unless it was ended. For one
 * thread.
 */
@InterfaceAudience.Private
public final class FileBeingWritten implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(FileBeingWritten.class);

  private final FileSystem fs;
  private final StoreFileWriter writer;
  private boolean ended;

  public FileBeingWritten(FileSystem fs, StoreFileWriter writer) {
    this.fs = fs;
    this.writer = writer;
  }

  /** The file is whole, and its writer closed. */
  public void ended() {
    ended = true;
  }

  /** Removes the file if it isn't whole. Throws nothing, since something has been thrown then. */
  @Override
  public void close() {
    if (ended) {
      return;
    }
    UnendedStream.close(writer.getLiveFileWriter());
    for (Path path : writer.getPaths()) {
      try {
        fs.delete(path, false);
      } catch (IOException e) {
        LOG.warn("{}, which couldn't be ended, can't be removed", path, e);
      }
    }
  }
}
