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
package org.apache.hadoop.hbase.master.balancer;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.conf.ConfigurationObserver;
import org.apache.hadoop.hbase.util.Threads;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a balancer that the configuration has changed, without waiting for a run of the balancer,
 * which holds the lock that the balancer takes for that.
 */
@InterfaceAudience.Private
public class BalancerReconfiguration implements ConfigurationObserver {

  private static final Logger LOG = LoggerFactory.getLogger(BalancerReconfiguration.class);

  private final ConfigurationObserver balancer;
  private final long patienceMillis;

  /** What the balancer is to be told; null if that was done. */
  private Configuration next;
  /** Tells the balancer; null if there is nothing to tell. */
  private Thread teller;

  /**
   * @param balancer       is told
   * @param patienceMillis how long a change waits for the balancer to take it over
   */
  public BalancerReconfiguration(ConfigurationObserver balancer, long patienceMillis) {
    this.balancer = balancer;
    this.patienceMillis = patienceMillis;
  }

  @Override
  public void onConfigurationChange(Configuration conf) {
    Thread thread;
    synchronized (this) {
      next = conf;
      if (teller == null) {
        teller = new Thread(this::tell, "BalancerReconfiguration");
        Threads.setDaemonThreadRunning(teller, teller.getName());
      }
      thread = teller;
    }
    try {
      thread.join(patienceMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      LOG.info("The balancer is busy, and takes over the configuration when it has done");
    }
  }

  private void tell() {
    for (Configuration conf = take(); conf != null; conf = take()) {
      try {
        balancer.onConfigurationChange(conf);
      } catch (Throwable t) {
        LOG.error("The balancer didn't take over the configuration", t);
      }
    }
  }

  private synchronized Configuration take() {
    Configuration conf = next;
    next = null;
    if (conf == null) {
      teller = null;
    }
    return conf;
  }
}
