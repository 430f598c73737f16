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

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Folders;
import org.hbasestrata.tools.Tool;
import org.hbasestrata.tools.ToolException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code dev-support/bin/upgrade}. */
@Command(name = "upgrade", synopsisSubcommandLabel = "check",
  description = "Tells what another release of upstream would break.",
  footer = { "", "Exit codes: 0 nothing moved, 1 something did, or no module's sources can be"
    + " had, 2 wrong command line." })
public final class UpgradeTool extends Tool {
  public static void main(String[] args) {
    new UpgradeTool().run(args);
  }

  @Command(name = "check", description = { "Tries the seams and classes on another release.",
    "Gets its sources and jars with Maven. Prints a table, and a line for each seam that doesn't"
      + " match once and for each error of the compiler." })
  int check(
    @Option(names = "--upstream", paramLabel = "VERSION", required = true,
      description = "A release of upstream, as 2.6.5-hadoop3.") String version)
    throws IOException, InterruptedException {
    if (!version.matches("[0-9][\\w.-]*")) {
      throw ToolException.usage("--upstream is '" + version
        + "'; give a version, as 2.6.5-hadoop3");
    }
    PatchSet checkout = new PatchSet(Checkout.fromProperty().root());
    Path work = checkout.root().resolve("dev-support/patches/target/upgrade").resolve(version);
    Folders.delete(work);
    ReleaseCheck check = new ReleaseCheck(checkout, new Upstream(checkout.root()), work);
    List<ReleaseCheck.Row> rows =
      check.check(new Release(checkout.root(), version, work.resolve("jars")));
    if (rows.isEmpty()) {
      throw ToolException.failed("the sources of " + version + " can't be had; what Maven said is"
        + " in " + work.resolve("jars/logs"));
    }
    out().println("| release | module | seams that match once | classes that compile |");
    out().println("|---|---|---|---|");
    for (ReleaseCheck.Row row : rows) {
      out().printf("| %s | %s | %d of %d | %s |%n", version, row.module(), row.fitting(),
        row.seams(), row.compiled() ? row.compiling() + " of " + row.classes() : "no jar");
    }
    check.moved().forEach(line -> out().println("- " + line));
    return check.moved().isEmpty() ? 0 : ToolException.FAILED;
  }
}
