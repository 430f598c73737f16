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
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.util.DNS;

/**
 * Checks for bin/hbase-daemon.sh, before it starts a server, that the server's ports are free. The
 * server itself reports only some seconds later that an address is in use, and neither which one
 * nor its key.
 */
public final class PortCheck {
  private static final int TAKEN = 1;
  private static final String ANY_HOST = "0.0.0.0";
  private static final String LOOPBACK = "localhost";

  private final Configuration conf;
  private final List<String> problems = new ArrayList<>();

  private PortCheck(Configuration conf) {
    this.conf = conf;
  }

  /** @param args the role, followed by the server's other arguments, such as -D KEY=VALUE */
  public static void main(String[] args) {
    List<String> problems;
    try {
      VersionTool.verifyJars();
      problems = of(args[0], configuration(args));
    } catch (JvmException e) {
      problems = Collections.singletonList(e.getMessage());
    } catch (RuntimeException e) {
      // The server describes the error of an unreadable configuration better.
      problems = Collections.emptyList();
    }
    problems.forEach(problem -> System.err.println("hbase: " + problem));
    System.exit(problems.isEmpty() ? 0 : TAKEN);
  }

  private static Configuration configuration(String[] args) {
    Configuration conf = HBaseConfiguration.create();
    for (int i = 1; i < args.length; i++) {
      boolean apart = args[i].equals("-D") && i + 1 < args.length;
      String setting = apart ? args[++i] : args[i].startsWith("-D") ? args[i].substring(2) : "";
      int equals = setting.indexOf('=');
      if (equals > 0) {
        conf.set(setting.substring(0, equals), setting.substring(equals + 1));
      }
    }
    return conf;
  }

  /** Returns a line for each port that a server of the role can't get. */
  static List<String> of(String role, Configuration conf) {
    PortCheck check = new PortCheck(conf);
    boolean alone = !conf.getBoolean("hbase.cluster.distributed", false);
    if (role.equals("master")) {
      check.port("hbase.master.port", 16000, check.host("master", DNS.ServerType.MASTER));
      check.page("hbase.master.info", 16010);
      if (alone) {
        // The region server in the same process moves to another port by itself.
        check.page("hbase.regionserver.info", 16030);
      }
    } else if (role.equals("regionserver")) {
      check.port("hbase.regionserver.port", 16020,
        check.host("regionserver", DNS.ServerType.REGIONSERVER));
      check.page("hbase.regionserver.info", 16030);
    }
    if (role.equals("zookeeper") || role.equals("master") && alone) {
      check.port("hbase.zookeeper.property.clientPort", 2181, role.equals("master") ? LOOPBACK
        : conf.get("hbase.zookeeper.property.clientPortAddress", ANY_HOST));
    }
    return check.problems;
  }

  private void page(String prefix, int port) {
    if (!conf.getBoolean("hbase.regionserver.info.port.auto", false)) {
      port(prefix + ".port", port, conf.get(prefix + ".bindAddress", ANY_HOST));
    }
  }

  /** Returns the host on which a server listens for RPCs: by default its own name only. */
  private String host(String role, DNS.ServerType type) {
    try {
      String own = DNS.getHostname(conf, type);
      return conf.get("hbase." + role + ".ipc.address", own);
    } catch (UnknownHostException e) {
      return "";
    }
  }

  /** Checks a port. Port 0 stands for any free one, and a negative one for none. */
  private void port(String key, int otherwise, String host) {
    int port = conf.getInt(key, otherwise);
    InetSocketAddress address = new InetSocketAddress(host, Math.max(port, 0));
    if (port <= 0 || host.isEmpty() || address.isUnresolved()) {
      return;
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(address);
    } catch (BindException e) {
      if (e.getMessage().contains("in use")) {
        problems.add(key + "=" + port + ": " + address.getHostString() + ":" + port
          + " is in use; end what listens there, or set " + key + " to a free port");
      }
    } catch (IOException e) {
      // The server itself reports it.
    }
  }
}
