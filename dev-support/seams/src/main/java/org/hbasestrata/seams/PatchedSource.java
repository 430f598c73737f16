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

import com.github.javaparser.JavaParser;
import com.github.javaparser.ParseResult;
import com.github.javaparser.ParserConfiguration;
import com.github.javaparser.ast.CompilationUnit;
import com.github.javaparser.ast.ImportDeclaration;
import com.github.javaparser.ast.body.TypeDeclaration;
import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * An upstream source file with seams inserted. All of upstream's text is kept as it is; lines are
 * only added, or text within a line. Immutable.
 */
public final class PatchedSource {
  private static final int DIFF_CONTEXT_LINES = 3;

  private final String path;
  private final String original;
  private final String patched;
  private final List<String> topLevelTypes;
  private final TreeMap<Integer, Seam> seamsByLine = new TreeMap<>();

  /**
   * Inserts seams.
   * @param path     of the file in the sources jar, for messages and the diff
   * @param original upstream's text
   * @param seams    those of this file; at one place they come in this order
   */
  public PatchedSource(String path, String original, List<Seam> seams) throws SeamException {
    this.path = path;
    this.original = original;
    CompilationUnit unit = parse(path, original);
    this.topLevelTypes = unit.getTypes().stream().map(TypeDeclaration::getNameAsString)
      .collect(Collectors.toList());
    SourceText source = new SourceText(original);
    List<Insertion> insertions = new ArrayList<>();
    AnchorFinder finder = new AnchorFinder(unit, source);
    for (Seam seam : seams) {
      try {
        insertions.add(insertion(seam, finder.find(seam.anchor()), source));
      } catch (SeamException e) {
        throw new SeamException(
          "seam " + seam.name() + " no longer fits " + path + ": " + e.getMessage(), e);
      }
    }
    insertions.addAll(imports(unit, source, seams));
    insertions.sort(Comparator.comparingInt(Insertion::offset));
    this.patched = insert(insertions);
  }

  private record Insertion(int offset, String text, Seam seam) {
  }

  private static CompilationUnit parse(String path, String text) throws SeamException {
    ParserConfiguration configuration = new ParserConfiguration();
    configuration.setLanguageLevel(ParserConfiguration.LanguageLevel.JAVA_17);
    configuration.setTabSize(1);
    ParseResult<CompilationUnit> result = new JavaParser(configuration).parse(text);
    Optional<CompilationUnit> unit = result.getResult().filter(u -> result.isSuccessful());
    return unit.orElseThrow(
      () -> new SeamException(path + " can't be parsed: "
        + result.getProblem(0).getVerboseMessage()));
  }

  private static Insertion insertion(Seam seam, AnchorFinder.Place place, SourceText source) {
    if (place.indentation() == null) {
      return new Insertion(place.offset(), seam.text(), seam);
    }
    String lines = seam.text().stripTrailing().lines()
      .map(line -> line.isBlank() ? "" : place.indentation() + line)
      .collect(Collectors.joining("\n", "", "\n"));
    if (place.brokenLine()) {
      lines = "\n" + lines + source.indentation(place.offset());
    }
    return new Insertion(place.offset(), lines, seam);
  }

  private static List<Insertion> imports(CompilationUnit unit, SourceText source, List<Seam> seams)
    throws SeamException {
    Map<String, Seam> wanted = new LinkedHashMap<>();
    for (Seam seam : seams) {
      for (String name : seam.imports()) {
        wanted.putIfAbsent(name, seam);
      }
    }
    List<Insertion> insertions = new ArrayList<>();
    for (Map.Entry<String, Seam> entry : wanted.entrySet()) {
      String line = "import " + entry.getKey() + ";";
      if (unit.getImports().stream().anyMatch(i -> line(i).equals(line))) {
        throw new SeamException(
          "seam " + entry.getValue().name()
            + ": upstream has '" + line + "' already; leave it out");
      }
      insertions.add(new Insertion(importOffset(unit, source, line),
        line + "\n", entry.getValue()));
    }
    return insertions;
  }

  /** Behind the last import that sorts before the line, as far as upstream's are sorted. */
  private static int importOffset(CompilationUnit unit, SourceText source, String line) {
    int packageEnd = unit.getPackageDeclaration().map(source::end).map(source::nextLine).orElse(0);
    return unit.getImports().stream().filter(i -> i.isStatic() == line.startsWith("import static "))
      .filter(i -> line(i).compareTo(line) < 0)
      .mapToInt(i -> source.nextLine(source.end(i))).max().orElse(packageEnd);
  }

  private static String line(ImportDeclaration i) {
    return "import " + (i.isStatic() ? "static " : "") + i.getNameAsString()
      + (i.isAsterisk() ? ".*" : "") + ";";
  }

  private String insert(List<Insertion> insertions) {
    StringBuilder text = new StringBuilder();
    int copied = 0;
    int line = 1;
    for (Insertion insertion : insertions) {
      String kept = original.substring(copied, insertion.offset());
      text.append(kept).append(insertion.text());
      copied = insertion.offset();
      line += lineBreaks(kept);
      int lines = lineBreaks(insertion.text());
      for (int i = 0; i < Math.max(lines, 1); i++) {
        seamsByLine.put(line + i, insertion.seam());
      }
      if (!insertion.text().endsWith("\n")) {
        seamsByLine.put(line + lines, insertion.seam());
      }
      line += lines;
    }
    return text.append(original, copied, original.length()).toString();
  }

  private static int lineBreaks(String text) {
    return (int) text.chars().filter(c -> c == '\n').count();
  }

  public String path() {
    return path;
  }

  public String text() {
    return patched;
  }

  /** Simple names of the types that the file declares at its top level. */
  public List<String> topLevelTypes() {
    return topLevelTypes;
  }

  /** The seam that a line of the patched text comes from, the first being 1. */
  public Optional<Seam> seamAt(long line) {
    return Optional.ofNullable(seamsByLine.get((int) line));
  }

  /**
   * Unified diff from upstream's text to the patched one.
   * @param folder that the file is said to be in
   */
  public List<String> diff(String folder) {
    List<String> before = original.lines().collect(Collectors.toList());
    List<String> after = patched.lines().collect(Collectors.toList());
    return UnifiedDiffUtils.generateUnifiedDiff("a/" + folder + path, "b/" + folder + path,
      before, DiffUtils.diff(before, after), DIFF_CONTEXT_LINES);
  }
}
