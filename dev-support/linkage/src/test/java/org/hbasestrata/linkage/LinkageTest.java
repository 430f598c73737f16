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
package org.hbasestrata.linkage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A client that was compiled against one version of a class, and is checked against another. */
public class LinkageTest {
  private static final String PACKAGE = "package org.apache.hadoop.hbase.x;";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  /** Returns the names of classes that lack something, by what it is. */
  private Map<String, List<String>> lacking(String before, String now, String client)
    throws IOException {
    Path old = jar("before", "org/apache/hadoop/hbase/x/Host.java", PACKAGE + before, List.of());
    Path present = jar("now", "org/apache/hadoop/hbase/x/Host.java", PACKAGE + now, List.of());
    Path clients = jar("client", "org/client/Client.java",
      "package org.client; import org.apache.hadoop.hbase.x.*;" + client, List.of(old));
    try (Linkage linkage = new Linkage(List.of(old, clients))) {
      linkage.check(clients);
      assertThat(linkage.lacking()).as("with what it was compiled against").isEmpty();
      assertThat(linkage.references()).isPositive();
    }
    try (Linkage linkage = new Linkage(List.of(present, clients))) {
      linkage.check(clients);
      Map<String, List<String>> found = new TreeMap<>();
      linkage.lacking().forEach((what, from) -> found.put(what, List.copyOf(from)));
      return found;
    }
  }

  private Path jar(String name, String file, String source, List<Path> classPath)
    throws IOException {
    Path sources = folder.newFolder().toPath();
    Path classes = folder.newFolder().toPath();
    Path java = sources.resolve(file);
    Files.createDirectories(java.getParent());
    Files.writeString(java, source);
    // Not the class path of the tests, in whose jars it would look for annotation processors, too.
    assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", classes.toString(),
      "-proc:none", "-cp", (classPath.isEmpty() ? classes : classPath.get(0)).toString(),
      java.toString())).isZero();
    Path jar = folder.getRoot().toPath().resolve(name + System.nanoTime() + ".jar");
    try (OutputStream out = Files.newOutputStream(jar);
      JarOutputStream entries = new JarOutputStream(out); Stream<Path> all = Files.walk(classes)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        entries.putNextEntry(new JarEntry(classes.relativize(each).toString()));
        Files.copy(each, entries);
      }
    }
    return jar;
  }

  private static final String HOST = "org.apache.hadoop.hbase.x.Host";
  private static final List<String> CLIENT = List.of("org.client.Client");

  @Test
  public void whatIsThereIsNotLacking() throws IOException {
    String host = "public class Host { public static class In { protected int f; }"
      + " public interface I { default void m() {} } protected void p() {} }";
    assertThat(lacking(host, host, "class Client extends Host implements Host.I {"
      + " Runnable r() { return this::m; } void c() { p(); new Host.In(); toString(); } }"))
      .isEmpty();
  }

  @Test
  public void aConstructorIsNotInherited() throws IOException {
    assertThat(lacking(
      "public class Host { public Host(int i) {} public Host(long l, Object o) {} }",
      "public class Host { public Host(int i) {} }",
      "class Client { Host h = new Host(1), g = new Host(1, null); }"))
      .isEqualTo(Map.of(HOST + ".<init>(long, Object) void", CLIENT));
  }

  @Test
  public void aClassIsLacking() throws IOException {
    assertThat(lacking("public class Host { public static class In {} }", "public class Host {}",
      "class Client { Object o = Host.In.class; }")).isEqualTo(Map.of(HOST + "$In", CLIENT));
    assertThat(lacking("public interface Host {}", "interface Host {}",
      "class Client implements Host {}")).isEqualTo(Map.of(HOST + ": not public", CLIENT));
    assertThat(lacking("public class Host {}", "class Host {}",
      "class Client { Object o = new Host(); }"))
      .isEqualTo(Map.of(HOST + ": not public", CLIENT));
    assertThat(lacking("public class Host {}", "class Host {}", "class Client { Host h; }"))
      .as("a name in a descriptor").isEmpty();
  }

  @Test
  public void aMethodThatASubclassInheritsIsLacking() throws IOException {
    assertThat(lacking("public class Host { protected String m(int i) { return null; } }",
      "public class Host { protected String m(long l) { return null; } }",
      "class Client extends Host { String s = m(1); }"))
      .isEqualTo(Map.of("org.client.Client.m(int) String", CLIENT));
  }

  @Test
  public void aMethodReferenceIsLacking() throws IOException {
    assertThat(lacking("public class Host { public static void m() {} }", "public class Host {}",
      "class Client { Runnable r = Host::m; }")).isEqualTo(Map.of(HOST + ".m() void", CLIENT));
  }

  @Test
  public void aFieldIsLacking() throws IOException {
    assertThat(lacking("public class Host { public static Long L; public int I; }",
      "public class Host { public static long L; public int I; }",
      "class Client { Object o = Host.L; int i = new Host().I; }"))
      .isEqualTo(Map.of(HOST + ".L", CLIENT));
  }

  @Test
  public void whatMayNotBeUsedIsLacking() throws IOException {
    String client = "class Client extends Host { void c(Host h) { m(); } }";
    String before = "public class Host { protected void m() {} }";
    assertThat(lacking(before, "public class Host { void m() {} }", client))
      .isEqualTo(Map.of("org.client.Client.m() void: not public", CLIENT));
    assertThat(lacking(before, "public class Host { private void m() {} }", client))
      .isEqualTo(Map.of("org.client.Client.m() void: private", CLIENT));
    assertThat(lacking(before, "public class Host { protected static void m() {} }", client))
      .isEqualTo(Map.of("org.client.Client.m() void: static", CLIENT));
    assertThat(lacking("public class Host { public void m() {} }", before,
      "class Client { void c(Host h) { h.m(); } }"))
      .isEqualTo(Map.of(HOST + ".m() void: protected", CLIENT));
    assertThat(lacking("public class Host { public static void m() {} }",
      "public interface Host { static void m() {} }", "class Client { void c() { Host.m(); } }"))
      .isEqualTo(Map.of(HOST + ".m() void: of an interface, not a class", CLIENT));
  }

  @Test
  public void aMethodThatMustBeImplementedIsLacking() throws IOException {
    assertThat(lacking("public interface Host { void m(); }",
      "public interface Host { void m(); void n(int i); default void o() {} }",
      "class Client implements Host { public void m() {} } abstract class Half implements Host {}"))
      .isEqualTo(Map.of(HOST + ".n(int) void: abstract", CLIENT));
  }

  @Test
  public void whatIsFinalIsLacking() throws IOException {
    assertThat(lacking("public class Host { public void m() {} }",
      "public class Host { public final void m() {} }",
      "class Client extends Host { public void m() {} }"))
      .isEqualTo(Map.of(HOST + ".m() void: final", CLIENT));
    assertThat(lacking("public class Host {}", "public final class Host {}",
      "class Client extends Host {}")).isEqualTo(Map.of(HOST + ": final", CLIENT));
  }

  @Test
  public void whatIsOfProjectsThatAreNotThereIsNotLacking() throws IOException {
    Path other = jar("other", "org/other/Other.java",
      "package org.other; public class Other { public void m() {} }", List.of());
    Path clients = jar("client", "org/client/Client.java",
      "package org.client; class Client extends org.other.Other { void c() { m(); } }",
      List.of(other));
    try (Linkage linkage = new Linkage(List.of(clients))) {
      linkage.check(clients);
      assertThat(linkage.lacking()).isEmpty();
      assertThat(linkage.references()).isZero();
      assertThat(linkage.classes()).isEqualTo(1);
    }
  }
}
