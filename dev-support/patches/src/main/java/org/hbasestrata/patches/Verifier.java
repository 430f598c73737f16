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

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hbasestrata.seams.Patch;
import org.hbasestrata.seams.Seam;
import org.hbasestrata.tools.Program;
import org.hbasestrata.tools.ToolException;

/**
 * Tries patches where they are to go: each on a clean unpack of upstream's sources, with no more
 * than the patches that it requires, compiled against upstream's jars and tested there.
 */
final class Verifier {
  private static final int TEST_CLASS_SECONDS = 900;
  /** A test that hangs fails. */
  private static final int WITHOUT_SECONDS = 240;
  private static final Pattern COUNTS =
    Pattern.compile("(?s).*^Passed: ([0-9]+), skipped: ([0-9]+)$", Pattern.MULTILINE);
  private static final Pattern FAILURE = Pattern.compile("^Failed: (.*)$", Pattern.MULTILINE);

  private final PatchSet checkout;
  private final Upstream upstream;
  private final Exporter exporter;
  private final List<String> testJvmOptions;
  private final Path work;

  /**
   * @param testJvmOptions what a JVM with a mini cluster needs
   * @param work           takes all that is made; must be empty, or not exist
   */
  Verifier(PatchSet checkout, Upstream upstream, List<String> testJvmOptions, Path work)
    throws IOException, InterruptedException {
    this.checkout = checkout;
    this.upstream = upstream;
    this.testJvmOptions = testJvmOptions;
    this.work = work;
    exporter = new Exporter(checkout, upstream, Author.NOBODY, work.resolve("upstream"));
  }

  /**
   * What became of one patch.
   * @param files    of upstream's tree that it and what it requires change or add
   * @param tests    that passed
   * @param skipped  tests that are to be ignored, or whose assumptions don't hold
   * @param problems empty if all is well
   */
  record Result(Manifest manifest, int files, int tests, int skipped, Duration time,
    List<String> problems) {
  }

  /** Tests of a class. */
  private record Tests(int passed, int skipped) {
  }

  /**
   * Tries a patch.
   * @param withTests whether its tests are run, too
   */
  Result verify(Manifest manifest, boolean withTests) throws IOException, InterruptedException {
    long start = System.nanoTime();
    Path folder = work.resolve(manifest.id());
    List<String> problems = new ArrayList<>();
    List<Path> classPath = new ArrayList<>();
    int files = 0;
    int passed = 0;
    int skipped = 0;
    try {
      exporter.tree().apply(exporter.base(),
        exporter.export(checkout.series(List.of(manifest.id())), folder.resolve("patches")));
      files = compile(folder, classPath, problems);
    } catch (ToolException e) {
      problems.add(e.getMessage());
    }
    if (withTests && problems.isEmpty()) {
      for (OwnClass test : testClasses(manifest)) {
        Tests tests = run(test, folder, classPath, problems);
        passed += tests.passed();
        skipped += tests.skipped();
      }
    }
    return new Result(manifest, files, passed, skipped,
      Duration.ofNanos(System.nanoTime() - start), problems);
  }

  /**
   * What became of the tests of a patch without its seams.
   * @param failing  test classes that fail or don't compile, or don't end in the time behind them
   * @param passing  those that pass without them as well
   * @param problems empty if one fails
   */
  record Without(Manifest manifest, List<String> failing, List<String> passing, Duration time,
    List<String> problems) {
  }

  /**
   * Tries the tests of a patch without its seams. If it doesn't compile so, members that it adds to
   * upstream's classes stay, unless it has no other seams.
   */
  Without tryWithout(Manifest manifest) throws IOException, InterruptedException {
    long start = System.nanoTime();
    Path folder = work.resolve(manifest.id() + "-without");
    List<Path> classPath = new ArrayList<>();
    List<String> problems = compileWithout(manifest, folder.resolve("bare"), s -> false, classPath);
    if (!problems.isEmpty() && hasMembersOnly(manifest)) {
      return new Without(manifest, names(testClasses(manifest)), List.of(),
        Duration.ofNanos(System.nanoTime() - start), List.of());
    }
    if (!problems.isEmpty()) {
      classPath.clear();
      problems = compileWithout(manifest, folder.resolve("members"),
        s -> s.anchor().isForMember(), classPath);
    }
    List<String> failing = new ArrayList<>();
    List<String> passing = new ArrayList<>();
    if (problems.isEmpty()) {
      for (OwnClass test : testClasses(manifest)) {
        OptionalInt code =
          runJvm(test, folder, classPath, output(test, folder), WITHOUT_SECONDS, "until-failure");
        if (code.isEmpty()) {
          failing.add(test.simpleName() + " in " + WITHOUT_SECONDS + " s");
        } else if (code.getAsInt() > 1) {
          problems.add(test.name() + " ended with exit code " + code.getAsInt()
            + "; what it printed is in " + output(test, folder));
        } else {
          (code.getAsInt() == 1 ? failing : passing).add(test.simpleName());
        }
      }
      if (failing.isEmpty()) {
        problems.add("no test of " + manifest.name() + " fails without its seams");
      }
    }
    return new Without(manifest, failing, passing, Duration.ofNanos(System.nanoTime() - start),
      problems);
  }

  private List<OwnClass> testClasses(Manifest manifest) {
    return checkout.tests(manifest).stream().filter(OwnClass::hasTests).toList();
  }

  private static List<String> names(List<OwnClass> classes) {
    return classes.stream().map(OwnClass::simpleName).toList();
  }

  private boolean hasMembersOnly(Manifest manifest) throws IOException {
    for (String module : PatchSet.MODULES) {
      for (Patch patch : checkout.seams(module)) {
        if (
          patch.id().equals(manifest.id())
            && !patch.seams().stream().allMatch(seam -> seam.anchor().isForMember())
        ) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns why it can't be compiled. */
  private List<String> compileWithout(Manifest manifest, Path folder, Predicate<Seam> kept,
    List<Path> classPath) throws IOException, InterruptedException {
    List<String> problems = new ArrayList<>();
    try {
      exporter.tree().apply(exporter.base(),
        exporter.export(checkout.series(List.of(manifest.id())), folder.resolve("patches"),
          seam -> !seam.patch().equals(manifest.id()) || kept.test(seam)));
      compile(folder, classPath, problems);
    } catch (ToolException e) {
      problems.add(e.getMessage());
    }
    return problems;
  }

  /** Compiles what differs from upstream, module by module, and returns how many files that is. */
  private int compile(Path folder, List<Path> classPath, List<String> problems)
    throws IOException, InterruptedException {
    GitTree tree = exporter.tree();
    classPath.add(resources(folder.resolve("resources")));
    classPath.addAll(upstream.classPath());
    int files = 0;
    for (String part : List.of("main", "test")) {
      for (String module : PatchSet.MODULES) {
        List<Path> changed =
          tree.changedSince(exporter.base(), module + "/src/" + part + "/java");
        Path classes = folder.resolve(part + "/" + module);
        JavaSources.compile(changed, classPath, "none", classes).stream()
          .filter(JavaSources.Message::error).forEach(m -> problems.add(m.toString()));
        classPath.add(0, classes);
        files += changed.size();
        if (!problems.isEmpty()) {
          return files;
        }
      }
    }
    return files;
  }

  /** Makes the folder of resources, as upstream's build does. */
  private Path resources(Path folder) throws IOException {
    Path defaults = exporter.tree().folder().resolve(DefaultsFile.PATH);
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(defaults.getFileName()),
      DefaultsFile.built(Files.readString(defaults), upstream.version()));
    return folder;
  }

  /** Runs a test class in a JVM of its own. */
  private Tests run(OwnClass test, Path folder, List<Path> classPath, List<String> problems)
    throws IOException, InterruptedException {
    Path output = output(test, folder);
    int code = runJvm(test, folder, classPath, output, TEST_CLASS_SECONDS)
      .orElseThrow(() -> ToolException.failed(test.name() + " took longer than "
        + TEST_CLASS_SECONDS + " s; what it printed is in " + output));
    String printed = Files.readString(output);
    Matcher counts = COUNTS.matcher(printed);
    Tests tests = counts.find()
      ? new Tests(Integer.parseInt(counts.group(1)), Integer.parseInt(counts.group(2)))
      : new Tests(0, 0);
    if (code != 0 || tests.passed() + tests.skipped() == 0) {
      problems.add(test.name() + " fails" + FAILURE.matcher(printed).results()
        .map(failure -> ", " + failure.group(1)).collect(Collectors.joining())
        + "; what it printed is in " + output);
    } else if (tests.passed() == 0 && !test.isLarge()) {
      problems.add(test.name() + " ran no test, " + tests.skipped()
        + " were skipped; what it printed is in " + output);
    }
    return tests;
  }

  private static Path output(OwnClass test, Path folder) {
    return folder.resolve("output/" + test.simpleName() + ".txt");
  }

  /** Returns its exit code; empty if it took too long. */
  private OptionalInt runJvm(OwnClass test, Path folder, List<Path> classPath, Path output,
    int seconds, String... more) throws IOException, InterruptedException {
    Path directory = folder.resolve("run/" + test.simpleName());
    Files.createDirectories(directory);
    List<String> command = new ArrayList<>();
    command.add(Program.java());
    command.add("-Xmx2g");
    command.addAll(testJvmOptions);
    command.addAll(List.of("-cp",
      Stream.concat(classPath.stream(), Stream.of(Program.classesOf(TestClassRun.class)))
        .map(Path::toString).collect(Collectors.joining(File.pathSeparator)),
      TestClassRun.class.getName(), test.name()));
    command.addAll(List.of(more));
    return Program.run(Program.in(directory, command), output, seconds);
  }
}
