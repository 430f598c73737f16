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

import java.util.List;
import java.util.Locale;

/**
 * The one place in an upstream class where a seam goes in.
 * @param className  binary name of the class, nested ones after a {@code $}
 * @param kind       what kind of member is meant
 * @param member     name of the method or field; null for the class itself and for constructors
 * @param parameters types of the method's or constructor's parameters as upstream's source writes
 *                   them; null when the name alone must do
 * @param position   where in relation to the member, or to {@code pattern}
 * @param match      what {@code pattern} stands for
 * @param pattern    short text to look for in the member; null when the member itself is the place
 */
public record Anchor(String className, Kind kind, String member, List<String> parameters,
  Position position, Match match, String pattern) {

  /** Kinds of members. */
  public enum Kind {
    CLASS,
    CONSTRUCTOR,
    FIELD,
    METHOD
  }

  /** Where the text goes. */
  public enum Position {
    /** First in the body; in a constructor, behind {@code this(...)} or {@code super(...)}. */
    START,
    /** Last in the body. */
    END,
    BEFORE,
    AFTER
  }

  /** What a pattern finds. */
  public enum Match {
    MEMBER,
    /** The innermost statement that contains the pattern. */
    STATEMENT,
    /** The pattern itself: the text is inserted within a line. */
    TEXT
  }

  /** Whether what is inserted is a member of its own, and no part of one. */
  public boolean isForMember() {
    return match == Match.MEMBER && (kind == Kind.CLASS
      || position == Position.BEFORE || position == Position.AFTER);
  }

  /** Path of the source file in a sources jar. */
  public String sourcePath() {
    int nested = className.indexOf('$');
    String topLevel = nested < 0 ? className : className.substring(0, nested);
    return topLevel.replace('.', '/') + ".java";
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(lowerCase(position))
      .append(position == Position.START || position == Position.END ? " of " : " ");
    if (match != Match.MEMBER) {
      text.append(lowerCase(match)).append(" '").append(pattern).append("' in ");
    }
    text.append(className);
    if (kind == Kind.CONSTRUCTOR) {
      text.append(".<init>");
    } else if (kind != Kind.CLASS) {
      text.append('.').append(member);
    }
    if (parameters != null) {
      text.append('(').append(String.join(", ", parameters)).append(')');
    }
    return text.toString();
  }

  private static String lowerCase(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
