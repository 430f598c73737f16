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
package org.apache.hadoop.hbase.client;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** After which errors a batch's locations are kept. */
@Category({ ClientTests.class, SmallTests.class })
public class TestSilentServers {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestSilentServers.class);

  private static final ServerName SERVER = ServerName.valueOf("a", 1, 1);
  private static final ServerName OTHER = ServerName.valueOf("b", 1, 1);
  private static final IOException TIMEOUT = new IOException(new CallTimeoutException("late"));
  private static final long NONE_LEFT = 1;

  private final SilentServers servers = new SilentServers();
  private long nowMs = 1;

  /** Returns whether locations are kept after a batch that was sent a while ago. */
  private boolean keeps(ServerName server, IOException error, long remainingMs, long tookMs) {
    return servers.keepsLocations(server, error, remainingMs,
      TimeUnit.MILLISECONDS.toNanos(nowMs - tookMs), TimeUnit.MILLISECONDS.toNanos(nowMs));
  }

  private boolean keeps(ServerName server) {
    return keeps(server, TIMEOUT, NONE_LEFT, 0);
  }

  @Test
  public void theEndOfAnOperationKeepsLocations() {
    assertTrue(keeps(SERVER));
    nowMs += SilentServers.MOST_SILENCE_MS - 1;
    assertTrue(keeps(SERVER));
  }

  @Test
  public void theEndOfAnRpcDoesNot() {
    assertFalse(keeps(SERVER, TIMEOUT, 1000, 0));
    assertFalse("without a limit", keeps(SERVER, TIMEOUT, 0, 0));
  }

  @Test
  public void otherErrorsDoNot() {
    assertFalse(keeps(SERVER, new ConnectException(), NONE_LEFT, 0));
    assertFalse(keeps(SERVER, new IOException(), NONE_LEFT, 0));
  }

  @Test
  public void aServerThatIsSilentForLongDoesNot() {
    assertTrue(keeps(SERVER));
    nowMs += SilentServers.MOST_SILENCE_MS;
    assertTrue(keeps(OTHER));
    assertFalse(keeps(SERVER));
    assertTrue("once", keeps(SERVER));
  }

  @Test
  public void oneBatchThatWasNotAnsweredForLongDoesNot() {
    assertTrue(keeps(SERVER, TIMEOUT, NONE_LEFT, SilentServers.MOST_SILENCE_MS - 1));
    assertFalse(keeps(OTHER, TIMEOUT, NONE_LEFT, SilentServers.MOST_SILENCE_MS));
  }

  @Test
  public void silenceBeginsWhenTheFirstBatchIsSent() {
    assertTrue(keeps(SERVER, TIMEOUT, NONE_LEFT, SilentServers.MOST_SILENCE_MS / 2));
    nowMs += SilentServers.MOST_SILENCE_MS / 2;
    assertFalse(keeps(SERVER));
  }

  @Test
  public void anAnswerEndsTheSilence() {
    assertTrue(keeps(SERVER));
    nowMs += SilentServers.MOST_SILENCE_MS - 1;
    servers.answered(SERVER);
    nowMs++;
    assertTrue(keeps(SERVER));
  }
}
