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
package org.hbasestrata.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hbase.io.hfile.segment.CachesInFiles;
import org.apache.hadoop.hbase.io.hfile.segment.SegmentMeasurements;
import org.apache.hadoop.hbase.io.hfile.segment.SegmentsAndBuckets;
import org.hbasestrata.tools.Tool;
import org.hbasestrata.tools.ToolException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code dev-support/bin/benchmarks segments}. */
@Command(name = "benchmarks segments", sortOptions = false,
  description = "Measures the block cache of segments by itself, without a server.",
  footer = { "", "Exit codes: 0 all was measured, 1 it failed, 2 wrong command line." })
final class SegmentsTool extends Tool implements Callable<Integer> {
  /** What is measured. */
  enum What {
    /** Part of the size that is blocks. */
    SPACE,
    /** Bytes written for each byte of blocks that comes. */
    WRITES,
    /** Memory of the index. */
    INDEX,
    /** Time of a start. */
    START,
    /** Hits, beside those of other policies. */
    REPLAY,
    /** The same, of what a region reads under four loads. */
    RECORDED,
    /** Time of a look-up, beside BucketCache's. */
    LOOKUP,
    /** Garbage collections of a JVM with the index, beside BucketCache's. */
    GC,
    /** Fills a cache of {@code --engine} in {@code --dir}; if it is there, starts one on it. */
    REAL,
    /** Reads from a device while it is written, beside BucketCache's of {@code direct:}. */
    BESIDE
  }

  @Spec
  private CommandSpec spec;

  @Parameters(arity = "1", paramLabel = "WHAT", description = "One of: ${COMPLETION-CANDIDATES}.")
  private What what;

  @Option(names = "--dir", paramLabel = "DIR",
    description = "Where files of the cache are made and removed. Default: a temporary folder.")
  private Path folder;

  @Option(names = "--mb", paramLabel = "MB", defaultValue = "1024",
    description = "Size of the cache, of SPACE, WRITES, REAL and BESIDE. Default:"
      + " ${DEFAULT-VALUE}.")
  private int megabytes;

  @Option(names = "--blocks", paramLabel = "N", defaultValue = "1000000",
    description = "Blocks of INDEX, START, LOOKUP and GC, and that REPLAY's traces are of; rows of"
      + " RECORDED. Default: ${DEFAULT-VALUE}.")
  private int blocks;

  @Option(names = "--reads", paramLabel = "N", defaultValue = "2000000",
    description = "References of each trace of REPLAY and RECORDED. Default: ${DEFAULT-VALUE}.")
  private int reads;

  @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
    description = "Of the random numbers of REPLAY and RECORDED. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(names = "--bucket-blocks", paramLabel = "N", defaultValue = "2000000",
    description = "Blocks of the BucketCache of LOOKUP and GC, each 255 bytes of heap. Default:"
      + " ${DEFAULT-VALUE}.")
  private int bucketBlocks;

  @Option(names = "--pause", paramLabel = "SECONDS", defaultValue = "0",
    description = "START waits this long before it starts, so that the page cache can be dropped.")
  private int pause;

  @Option(names = "--engine", paramLabel = "ENGINE", defaultValue = "segments",
    description = "Of REAL: segments, or direct for a BucketCache. Default: ${DEFAULT-VALUE}.")
  private String engine;

  @Option(names = "--rate", paramLabel = "MB", defaultValue = "200",
    description = "What BESIDE writes in a second. Default: ${DEFAULT-VALUE}.")
  private int rate;

  /** Ends with the exit codes that {@code --help} lists. */
  public static void main(String[] args) {
    new SegmentsTool().run(args);
  }

  @Override
  public Integer call() throws InterruptedException {
    SegmentMeasurements measurements = new SegmentMeasurements(spec.commandLine().getOut());
    try {
      if (what == What.REAL) {
        if (folder == null) {
          throw ToolException.usage("REAL needs --dir, where the cache's file stays");
        }
        inFiles().real(folder, engine, megabytes);
      }
      Path parent = folder == null ? Path.of(System.getProperty("java.io.tmpdir")) : folder;
      Path files = Files.createTempDirectory(parent, "segments");
      try {
        measure(measurements, files);
      } finally {
        FileUtil.fullyDelete(files.toFile());
      }
    } catch (IOException e) {
      throw ToolException.failed("It can't be measured: " + ToolException.oneLine(e), e);
    }
    return 0;
  }

  private SegmentsAndBuckets beside() {
    return new SegmentsAndBuckets(spec.commandLine().getOut());
  }

  private CachesInFiles inFiles() {
    return new CachesInFiles(spec.commandLine().getOut());
  }

  private void measure(SegmentMeasurements measurements, Path files)
    throws IOException, InterruptedException {
    switch (what) {
      case SPACE -> measurements.space(files, megabytes);
      case WRITES -> measurements.writes(files, megabytes);
      case INDEX -> measurements.index(blocks);
      case START -> measurements.start(files, blocks, pause);
      case REPLAY -> measurements.replay(blocks, reads, seed);
      case RECORDED -> measurements.replayRecorded(files, blocks, reads, seed);
      case LOOKUP -> beside().lookUp(blocks, bucketBlocks);
      case GC -> beside().collections(blocks, bucketBlocks);
      case BESIDE -> inFiles().beside(files, megabytes, rate);
      default -> throw new IllegalStateException(what.name());
    }
  }
}
