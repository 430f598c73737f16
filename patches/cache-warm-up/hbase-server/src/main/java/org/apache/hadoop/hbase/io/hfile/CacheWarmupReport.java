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
package org.apache.hadoop.hbase.io.hfile;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.metrics2.util.MBeans;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Tells how far this process's warm-ups are, in JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=CacheWarmupProgress}. Thread-safe.
 */
@InterfaceAudience.Private
final class CacheWarmupReport implements CacheWarmupMXBean {
  private final Supplier<Stream<WarmupProgress>> unended;
  /** Progress of ended warm-ups by encoded region name, for regions with other warm-ups. */
  private final Map<String, Progress> ended = new ConcurrentHashMap<>();

  /**
   * Shows the progress from now on.
   * @param unended gives the warm-ups that are running or wait
   */
  CacheWarmupReport(Supplier<Stream<WarmupProgress>> unended) {
    this.unended = unended;
    MBeans.register("HBase", "RegionServer,sub=CacheWarmupProgress", this);
    MetricsCacheWarmup.show(() -> unended.get().filter(file -> !file.isRunning()).count(),
      () -> unended.get().filter(WarmupProgress::isRunning).count());
  }

  void ended(WarmupProgress file) {
    Progress done = new Progress(file.getRegion(), null, null, 0, file.getBlocks(),
      file.getBlocksDone(), 0, -1);
    if (unended.get().anyMatch(other -> other.getRegion().equals(file.getRegion()))) {
      ended.merge(file.getRegion(), done,
        (first, second) -> sum(file.getRegion(), Stream.of(first, second)));
    } else {
      ended.remove(file.getRegion());
    }
  }

  void closed(String region) {
    ended.remove(region);
  }

  @Override
  public List<Progress> getFiles() {
    return unended.get()
      .map(file -> new Progress(file.getRegion(), file.getFamily(), file.getFile(),
        file.isRunning() ? 0 : 1, file.getBlocks(), file.getBlocksDone(),
        file.getBytesPerSecond(), file.getMillisLeft()))
      .collect(Collectors.toList());
  }

  @Override
  public List<Progress> getRegions() {
    Map<String, List<Progress>> regions =
      getFiles().stream().collect(Collectors.groupingBy(Progress::getRegion));
    return regions.entrySet().stream().map(region -> {
      Progress before = ended.get(region.getKey());
      return sum(region.getKey(), before == null ? region.getValue().stream()
        : Stream.concat(Stream.of(before), region.getValue().stream()));
    }).collect(Collectors.toList());
  }

  private static Progress sum(String region, Stream<Progress> files) {
    return files.reduce(new Progress(region, null, null, 0, 0, 0, 0, -1),
      (one, other) -> new Progress(region, null, null,
        one.getFilesWaiting() + other.getFilesWaiting(), one.getBlocks() + other.getBlocks(),
        one.getBlocksDone() + other.getBlocksDone(),
        one.getBytesPerSecond() + other.getBytesPerSecond(),
        Math.max(one.getMillisLeft(), other.getMillisLeft())));
  }
}
