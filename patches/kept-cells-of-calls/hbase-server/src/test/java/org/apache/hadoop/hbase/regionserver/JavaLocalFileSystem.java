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
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The local file system, with permissions that are set by this JVM; the sticky bit is left out.
 * Without its native library Hadoop starts a process for each file that is created, which takes
 * longer than what most tests do with the file.
 */
public class JavaLocalFileSystem extends LocalFileSystem {

  public JavaLocalFileSystem() {
    super(new Raw());
  }

  /** The same without files of checksums. */
  public static class Raw extends RawLocalFileSystem {

    /** In the order of their bits, the highest first. */
    private static final PosixFilePermission[] PERMISSIONS = PosixFilePermission.values();

    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
      Set<PosixFilePermission> set = EnumSet.noneOf(PosixFilePermission.class);
      for (int i = 0; i < PERMISSIONS.length; i++) {
        if ((permission.toShort() >> PERMISSIONS.length - 1 - i & 1) != 0) {
          set.add(PERMISSIONS[i]);
        }
      }
      Files.setPosixFilePermissions(pathToFile(path).toPath(), set);
    }
  }
}
