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
package org.apache.hadoop.hbase.regionserver;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.util.PatchLevel;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a server from starting on jars of different patch levels, and shows the level in JMX. */
@InterfaceAudience.Private
final class ServerPatchLevel implements PatchLevelMXBean {
  private static final Logger LOG = LoggerFactory.getLogger(ServerPatchLevel.class);
  private static final String JMX_NAME = "Hadoop:service=HBase,name=PatchLevel";

  private ServerPatchLevel() {
  }

  /**
   * Verifies the jars, and registers the bean, which all servers of a process share.
   * @throws IllegalStateException if the jars on the class path have different patch levels
   */
  static void start() {
    try {
      PatchLevel.current().verify();
    } catch (NoClassDefFoundError e) {
      throw new IllegalStateException(
        "HBase jars that don't belong together are on the class path: "
        + ServerPatchLevel.class.getProtectionDomain().getCodeSource().getLocation()
        + " is patched, "
        + VersionInfo.class.getProtectionDomain().getCodeSource().getLocation()
        + " is upstream's. Remove the one that should not be there.");
    }
    register();
  }

  private static synchronized void register() {
    MBeanServer jmx = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName name = new ObjectName(JMX_NAME);
      if (!jmx.isRegistered(name)) {
        jmx.registerMBean(new ServerPatchLevel(), name);
      }
    } catch (JMException e) {
      LOG.warn("Can't show the patch level over JMX as {}", JMX_NAME, e);
    }
  }

  @Override
  public String getVersion() {
    return PatchLevel.current().getVersion();
  }

  @Override
  public String getUpstreamVersion() {
    return PatchLevel.current().getUpstreamVersion();
  }

  @Override
  public Map<String, String> getPatches() {
    return PatchLevel.current().getPatches();
  }

  @Override
  public List<String> getJars() {
    return PatchLevel.current().getJars();
  }
}
