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
package org.hbasestrata.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.hbasestrata.it.Packages.Result;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What {@code dev-support/bin/cluster --dir} erases. */
public class ClusterFolderIT {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void aFolderWithDataOfSomethingElseIsRefused() throws Exception {
    for (String name : List.of("data", "logs", "conf", "pids", "secure", "homes", "dist")) {
      Path other = folder.newFolder().toPath();
      Path precious = precious(other.resolve(name));
      for (String[] command : new String[][] { { "up" }, { "up", "--fresh" }, { "down" },
        { "down", "--purge" } }) {
        Result result = cluster(other, command);
        assertThat(result.exitCode()).as(result.output()).isEqualTo(1);
        assertThat(result.output()).hasLineCount(1).contains(other.resolve(name) + " is there");
        assertThat(precious).content().isEqualTo("data");
      }
      assertThat(Packages.list(other)).containsExactly(other.resolve(name));
    }
  }

  @Test
  public void ofAClustersFolderOnlyWhatIsItsOwnIsErased() throws Exception {
    Path cluster = folder.getRoot().toPath();
    Files.writeString(cluster.resolve("dist"), "/a/checkout/target/hbase-strata-1\n");
    for (String name : List.of("data", "logs", "conf", "conf-master", "conf-regionserver-2")) {
      precious(cluster.resolve(name));
    }
    Path mine = precious(cluster.resolve("conf-of-mine"));
    Result result = cluster(cluster, "down", "--purge");
    assertThat(result.exitCode()).as(result.output()).isZero();
    assertThat(Packages.list(cluster)).containsExactly(mine.getParent());
    assertThat(mine).content().isEqualTo("data");
  }

  private static Path precious(Path folder) throws IOException {
    return Files.writeString(Files.createDirectory(folder).resolve("precious"), "data");
  }

  private static Result cluster(Path folder, String... command) throws Exception {
    return Packages.runScript(Map.of("HBASE_STRATA_CLUSTER_DIR", folder.toString()), "",
      "dev-support/bin/cluster", command);
  }
}
