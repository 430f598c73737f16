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

import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What the block cache of a region server would serve if it had another size, what it holds, and
 * what it did in the last hour; in JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=CacheSizingReport}. The server's page
 * {@code /cache-sizing?format=json} has the same values. Sizes are bytes, percentages 0 to 100. A
 * value that isn't known is -1.
 */
@InterfaceAudience.Private
public interface CacheSizingMXBean {
  /** Returns what to do about the sizes, in a sentence, or why that isn't known. */
  String getAdvice();

  /**
   * Returns {@code KNOWN}, or why there is no advice: {@code ENDED}, {@code OFF}, {@code COLD},
   * {@code SMALL}, {@code FEW} or {@code CHANGED}.
   */
  String getState();

  /** Returns the tiers of the cache, the one that is asked first in front. */
  List<TierSizing> getTiers();

  /** Returns the references to metadata that percentages of curves are of, older ones less. */
  long getMetadataReferences();

  /** Returns the same for data. */
  long getDataReferences();

  /** Returns the tables that were read, the one with the most references in front. */
  List<TableSizing> getTables();

  /** Returns what the tiers hold of each column family, as of some minutes ago. */
  List<HeldBytes> getHeld();

  /** Returns what the cache did in each of the last 60 minutes, the oldest in front. */
  List<CacheMinute> getMinutes();

  /** Returns how good the sample is. */
  SampleQuality getSample();
}
