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
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Short versions of the faults on a cluster with Kerberos, TLS and rights. */
public class SecureFaultsIT {
  private static final List<String> NAMES = List.of("secure", "hostile-handshakes");
  private static final int MINUTES_AT_MOST = 45;

  @Rule
  public final TemporaryFolder folder = TemporaryFolder.builder().assureDeletion()
    .parentFolder(Path.of(System.getProperty("bench.target")).toFile()).build();

  @Test
  public void eachUserMayDoWhatIsTheirsAndNoMore() throws Exception {
    ShortFaults faults = new ShortFaults(folder.getRoot().toPath());
    JsonNode report = faults.run(getClass().getSimpleName(), MINUTES_AT_MOST, NAMES, "--inputs",
      "10000");
    assertThat(report.path("faults")).extracting(fault -> fault.path("name").asText())
      .containsExactlyElementsOf(NAMES);
    JsonNode secure = report.path("faults").path(0).path("counts");
    assertThat(secure.path(SecureLoad.REFUSED).asLong()).isPositive();
    for (String count : List.of(SecureLoad.WRONG, SecureLoad.DENIED, SecureLoad.ALLOWED,
      SecureLoad.ERRORS)) {
      assertThat(secure.path(count).asLong()).as(count).isZero();
    }
    assertThat(faults.out().resolve("cluster/secure")).doesNotExist();
  }
}
