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
package org.hbasestrata.tools.report;

import java.util.Locale;

/**
 * Colours of SVG for a page that is light or dark. They are those of report.css; the background is
 * the page's.
 */
public enum Theme {
  LIGHT("#1b1f24", "#59636e", "#d5dae0", "#0072b2", "#8a929b", "#b35c00", "#00795a"),
  DARK("#e6eaef", "#a3adb8", "#38414b", "#56b4e9", "#7d8792", "#e69f00", "#2bb58a");

  private final String text;
  private final String quiet;
  private final String line;
  private final String better;
  private final String other;
  private final String orange;
  private final String green;

  Theme(String text, String quiet, String line, String better, String other, String orange,
    String green) {
    this.text = text;
    this.quiet = quiet;
    this.line = line;
    this.better = better;
    this.other = other;
    this.orange = orange;
    this.green = green;
  }

  /** Of the names of files. */
  public String suffix() {
    return name().toLowerCase(Locale.ROOT);
  }

  public String text() {
    return text;
  }

  public String quiet() {
    return quiet;
  }

  public String line() {
    return line;
  }

  /** Of bars that are better. */
  public String better() {
    return better;
  }

  /** Of all other bars; as bright as those that are better. */
  public String other() {
    return other;
  }

  /** As bright as the blue of bars that are better. */
  public String orange() {
    return orange;
  }

  /** As bright as the blue of bars that are better. */
  public String green() {
    return green;
  }
}
