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

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.management.AttributeNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.hbasestrata.bench.pairs.ServerUse;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.cluster.ProcessFiles;

/*
 * The JVM is asked by its own agent, which answers within a millisecond and knows what each thread
 * has allocated; the web port knows that of newer JDKs only.
 */

/** A region server's process, and what it has used. For one thread. */
final class ServerProcess implements AutoCloseable {
  private static final String THREADING = ManagementFactory.THREAD_MXBEAN_NAME;
  private static final String TOTAL_ALLOCATED = "TotalThreadAllocatedBytes";

  private final ProcessFiles files;
  private final JMXConnector connector;
  private final MBeanServerConnection server;
  private final ThreadMXBean threads;
  private final CompilationMXBean compilation;
  private final List<GarbageCollectorMXBean> collectors;
  private final boolean knowsTotal;

  private ServerProcess(ProcessFiles files, JMXConnector connector) throws IOException,
    JMException {
    this.files = files;
    this.connector = connector;
    this.server = connector.getMBeanServerConnection();
    this.threads = ManagementFactory.newPlatformMXBeanProxy(server, THREADING, ThreadMXBean.class);
    this.compilation =
      ManagementFactory.getPlatformMXBean(server, CompilationMXBean.class);
    this.collectors =
      ManagementFactory.getPlatformMXBeans(server, GarbageCollectorMXBean.class);
    this.knowsTotal = knowsTotal();
  }

  static ServerProcess attach(Path proc, long pid) {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      try {
        return new ServerProcess(new ProcessFiles(proc, pid), JMXConnectorFactory
          .connect(new JMXServiceURL(machine.startLocalManagementAgent())));
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException | IOException | JMException e) {
      throw ToolException.failed("the JVM of the region server, process " + pid
        + ", can't be asked: " + ToolException.oneLine(e), e);
    }
  }

  /** Counters since the process's start. Maps are by the thread's id. */
  record Reading(double cpuSeconds, Map<Long, Long> switches, Map<Long, Long> allocated,
    double gcSeconds, double compileSeconds) {
  }

  /** What was counted so far; to be called when the server is idle. */
  Reading read() throws IOException {
    Map<Long, Long> allocated = allocatedBytes();
    double gcMillis = 0;
    for (GarbageCollectorMXBean collector : collectors) {
      gcMillis += collector.getCollectionTime();
    }
    double compileMillis = compilation.getTotalCompilationTime();
    return new Reading(files.cpuSeconds(), files.contextSwitches(), allocated, gcMillis / 1e3,
      compileMillis / 1e3);
  }

  double cpuSeconds() throws IOException {
    return files.cpuSeconds();
  }

  /** What was used since. What asking takes is in neither reading. */
  ServerUse since(Reading before) throws IOException {
    double cpu = files.cpuSeconds() - before.cpuSeconds();
    Map<Long, Long> switches = files.contextSwitches();
    Reading now = read();
    return new ServerUse(cpu, sum(before.switches(), switches),
      sum(before.allocated(), now.allocated()), now.gcSeconds() - before.gcSeconds(),
      now.compileSeconds() - before.compileSeconds());
  }

  /** Of threads that are there now: what those had that ended since isn't known. */
  static double sum(Map<Long, Long> before, Map<Long, Long> after) {
    double sum = 0;
    for (Map.Entry<Long, Long> entry : after.entrySet()) {
      sum += entry.getValue() - before.getOrDefault(entry.getKey(), 0L);
    }
    return sum;
  }

  private boolean knowsTotal() throws IOException, JMException {
    try {
      server.getAttribute(new ObjectName(THREADING), TOTAL_ALLOCATED);
      return true;
    } catch (AttributeNotFoundException e) {
      return false;
    }
  }

  private Map<Long, Long> allocatedBytes() throws IOException {
    Map<Long, Long> bytes = new HashMap<>();
    if (knowsTotal) {
      try {
        bytes.put(0L,
          (Long) server.getAttribute(new ObjectName(THREADING), TOTAL_ALLOCATED));
        return bytes;
      } catch (JMException e) {
        throw new IOException(e);
      }
    }
    long[] ids = threads.getAllThreadIds();
    long[] allocated = threads.getThreadAllocatedBytes(ids);
    for (int i = 0; i < ids.length; i++) {
      if (allocated[i] >= 0) {
        bytes.put(ids[i], allocated[i]);
      }
    }
    return bytes;
  }

  @Override
  public void close() {
    try {
      connector.close();
    } catch (IOException e) {
      // The server has ended.
    }
  }
}
