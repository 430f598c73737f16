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
package org.hbasestrata.jvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** A folder on an SSD, and the MB that there are. Immutable. */
final class Ssd {
  private final String folder;
  private final long megabytes;

  private Ssd(String folder, long megabytes) {
    this.folder = folder;
    this.megabytes = megabytes;
  }

  /**
   * Parses a folder, whose file system is asked for its size; a folder with =SIZE; or a size alone,
   * of an SSD whose folder isn't known yet.
   * @param number of the SSD, from 1
   */
  static Ssd parse(String text, int number) {
    int equals = text.lastIndexOf('=');
    if (!text.startsWith("/")) {
      return new Ssd("/mnt/ssd" + number + "/hbase", Sizes.ofMegabytes("--ssd", text));
    }
    if (equals > 0) {
      return new Ssd(text.substring(0, equals),
        Sizes.ofMegabytes("--ssd", text.substring(equals + 1)));
    }
    Path folder = Paths.get(text);
    if (!Files.isDirectory(folder)) {
      throw new JvmException("--ssd " + text + ": there is no such folder; make it, or give its"
        + " size as --ssd " + text + "=800g");
    }
    try {
      return new Ssd(text, Files.getFileStore(folder).getTotalSpace() >> Sizes.BITS_OF_MB);
    } catch (IOException e) {
      throw new JvmException("--ssd " + text + ": its size can't be read, so give it as --ssd "
        + text + "=800g: " + e);
    }
  }

  /** Returns the path of the cache's file. */
  String file() {
    return folder + "/block-cache";
  }

  long megabytes() {
    return megabytes;
  }
}
