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

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.Optional;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.io.hfile.CoprocessorCellsSettings;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Which coprocessors have the cells of their region's scanners held. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestCoprocessorScan extends CoprocessorCellsTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCoprocessorScan.class);

  /** May use cells late, whatever it extends. */
  public static class Extended extends MultiRowMutationEndpoint {
  }

  private CoprocessorScan scanWith(Class<? extends RegionCoprocessor> coprocessor)
    throws IOException {
    region.getCoprocessorHost().load(coprocessor, Coprocessor.PRIORITY_USER, conf);
    return region.getCoprocessorHost().newCoprocessorScan(new Scan());
  }

  private static boolean mayWrap(RegionCoprocessor coprocessor) {
    return CoprocessorScan.wrapsScanners(
      Collections.singletonList((RegionCoprocessorEnvironment) Proxy.newProxyInstance(
        TestCoprocessorScan.class.getClassLoader(),
        new Class<?>[] { RegionCoprocessorEnvironment.class },
        (proxy, method, arguments) -> method.getName().equals("getInstance")
          ? coprocessor
          : null)));
  }

  /** Wraps scanners, perhaps. */
  public static class Opening implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public RegionScanner postScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context,
      Scan scan, RegionScanner scanner) {
      return scanner;
    }
  }

  /** Wraps scanners, perhaps, although what it extends doesn't. */
  public static class ExtendedAccess extends AccessController {
  }

  @Test
  public void thoseOfAccessAndVisibilityWrapNoScanner() {
    assertFalse(mayWrap(new AccessController()));
    assertFalse(mayWrap(new VisibilityController()));
    assertFalse(mayWrap(new Observer()));
    assertTrue(mayWrap(new Opening()));
    assertTrue(mayWrap(new ExtendedAccess()));
  }

  @Test
  public void thoseOfMetaDoNot() throws IOException {
    hold(1);
    start(false);
    assertNull(region.getCoprocessorHost().newCoprocessorScan(new Scan()));
    assertNull(scanWith(MultiRowMutationEndpoint.class));
  }

  @Test
  public void oneOfManyDoes() throws IOException {
    hold(1);
    start(false);
    assertNull(scanWith(MultiRowMutationEndpoint.class));
    assertNotNull(scanWith(Observer.class));
  }

  @Test
  public void oneThatExtendsThemDoes() throws IOException {
    hold(1);
    start(false);
    assertNotNull(scanWith(Extended.class));
  }

  @Test
  public void allAreGuarded() throws IOException {
    System.setProperty(CoprocessorCellsSettings.GUARDED_PROPERTY, "true");
    start(false);
    assertNotNull(scanWith(MultiRowMutationEndpoint.class));
  }

  @Test
  public void noneDoesUnlessItIsSwitchedOn() throws IOException {
    start(false);
    assertNull(scanWith(Observer.class));
  }
}
