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

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** {@code hbase jvm propose}: sizes and a profile for a machine, with the reasons. */
public final class ProposeTool extends OptionTool {
  private static final int FAILED = 1;
  private static final int USAGE = 2;
  private static final String HELP =
    "Usage: hbase jvm propose [--memory SIZE] [--cpus N] [--ssd SSD]... [--data SIZE]\n"
      + "                         [--read | --write | --mixed] [--out DIR]\n"
      + "\n"
      + "Proposes sizes and a profile for one region server on a machine that runs no other\n"
      + "server but a DataNode, with a reason for each.\n"
      + "\n"
      + "  --memory SIZE  memory, such as 64g; else what this machine, or container, has\n"
      + "  --cpus N       processors; else those that there are\n"
      + "  --ssd SSD      a folder on an SSD for the block cache, its size behind an equals sign\n"
      + "                 if it isn't here, or a size alone: /mnt/ssd, /mnt/ssd=1800g, 1800g\n"
      + "  --data SIZE    files that the server is to serve, such as 4t; else not known\n"
      + "  --read, --write, --mixed\n"
      + "                 what clients mostly do; --mixed by default\n"
      + "  --out DIR      writes it there, too: hbase-site.xml, and hbase-env.sh with lines to add";

  private final List<Ssd> ssds = new ArrayList<>();
  private Proposal.Load load = Proposal.Load.MIXED;
  private Long data;
  private Path to;

  private ProposeTool(PrintStream out, PrintStream err, Map<String, String> environment) {
    super("jvm propose", out, err, environment);
  }

  public static void main(String[] args) {
    System.exit(run(System.out, System.err, System.getenv(), args));
  }

  /** Returns the exit code. */
  static int run(PrintStream out, PrintStream err, Map<String, String> environment,
    String... args) {
    ProposeTool tool = new ProposeTool(out, err, environment);
    try {
      return tool.run(Arrays.asList(args));
    } catch (JvmException e) {
      Arrays.asList(e.getMessage().split("\n")).forEach(tool::error);
    } catch (RuntimeException | LinkageError | IOException e) {
      tool.error("nothing can be proposed: " + oneLine(e));
    }
    return FAILED;
  }

  private int run(List<String> args) throws IOException {
    String wrong = parse(args.iterator());
    if (wrong != null) {
      error(wrong + " (see hbase jvm propose --help)");
      return USAGE;
    }
    if (help) {
      out.println(HELP);
      return 0;
    }
    Machine here = Machine.read(Paths.get("/"), Runtime.getRuntime().availableProcessors());
    Proposal proposal = new Proposal(request.machine(here), ssds, data, load, conf());
    proposal.describe().forEach(out::println);
    proposal.remarks().forEach(remark -> out.println("\n" + remark));
    out.println("\nIn hbase-env.sh:\n");
    proposal.envLines().forEach(out::println);
    out.println("\nIn hbase-site.xml, in place of its line with a profile:\n");
    List<String> site = proposal.siteLines();
    site.subList(1, site.size() - 1).forEach(out::println);
    if (to != null) {
      write(proposal);
    }
    return 0;
  }

  /** Returns the folder that has the profiles: the configuration's, or the distribution's. */
  private Path conf() {
    Path conf = Paths.get(variable("HBASE_CONF_DIR", "conf"));
    return Files.isDirectory(conf.resolve("profiles")) ? conf
      : Paths.get(variable("HBASE_HOME", "."), "conf");
  }

  private void write(Proposal proposal) throws IOException {
    Files.createDirectories(to);
    Path env = to.resolve("hbase-env.sh");
    Path site = to.resolve("hbase-site.xml");
    for (Path file : Arrays.asList(env, site)) {
      if (Files.exists(file)) {
        throw new JvmException(file + " is there already, and stays: give --out another folder");
      }
    }
    Files.write(env, proposal.envLines());
    Files.write(site, proposal.siteLines());
    out.println("\nWrote " + site + " and " + env + ". Add the lines to yours.");
  }

  @Override
  boolean parse(String option) {
    switch (option) {
      case "--read":
      case "--write":
      case "--mixed":
        load = Proposal.Load.valueOf(option.substring(2).toUpperCase(Locale.ROOT));
        return true;
      default:
        return false;
    }
  }

  @Override
  String parse(String name, String value) {
    switch (name) {
      case "--data":
        data = Sizes.ofMegabytes(name, value);
        return null;
      case "--ssd":
        ssds.add(Ssd.parse(value, ssds.size() + 1));
        return null;
      case "--out":
        to = Paths.get(value);
        return null;
      default:
        return unknown(name);
    }
  }
}
