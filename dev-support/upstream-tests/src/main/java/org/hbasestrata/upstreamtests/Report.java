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
package org.hbasestrata.upstreamtests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * What Surefire reports of a class.
 * @param className the class
 * @param tests     how many of its tests were run
 * @param skipped   how many of these didn't want to
 * @param seconds   how long it took
 * @param failures  tests that failed, twice if they could be repeated
 * @param flaky     tests that failed, and passed when repeated
 */
record Report(String className, int tests, int skipped, double seconds, List<Failure> failures,
  List<Failure> flaky) {

  /**
   * A test that failed.
   * @param className its class
   * @param method    its method without parameters; empty if the class failed as a whole
   * @param message   the first line of the failure
   */
  record Failure(String className, String method, String message) {
    /** Returns the test as lists have it. */
    String test() {
      return method.isEmpty() ? className : className + "#" + method;
    }
  }

  /** Reads all reports of a folder; none if there is no such folder. */
  static List<Report> readAll(Path folder) throws IOException {
    List<Report> reports = new ArrayList<>();
    for (Path file : files(folder)) {
      reports.add(read(file));
    }
    return reports;
  }

  /** Deletes the reports of an earlier run. */
  static void deleteAll(Path folder) throws IOException {
    for (Path file : files(folder)) {
      Files.delete(file);
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml")).sorted()
        .toList();
    }
  }

  private static Report read(Path file) throws IOException {
    Element suite;
    try {
      suite = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile())
        .getDocumentElement();
    } catch (SAXException | ParserConfigurationException e) {
      throw new IOException("Can't read " + file, e);
    }
    String className = suite.getAttribute("name");
    return new Report(className, number(suite, "tests"), number(suite, "skipped"),
      Double.parseDouble(suite.getAttribute("time").replace(",", "")),
      failures(className, suite, "failure", "error"),
      failures(className, suite, "flakyFailure", "flakyError"));
  }

  private static int number(Element suite, String attribute) {
    return Integer.parseInt(suite.getAttribute(attribute));
  }

  private static List<Failure> failures(String className, Element suite, String... tags) {
    return Stream.of(tags).flatMap(tag -> elements(suite.getElementsByTagName(tag)))
      .map(failure -> failure(className, failure)).distinct().toList();
  }

  private static Stream<Element> elements(NodeList nodes) {
    return IntStream.range(0, nodes.getLength()).mapToObj(i -> (Element) nodes.item(i));
  }

  private static Failure failure(String className, Element failure) {
    String test = ((Element) failure.getParentNode()).getAttribute("name");
    String method = test.replaceFirst("[\\[({ ].*", "");
    String text = failure.getTextContent().strip();
    return new Failure(className, method.equals(className) ? "" : method,
      text.lines().findFirst().orElse(failure.getAttribute("type")));
  }
}
