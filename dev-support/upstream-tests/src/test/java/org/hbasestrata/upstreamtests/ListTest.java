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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipFile;
import org.apache.hadoop.hbase.io.hfile.TestHFile;
import org.apache.hadoop.hbase.nio.TestMultiByteBuff;
import org.junit.BeforeClass;
import org.junit.Test;

/** What is listed, and what upstream has. */
public class ListTest {
  private static final Set<String> UPSTREAM = new TreeSet<>();
  private static List<String> listed;

  @BeforeClass
  public static void read() throws IOException, URISyntaxException {
    listed = ListedTest.read(Path.of("tests")).stream().map(ListedTest::className).toList();
    for (Class<?> one : List.of(TestHFile.class, TestMultiByteBuff.class)) {
      addTests(Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI()), ".class");
    }
    addTests(Path.of(System.getProperty("client-tests")), ".java");
  }

  @Test
  public void eachTestOfTheAreasIsListed() throws IOException {
    Areas areas = new Areas(Path.of("areas"));
    assertThat(UPSTREAM.stream().filter(areas::have).filter(ListTest::isConcrete))
      .as("list these in tests, or leave them out in areas").isSubsetOf(listed);
  }

  @Test
  public void eachListedTestIsUpstreamsAndListedOnce() {
    assertThat(listed).isSubsetOf(UPSTREAM).doesNotHaveDuplicates();
  }

  private static void addTests(Path jar, String ending) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      zip.stream().map(entry -> entry.getName())
        .filter(name -> name.matches(".*/Test[^/$]*\\" + ending))
        .map(name -> name.substring(0, name.length() - ending.length()).replace('/', '.'))
        .forEach(UPSTREAM::add);
    }
  }

  /** Tests whose sources are upstream's alone aren't compiled yet: these are taken as concrete. */
  private static boolean isConcrete(String className) {
    try {
      return !Modifier.isAbstract(
        Class.forName(className, false, ListTest.class.getClassLoader()).getModifiers());
    } catch (ClassNotFoundException e) {
      return true;
    }
  }
}
