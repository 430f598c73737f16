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
package org.hbasestrata.bench.harness;

import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** {@code bench alloc}: a comparison in which all that source A pooled is used. */
@Command(name = "alloc", sortOptions = false, defaultValueProvider = AllocCommand.Defaults.class,
  description = "Tells what region servers allocate on the heap, by path and with flame graphs:"
    + " without pools of buffers, as upstream is, and as strata is.",
  footer = { "",
    "It is compare with other defaults, see bench compare --help. All arms have their data blocks"
      + " in a file of the block cache, twice as big as the off-heap memory, cache what they write,"
      + " and flush a region at 16 MB, so that a minute of writes holds flushes and compactions."
      + " Strata has index and bloom blocks in a tier of 64 MB before the file. -c changes any of"
      + " that.",
    "", "The report is OUT/report/allocation.html, and allocation.md and report.json there." })
public final class AllocCommand extends CompareCommand {
  private static final String FLUSH_SIZE_BYTES = Integer.toString(16 << 20);

  /** What differs from compare's. */
  static final class Defaults implements IDefaultValueProvider {
    private static final Map<String, String> VALUES = Map.of("--minutes", "2", "--rounds", "1");

    @Override
    public String defaultValue(ArgSpec argument) {
      return argument instanceof OptionSpec option ? VALUES.get(option.longestName()) : null;
    }
  }

  @Override
  List<String> defaultArms() {
    return List.of(ArmSpec.UNPOOLED, ArmSpec.STOCK, ArmSpec.STRATA);
  }

  @Override
  Map<String, String> defaultSettings(Memory limit) {
    return Map.of("hbase.bucketcache.ioengine", "file:${hbase.tmp.dir}/bucketcache",
      "hbase.bucketcache.size", Long.toString(2 * limit.offHeapMegabytes()),
      // Upstream doesn't know these two.
      "hbase.bucketcache.l1.ioengine", "offheap", "hbase.bucketcache.l1.size", "64",
      "hbase.rs.cacheblocksonwrite", "true", "hbase.rs.cachecompactedblocksonwrite", "true",
      "hfile.block.index.cacheonwrite", "true", "hfile.block.bloom.cacheonwrite", "true",
      "hbase.hregion.memstore.flush.size", FLUSH_SIZE_BYTES);
  }
}
