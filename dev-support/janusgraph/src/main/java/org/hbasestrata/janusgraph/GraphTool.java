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
package org.hbasestrata.janusgraph;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.hbasestrata.ycsb.Slices;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * A client of {@code dev-support/bin/bench pairs} in place of {@code hbase ycsb}: loads a graph by
 * JanusGraph, and asks queries of several hops, each of which is compared with a model in memory.
 * {@code bin/hbase} runs it, with JanusGraph's jars before the distribution's.
 */
@Command(name = "graph", subcommands = { GraphTool.Load.class, GraphTool.InSlices.class })
public final class GraphTool {
  private GraphTool() {
  }

  /** Ends with 0, or what picocli gives a failure. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new GraphTool()).execute(args));
  }

  /** What both commands are given. */
  abstract static class Graph implements Callable<Integer> {
    @Parameters(paramLabel = "PROFILE", description = "A path to a file.")
    private Path profile;

    @Option(names = "--rows", paramLabel = "N", description = "Vertices.")
    private String rows;

    @Option(names = "-p", paramLabel = "KEY=VALUE", description = "Sets a key of the profile.")
    private Map<String, String> keys = new LinkedHashMap<>();

    private Properties values;

    /** Reads the profile, and what the command line says in place of it. */
    void read() throws IOException {
      values = new Properties();
      try (Reader reader = Files.newBufferedReader(profile)) {
        values.load(reader);
      }
      values.putAll(keys);
      if (rows != null) {
        values.setProperty("recordcount", rows);
      }
    }

    Model model() {
      return new Model(number("recordcount"), number("fieldcount"));
    }

    GraphTable table(String name, Model model, int threads) {
      return new GraphTable(name, model, number("hops"), threads);
    }

    String text(String key) {
      return values.getProperty(key, "");
    }

    private int number(String key) {
      try {
        int number = Integer.parseInt(text(key).strip());
        if (number > 0) {
          return number;
        }
      } catch (NumberFormatException e) {
        // Falls through to what is allowed.
      }
      throw new IllegalArgumentException("profile " + profile + ": " + key + " is '" + text(key)
        + "', allowed: a number of 1 or more");
    }
  }

  @Command(name = "load", description = "Loads the graph into the profile's table.")
  static final class Load extends Graph {
    @Override
    public Integer call() throws IOException {
      read();
      try (GraphTable table = table(text("table"), model(), 1)) {
        table.load(System.out);
      }
      return 0;
    }
  }

  @Command(name = "slices", description = "Asks queries, as its input says line by line.")
  static final class InSlices extends Graph {
    @Option(names = "--threads", paramLabel = "N", required = true,
      description = "The most threads that will be asked for.")
    private int threads;

    @Option(names = "--tables", paramLabel = "NAME", required = true, split = ",",
      description = "The tables, each of which has the graph.")
    private List<String> tables;

    @Override
    public Integer call() throws IOException, InterruptedException {
      read();
      Model model = model();
      try (Slices slices =
        new Slices(tables, name -> table(name, model, threads), threads, System.out)) {
        slices.serve(
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
      }
      return 0;
    }
  }
}
