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
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.hbasestrata.tools.ToolException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** The values that conf/ ships with: those of hbase-site.xml, and of the profiles beside it. */
final class ShippedConfiguration {
  private static final String INCLUDE = "xi:include";

  private final Path folder;
  private final Map<String, String> site;
  private final Map<String, Map<String, String>> profiles = new TreeMap<>();

  ShippedConfiguration(Path folder) {
    this.folder = folder;
    Path file = folder.resolve("hbase-site.xml");
    site = Files.isRegularFile(file) ? read(file) : Map.of();
    Path others = folder.resolve("profiles");
    if (Files.isDirectory(others)) {
      try (Stream<Path> files = Files.list(others)) {
        files.filter(profile -> profile.toString().endsWith(".xml")).forEach(profile -> profiles
          .put(profile.getFileName().toString().replace(".xml", ""), read(profile)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Returns a key's value, and those that profiles give it which hbase-site.xml doesn't take. */
  String text(Key key) {
    Map<String, String> values = new LinkedHashMap<>();
    String shipped = site.get(key.name());
    profiles.forEach((profile, keys) -> {
      String value = keys.get(key.name());
      if (value != null && !value.equals(shipped)) {
        values.put(profile, value);
      }
    });
    Stream<String> others = values.entrySet().stream().map(
      other -> shown(key, other.getValue()) + " in profile `" + other.getKey() + "`");
    return Stream.concat(Stream.ofNullable(shipped).map(value -> shown(key, value)), others)
      .collect(Collectors.joining(", "));
  }

  private static String shown(Key key, String value) {
    return value.matches("true|false|[0-9]+[a-z]?") ? key.amount(value) : "`" + value + "`";
  }

  private Map<String, String> read(Path file) {
    Map<String, String> values = new LinkedHashMap<>();
    try {
      Node child = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile())
        .getDocumentElement().getFirstChild();
      for (; child != null; child = child.getNextSibling()) {
        if (child instanceof Element element) {
          if (element.getTagName().equals(INCLUDE)) {
            values.putAll(read(folder.resolve(element.getAttribute("href"))));
          } else {
            values.put(textOf(element, "name"), textOf(element, "value"));
          }
        }
      }
    } catch (IOException | SAXException | ParserConfigurationException e) {
      throw ToolException.failed(file + " can't be read: " + e.getMessage());
    }
    return values;
  }

  private static String textOf(Element property, String name) {
    return property.getElementsByTagName(name).item(0).getTextContent().trim();
  }
}
