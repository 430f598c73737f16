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

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.SettingsCheck;

/** Heap and direct memory of a server, in MB. Immutable. */
final class MemoryPlan {
  static final String HEAP_FLAG = "MaxHeapSize";
  static final String DIRECT_FLAG = "MaxDirectMemorySize";
  static final String HEAP = "HBASE_HEAPSIZE";
  static final String OFFHEAP = "HBASE_OFFHEAPSIZE";

  /** Default heap and direct memory: 1/8 of the machine, as all roles and a client may share it. */
  private static final int SHARE = 8;
  private static final int LEAST = 512;
  private static final int SHARE_OF_OTHERS = 16;
  /** What a JVM has for classes, compiled code, the stacks of threads, and netty's buffers. */
  private static final int OF_JVM = 512;
  /** A collector has bitmaps, cards and remembered sets of this share of the heap. */
  private static final int SHARE_OF_COLLECTOR = 16;
  /** Up to this heap the JVM's pointers take 4 bytes. */
  private static final long MOST_COMPRESSED = 31 * Sizes.MB_OF_GB;
  /** From this heap on more objects fit, with pointers of 8 bytes, than into 31 GB with 4 bytes. */
  private static final long LEAST_UNCOMPRESSED = 48 * Sizes.MB_OF_GB;
  /** Bytes of heap for each block in the cache. */
  private static final int BYTES_OF_BLOCK = 255;
  /** Blocks of the default BLOCKSIZE in a MB. */
  private static final int BLOCKS_OF_MB = 16;
  private static final long LEAST_REGIONS = 1024;
  private static final int BIGGEST_REGION = 32;

  private final Machine machine;
  private final String heapName;
  private final String directName;
  private final long heap;
  private final Long direct;
  private final OffHeapUse use;
  private final Map<String, String> shares;
  private String tooLittle;

  /**
   * Computes a plan.
   * @param conf        the region server's, into which the shares are put; null for a server
   *                    without regions
   * @param givenHeap   heap that the operator sets; null to use the machine's share
   * @param givenDirect direct memory that the operator sets; null to use the configuration's demand
   * @param heapName    what sets the heap, for advice
   * @param directName  what sets the direct memory, for advice
   * @param certain     whether the server's JVM is known to have the given direct memory
   * @param environment the server's
   */
  MemoryPlan(Machine machine, Configuration conf, Long givenHeap, Long givenDirect,
    String heapName, String directName, boolean certain, Map<String, String> environment) {
    this.machine = machine;
    this.heapName = heapName;
    this.directName = directName;
    long share = Math.max(machine.memoryMb() / SHARE, Math.min(LEAST, machine.memoryMb() / 4));
    heap = givenHeap != null ? givenHeap : Math.min(share, MOST_COMPRESSED);
    if (heap <= 0) {
      throw new JvmException("a heap of 0 MB isn't possible; set " + heapName + " to 512m or more");
    }
    if (conf == null) {
      use = null;
      direct = givenDirect;
      shares = Collections.emptyMap();
      return;
    }
    Shares planned = new Shares(givenDirect != null ? givenDirect : share, directName, environment);
    planned.applyTo(conf);
    shares = planned.values();
    checkSettings(conf);
    use = new OffHeapUse(conf);
    direct = givenDirect != null ? givenDirect : Shares.around(use.megabytes());
    if (direct < use.megabytes()) {
      tooLittle = directName + " of " + Sizes.text(direct) + " is too small for what "
        + "hbase-site.xml puts off-heap, " + use + ": set " + directName + " to "
        + Sizes.option(Shares.around(use.megabytes())) + ", or lower these";
      if (certain && direct < use.megabytesAtOnce()) {
        throw new JvmException(tooLittle);
      }
    }
  }

  /**
   * Computes a plan from the request, or from the environment where the request has nothing.
   * @param conf the region server's, into which the shares are put; null for a server without
   *             regions
   */
  static MemoryPlan of(Request request, Machine machine, Configuration conf,
    Map<String, String> environment) {
    return new MemoryPlan(machine, conf, givenHeap(request, environment),
      givenDirect(request, environment), nameOf(request, HEAP_FLAG, "-Xmx", HEAP),
      nameOf(request, DIRECT_FLAG, "-XX:MaxDirectMemorySize", OFFHEAP),
      !Options.nameFiles(request.operator), environment);
  }

  /** Returns the heap that the operator sets, in MB, or null. */
  static Long givenHeap(Request request, Map<String, String> environment) {
    Long operators = Options.size(request.operator, HEAP_FLAG);
    return operators != null ? operators
      : request.heap != null ? request.heap : size(HEAP, environment);
  }

  /** Returns the direct memory that the operator sets, in MB, or null. */
  static Long givenDirect(Request request, Map<String, String> environment) {
    Long operators = Options.size(request.operator, DIRECT_FLAG);
    return operators != null ? operators : size(OFFHEAP, environment);
  }

  private static Long size(String variable, Map<String, String> environment) {
    String value = environment.getOrDefault(variable, "");
    return value.isEmpty() ? null : Sizes.ofMegabytes(variable, value);
  }

  /** Returns the name of what sets a size: an option or a variable. */
  private static String nameOf(Request request, String flag, String option, String variable) {
    return Options.size(request.operator, flag) == null
      ? variable
      : option + " in " + request.operatorsVariables();
  }

  /**
   * Checks the settings without the machine, which may be another one, and without direct memory,
   * which is computed from these settings.
   */
  private static void checkSettings(Configuration conf) {
    if (!ServerJars.haveOurSettings()) {
      return;
    }
    List<String> refusals = SettingsCheck.refusalsAnywhere(conf);
    if (!refusals.isEmpty()) {
      throw new JvmException(String.join("\n", refusals));
    }
  }

  /**
   * Returns a warning if this machine has too little memory, or null. See
   * {@link #isBeyondTheMachine}.
   */
  String tooMuch() {
    long all = heap + (direct == null ? 0 : direct);
    if (all <= machine.memoryMb() - spare()) {
      return null;
    }
    long room = machine.memoryMb() - spare() - (direct == null ? 0 : direct);
    return "heap of " + Sizes.text(heap) + " and direct memory of "
      + Sizes.text(direct == null ? 0 : direct) + " are "
      + (all > machine.memoryMb() ? "more than" : "nearly") + " the "
      + Sizes.text(machine.memoryMb()) + " that there are, and classes, compiled code, the"
      + " collector and the network take " + Sizes.text(spare()) + ": set "
      + (room >= LEAST ? heapName + " to " + Sizes.option(room) + " or less"
        : directName + " to " + Sizes.option(Math.max(0, machine.memoryMb() - spare() - heap))
          + " or less" + (use == null ? "" : ", and less of " + use));
  }

  boolean isBeyondTheMachine() {
    return heap + (direct == null ? 0 : direct) > machine.mostMemoryMb();
  }

  /** Returns the minimum for the JVM itself, and for the kernel. */
  private long spare() {
    return Math.max(machine.memoryMb() / SHARE_OF_OTHERS, OF_JVM + heap / SHARE_OF_COLLECTOR);
  }

  /** Returns a warning of direct memory that suffices for a start but not under load, or null. */
  String tooLittle() {
    return tooLittle;
  }

  /** Returns a warning of a heap whose pointers take 8 bytes without a benefit, or null. */
  String uncompressed() {
    return heap <= MOST_COMPRESSED || heap >= LEAST_UNCOMPRESSED ? null
      : "with a heap of " + Sizes.text(heap) + " pointers take 8 bytes rather than 4, and less fits"
        + " in than in 31 GB: set " + heapName + " to 31g, or to 48g and more";
  }

  /** Returns a warning of a block cache whose entries take most of the heap, or null. */
  String tooManyBlocks() {
    long blocks = use == null ? 0 : use.cacheMegabytes() * BLOCKS_OF_MB;
    long entries = blocks * BYTES_OF_BLOCK >> Sizes.BITS_OF_MB;
    long wanted = 2 * entries + Sizes.MB_OF_GB - 1;
    if (wanted > MOST_COMPRESSED) {
      wanted = Math.max(wanted, LEAST_UNCOMPRESSED);
    }
    return entries <= heap / 2 ? null
      : "a block cache of " + Sizes.text(use.cacheMegabytes()) + " has " + blocks / 1_000_000
        + " million blocks of 64 KB, of which the heap of " + Sizes.text(heap) + " keeps "
        + Sizes.text(entries) + ": set " + heapName + " to "
        + wanted / Sizes.MB_OF_GB + "g or more, or make the cache smaller";
  }

  long heap() {
    return heap;
  }

  /** Returns the direct memory in MB; null for the JVM's default. */
  Long direct() {
    return direct;
  }

  /** Returns the users of direct memory; null for a server without regions. */
  OffHeapUse use() {
    return use;
  }

  /** Returns environment variables for hbase-site.xml, by name. */
  Map<String, String> shares() {
    return shares;
  }

  /**
   * Returns the minimum size of eden in percent of the heap: 1 GB for each 100 ms of pause, since
   * G1 evacuates 10 GB/s (source B), and at most the JVM's default of 5.
   */
  long edenPercent(int pauseMillis) {
    long percent = Math.round((double) pauseMillis * Sizes.MB_OF_GB / heap);
    return Math.max(1, Math.min(5, percent));
  }

  /** Returns the size of G1's regions in MB: a power of two that gives at least 1024 regions. */
  long regionSize() {
    return Math.max(1, Math.min(BIGGEST_REGION, Long.highestOneBit(heap / LEAST_REGIONS)));
  }

  /** Returns the size for young objects in MB: 3/8 of the heap, as in source C. */
  long young() {
    return heap * 3 / 8;
  }
}
