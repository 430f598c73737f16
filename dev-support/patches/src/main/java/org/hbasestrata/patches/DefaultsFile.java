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

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hbasestrata.tools.ToolException;

/** Upstream's hbase-default.xml with keys of a patch added, each behind the one most like it. */
final class DefaultsFile {
  /** Where it is in upstream's tree. */
  static final String PATH = "hbase-common/src/main/resources/hbase-default.xml";

  private static final Pattern PROPERTY =
    Pattern.compile("<name>\\s*([^<\\s]+)\\s*</name>.*?</property>[ \\t]*\\n", Pattern.DOTALL);
  /** What upstream's build puts its version in place of. */
  private static final String VERSION = "@@@VERSION@@@";
  private static final int LINE = 100;

  private DefaultsFile() {
  }

  /**
   * Adds keys.
   * @param text of the file so far
   */
  static String with(String text, List<Key> keys) {
    StringBuilder file = new StringBuilder(text);
    for (Key key : keys) {
      file.insert(place(file, key.name()), property(key));
    }
    return file.toString();
  }

  /** Behind the property whose name begins most like this; the last of several. */
  private static int place(CharSequence file, String name) {
    int place = -1;
    int longest = 0;
    Matcher property = PROPERTY.matcher(file);
    while (property.find()) {
      int common = commonPrefix(property.group(1), name);
      if (common >= longest) {
        longest = common;
        place = property.end();
      }
    }
    if (place < 0) {
      throw ToolException.failed("hbase-default.xml has no property");
    }
    return place;
  }

  private static int commonPrefix(String a, String b) {
    int length = 0;
    while (length < Math.min(a.length(), b.length()) && a.charAt(length) == b.charAt(length)) {
      length++;
    }
    return length;
  }

  /** What upstream's build makes of the file; HBaseConfiguration refuses another version's. */
  static String built(String text, String version) {
    return text.replace(VERSION, version);
  }

  /** One without a value is ignored by Hadoop's Configuration, so the key stays unset. */
  private static String property(Key key) {
    String description = key.text()
      + (key.unset() == null ? "" : " If it isn't set: " + key.unset() + ".")
      + (key.live() ? " Can be changed while the server runs." : "");
    return "  <property>\n    <name>" + key.name() + "</name>\n"
      + (key.value() == null ? "" : "    <value>" + escaped(key.value()) + "</value>\n")
      + "    <description>\n"
      + Text.wrapped(escaped(plain(description)), LINE - 6).indent(6)
      + "    </description>\n  </property>\n";
  }

  /** The texts are Markdown, for the reference. */
  private static String plain(String markdown) {
    return markdown.replace("`", "");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
