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
package org.hbasestrata.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.Test;

public class EndedTest {
  private static final String START =
    "2026-11-23T02:47:24,298 INFO  [main] regionserver.HRegionServer: STARTING executorService X";
  private static final String TROUBLE =
    "2026-11-23T02:54:05,001 WARN  [main] zookeeper.ClientCnxn: session has expired";
  private static final String ABORT = "2026-11-23T02:54:06,598 ERROR [zk] regionserver"
    + ".HRegionServer: ***** ABORTING region server a,1,2: received expired *****";
  private static final String LATER = "2026-11-23T02:54:06,700 ERROR [zk] regionserver"
    + ".HRegionServer: ***** ABORTING region server a,1,2: no file system *****";

  private static String why(String... log) {
    return Ended.of("regionserver-2", List.of(log)).why();
  }

  @Test
  public void theFirstAbortTellsWhy() {
    assertThat(why(START, TROUBLE, ABORT, LATER))
      .isEqualTo("region server a,1,2: received expired");
  }

  @Test
  public void aServerThatWasKilledToldNothing() {
    assertThat(why(START, TROUBLE)).isEmpty();
  }

  @Test
  public void whatItToldBeforeItsLastStartIsNotWhy() {
    assertThat(why(START, ABORT, START, TROUBLE)).isEmpty();
    assertThat(why(START, LATER, START, ABORT)).contains("received expired");
  }
}
