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

import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.List;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.io.hfile.CacheWarmupMXBean;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the progress of warm-ups in JMX. Stateless. */
@InterfaceAudience.Private
final class WarmUps {
  private static final Logger LOG = LoggerFactory.getLogger(WarmUps.class);
  private static final String NAME =
    "Hadoop:service=HBase,name=RegionServer,sub=CacheWarmupProgress";

  private WarmUps() {
  }

  /** Returns the progress by region; nothing if the server has no warm-ups. */
  static List<CacheWarmupMXBean.Progress> ofRegions() {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName name = new ObjectName(NAME);
      return server.isRegistered(name)
        ? JMX.newMXBeanProxy(server, name, CacheWarmupMXBean.class).getRegions()
        : Collections.emptyList();
    } catch (JMException | RuntimeException e) {
      LOG.debug("The page shows no warm-ups", e);
      return Collections.emptyList();
    }
  }
}
