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
package org.hbasestrata.patches;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.hbasestrata.patches.Verifier.Result;
import org.hbasestrata.tools.Program;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What a build does of {@code patches verify}, on this repository. */
public class PatchesIT {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Path root = Path.of(System.getProperty("patches.checkout"));

  @Test
  public void manifestsAndPagesAreComplete() throws Exception {
    PatchSet checkout = new PatchSet(root);
    assertThat(Completeness.problems(checkout)).isEmpty();
    assertThat(Docs.problems(checkout)).isEmpty();
  }

  @Test
  public void patchesApplyAndCompileAndAreTested() throws Exception {
    PatchSet checkout = new PatchSet(root);
    Verifier verifier = new Verifier(checkout, new Upstream(checkout.root()), List.of(),
      folder.getRoot().toPath().resolve("work"));
    Result result = verifier.verify(checkout.manifest("HBASE-22905"), false);
    assertThat(result.problems()).isEmpty();
    assertThat(result.files()).isGreaterThan(15);
    Result tested = verifier.verify(checkout.manifest("HBASE-28893"), true);
    assertThat(tested.problems()).isEmpty();
    assertThat(tested.tests()).isPositive();
  }

  /** With what {@code dev-support/bin/patches} gives the JVMs of tests. */
  @Test
  public void whatChangedSinceItWasVerifiedPassesAlone() throws Exception {
    assumeTrue(Boolean.getBoolean("patches.verify-changed"));
    Path output = folder.getRoot().toPath().resolve("output");
    OptionalInt code = Program.run(Program.in(root,
      List.of("dev-support/bin/patches", "verify", "--changed")), output, 3600);
    assertThat(code).as(Files.readString(output)).hasValue(0);
  }
}
