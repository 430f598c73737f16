/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hbasestrata.jvm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.hadoop.conf.ConfigRedactor;
import org.apache.hadoop.conf.Configuration;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Finds keys that one file of a configuration has more than once, with different values. Hadoop
 * takes the last value, or the first final one, and tells nobody.
 */
final class RepeatedKeys {
  private RepeatedKeys() {
  }

  /**
   * Returns a line for each such key, which begins with it.
   * @param conf what was read from the file, and maybe from others
   */
  static List<String> of(Path file, Configuration conf) {
    ConfigRedactor redactor = new ConfigRedactor(conf);
    List<String> lines = new ArrayList<>();
    for (Map.Entry<String, Set<String>> entry : values(file).entrySet()) {
      if (entry.getValue().size() > 1) {
        String key = entry.getKey();
        List<String> shown = new ArrayList<>();
        entry.getValue().forEach(value -> shown.add(redactor.redact(key, value)));
        String inForce = String.valueOf(conf.getRaw(key)).trim();
        lines.add(key + " is more than once in " + file + ": " + String.join(", then ", shown)
          + ". In force is " + redactor.redact(key, inForce) + "; delete what isn't meant.");
      }
    }
    return lines;
  }

  private static Map<String, Set<String>> values(Path file) {
    Map<String, Set<String>> values = new TreeMap<>();
    try {
      NodeList properties = DocumentBuilderFactory.newInstance().newDocumentBuilder()
        .parse(file.toFile()).getElementsByTagName("property");
      for (int i = 0; i < properties.getLength(); i++) {
        Element property = (Element) properties.item(i);
        values.computeIfAbsent(SiteFile.part(property, "name"), key -> new LinkedHashSet<>())
          .add(SiteFile.part(property, "value"));
      }
    } catch (IOException | SAXException | ParserConfigurationException e) {
      throw new IllegalStateException(file + " can't be read: " + e.getMessage(), e);
    }
    return values;
  }
}
