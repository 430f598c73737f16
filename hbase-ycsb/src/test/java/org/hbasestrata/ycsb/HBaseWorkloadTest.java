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
package org.hbasestrata.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import site.ycsb.WorkloadException;
import site.ycsb.workloads.CoreWorkload;

public class HBaseWorkloadTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private static final class Core extends CoreWorkload {
    private String key(long number) {
      return buildKeyName(number);
    }
  }

  @Test
  public void keysAreThoseOfCoreWorkload() throws IOException, WorkloadException {
    for (String order : List.of("hashed", "ordered")) {
      for (String zeroPadding : List.of("1", "19", "250")) {
        Path file = folder.getRoot().toPath().resolve("some.properties");
        Files.write(file, List.of("recordcount=1000", "insertorder=" + order,
          "zeropadding=" + zeroPadding));
        Profile profile = Profile.read(file.toString(), List.of());
        HBaseWorkload workload = new HBaseWorkload();
        workload.init(profile);
        Core core = new Core();
        core.init(profile.properties());
        for (long number : new long[] { 0, 1, 99, 123_456_789 }) {
          assertThat(workload.rowKey(number)).as(order + ", " + zeroPadding)
            .isEqualTo(core.key(number));
        }
      }
    }
  }
}
