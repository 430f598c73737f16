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

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * What a region server should have of a machine that runs no other server but a DataNode: sizes for
 * hbase-env.sh, and a profile with its keys for hbase-site.xml. What {@link MemoryPlan} computes of
 * them is what is proposed. Immutable.
 */
final class Proposal {
  /** What clients mostly do, and the part of 12 of the off-heap memory that the memstore gets. */
  enum Load {
    READ(2),
    MIXED(3),
    WRITE(6);

    private final int memstoreParts;

    Load(int memstoreParts) {
      this.memstoreParts = memstoreParts;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final int PARTS = 12;
  private static final int SHARE_OF_HEAP = 8;
  private static final long LEAST_HEAP = 4 * Sizes.MB_OF_GB;
  private static final long MOST_HEAP = 31 * Sizes.MB_OF_GB;
  /** The part of the heap that index and bloom blocks have without tiers, in percent. */
  private static final int METADATA_PERCENT = 40;
  /** Of files, index and bloom blocks are this part, at blocks of 64 KB: 1.7 GB of a TB. */
  private static final int FILES_OF_METADATA = 600;
  /** As source A had 15 GB: what a memstore has is replayed from the WAL after a crash. */
  private static final long MOST_MEMSTORE = 16 * Sizes.MB_OF_GB;
  private static final long LEAST_CACHE = 64;
  /** What others have at least: the system, and what a JVM takes beside heap and direct memory. */
  private static final long LEAST_LEFT = Sizes.MB_OF_GB;

  private final Machine machine;
  private final List<Ssd> ssds;
  private final Long data;
  private final Load load;
  private final boolean tiers;
  private final long heap;
  private final long l2;
  private final long memstore;
  private final long cache;
  private final MemoryPlan plan;
  private final List<String> remarks = new ArrayList<>();

  /**
   * Computes a proposal.
   * @param ssds what the cache may use; none for a cache in memory alone
   * @param data MB of files that the server serves; null if not known
   * @param conf folder that has profiles/
   */
  Proposal(Machine machine, List<Ssd> ssds, Long data, Load load, Path conf) {
    this.machine = machine;
    this.ssds = Collections.unmodifiableList(new ArrayList<>(ssds));
    this.data = data;
    this.load = load;
    long all = machine.memoryMb();
    long share = Math.max(all / SHARE_OF_HEAP, Math.min(LEAST_HEAP, all / 4));
    long ours = all - Math.max(all / 4, LEAST_LEFT);
    long parts = (ours - Math.min(share, MOST_HEAP)) * 15 / 16;
    memstore = Math.min(parts * load.memstoreParts / PARTS, MOST_MEMSTORE);
    long inMemory = parts * (PARTS - 1) / PARTS - memstore;
    tiers = !ssds.isEmpty() && (data == null || withSpare(data) > inMemory);
    heap = Math.min(MOST_HEAP, tiers ? share
      : Math.max(share, Math.min(metadata() * 100 / METADATA_PERCENT, all / 4)));
    l2 = !tiers ? 0 : data == null ? onSsds() : Math.min(onSsds(), withSpare(data));
    long room = ours - heap;
    long size = data == null ? inMemory : Math.min(inMemory, withSpare(data));
    MemoryPlan computed = null;
    while (size >= LEAST_CACHE) {
      computed = plan(size, conf);
      if (computed.direct() <= room) {
        break;
      }
      size -= computed.direct() - room;
    }
    if (size < LEAST_CACHE) {
      throw new JvmException(Sizes.text(all) + " of memory is too little"
        + (tiers ? " for a second tier of " + Sizes.text(l2) + ": give fewer or smaller --ssd"
          : ": a region server needs 2 GB"));
    }
    cache = size;
    plan = computed;
    addRemarks();
  }

  /** Returns the plan of a server that has this proposal, with a cache of this size in memory. */
  private MemoryPlan plan(long size, Path folder) {
    Configuration conf = new Configuration(false);
    try {
      conf.setClassLoader(new URLClassLoader(new URL[] { folder.toUri().toURL() },
        Proposal.class.getClassLoader()));
    } catch (MalformedURLException e) {
      throw new JvmException(folder + " can't be read: " + e.getMessage());
    }
    conf.addResource("hbase-default.xml");
    conf.addResource("profiles/" + profile() + ".xml");
    properties().forEach(conf::set);
    Map<String, String> environment = variables(size);
    Shares.apply(environment, conf);
    return new MemoryPlan(machine, conf, heap, null, MemoryPlan.HEAP, MemoryPlan.OFFHEAP, true,
      environment);
  }

  /** Returns nine tenths of the SSDs. Each has an equal part, so the smallest bounds all. */
  private long onSsds() {
    long smallest = ssds.stream().mapToLong(Ssd::megabytes).min().orElse(0);
    return smallest * ssds.size() * 9 / 10;
  }

  private static long withSpare(long megabytes) {
    return megabytes + megabytes / 10;
  }

  private long metadata() {
    return data == null ? 0 : withSpare(data / FILES_OF_METADATA);
  }

  private void addRemarks() {
    if (ssds.isEmpty()) {
      remarks.add("No SSD was named: with one, --ssd PATH proposes a second tier on it.");
    } else if (!tiers) {
      remarks.add("The data fits into memory, so the SSD isn't needed for the cache.");
    }
    if (!tiers && data != null && withSpare(data) > cache) {
      remarks.add("The cache has room for " + cache * 100 / withSpare(data) + " % of the data.");
    }
    long forMetadata = tiers ? cache : heap * METADATA_PERCENT / 100;
    long wanted = data == null ? withSpare(l2 / FILES_OF_METADATA) : metadata();
    if (wanted > forMetadata) {
      remarks.add("Index and bloom blocks of " + Sizes.text(data == null ? l2 : data)
        + " take about " + Sizes.text(wanted) + ", and have " + Sizes.text(forMetadata)
        + ": give it more memory or a smaller SSD, use more servers, or bigger blocks.");
    }
    for (String warning : new String[] { plan.tooMuch(), plan.tooLittle(), plan.tooManyBlocks() }) {
      if (warning != null) {
        remarks.add(warning);
      }
    }
  }

  /** Returns the name of the profile. */
  String profile() {
    return tiers ? "ssd" : "memory";
  }

  /** Returns the keys of hbase-site.xml below the profile's line. */
  Map<String, String> properties() {
    Map<String, String> properties = new LinkedHashMap<>();
    if (tiers) {
      List<String> paths = new ArrayList<>();
      ssds.forEach(ssd -> paths.add(ssd.file()));
      properties.put("hbase.profile.ssd.path", String.join(",", paths));
      properties.put("hbase.bucketcache.l2.size", Sizes.option(l2));
    }
    return properties;
  }

  /** Returns the variables of hbase-env.sh. */
  Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put(MemoryPlan.HEAP, Sizes.option(heap));
    variables.put(MemoryPlan.OFFHEAP, Sizes.option(plan.direct()));
    variables.putAll(variables(cache));
    return variables;
  }

  private Map<String, String> variables(long size) {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put(Shares.CACHE, Long.toString(size));
    variables.put(Shares.MEMSTORE, Long.toString(memstore));
    variables.put(Shares.FLUSH_SIZE, Long.toString(Shares.flushSize(memstore)));
    return variables;
  }

  List<String> remarks() {
    return Collections.unmodifiableList(remarks);
  }

  Machine machine() {
    return machine;
  }

  /** Returns the proposal with a reason a line, for people to read. */
  List<String> describe() {
    List<String> lines = new ArrayList<>();
    lines.add("For a region server with " + machine.cpus() + " processors and "
      + Sizes.text(machine.memoryMb()) + (ssds.isEmpty() ? "" : ", " + ssds.size() + " SSD"
        + (ssds.size() > 1 ? "s" : ""))
      + (data == null ? "" : ", " + Sizes.text(data) + " of data")
      + (load == Load.MIXED ? ", reads and writes" : ", mostly " + load + "s"));
    lines.add("");
    add(lines, "profile", profile(), tiers
      ? "the block cache has a tier in memory and one on SSDs"
      : "the block cache is in memory");
    add(lines, "heap", Sizes.text(heap), "an eighth of all, at least 4 GB (a quarter, if less),"
      + " at most 31 GB" + (tiers || data == null ? "" : "; more if index blocks need it"));
    add(lines, "direct memory", Sizes.text(plan.direct()),
      "what follows, and a 16th of it for the network and HDFS's client");
    add(lines, tiers ? "  L1" : "  cache", Sizes.text(cache), "offheap: " + (tiers
      ? "index and bloom blocks, and the data read most"
      : "data blocks; index and bloom blocks are on the heap"));
    add(lines, "  memstore", Sizes.text(memstore), load.memstoreParts
      + " of 12 parts for this load, 16 GB at most, which a crash has replayed");
    long others = plan.use().megabytes() - cache - memstore;
    add(lines, "  buffers", Sizes.text(others), "a 12th of the rest" + (tiers
      ? ", and the buffers and index of L2" : ""));
    if (tiers) {
      add(lines, "L2", Sizes.text(l2), "segments: nine tenths of the SSD"
        + (ssds.size() > 1 ? "s, an equal part on each" : "")
        + (data == null ? "" : ", or the data and a tenth"));
    }
    add(lines, "flush size", Sizes.text(Shares.flushSize(memstore) >> Sizes.BITS_OF_MB),
      "upstream's 128 MB, or a quarter of the memstore");
    add(lines, "left", Sizes.text(machine.memoryMb() - heap - plan.direct()),
      "a quarter or more for the system, a DataNode and the page cache");
    add(lines, "GC threads", Integer.toString(machine.gcThreads()),
      "by the JVM preset: all processors up to 8, and 5 of each 8 more");
    return lines;
  }

  private static void add(List<String> lines, String what, String value, String reason) {
    lines.add(String.format(Locale.ROOT, "%-14s %-9s %s", what, value, reason));
  }

  /** Returns the lines for hbase-env.sh. */
  List<String> envLines() {
    List<String> lines = new ArrayList<>();
    variables().forEach((name, value) -> lines.add("export " + name + "=" + value));
    return lines;
  }

  /** Returns hbase-site.xml. */
  List<String> siteLines() {
    List<String> lines = new ArrayList<>();
    lines.add("<configuration xmlns:xi=\"http://www.w3.org/2001/XInclude\">");
    lines.add("  <xi:include href=\"profiles/" + profile() + ".xml\"/>");
    properties().forEach((key, value) -> {
      lines.add("  <property>");
      lines.add("    <name>" + key + "</name>");
      lines.add("    <value>" + value + "</value>");
      lines.add("  </property>");
    });
    lines.add("</configuration>");
    return lines;
  }
}
