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
package org.hbasestrata.patches.pictures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hbasestrata.patches.pictures.Picture.Drawing;
import org.hbasestrata.tools.Folders;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.report.Pages;
import org.hbasestrata.tools.report.Theme;

/** The pictures of the documents, as SVG. The same files make the same bytes. */
public final class PictureFiles {
  private static final Pages PAGES = new Pages(PictureFiles.class);
  private static final String YAML = ".yaml";

  private PictureFiles() {
  }

  /** Returns the files that say what is in the pictures. */
  static List<Path> sources(Path root) throws IOException {
    return Folders.list(root.resolve("dev-support/patches/pictures"), "*" + YAML);
  }

  static Path images(Path root) {
    return root.resolve("docs/images");
  }

  /** Returns the name of a picture without its theme. */
  static String name(Path source) {
    String file = source.getFileName().toString();
    return file.substring(0, file.length() - YAML.length());
  }

  /**
   * Makes all pictures, a light one and a dark one of each. Returns their text by the file's name.
   * @param root the checkout
   */
  static Map<String, String> of(Path root) throws IOException {
    Map<String, String> files = new LinkedHashMap<>();
    for (Path source : sources(root)) {
      try {
        Drawing drawing = Picture.read(source).draw();
        for (Theme theme : Theme.values()) {
          files.put(name(source) + "-" + theme.suffix() + ".svg",
            PAGES.svg("picture", Map.of("view", drawing, "theme", theme)));
        }
        if (!drawing.problems().isEmpty()) {
          throw new IllegalArgumentException(String.join("; ", drawing.problems()));
        }
      } catch (IllegalArgumentException e) {
        throw ToolException.failed(source + ": " + e.getMessage(), e);
      }
    }
    return files;
  }

  /** Writes the pictures. Returns their files. */
  public static List<Path> write(Path root) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Map.Entry<String, String> picture : of(root).entrySet()) {
      files.add(Files.writeString(images(root).resolve(picture.getKey()), picture.getValue()));
    }
    return files;
  }
}
