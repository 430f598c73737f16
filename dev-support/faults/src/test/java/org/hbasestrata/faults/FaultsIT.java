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

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Short versions of the faults that a build has time for, on one cluster from the tarball. */
public class FaultsIT {
  /** Those that leave servers and regions as they are come first, another cluster's last. */
  private static final List<String> NAMES = List.of("bit-flips", "io-errors", "hang",
    "fragmentation", "hostile-rpc", "deletion", "kill-zookeeper", "hang-datanode",
    "kill-datanode", "slow-server");
  private static final int MINUTES_AT_MOST = 45;

  @Rule
  public final TemporaryFolder folder = TemporaryFolder.builder().assureDeletion()
    .parentFolder(Path.of(System.getProperty("bench.target")).toFile()).build();

  @Test
  public void nothingIsLostAndNothingLies() throws Exception {
    ShortFaults faults = new ShortFaults(folder.getRoot().toPath());
    JsonNode report = faults.run(getClass().getSimpleName(), MINUTES_AT_MOST, NAMES, "--kills",
      "1", "--inputs", "5000");
    List<String> run = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    for (JsonNode fault : report.path("faults")) {
      String name = fault.path("name").asText();
      run.add(name);
      if (fault.has("skipped")) {
        skipped.add(name);
      } else {
        assertThat(fault.path("verdict").asText()).as(name).isEqualTo("passed");
        assertThat(fault.path("counts").path("injected").asLong()).as(name).isPositive();
        if (name.equals("hang-datanode")) {
          assertThat(fault.path("counts").path(KillFault.ASYNC_WRITES).asLong()).isPositive();
        }
      }
      for (String count : List.of("wrong", "lost", "twice", "errors")) {
        assertThat(fault.path("counts").path(count).asLong()).as(name + ": " + count).isZero();
      }
    }
    assertThat(run).isEqualTo(NAMES);
    assertThat(allowedToBeSkipped(faults.log())).as("what can't be had here")
      .containsAll(skipped);
    assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(faults.out().toString());
  }

  private static List<String> allowedToBeSkipped(String log) {
    boolean mounts = Device.canMount() && !log.contains(Device.REFUSED);
    return DeviceFault.all().stream().filter(fault -> {
      DeviceFault.Effect effect = ((DeviceFault) fault).effect();
      return effect.needsRoot() && !mounts
        || effect == DeviceFault.Effect.HELD && !Throttle.isAvailable();
    }).map(Fault::name).toList();
  }
}
