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
package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Errors last too long when one comes later after the first than is tolerated. */
@Category({ IOTests.class, SmallTests.class })
public class TestDeviceErrors {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestDeviceErrors.class);

  private final List<IOException> lasting = new ArrayList<>();

  private DeviceErrors errors(long toleratedNanos) {
    return errors(true, toleratedNanos);
  }

  private DeviceErrors errors(boolean ofReads, long toleratedNanos) {
    return new DeviceErrors(ofReads, "path", toleratedNanos, lasting::add);
  }

  private static IOException addTo(DeviceErrors errors) throws InterruptedException {
    // Two within one tick of the clock are one to it.
    TimeUnit.MILLISECONDS.sleep(1);
    IOException reason = new IOException("for the test");
    errors.add(reason);
    return reason;
  }

  @Test
  public void withoutToleranceTheSecondErrorIsTooMany() throws Exception {
    DeviceErrors errors = errors(0);
    addTo(errors);
    assertEquals(Collections.emptyList(), lasting);
    List<IOException> later = Arrays.asList(addTo(errors), addTo(errors));
    assertEquals(later, lasting);
  }

  @Test
  public void errorsAreCountedFromTheFirstAfterASuccess() throws Exception {
    DeviceErrors errors = errors(0);
    for (int i = 0; i < 3; i++) {
      addTo(errors);
      errors.end();
    }
    assertEquals(Collections.emptyList(), lasting);
  }

  @Test
  public void errorsWithinTheToleratedTimeAreTolerated() throws Exception {
    DeviceErrors errors = errors(TimeUnit.HOURS.toNanos(1));
    for (int i = 0; i < 3; i++) {
      addTo(errors);
    }
    assertEquals(Collections.emptyList(), lasting);
  }

  @Test
  public void aLineSaysWhatFailsAndWhetherTheDeviceIsFull() {
    IOException broken = new IOException("Input/output error");
    assertEquals("nothing could be read", errors(true, 0).describe(broken));
    assertEquals("nothing could be written", errors(false, 0).describe(broken));
    assertEquals("nothing could be written", errors(false, 0).describe(new IOException()));
    for (String full : Arrays.asList("No space left on device", "/mnt/a: Disk quota exceeded")) {
      assertEquals("nothing could be written, as the device is full",
        errors(false, 0).describe(new IOException(full)));
    }
  }
}
