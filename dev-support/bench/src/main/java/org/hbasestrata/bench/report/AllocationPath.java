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
package org.hbasestrata.bench.report;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/*
 * A stack belongs to the first path, in the order of this table, that one of its frames is of. So a
 * path comes before those that it is part of: a packet is made while a block is written, which may
 * be while a block that was read is cached. A pattern is of class and method as RecordedFrame has
 * them, such as a.b.Outer$Inner.method.
 */

/** What is allocated for, by the paths that source A (conf/hbase-site.xml) names. */
enum AllocationPath {
  /** The engine copies each block out of the file. */
  L2_READS("L2 reads", "blocks read from the file of the block cache",
    "org.apache.hadoop.hbase.io.hfile.bucket.(File|Direct)\\w*Engine.read"),
  /** The writer clones each block, for its own buffer goes on with the next one. */
  CACHE_ON_WRITE("Cache on write", "blocks cached while a flush or compaction writes them",
    "org.apache.hadoop.hbase.io.hfile.HFileBlock$Writer.getBlockForCaching",
    "org.apache.hadoop.hbase.io.hfile.HFileWriterImpl.doCacheOnWrite"),
  /** An array of 64 KB for each, in use until the DataNodes have acknowledged it. */
  HDFS_PACKETS("HDFS packets", "what DFSOutputStream sends: flushes, compactions, FSHLog",
    "org.apache.hadoop.hdfs.DFSOutputStream.createPacket", "org.apache.hadoop.hdfs.DFSPacket.\\S+",
    "org.apache.hadoop.hdfs.util.ByteArrayManager\\S+"),
  /** With AsyncFSWAL that is a stream of HBase's own: netty's buffers, and no DFSPacket. */
  WAL("WAL", "appends and syncs", "org.apache.hadoop.hbase.(regionserver.)?wal.\\S+",
    "org.apache.hadoop.hbase.io.asyncfs.\\S+"),
  /** With what Hadoop's client allocates for them. */
  HDFS_READS("HDFS reads", "blocks read from HDFS for requests and compactions",
    "org.apache.hadoop.hbase.io.hfile.HFileBlock$FSReaderImpl.\\S+"),
  /** The CellBlock first of all: in buffers of the pool, or in an array that grows by copying. */
  RESPONSES("Responses", "CellBlock and header of an answer",
    "org.apache.hadoop.hbase.ipc.(Netty)?ServerCall.set\\w*Response",
    "org.apache.hadoop.hbase.ipc.NettyRpcServerResponseEncoder.\\S+"),
  ELSE("Everything else", "what none of these is part of");

  private static final Map<String, AllocationPath> BY_FRAME = new ConcurrentHashMap<>();

  private final String label;
  private final String what;
  private final List<Pattern> frames;

  /** @param frames expressions in which a dot is a dot and a dollar sign is one */
  AllocationPath(String label, String what, String... frames) {
    this.label = label;
    this.what = what;
    this.frames = Arrays.stream(frames)
      .map(frame -> Pattern.compile(frame.replace(".", "\\.").replace("$", "\\$"))).toList();
  }

  /** @param frames class and method of each frame of a stack */
  static AllocationPath of(Iterable<String> frames) {
    AllocationPath first = ELSE;
    for (String frame : frames) {
      AllocationPath path = BY_FRAME.computeIfAbsent(frame, AllocationPath::ofFrame);
      if (path.compareTo(first) < 0) {
        first = path;
      }
    }
    return first;
  }

  private static AllocationPath ofFrame(String frame) {
    return Arrays.stream(values())
      .filter(path -> path.frames.stream().anyMatch(p -> p.matcher(frame).matches()))
      .findFirst().orElse(ELSE);
  }

  /** Its name for people. */
  String label() {
    return label;
  }

  /** What belongs to it, for people. */
  String what() {
    return what;
  }
}
