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

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/** The input of a plan. Filled by its creator, and only read afterwards. */
final class Request {
  /** A name or a path. */
  String preset;
  /** regionserver, master or zookeeper. */
  String role = "regionserver";
  /** Whether the plan is only displayed: then a machine that is too small is just a warning. */
  boolean lookOnly = true;
  /** Heap in MB; null for HBASE_HEAPSIZE or the machine's. */
  Long heap;
  /** Processors; null for the machine's. */
  Integer cpus;
  /** Memory in MB; null for the machine's. */
  Long memory;
  /** The operator's options, which take precedence. */
  List<String> operator = new ArrayList<>();
  /** Path of the GC log on disk. */
  String gcLog = "gc.log";
  /** Where crash files and heap dumps go. */
  String logDir = ".";
  /** Options for the JDK's modules, which bin/hbase adds. */
  List<String> modules = new ArrayList<>();
  /** What bin/hbase has on the class path up to the jars of lib/, and behind them. */
  String classPath = "";
  String classPathRest = "";
  /** Tells the log folders of several servers apart: the server's process id. */
  String id = "PID";

  /** Returns the names of the variables that the operator's options come from. */
  String operatorsVariables() {
    return "HBASE_OPTS, HBASE_" + role.toUpperCase(Locale.ROOT) + "_OPTS and SERVER_GC_OPTS";
  }

  /** Returns true for a server with regions: a region server, or a master that also runs one. */
  boolean isWithRegions(Configuration conf) {
    return role.equals("regionserver")
      || (role.equals("master") && !conf.getBoolean(HConstants.CLUSTER_DISTRIBUTED, false));
  }

  /** Returns the machine that the server is assumed to run on. */
  Machine machine(Machine here) {
    int processors = cpus == null ? here.cpus() : cpus;
    return memory == null ? new Machine(processors, here.memoryMb(), here.mostMemoryMb())
      : new Machine(processors, memory);
  }
}
