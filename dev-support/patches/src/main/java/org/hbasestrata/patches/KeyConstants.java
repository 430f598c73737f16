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

import com.github.javaparser.JavaParser;
import com.github.javaparser.ParserConfiguration;
import com.github.javaparser.ast.CompilationUnit;
import com.github.javaparser.ast.body.FieldDeclaration;
import com.github.javaparser.ast.body.VariableDeclarator;
import com.github.javaparser.ast.expr.BinaryExpr;
import com.github.javaparser.ast.expr.Expression;
import com.github.javaparser.ast.expr.FieldAccessExpr;
import com.github.javaparser.ast.expr.LiteralExpr;
import com.github.javaparser.ast.expr.NameExpr;
import com.github.javaparser.ast.expr.StringLiteralExpr;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hbasestrata.tools.ToolException;

/**
 * Whether each configuration key in the code is documented in a manifest, and the other way round.
 *
 * <p>A key is a constant whose name ends in _KEY, or any constant of a class whose name ends in
 * Settings; names of system properties, which end in _PROPERTY, are none. Such a class may put keys
 * together from parts; a part, which may be the whole, is documented if it is the end of a key that
 * is. A part that ends in a dot is the beginning of others. What upstream's sources have as a text
 * is upstream's to document.
 */
final class KeyConstants {
  private final PatchSet checkout;
  private final GitTree upstream;
  private final String base;
  private final JavaParser parser = new JavaParser(new ParserConfiguration()
    .setLanguageLevel(ParserConfiguration.LanguageLevel.JAVA_17));
  private final Map<String, CompilationUnit> parsed = new HashMap<>();

  /**
   * @param upstream where a commit is checked out, {@code base}, that is upstream's sources
   */
  KeyConstants(PatchSet checkout, GitTree upstream, String base) {
    this.checkout = checkout;
    this.upstream = upstream;
    this.base = base;
  }

  /** Returns a line for each key that one of the two lacks, or has another default for. */
  List<String> problems() throws IOException, InterruptedException {
    List<String> problems = new ArrayList<>();
    for (Manifest manifest : checkout.manifests()) {
      Set<String> documented = new HashSet<>();
      manifest.keys().forEach(key -> documented.addAll(key.names()));
      Set<String> used = new HashSet<>();
      for (OwnClass own : checkout.classes(manifest)) {
        for (Constant constant : keys(own)) {
          String text = constant.text();
          used.add(text);
          if (!isDocumented(text, documented) && !isUpstreams(text)) {
            problems.add(own.where() + " has the key " + text + ", which " + manifest.name()
              + "/patch.yaml doesn't document");
          }
          defaultProblem(manifest, own, constant).ifPresent(problems::add);
        }
      }
      documented.stream().filter(key -> used.stream().noneMatch(u -> isEnd(u, key))).sorted()
        .forEach(key -> problems.add(manifest.name() + "/patch.yaml documents " + key
          + ", which no class of the patch has"));
    }
    return problems;
  }

  /** Says so if the manifest has another default than the constant that is named as the key's. */
  private Optional<String> defaultProblem(Manifest manifest, OwnClass own, Constant key) {
    String name = key.name().replaceFirst("_KEY$", "") + "_DEFAULT";
    Optional<Expression> inCode = initializer(own.where(), name);
    for (Key documented : manifest.keys()) {
      if (
        inCode.isPresent() && documented.value() != null
          && documented.names().stream().anyMatch(n -> isEnd(key.text(), n))
      ) {
        String value = text(own.where(), inCode.get());
        if (!value.equals(documented.value())) {
          return Optional.of(own.where() + " has " + name + " " + value + ", but " + manifest.name()
            + "/patch.yaml gives " + documented.pattern() + " " + documented.value());
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isDocumented(String text, Set<String> documented) {
    return documented.stream().anyMatch(key -> isEnd(text, key));
  }

  private static boolean isEnd(String text, String key) {
    return key.equals(text) || key.endsWith("." + text);
  }

  private boolean isUpstreams(String text) throws IOException, InterruptedException {
    try {
      upstream.git("grep", "-qF", "\"" + text + "\"", base);
      return true;
    } catch (ToolException e) {
      return false;
    }
  }

  /** A constant, and what it comes to. */
  private record Constant(String name, String text) {
  }

  private List<Constant> keys(OwnClass own) {
    boolean settings = own.simpleName().endsWith("Settings");
    List<Constant> keys = new ArrayList<>();
    for (FieldDeclaration field : unit(own.where(), own.text())
      .findAll(FieldDeclaration.class, FieldDeclaration::isStatic)) {
      for (VariableDeclarator variable : field.getVariables()) {
        String name = variable.getNameAsString();
        if (
          variable.getTypeAsString().equals("String") && field.isFinal()
            && (settings ? !name.endsWith("_PROPERTY") : name.endsWith("_KEY"))
        ) {
          String text = text(own.where(), variable.getInitializer().orElseThrow());
          if (!text.endsWith(".")) {
            keys.add(new Constant(name, text));
          }
        }
      }
    }
    return keys;
  }

  private CompilationUnit unit(String path, String text) {
    return parsed.computeIfAbsent(path, p -> parser.parse(text).getResult()
      .orElseThrow(() -> ToolException.failed(p + " can't be parsed")));
  }

  /** What an expression of literals and constants comes to. */
  private String text(String path, Expression expression) {
    if (expression instanceof StringLiteralExpr literal) {
      return literal.asString();
    }
    if (expression instanceof LiteralExpr literal) {
      return literal.toString();
    }
    if (expression instanceof BinaryExpr binary) {
      String left = text(path, binary.getLeft());
      String right = text(path, binary.getRight());
      return binary.getOperator() == BinaryExpr.Operator.MULTIPLY
        ? String.valueOf(Long.parseLong(left) * Long.parseLong(right))
        : left + right;
    }
    if (expression instanceof NameExpr name) {
      return constant(path, name.getNameAsString());
    }
    if (expression instanceof FieldAccessExpr access) {
      return constant(pathOf(path, access.getScope().toString()), access.getNameAsString());
    }
    throw ToolException.failed(path + ": a key is " + expression + ", which can't be told");
  }

  private String constant(String path, String name) {
    return text(path, initializer(path, name).orElseThrow(
      () -> ToolException.failed(path + " has no constant " + name)));
  }

  private Optional<Expression> initializer(String path, String name) {
    return parsed.get(path).findAll(VariableDeclarator.class).stream()
      .filter(v -> v.getNameAsString().equals(name)).findFirst()
      .flatMap(VariableDeclarator::getInitializer);
  }

  /** The file of a class that is named in another: imported, or of the same package. */
  private String pathOf(String from, String simpleName) {
    String name = parsed.get(from).getImports().stream().map(i -> i.getNameAsString())
      .filter(i -> i.endsWith("." + simpleName)).findFirst()
      .orElseGet(() -> parsed.get(from).getPackageDeclaration().orElseThrow().getNameAsString()
        + "." + simpleName);
    OwnClass own = checkout.ownClass(name);
    if (own != null) {
      unit(own.where(), own.text());
      return own.where();
    }
    for (String module : PatchSet.MODULES) {
      String path = module + "/src/main/java/" + name.replace('.', '/') + ".java";
      Path file = upstream.folder().resolve(path);
      if (Files.isRegularFile(file)) {
        try {
          unit(path, Files.readString(file));
        } catch (IOException e) {
          throw ToolException.failed(file + ": " + e);
        }
        return path;
      }
    }
    throw ToolException.failed(from + ": no class " + name);
  }
}
