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

import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.yetus.audience.InterfaceAudience;

/** The folders of bulk loads, each a child of one folder. */
@InterfaceAudience.Private
final class BulkLoadFolders {
  private BulkLoadFolders() {
  }

  /**
   * Checks that a path is that of such a folder.
   * @param parent the folder that they are in
   * @param path   as a client gave it
   */
  static void check(FileSystem fs, Path parent, String path) throws DoNotRetryIOException {
    if (!isChild(fs, parent, path)) {
      throw new DoNotRetryIOException(
        "The token of a bulk load is '" + path + "', allowed: a folder in " + parent);
    }
  }

  private static boolean isChild(FileSystem fs, Path parent, String path) {
    Path folder;
    try {
      folder = fs.makeQualified(new Path(path));
    } catch (IllegalArgumentException e) {
      return false; // It is of another file system, or isn't a path.
    }
    // The Path of "parent/child/.." is "parent/": its name is empty, and its parent is "parent".
    return !folder.getName().isEmpty() && fs.makeQualified(parent).equals(folder.getParent());
  }
}
