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

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.io.IOUtils;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.common.io.ByteStreams;

/**
 * The file with the list of a region's hot blocks. It is in the region's folder, where its name
 * hides it from all that look for column families, and goes with the folder. Stateless.
 */
@InterfaceAudience.Private
final class HotBlockFile {
  static final String NAME = ".hotblocks";
  private static final String TEMPORARY_NAME = NAME + ".tmp";
  private static final int BUFFER_BYTES = 4096;
  /** What no list has. */
  private static final int MAX_BYTES = 32 << 20;

  private HotBlockFile() {
  }

  /**
   * Replaces the list. A region whose folder is gone gets none. Others can read it when this
   * returns.
   * @return is closed when there is time, since HDFS may wait with that for reports of its nodes
   */
  static Closeable write(HRegionFileSystem region, HotBlockList list) throws IOException {
    FileSystem fs = region.getFileSystem();
    Path temporary = new Path(region.getRegionDir(), TEMPORARY_NAME);
    FSDataOutputStream out = fs.createNonRecursive(temporary, true, BUFFER_BYTES,
      fs.getDefaultReplication(temporary), fs.getDefaultBlockSize(temporary), null);
    try {
      out.write(list.toBytes());
      if (out.hasCapability(StreamCapabilities.HSYNC)) {
        out.hflush();
      } else {
        out.close();
      }
      Path file = new Path(region.getRegionDir(), NAME);
      fs.delete(file, false);
      if (!fs.rename(temporary, file)) {
        throw new IOException(temporary + " can't be renamed to " + file);
      }
      return out;
    } catch (IOException | RuntimeException e) {
      IOUtils.closeStream(out);
      throw e;
    }
  }

  /**
   * Reads the list.
   * @return null if there is none
   * @throws IOException if it can't be read, or is damaged
   */
  static HotBlockList read(HRegionFileSystem region, int maxBlocks) throws IOException {
    FileSystem fs = region.getFileSystem();
    Path file = new Path(region.getRegionDir(), NAME);
    byte[] bytes;
    try (FSDataInputStream in = fs.open(file)) {
      // Of a file that isn't closed yet, its status has no length.
      bytes = ByteStreams.toByteArray(ByteStreams.limit(in, MAX_BYTES + 1));
    } catch (FileNotFoundException e) {
      return null;
    }
    if (bytes.length > MAX_BYTES) {
      throw new IOException(file + " has more than " + MAX_BYTES + " bytes");
    }
    try {
      return HotBlockList.of(bytes, maxBlocks);
    } catch (IOException e) {
      throw new IOException(file + " is damaged: " + e.getMessage(), e);
    }
  }
}
