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

import com.github.javaparser.Position;
import com.github.javaparser.ast.Node;
import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** A source file's text, addressed by the parser's lines and columns. Immutable. */
final class SourceText {
  private final String text;
  private final int[] lineStarts;

  SourceText(String text) {
    this.text = text;
    this.lineStarts = IntStream
      .concat(IntStream.of(0),
        Pattern.compile("\\r\\n|\\r|\\n").matcher(text).results()
          .mapToInt(MatchResult::end))
      .toArray();
  }

  String text() {
    return text;
  }

  /** Offset of the node's first character. */
  int start(Node node) {
    return offset(node.getRange().orElseThrow().begin);
  }

  /** Offset behind the node's last character. */
  int end(Node node) {
    return offset(node.getRange().orElseThrow().end) + 1;
  }

  String of(Node node) {
    return text.substring(start(node), end(node));
  }

  /** White space that the line of this offset begins with. */
  String indentation(int offset) {
    int start = lineStart(offset);
    int end = start;
    while (end < text.length() && (text.charAt(end) == ' ' || text.charAt(end) == '\t')) {
      end++;
    }
    return text.substring(start, end);
  }

  /** Whether only white space stands before this offset on its line. */
  boolean beginsLine(int offset) {
    return text.substring(lineStart(offset), offset).isBlank();
  }

  int lineStart(int offset) {
    int index = Arrays.binarySearch(lineStarts, offset);
    return lineStarts[index >= 0 ? index : -index - 2];
  }

  /** Offset behind the line break that ends this offset's line, or the end of the text. */
  int nextLine(int offset) {
    int index = Arrays.binarySearch(lineStarts, offset);
    int next = (index >= 0 ? index : -index - 2) + 1;
    return next < lineStarts.length ? lineStarts[next] : text.length();
  }

  int offset(Position position) {
    return lineStarts[position.line - 1] + position.column - 1;
  }
}
