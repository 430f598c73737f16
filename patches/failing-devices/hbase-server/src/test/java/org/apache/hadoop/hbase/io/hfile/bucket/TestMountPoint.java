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
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Tests {@link MountPoint} with folders of which a map says the device. */
@Category({ IOTests.class, SmallTests.class })
public class TestMountPoint {
  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestMountPoint.class);

  private final Map<Path, Object> devices = new HashMap<>();

  @Before
  public void mount() {
    put("/", "root");
    put("/mnt", "root");
    put("/mnt/ssd", "ssd");
    put("/mnt/ssd/hbase", "ssd");
  }

  private void put(String folder, String device) {
    devices.put(Paths.get(folder), device);
  }

  private MountPoint of(String file) {
    return MountPoint.of(Paths.get(file), devices::get);
  }

  @Test
  public void aDeviceThatIsMountedPasses() throws IOException {
    of("/mnt/ssd/hbase/l2").check();
    of("/mnt/ssd/l2").check();
  }

  @Test
  public void aMountPointWithoutItsDeviceIsNamed() {
    MountPoint point = of("/mnt/ssd/hbase/l2");
    put("/mnt/ssd", "root");
    devices.remove(Paths.get("/mnt/ssd/hbase"));
    IOException e = assertThrows(IOException.class, point::check);
    assertEquals("Nothing is mounted at /mnt/ssd, where the block cache's device was",
      e.getMessage());
    put("/mnt/ssd", "another");
    try {
      point.check();
    } catch (IOException unexpected) {
      throw new AssertionError("another device may take its place", unexpected);
    }
  }

  @Test
  public void aMountPointThatIsGoneIsNamed() {
    MountPoint point = of("/mnt/ssd/l2");
    devices.remove(Paths.get("/mnt/ssd"));
    assertThrows(IOException.class, point::check);
  }

  @Test
  public void theRootIsAlwaysMounted() throws IOException {
    MountPoint point = of("/mnt/l2");
    devices.clear();
    point.check();
  }

  @Test
  public void devicesThatAreNotKnownAreNotChecked() throws IOException {
    devices.clear();
    MountPoint point = of("/mnt/ssd/hbase/l2");
    mount();
    put("/mnt/ssd", "root");
    point.check();
  }
}
