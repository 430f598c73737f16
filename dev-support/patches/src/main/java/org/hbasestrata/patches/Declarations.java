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
import com.github.javaparser.ast.expr.BinaryExpr;
import com.github.javaparser.ast.expr.BooleanLiteralExpr;
import com.github.javaparser.ast.expr.Expression;
import com.github.javaparser.ast.expr.IntegerLiteralExpr;
import com.github.javaparser.ast.expr.LongLiteralExpr;
import com.github.javaparser.ast.expr.MethodCallExpr;
import com.github.javaparser.ast.expr.StringLiteralExpr;
import java.util.ArrayList;
import java.util.List;
import org.hbasestrata.tools.ToolException;

/**
 * Configuration keys as classes declare them: each is a public constant of the type Setting, whose
 * name and texts are literals.
 */
final class Declarations {
  private static final String TYPE = "Setting";

  private final OwnClass own;

  private Declarations(OwnClass own) {
    this.own = own;
  }

  /** Returns the keys that a class declares, in the order in which it does. */
  static List<Key> of(OwnClass own) {
    String text = own.text();
    return text.contains(TYPE + "<") ? new Declarations(own).read(text) : List.of();
  }

  private List<Key> read(String text) {
    CompilationUnit unit = new JavaParser(new ParserConfiguration()
      .setLanguageLevel(ParserConfiguration.LanguageLevel.JAVA_17)).parse(text).getResult()
      .orElseThrow(() -> ToolException.failed(own.where() + " can't be parsed"));
    List<Key> keys = new ArrayList<>();
    for (FieldDeclaration field : unit.findAll(FieldDeclaration.class)) {
      // That of an interface is public, and static, without saying so.
      if (
        !field.isPrivate() && field.getElementType().asString().startsWith(TYPE + "<")
          && field.getVariable(0).getInitializer().isPresent()
      ) {
        keys.add(key(field.getVariable(0).getInitializer().get()));
      }
    }
    return keys;
  }

  /** {@code Setting.ofInt(name, unset, text)}, and calls of methods of what it returns. */
  private Key key(Expression declaration) {
    String unset = null;
    boolean live = false;
    Expression expression = declaration;
    while (expression instanceof MethodCallExpr call && call.getScope().isPresent()) {
      if (call.getScope().get().toString().equals(TYPE)) {
        boolean hasValue = unset == null && call.getArguments().size() > 2;
        return new Key(text(call.getArgument(0)), hasValue ? value(call.getArgument(1)) : null,
          unset, call.getNameAsString().equals("ofBytes"), live,
          text(call.getArguments().getLast().orElseThrow()));
      }
      live |= call.getNameAsString().equals("live");
      if (call.getNameAsString().equals("unset")) {
        unset = text(call.getArgument(0));
      }
      expression = call.getScope().get();
    }
    throw unknown(declaration);
  }

  private String text(Expression expression) {
    if (expression instanceof StringLiteralExpr literal) {
      return literal.asString();
    }
    if (
      expression instanceof BinaryExpr binary && binary.getOperator() == BinaryExpr.Operator.PLUS
    ) {
      return text(binary.getLeft()) + text(binary.getRight());
    }
    throw unknown(expression);
  }

  /** What hbase-default.xml has for a switch or a number. */
  private String value(Expression expression) {
    return expression instanceof BooleanLiteralExpr
      ? expression.toString()
      : String.valueOf(number(expression));
  }

  private long number(Expression expression) {
    if (expression instanceof IntegerLiteralExpr literal) {
      return literal.asNumber().longValue();
    }
    if (expression instanceof LongLiteralExpr literal) {
      return literal.asNumber().longValue();
    }
    if (
      expression instanceof BinaryExpr binary
        && binary.getOperator() == BinaryExpr.Operator.LEFT_SHIFT
    ) {
      return number(binary.getLeft()) << number(binary.getRight());
    }
    throw unknown(expression);
  }

  private ToolException unknown(Expression expression) {
    return ToolException.failed(own.where() + ": a key's name and texts must be literals, and its"
      + " value one or a literal that is shifted, not " + expression);
  }
}
