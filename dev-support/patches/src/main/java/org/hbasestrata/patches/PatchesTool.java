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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hbasestrata.patches.Verifier.Result;
import org.hbasestrata.patches.Verifier.Without;
import org.hbasestrata.patches.pictures.PictureFiles;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Folders;
import org.hbasestrata.tools.Tool;
import org.hbasestrata.tools.ToolException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dev-support/bin/patches}. */
@Command(name = "patches", synopsisSubcommandLabel = "list|export|jira|verify|docs|pictures",
  description = "Lists the patches, writes them for upstream, and proves them there.",
  footer = { "", "Exit codes: 0 done, 1 failed, 2 wrong command line." })
public final class PatchesTool extends Tool {
  private final Path root;

  PatchesTool(Path root) {
    this.root = root;
  }

  public static void main(String[] args) {
    new PatchesTool(Checkout.fromProperty().root()).run(args);
  }

  @Command(name = "list", description = "One line for each patch.")
  int list() throws IOException {
    PatchSet checkout = new PatchSet(root);
    for (Manifest manifest : checkout.manifests()) {
      List<String> notes = new ArrayList<>();
      if (!manifest.isForUpstream()) {
        notes.add("not for upstream");
      } else if (!manifest.hasJira()) {
        notes.add("its JIRA is still to be filed");
      }
      if (!manifest.requires().isEmpty()) {
        notes.add("requires " + String.join(", ", manifest.requires()));
      }
      if (manifest.isForUpstream()) {
        Exporter.leftOut(checkout, manifest).forEach(l -> notes.add("by hand: " + l));
      }
      out().printf("%-12s %-36s %s%s%n", manifest.id(), manifest.name(), manifest.title(),
        notes.isEmpty() ? "" : " (" + String.join("; ", notes) + ")");
    }
    return 0;
  }

  @Command(name = "export", description = { "Writes patches for git am.",
    "A patch that requires others comes behind them. The author is git's user.name and"
      + " user.email. Where a JIRA is still to be filed, the title says HBASE-XXXXX.",
    "What is checked is that patches and their classes fit each other; that a patch applies,"
      + " compiles and passes its tests is checked by verify alone." })
  int export(
    @Parameters(paramLabel = "PATCH", arity = "1..*",
      description = "Numbers, or names of folders.")
    List<String> ids,
    @Option(names = "--out", paramLabel = "DIR", required = true,
      description = "Takes the files; they hold upstream's text, so it can't be in this checkout,"
        + " but in a folder named target of it.")
    Path folder) throws IOException, InterruptedException {
    PatchSet checkout = new PatchSet(root);
    List<Manifest> series = checkout.series(ids);
    series.forEach(PatchesTool::checkForUpstream);
    checkOut(checkout, folder);
    if (print(Completeness.problems(checkout)) > 0) {
      return ToolException.FAILED;
    }
    Path work = Files.createTempDirectory("patches");
    try {
      Exporter exporter = new Exporter(checkout, new Upstream(checkout.root()),
        Author.of(checkout.root()), work.resolve("upstream"));
      exporter.export(series, folder).forEach(out()::println);
    } finally {
      Folders.delete(work);
    }
    for (Manifest manifest : series) {
      Exporter.leftOut(checkout, manifest)
        .forEach(l -> out().println("to be done by hand for " + manifest.id() + ": " + l));
    }
    return 0;
  }

  @Command(name = "jira", description = { "Writes what to file for patches without a JIRA.",
    "A file for each, NUMBER-NAME.txt." })
  int jira(
    @Parameters(paramLabel = "PATCH", arity = "0..*",
      description = "Numbers, or names of folders; all that go upstream and have no JIRA if none.")
    List<String> ids,
    @Option(names = "--out", paramLabel = "DIR", required = true,
      description = "Takes the files; made if it isn't there.")
    Path folder) throws IOException {
    PatchSet checkout = new PatchSet(root);
    List<Manifest> wanted = ids == null || ids.isEmpty()
      ? checkout.manifests().stream().filter(m -> m.isForUpstream() && !m.hasJira()).toList()
      : ids.stream().map(checkout::manifest).toList();
    for (Manifest manifest : wanted) {
      checkForUpstream(manifest);
      if (manifest.hasJira()) {
        throw ToolException.usage(manifest.id() + " is a JIRA");
      }
    }
    String version = new Upstream(root).version().replaceFirst("-.*", "");
    Files.createDirectories(folder);
    for (Manifest manifest : wanted) {
      Path file = folder.resolve(manifest.id() + "-" + manifest.name() + ".txt");
      Files.writeString(file, new JiraText(checkout, manifest, version).text());
      out().println(file);
    }
    return 0;
  }

  private static void checkForUpstream(Manifest manifest) {
    if (!manifest.isForUpstream()) {
      throw ToolException.usage(manifest.id() + " is not meant for upstream");
    }
  }

  private static void checkOut(PatchSet checkout, Path folder) throws IOException {
    Path absolute = folder.toAbsolutePath().normalize();
    if (
      absolute.startsWith(checkout.root())
        && !containsTarget(checkout.root().relativize(absolute))
    ) {
      throw ToolException.usage("--out is " + folder + ": patches hold upstream's text, which"
        + " doesn't go into this repository; give a folder elsewhere, or below a target/");
    }
    if (!Folders.list(folder, "*.patch").isEmpty()) {
      throw ToolException.usage("--out is " + folder + ", which has patches already; give"
        + " another");
    }
  }

  /** Whether it is in a folder of what is built, which git ignores. */
  private static boolean containsTarget(Path path) {
    for (Path name : path) {
      if (name.toString().equals("target")) {
        return true;
      }
    }
    return false;
  }

  @Command(name = "verify", description = { "Tries each patch on a clean unpack of upstream.",
    "Alone with what it requires, compiled against upstream's jars, with its own tests. A row for"
      + " each; what went wrong is named. Exit code 0 if nothing did.",
    "Patches that passed with their tests are noted in " + VerifiedPatches.PATH + "." })
  int verify(
    @Parameters(paramLabel = "PATCH", arity = "0..*",
      description = "Numbers, or names of folders; all if none.")
    List<String> ids,
    @Option(names = "--skip-tests", description = "Compiles only.") boolean skipTests,
    @Option(names = "--changed", description = "Only those that haven't passed as they are now.")
    boolean changedOnly,
    @Option(names = "--without", description = "Tries in place of that whether tests of each patch"
      + " that mends a defect fail without its seams.")
    boolean without) throws IOException, InterruptedException {
    PatchSet checkout = new PatchSet(root);
    Upstream upstream = new Upstream(checkout.root());
    VerifiedPatches verified = new VerifiedPatches(checkout, upstream);
    List<Manifest> wanted = new ArrayList<>(ids == null || ids.isEmpty()
      ? checkout.manifests().stream().filter(Manifest::isForUpstream).toList()
      : ids.stream().map(checkout::manifest).toList());
    wanted.forEach(PatchesTool::checkForUpstream);
    if (changedOnly) {
      for (Manifest manifest : List.copyOf(wanted)) {
        if (verified.isNoted(manifest)) {
          wanted.remove(manifest);
        }
      }
    }
    Path work = checkout.root().resolve("dev-support/patches/target/verify");
    Folders.delete(work);
    int problems = print(Completeness.problems(checkout)) + print(Docs.problems(checkout));
    if (problems > 0) {
      return ToolException.FAILED;
    }
    Verifier verifier = new Verifier(checkout, upstream, testJvmOptions(), work);
    if (without) {
      wanted.removeIf(manifest -> manifest.fix() == null);
      return tryWithout(verifier, wanted);
    }
    out().printf("%-12s %-6s %5s %6s %7s %6s  %s%n", "patch", "result", "files", "passed",
      "skipped", "time", "requires");
    for (Manifest manifest : wanted) {
      Result result = verifier.verify(manifest, !skipTests);
      out().printf("%-12s %-6s %5d %6d %7d %6s  %s%n", manifest.id(),
        result.problems().isEmpty() ? "ok" : "FAILED", result.files(), result.tests(),
        result.skipped(), result.time().toSeconds() + " s", String.join(", ", manifest.requires()));
      problems += print(result.problems());
      if (result.problems().isEmpty() && !skipTests) {
        verified.add(result);
      }
    }
    return problems == 0 ? 0 : ToolException.FAILED;
  }

  private int tryWithout(Verifier verifier, List<Manifest> wanted)
    throws IOException, InterruptedException {
    int problems = 0;
    out().printf("%-12s %6s  %s%n", "patch", "time", "tests that fail without it (that pass)");
    for (Manifest manifest : wanted) {
      Without result = verifier.tryWithout(manifest);
      out().printf("%-12s %6s  %s%s%n", manifest.id(), result.time().toSeconds() + " s",
        String.join(", ", result.failing()),
        result.passing().isEmpty() ? "" : " (" + String.join(", ", result.passing()) + ")");
      problems += print(result.problems());
    }
    return problems == 0 ? 0 : ToolException.FAILED;
  }

  /** What bin/hbase-config.sh says that a JVM of HBase needs. */
  private static List<String> testJvmOptions() {
    String options = System.getProperty("patches.test-jvm-options", "");
    return options.isBlank() ? List.of() : List.of(options.split(" "));
  }

  private int print(List<String> problems) {
    problems.forEach(p -> out().println("  " + p));
    return problems.size();
  }

  @Command(name = "docs", description = "Writes the pages in docs/ that come from the manifests.")
  int docs() throws IOException {
    Docs.write(new PatchSet(root));
    return 0;
  }

  @Command(name = "pictures", description = "Makes the pictures in docs/images from the files in"
    + " dev-support/patches/pictures.")
  int pictures() throws IOException {
    PictureFiles.write(root).forEach(out()::println);
    return 0;
  }
}
