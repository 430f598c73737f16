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
package org.apache.hadoop.hbase.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.exceptions.RegionMovedException;
import org.apache.hadoop.hbase.exceptions.RegionOpeningException;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Retries are soon while a region moves, and few. */
@Category({ ClientTests.class, SmallTests.class })
public class TestMovedRegionRetries {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestMovedRegionRetries.class);

  private static final long PAUSE = 100;
  private static final IOException MOVED =
    new RegionMovedException(ServerName.valueOf("host", 16020, 1), 1);
  private static final IOException CLOSING = new NotServingRegionException("closing");
  private static final IOException OPENING = new RegionOpeningException("opening");

  private final MovedRegionRetries retries = new MovedRegionRetries(12, PAUSE);

  @Test
  public void aKnownPlaceIsAskedAtOnce() {
    assertEquals(0, retries.pause(MOVED));
    assertEquals(0, retries.pause(Arrays.asList(MOVED, MOVED)));
  }

  @Test
  public void thePauseGrowsToTheUsualOne() {
    assertEquals(PAUSE / 10, retries.pause(CLOSING));
    assertEquals(2 * PAUSE / 10, retries.pause(OPENING));
    assertEquals(0, retries.pause(MOVED));
    assertEquals(4 * PAUSE / 10, retries.pause(Arrays.asList(MOVED, CLOSING)));
    for (int i = 5; i <= 12; i++) {
      assertEquals(Math.min(i, 10) * PAUSE / 10, retries.pause(CLOSING));
    }
  }

  @Test
  public void theyAreBounded() {
    for (int i = 0; i < 12; i++) {
      assertEquals(0, retries.pause(MOVED));
    }
    assertEquals(MovedRegionRetries.USUAL, retries.pause(MOVED));
    assertEquals(MovedRegionRetries.USUAL, retries.pause(CLOSING));
  }

  @Test
  public void otherErrorsHaveTheUsualPause() {
    IOException busy = new RegionTooBusyException("busy");
    assertEquals(MovedRegionRetries.USUAL, retries.pause(busy));
    assertEquals(MovedRegionRetries.USUAL, retries.pause(Arrays.asList(MOVED, busy)));
    assertEquals(MovedRegionRetries.USUAL, retries.pause((Throwable) null));
    assertEquals(PAUSE / 10, retries.pause(CLOSING));
  }

  @Test
  public void theWorstErrorOfABatchDecides() {
    IOException busy = new RegionTooBusyException("busy");
    IOException last = new RegionTooBusyException("last");
    assertSame(MOVED, retries.decisive(null, MOVED));
    assertSame(CLOSING, retries.decisive(CLOSING, MOVED));
    assertSame(OPENING, retries.decisive(MOVED, OPENING));
    assertSame(busy, retries.decisive(busy, OPENING));
    assertSame(last, retries.decisive(busy, last));
    assertSame(MOVED, new MovedRegionRetries(0, PAUSE).decisive(busy, MOVED));
  }

  @Test
  public void laterPausesOfABatchAreTheUsualOnes() {
    ServerName server = ServerName.valueOf("host", 16020, 1);
    ConnectionImplementation.ServerErrorTracker errors =
      new ConnectionImplementation.ServerErrorTracker(1000, 10);
    errors.forgetServerError(server);
    for (int i = 0; i < 12; i++) {
      errors.reportServerError(server);
      errors.forgetServerError(server);
    }
    errors.reportServerError(server);
    assertTrue(errors.calculateBackoffTime(server, PAUSE) < 2 * PAUSE);
  }

  @Test
  public void offMeansTheUsualPause() {
    MovedRegionRetries off =
      new MovedRegionRetries(new ConnectionConfiguration(new Configuration(false))
        .getMovedRegionRetries(), PAUSE);
    assertEquals(MovedRegionRetries.USUAL, off.pause(MOVED));
    assertEquals(MovedRegionRetries.USUAL, off.pause(CLOSING));
  }

  @Test
  public void whatIsNotAllowedIsNamed() {
    for (String value : new String[] { "-1", "101", "many" }) {
      Configuration conf = new Configuration(false);
      conf.set(MovedRegionRetries.MAX.key(), value);
      String message =
        assertThrows(IllegalArgumentException.class, () -> MovedRegionRetries.MAX.read(conf))
          .getMessage();
      assertTrue(message, message.startsWith(MovedRegionRetries.MAX.key() + " is " + value + ". "));
    }
  }
}
