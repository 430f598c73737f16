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
package org.apache.hadoop.hbase.regionserver.wal;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.Server;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Tells whether a WAL may make the directory that it is to be in. A region server makes its
 * directory once, when it starts. If it is gone, the master has renamed it to split the WALs in it,
 * and a WAL in a new one would never be replayed.
 */
@InterfaceAudience.Private
final class WALDirectory {
  private WALDirectory() {
  }

  /**
   * Returns true if the WAL isn't in a server's directory.
   * @param abortable what the WAL aborts if it fails, as a rule the server; may be null
   * @throws FileNotFoundException if the directory is the server's, and it isn't there
   */
  static boolean mayBeMade(FileSystem fs, Path directory, Abortable abortable) throws IOException {
    if (!isOf(abortable, directory)) {
      return true;
    }
    if (!fs.exists(directory)) {
      throw new FileNotFoundException("The WAL directory of this server, " + directory
        + ", is gone. The server was declared dead, or somebody removed it.");
    }
    return false;
  }

  private static boolean isOf(Abortable abortable, Path directory) {
    return abortable instanceof Server
      && directory.getName().equals(String.valueOf(((Server) abortable).getServerName()));
  }
}
