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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * A file of a configuration and the files that it includes: which of them has a key. Hadoop itself
 * takes the keys of an included file for those of the file that includes it. Immutable.
 */
final class SiteFile {
  private static final int DEEPEST = 10;

  private final Path folder;
  private final List<Path> files = new ArrayList<>();
  private final Map<String, Path> fileOfKey = new HashMap<>();

  /** Reads a file, in whose folder the included ones are looked for. */
  SiteFile(Path file) {
    folder = file.toAbsolutePath().getParent();
    read(file, 0);
  }

  /** Returns the file, and then those that it includes. */
  List<Path> files() {
    return Collections.unmodifiableList(files);
  }

  /** Returns the file whose value of each key is in force. */
  Map<String, Path> fileOfKey() {
    return Collections.unmodifiableMap(fileOfKey);
  }

  private void read(Path file, int depth) {
    files.add(file);
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setNamespaceAware(true);
      NodeList nodes =
        factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement().getChildNodes();
      for (int i = 0; i < nodes.getLength(); i++) {
        if (nodes.item(i) instanceof Element) {
          read((Element) nodes.item(i), file, depth);
        }
      }
    } catch (IOException | SAXException | ParserConfigurationException e) {
      throw new IllegalStateException(file + " can't be read: " + e.getMessage(), e);
    }
  }

  private void read(Element element, Path file, int depth) {
    if (element.getLocalName().equals("property")) {
      fileOfKey.put(part(element, "name"), file);
    } else if (element.getLocalName().equals("include") && depth < DEEPEST) {
      Path included = folder.resolve(element.getAttribute("href"));
      // Hadoop also takes URLs, whose keys count as those of this file here.
      if (Files.isRegularFile(included)) {
        read(included, depth + 1);
      }
    }
  }

  /** Returns a property's name or value, which is an attribute or an element. */
  static String part(Element property, String part) {
    Node element = property.getElementsByTagName(part).item(0);
    return (element == null ? property.getAttribute(part) : element.getTextContent()).trim();
  }
}
