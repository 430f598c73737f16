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
package org.apache.hadoop.hbase.regionserver.storefiletracker;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.yetus.audience.InterfaceAudience;

/** Reads references where only their path is known; it tracks no store. Thread-safe. */
@InterfaceAudience.Private
public final class ReferenceReader extends DefaultStoreFileTracker {
  private final FileSystem fs;

  public ReferenceReader(Configuration conf, FileSystem fs, boolean isPrimaryReplica) {
    super(conf, isPrimaryReplica, null);
    this.fs = fs;
  }

  @Override
  public Reference readReference(Path path) throws IOException {
    return Reference.read(fs, path);
  }
}
