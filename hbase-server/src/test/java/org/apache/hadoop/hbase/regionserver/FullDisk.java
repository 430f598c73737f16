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

import java.io.FilterOutputStream;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.util.Progressable;

/** A local file system that limits what may be written to folders of temporary files. */
public class FullDisk extends LocalFileSystem {
  private static volatile long left = Long.MAX_VALUE;

  /** Has regions that are opened with a configuration be on it. */
  public static void set(Configuration conf) {
    conf.set("fs.file.impl", FullDisk.class.getName());
    conf.setBoolean("fs.file.impl.disable.cache", true);
    setLeft(Long.MAX_VALUE);
  }

  /** @param bytes that can be written from now on */
  public static void setLeft(long bytes) {
    left = bytes;
  }

  @Override
  public FSDataOutputStream create(Path path, FsPermission permission, boolean overwrite,
    int bufferSize, short replication, long blockSize, Progressable progress)
    throws IOException {
    FSDataOutputStream file = super.create(path, permission, overwrite, bufferSize, replication,
      blockSize, progress);
    if (!path.toString().contains(HConstants.HBASE_TEMP_DIRECTORY)) {
      return file;
    }
    return new FSDataOutputStream(new FilterOutputStream(file) {
      @Override
      public void write(int value) throws IOException {
        take(1);
        out.write(value);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        take(length);
        out.write(bytes, offset, length);
      }
    }, null);
  }

  private static synchronized void take(int bytes) throws IOException {
    left -= bytes;
    if (left < 0) {
      throw new IOException("No space left on device");
    }
  }
}
