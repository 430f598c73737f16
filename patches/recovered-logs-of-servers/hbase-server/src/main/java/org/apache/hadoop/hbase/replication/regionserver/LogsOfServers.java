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
package org.apache.hadoop.hbase.replication.regionserver;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** Finds a write-ahead log among those of all servers, each of which has a directory. */
@InterfaceAudience.Private
final class LogsOfServers {

  private LogsOfServers() {
  }

  /**
   * Returns where the log is; null if no server's directory has it.
   * @param directories have the servers' directories, in the order in which a log goes through them
   */
  static Path find(FileSystem fs, String log, Path... directories) throws IOException {
    for (Path directory : directories) {
      for (FileStatus server : children(fs, directory)) {
        Path path = new Path(server.getPath(), log);
        if (server.isDirectory() && fs.exists(path)) {
          return path;
        }
      }
    }
    return null;
  }

  private static FileStatus[] children(FileSystem fs, Path directory) throws IOException {
    try {
      return fs.listStatus(directory);
    } catch (FileNotFoundException e) {
      return new FileStatus[0];
    }
  }
}
