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
package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The stream of a writer that failed. Stateless. */
@InterfaceAudience.Private
public final class UnendedStream {
  private static final Logger LOG = LoggerFactory.getLogger(UnendedStream.class);

  private UnendedStream() {
  }

  /** Closes it. What the file lacks isn't written any more, so that the file stays without end. */
  public static void close(HFile.Writer writer) {
    HFileWriterImpl failed = (HFileWriterImpl) writer;
    if (failed.outputStream == null) {
      return;
    }
    try {
      failed.outputStream.close();
    } catch (IOException e) {
      LOG.debug("{} couldn't be closed", failed.getPath(), e);
    }
  }
}
