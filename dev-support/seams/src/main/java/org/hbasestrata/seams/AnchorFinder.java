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

import com.github.javaparser.JavaToken;
import com.github.javaparser.ast.CompilationUnit;
import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.BodyDeclaration;
import com.github.javaparser.ast.body.CallableDeclaration;
import com.github.javaparser.ast.body.ConstructorDeclaration;
import com.github.javaparser.ast.body.FieldDeclaration;
import com.github.javaparser.ast.body.MethodDeclaration;
import com.github.javaparser.ast.body.TypeDeclaration;
import com.github.javaparser.ast.comments.Comment;
import com.github.javaparser.ast.stmt.BlockStmt;
import com.github.javaparser.ast.stmt.ExplicitConstructorInvocationStmt;
import com.github.javaparser.ast.stmt.Statement;
import com.github.javaparser.ast.stmt.SwitchEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Finds the place of an anchor in a parsed source file. Each step must match exactly once. */
final class AnchorFinder {
  private final CompilationUnit unit;
  private final SourceText source;
  private final List<Comment> comments;

  AnchorFinder(CompilationUnit unit, SourceText source) {
    this.unit = unit;
    this.source = source;
    this.comments = unit.getAllComments();
  }

  /**
   * Where text is inserted.
   * @param offset      in the source text
   * @param indentation of the lines to insert; null when the text goes within a line
   * @param brokenLine  whether something else stands before the offset on its line
   */
  record Place(int offset, String indentation, boolean brokenLine) {
  }

  Place find(Anchor anchor) throws SeamException {
    TypeDeclaration<?> type = type(anchor);
    Node member = anchor.kind() == Anchor.Kind.CLASS ? type : member(type, anchor);
    switch (anchor.match()) {
      case STATEMENT:
        return beside(statement(member, anchor), anchor.position());
      case TEXT:
        return within(member, anchor);
      default:
        return anchor.position() == Anchor.Position.START
          || anchor.position() == Anchor.Position.END
          ? body(member, anchor)
          : beside(member, anchor.position());
    }
  }

  private TypeDeclaration<?> type(Anchor anchor) throws SeamException {
    String wanted = anchor.className().replace('$', '.');
    List<TypeDeclaration<?>> types = new ArrayList<>();
    for (Object type : unit.findAll(TypeDeclaration.class)) {
      TypeDeclaration<?> declaration = (TypeDeclaration<?>) type;
      if (declaration.getFullyQualifiedName().filter(wanted::equals).isPresent()) {
        types.add(declaration);
      }
    }
    return theOnly(types, "class " + anchor.className(), List.of());
  }

  private BodyDeclaration<?> member(TypeDeclaration<?> type, Anchor anchor) throws SeamException {
    List<BodyDeclaration<?>> named = type.getMembers().stream()
      .filter(m -> isNamed(m, anchor)).collect(Collectors.toList());
    List<BodyDeclaration<?>> matching = anchor.parameters() == null
      ? named
      : named.stream().filter(m -> parameters(m).equals(normalized(anchor.parameters())))
        .collect(Collectors.toList());
    return theOnly(matching, anchor.toString(),
      named.stream().map(this::declaration).collect(Collectors.toList()));
  }

  private static boolean isNamed(BodyDeclaration<?> member, Anchor anchor) {
    switch (anchor.kind()) {
      case CONSTRUCTOR:
        return member instanceof ConstructorDeclaration;
      case FIELD:
        return member instanceof FieldDeclaration field
          && field.getVariables().stream()
            .anyMatch(v -> v.getNameAsString().equals(anchor.member()));
      default:
        return member instanceof MethodDeclaration method
          && method.getNameAsString().equals(anchor.member());
    }
  }

  private static List<String> parameters(BodyDeclaration<?> member) {
    return normalized(((CallableDeclaration<?>) member).getParameters().stream()
      .map(p -> p.getTypeAsString() + (p.isVarArgs() ? "..." : "")).collect(Collectors.toList()));
  }

  private static List<String> normalized(List<String> types) {
    return types.stream().map(t -> t.replaceAll("\\s+", "")).collect(Collectors.toList());
  }

  private String declaration(BodyDeclaration<?> member) {
    return member instanceof CallableDeclaration<?> callable
      ? callable.getDeclarationAsString(false, false, false)
      : member.toString();
  }

  private Statement statement(Node member, Anchor anchor) throws SeamException {
    List<Statement> containing = member.findAll(Statement.class,
      s -> !(s instanceof BlockStmt) && hasPattern(s, anchor.pattern()));
    List<Statement> innermost = containing.stream()
      .filter(s -> containing.stream().noneMatch(inner -> inner != s && s.isAncestorOf(inner)))
      .collect(Collectors.toList());
    Statement statement = theOnly(innermost, anchor.toString(), lines(innermost));
    Node parent = statement.getParentNode().orElseThrow();
    if (!(parent instanceof BlockStmt || parent instanceof SwitchEntry)) {
      throw new SeamException(anchor
        + ": the statement is not one of a block, so that text beside it"
        + " would change what is conditional");
    }
    return statement;
  }

  private Place within(Node member, Anchor anchor) throws SeamException {
    List<Integer> offsets = occurrences(member, anchor.pattern());
    int offset = theOnly(offsets, anchor.toString(), List.of());
    return new Place(
      anchor.position() == Anchor.Position.BEFORE ? offset : offset + anchor.pattern().length(),
      null,
      false);
  }

  private boolean hasPattern(Node node, String pattern) {
    return !occurrences(node, pattern).isEmpty();
  }

  /** Offsets of a pattern in a node's text, comments left out. */
  private List<Integer> occurrences(Node node, String pattern) {
    List<Integer> offsets = new ArrayList<>();
    int end = source.end(node);
    for (int i = source.text().indexOf(pattern, source.start(node)); i >= 0
      && i + pattern.length() <= end; i = source.text().indexOf(pattern, i + 1)) {
      int at = i;
      if (comments.stream().noneMatch(c -> source.start(c) <= at && at < source.end(c))) {
        offsets.add(at);
      }
    }
    return offsets;
  }

  private Place body(Node member, Anchor anchor) throws SeamException {
    int open;
    int close;
    if (member instanceof TypeDeclaration<?> type) {
      open = openingBrace(type);
      close = source.end(type) - 1;
    } else {
      BlockStmt block = member instanceof ConstructorDeclaration constructor
        ? constructor.getBody()
        : ((MethodDeclaration) member).getBody().orElseThrow(
          () -> new SeamException(anchor + ": the method has no body"));
      open = source.start(block);
      close = source.end(block) - 1;
      if (!block.isEmpty()
        && block.getStatement(0) instanceof ExplicitConstructorInvocationStmt call) {
        open = source.end(call) - 1;
      }
    }
    String indentation = source.indentation(source.start(member)) + "  ";
    if (anchor.position() == Anchor.Position.START) {
      return after(open + 1, indentation);
    }
    return source.beginsLine(close)
      ? new Place(source.lineStart(close), indentation, false)
      : new Place(close, indentation, true);
  }

  /** Offset of the brace that opens the type's body: the first one behind the type's name. */
  private int openingBrace(TypeDeclaration<?> type) {
    JavaToken token = type.getName().getTokenRange().orElseThrow().getEnd();
    while (!token.getText().equals("{")) {
      token = token.getNextToken().orElseThrow();
    }
    return source.offset(token.getRange().orElseThrow().begin);
  }

  private Place beside(Node node, Anchor.Position position) {
    int start = Math.min(source.start(node),
      node.getComment().map(source::start).orElse(Integer.MAX_VALUE));
    String indentation = source.indentation(start);
    if (position == Anchor.Position.AFTER) {
      return after(source.end(node), indentation);
    }
    return source.beginsLine(start)
      ? new Place(source.lineStart(start), indentation, false)
      : new Place(start, indentation, true);
  }

  /** Behind the line, so that a comment at its end stays with what it comments on. */
  private Place after(int offset, String indentation) {
    int next = source.nextLine(offset);
    String rest = source.text().substring(offset, next).strip();
    return rest.isEmpty() || rest.startsWith("//")
      ? new Place(next, indentation, false)
      : new Place(offset, indentation, true);
  }

  private List<String> lines(List<? extends Node> nodes) {
    return nodes.stream().map(n -> "line " + n.getBegin().orElseThrow().line)
      .collect(Collectors.toList());
  }

  private static <T> T theOnly(List<T> found, String what, List<String> candidates)
    throws SeamException {
    if (found.size() == 1) {
      return found.get(0);
    }
    String there = candidates.isEmpty() ? "" : "; there: " + String.join(" | ", candidates);
    throw new SeamException(what + " matches " + found.size() + " times, not once" + there);
  }
}
