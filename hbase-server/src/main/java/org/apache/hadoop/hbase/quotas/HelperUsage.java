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
package org.apache.hadoop.hbase.quotas;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * What threads other than its handler did for an operation. Its quota asks when it is closed, on
 * the handler's thread; whoever answers may wait for a helper that hasn't finished.
 */
@InterfaceAudience.Private
public interface HelperUsage {
  /**
   * Returns Milliseconds by which the operation would have taken longer on the handler alone; below
   * 0 if it waited longer for helpers than they spared it.
   */
  long getMillisSaved();

  /** Returns Bytes of blocks that were read for results that nobody will be sent. */
  long getDroppedBlockBytes();
}
