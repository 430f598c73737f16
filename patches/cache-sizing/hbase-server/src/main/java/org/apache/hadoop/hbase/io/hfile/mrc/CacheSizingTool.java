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
package org.apache.hadoop.hbase.io.hfile.mrc;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.UserProvider;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.GsonBuilder;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * Shows what the block caches of region servers hold, serve and need, by JMX over HTTP. A command
 * for operators.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.TOOLS)
public final class CacheSizingTool {
  static final int INCOMPLETE = 1;
  static final int USAGE = 2;
  static final int NO_CLUSTER = 3;

  private static final String NAME = "cache";
  private static final int THREADS = 8;
  private static final String[] HELP = {
    "Usage: hbase cache [--json] [SERVER...]",
    "",
    "Shows what the block caches of region servers serve, hold, and would serve at other sizes,",
    "and what to do about their sizes. Servers need " + CacheSizingSettings.ENABLED.key() + ".",
    "",
    "  SERVER      host or host:port of a server's web pages, or its name as the shell shows it;",
    "              without any, all live servers of the cluster. Those of several are added.",
    "  --json      for programs: the sum, each server, and those that couldn't be asked",
    "  -h, --help  this text",
    "",
    "Exit codes: 0 all servers are shown, 1 some aren't, 2 wrong command line, 3 the cluster can't",
    "be asked for its servers." };

  private final Configuration conf;
  private final PrintStream out;
  private final PrintStream err;

  /** @param err for errors */
  CacheSizingTool(Configuration conf, PrintStream out, PrintStream err) {
    this.conf = conf;
    this.out = out;
    this.err = err;
  }

  /** Ends with the exit codes that {@code --help} lists. */
  public static void main(String[] args) {
    System.exit(new CacheSizingTool(HBaseConfiguration.create(), System.out, System.err).run(args));
  }

  /** Returns the exit code. */
  int run(String... args) {
    List<String> names = new ArrayList<>();
    boolean json = false;
    for (String arg : args) {
      if ("--help".equals(arg) || "-h".equals(arg)) {
        Arrays.stream(HELP).forEach(out::println);
        return 0;
      } else if ("--json".equals(arg)) {
        json = true;
      } else if (arg.isEmpty() || arg.startsWith("-")) {
        return fail(USAGE, "'" + arg + "' is no option or server (see hbase cache --help)");
      } else {
        names.add(arg);
      }
    }
    Map<String, String> addresses;
    try {
      addresses = addresses(names);
    } catch (IllegalArgumentException e) {
      return fail(USAGE, e.getMessage());
    } catch (AccessDeniedException e) {
      return fail(NO_CLUSTER, innermost(e));
    } catch (IOException e) {
      return fail(NO_CLUSTER, "the cluster can't be asked for its servers: " + innermost(e)
        + "; check " + HConstants.ZOOKEEPER_QUORUM + ", " + conf.get(HConstants.ZOOKEEPER_QUORUM)
        + ", or name servers");
    }
    return show(addresses, json);
  }

  private int fail(int exitCode, String message) {
    err.println(NAME + ": " + message);
    return exitCode;
  }

  /** Returns what the innermost cause says, which tells most, in one line. */
  private static String innermost(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage() == null ? cause : cause.getMessage())
      .replaceAll("(?s)\\n.*", "");
  }

  /** Returns the host and port of the web pages of each server; no port above 0 if it has none. */
  private Map<String, String> addresses(List<String> names) throws IOException {
    Map<String, String> addresses = new LinkedHashMap<>();
    Map<String, String> live = null;
    if (names.isEmpty()) {
      return live();
    }
    for (String name : names) {
      if (name.contains(ServerName.SERVERNAME_SEPARATOR)) {
        live = live == null ? live() : live;
        if (!live.containsKey(name)) {
          throw new IllegalArgumentException("no live server is called " + name + "; there are: "
            + String.join(" ", live.keySet()));
        }
        addresses.put(name, live.get(name));
      } else {
        addresses.put(name, address(name));
      }
    }
    return addresses;
  }

  private Map<String, String> live() throws IOException {
    if (!canLogIn()) {
      throw new AccessDeniedException("no Kerberos ticket, which the cluster asks for: run kinit,"
        + " or set hbase.client.keytab.file and hbase.client.keytab.principal");
    }
    Configuration hasty = new Configuration(conf);
    hasty.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    hasty.setInt("zookeeper.recovery.retry", 1);
    Map<String, String> live = new TreeMap<>();
    try (Connection connection = ConnectionFactory.createConnection(hasty);
      Admin admin = connection.getAdmin()) {
      for (Map.Entry<ServerName, ServerMetrics> server : admin
        .getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS)).getLiveServerMetrics()
        .entrySet()) {
        live.put(server.getKey().getServerName(),
          server.getKey().getHostname() + ":" + server.getValue().getInfoServerPort());
      }
    }
    return live;
  }

  /** Whether the client can log in; else it would try for long. */
  private boolean canLogIn() throws IOException {
    UserProvider provider = UserProvider.instantiate(conf);
    if (!provider.isHBaseSecurityEnabled() || provider.shouldLoginFromKeytab()) {
      return true;
    }
    UserGroupInformation user = provider.getCurrent().getUGI();
    return user.hasKerberosCredentials() || !user.getTokens().isEmpty();
  }

  private String address(String name) {
    if (name.matches(".*:\\d{1,5}")) {
      return name;
    }
    int port =
      conf.getInt(HConstants.REGIONSERVER_INFO_PORT, HConstants.DEFAULT_REGIONSERVER_INFOPORT);
    if (port <= 0 || name.contains(":")) {
      throw new IllegalArgumentException(name + ": give host:port of its web pages; "
        + HConstants.REGIONSERVER_INFO_PORT + " is " + port);
    }
    return name + ":" + port;
  }

  private int show(Map<String, String> addresses, boolean json) {
    List<ServerReport> servers = new ArrayList<>();
    Map<String, String> failures = ask(addresses, servers);
    if (json) {
      out.println(json(servers, failures));
    } else if (!servers.isEmpty()) {
      out.print(new ReportText(servers, ReportSum.of(servers)));
    }
    failures.forEach((server, why) -> err.println(NAME + ": " + server + ": " + why));
    if (addresses.isEmpty()) {
      return fail(INCOMPLETE, "the cluster has no live region server");
    }
    return failures.isEmpty() ? 0 : INCOMPLETE;
  }

  /**
   * Asks servers, some at a time.
   * @param servers gets those that answer
   * @return why others don't, by their names
   */
  private Map<String, String> ask(Map<String, String> addresses, List<ServerReport> servers) {
    Map<String, String> failures = new LinkedHashMap<>();
    ReportReader reader = new ReportReader(conf);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      Map<String, Future<ServerReport>> answers = new LinkedHashMap<>();
      addresses.forEach((name, address) -> answers.put(name,
        threads.submit(() -> reader.read(name, address))));
      for (Map.Entry<String, Future<ServerReport>> answer : answers.entrySet()) {
        try {
          servers.add(answer.getValue().get());
        } catch (ExecutionException e) {
          Throwable cause = e.getCause();
          failures.put(answer.getKey(), cause instanceof UnreadableReportException
            ? cause.getMessage()
            : String.valueOf(cause));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          failures.put(answer.getKey(), "interrupted");
        }
      }
    } finally {
      threads.shutdownNow();
    }
    return failures;
  }

  private static String json(List<ServerReport> servers, Map<String, String> failures) {
    Gson gson = new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().serializeNulls()
      .create();
    JsonObject all = new JsonObject();
    all.add("sum", servers.isEmpty() ? null : gson.toJsonTree(ReportSum.of(servers)));
    JsonArray each = new JsonArray();
    servers.forEach(server -> each.add(server.toJson()));
    all.add("servers", each);
    all.add("failures", gson.toJsonTree(failures));
    return gson.toJson(all);
  }
}
