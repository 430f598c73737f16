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
package org.hbasestrata.linkage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.Test;
import org.objectweb.asm.ClassReader;

/**
 * HotSpot inlines a method that is called often only up to a size of its bytecode. What a seam
 * inserts may take one across, and then each call of it costs more, also where the feature is off.
 */
public class InlinedMethodsIT {
  /** HotSpot's FreqInlineSize, in bytes. */
  private static final int LIMIT = 325;
  private static final Path TARGET = Path.of("target");
  private static final String PATCHED = "hbase-(common|client|server)-[0-9].*\\.jar";

  /** How those begin that aren't called for each cell, block or row of a scan. */
  private static final Set<String> SELDOM = Set.of(
    // At the start, at times, or when a call failed.
    "ipc/RpcServer.<init>", "io/hfile/bucket/BucketCache.retrieveChunkedBackingMap",
    "io/hfile/LruBlockCache.logStats", "client/AsyncRpcRetryingCaller.onError",
    // Once for a call, or for a get of a batch.
    "quotas/DefaultOperationQuota.close(", "regionserver/RSRpcServices.get(",
    // Once for a flush of a store.
    "mob/DefaultMobStoreFlusher.flushSnapshot(",
    // Each time with a read of hbase:meta.
    "replication/regionserver/SerialReplicationChecker.canPush(",
    "master/");

  @Test
  public void seamsLeaveMethodsSmallEnoughToBeInlined() throws IOException {
    Map<String, Integer> ours = new TreeMap<>();
    for (String path : Files.readString(TARGET.resolve("class-path")).split(File.pathSeparator)) {
      if (Path.of(path).getFileName().toString().matches(PATCHED)) {
        ours.putAll(sizes(Path.of(path)));
      }
    }
    Map<String, Integer> upstream = new TreeMap<>();
    try (Stream<Path> jars = Files.list(TARGET.resolve("upstream"))) {
      for (Path jar : jars.filter(file -> file.toString().endsWith(".jar")).toList()) {
        upstream.putAll(sizes(jar));
      }
    }
    assertThat(upstream).hasSizeGreaterThan(10_000);
    Map<String, String> grown = new TreeMap<>();
    upstream.forEach((method, size) -> {
      int now = ours.getOrDefault(method, 0);
      if (size <= LIMIT && now > LIMIT && SELDOM.stream().noneMatch(method::startsWith)) {
        grown.put(method, size + " -> " + now);
      }
    });
    assertThat(grown).as("methods that HotSpot inlines in upstream's jars only").isEmpty();
  }

  /** Returns the bytes of code of each method, by class, name and descriptor. */
  private static Map<String, Integer> sizes(Path path) throws IOException {
    Map<String, Integer> sizes = new TreeMap<>();
    try (JarFile jar = new JarFile(path.toFile())) {
      for (String name : ClassPath.classes(jar)) {
        addSizes(ClassPath.read(jar, name), name.replace("org/apache/hadoop/hbase/", ""), sizes);
      }
    }
    return sizes;
  }

  /** Goes through a class file from its interfaces on, as the JVM's specification has it. */
  private static void addSizes(ClassReader file, String name, Map<String, Integer> sizes) {
    char[] buffer = new char[file.getMaxStringLength()];
    int at = file.header + 6;
    at += 2 + 2 * file.readUnsignedShort(at);
    for (String kind : List.of("field", "method")) {
      int members = file.readUnsignedShort(at);
      at += 2;
      for (int i = 0; i < members; i++) {
        String member = file.readUTF8(at + 2, buffer) + file.readUTF8(at + 4, buffer);
        int attributes = file.readUnsignedShort(at + 6);
        at += 8;
        for (int j = 0; j < attributes; j++) {
          if (kind.equals("method") && file.readUTF8(at, buffer).equals("Code")) {
            sizes.put(name + '.' + member, file.readInt(at + 10));
          }
          at += 6 + file.readInt(at + 2);
        }
      }
    }
  }
}
