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
package org.hbasestrata.seams;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticListener;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * An upstream module with its seams: the sources that the seams touch, patched, and the compilation
 * of them with the module's new classes.
 */
public final class PatchedModule {
  /**
   * What Error Prone calls an error, but for two that are meant here: a scope is closed by another
   * line than an annotation can say, and a size is asked for its lock alone.
   */
  private static final String ERROR_PRONE = "-Xplugin:ErrorProne -XepAllErrorsAsWarnings"
    + " -XepDisableAllWarnings -Xep:MustBeClosedChecker:OFF -Xep:ReturnValueIgnored:OFF";
  private static final Pattern CLASS_FILE =
    Pattern.compile("(?<type>(.*/)?[^/$]+)(\\$[^/]*)?\\.class");

  private final List<Patch> patches;
  private final Map<String, PatchedSource> sources = new LinkedHashMap<>();
  /** Top-level types that the patched sources declare, as the jar's entries name them. */
  private final Set<String> replaced;

  /**
   * Applies the seams.
   * @param sourcesJar upstream's sources
   * @param patches    what the module's seam files say
   */
  public PatchedModule(UpstreamJar sourcesJar, List<Patch> patches)
    throws IOException, SeamException {
    this.patches = List.copyOf(patches);
    Map<String, List<Seam>> byPath = patches.stream().flatMap(p -> p.seams().stream()).collect(
      Collectors.groupingBy(s -> s.anchor().sourcePath(), LinkedHashMap::new, Collectors.toList()));
    for (Map.Entry<String, List<Seam>> entry : byPath.entrySet()) {
      String path = entry.getKey();
      try {
        sources.put(path, new PatchedSource(path, sourcesJar.source(path), entry.getValue()));
      } catch (SeamException e) {
        throw new SeamException(e.getMessage() + " (seams: " + entry.getValue().stream()
          .map(Seam::name).collect(Collectors.joining(", ")) + ")", e);
      }
    }
    this.replaced = sources.values().stream().flatMap(source -> {
      String folder = source.path().substring(0, source.path().lastIndexOf('/') + 1);
      return source.topLevelTypes().stream().map(type -> folder + type);
    }).collect(Collectors.toSet());
  }

  /** Whether an entry of upstream's jar is a class that the patched sources compile anew. */
  public boolean replaces(String jarEntry) {
    Matcher matcher = CLASS_FILE.matcher(jarEntry);
    return matcher.matches() && replaced.contains(matcher.group("type"));
  }

  /** Writes the patched sources below a folder. */
  public void writeSources(Path folder) throws IOException {
    for (PatchedSource source : sources.values()) {
      Path file = folder.resolve(source.path());
      Files.createDirectories(file.getParent());
      Files.writeString(file, source.text());
    }
  }

  /**
   * Writes what the seams changed as one unified diff, for reading.
   * @param folder of the sources in upstream's tree, with a slash at its end
   */
  public void writeDiff(Path file, String folder) throws IOException {
    List<String> lines = new ArrayList<>();
    for (PatchedSource source : sources.values()) {
      lines.addAll(source.diff(folder));
    }
    Files.createDirectories(file.getParent());
    Files.write(file, lines);
  }

  /**
   * Compiles patched sources and new classes. Whatever the compiler has to say of upstream's own
   * lines is left out unless it is an error.
   * @param patchedFolder where {@link #writeSources} wrote to
   * @param newClasses    folders of the module's own sources; need not exist
   * @param classes       folder that holds upstream's other classes and takes the new ones
   * @param classPath     dependencies
   * @param release       Java version of API and class files
   * @param lint          what the compiler warns of, as its option {@code -Xlint} takes it
   * @param errorProne    jars of Error Prone, whose errors are warnings then; none to go without
   * @throws SeamException when there are errors or warnings, with all of them in the message
   */
  public void compile(Path patchedFolder, List<Path> newClasses, Path classes,
    List<String> classPath, String release, String lint, List<String> errorProne)
    throws IOException, SeamException {
    List<Path> files =
      new ArrayList<>(sources.keySet().stream().map(patchedFolder::resolve).toList());
    for (Path folder : newClasses) {
      if (Files.isDirectory(folder)) {
        try (var walk = Files.walk(folder)) {
          walk.filter(f -> f.toString().endsWith(".java")).sorted().forEach(files::add);
        }
      }
    }
    if (files.isEmpty()) {
      return;
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new SeamException(System.getProperty("java.home")
        + " has no compiler: a JDK is needed");
    }
    List<String> allPaths = new ArrayList<>(List.of(classes.toString()));
    allPaths.addAll(classPath);
    List<String> options = new ArrayList<>(List.of("--release", release, "-g", "-proc:none",
      "-encoding", "UTF-8", "-Xlint:" + lint, "-Xmaxerrs", "1000", "-Xmaxwarns", "100000", "-d",
      classes.toString(), "-classpath", String.join(File.pathSeparator, allPaths)));
    if (!errorProne.isEmpty()) {
      options.addAll(List.of("-XDcompilePolicy=simple", "--should-stop=ifError=FLOW",
        "-processorpath", String.join(File.pathSeparator, errorProne), ERROR_PRONE));
    }
    Set<String> messages = new TreeSet<>();
    // Words each message at once: when the task is over, files that it may look into are closed.
    DiagnosticListener<JavaFileObject> listener =
      diagnostic -> message(diagnostic, patchedFolder).ifPresent(messages::add);
    StringWriter unlocated = new StringWriter();
    boolean compiled;
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(listener, null, null)) {
      compiled = compiler.getTask(unlocated, manager, listener, options, null,
        manager.getJavaFileObjectsFromPaths(files)).call();
    }
    if (!compiled || !messages.isEmpty()) {
      throw new SeamException(
        "compilation failed:\n  " + String.join("\n  ", messages) + unlocated);
    }
  }

  private Optional<String> message(Diagnostic<? extends JavaFileObject> diagnostic,
    Path patchedFolder) {
    boolean error = diagnostic.getKind() == Diagnostic.Kind.ERROR;
    String text = (error ? "error: " : "warning: ") + diagnostic.getMessage(null);
    if (diagnostic.getSource() == null) {
      return error ? Optional.of(text) : Optional.empty();
    }
    Path file = Path.of(diagnostic.getSource().toUri());
    String at = file + ":" + diagnostic.getLineNumber() + ": ";
    if (!file.startsWith(patchedFolder)) {
      return diagnostic.getKind() == Diagnostic.Kind.NOTE ? Optional.empty()
        : Optional.of(at + text);
    }
    String path = patchedFolder.relativize(file).toString().replace('\\', '/');
    Optional<Seam> seam = sources.get(path).seamAt(diagnostic.getLineNumber());
    if (seam.isPresent()) {
      return Optional.of("seam " + seam.get().name() + " in " + at + text);
    }
    return error
      ? Optional.of("upstream's text, with the seams " + seamNames(path) + " around it, in " + at
        + text)
      : Optional.empty();
  }

  private String seamNames(String path) {
    return patches.stream().flatMap(p -> p.seams().stream())
      .filter(s -> s.anchor().sourcePath().equals(path)).map(Seam::name)
      .collect(Collectors.joining(", "));
  }
}
