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
package org.hbasestrata.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeFalse;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.Test;

/** What must be true of the files in the binary tarball. */
public class TarballIT {
  private static final Pattern JAR_NAME = Pattern.compile("(log4j-1\\.2-api|.+?)-(\\d.*)\\.jar");

  /** In Markdown or HTML, without a scheme; what is behind a # isn't looked at. */
  private static final Pattern RELATIVE_LINK =
    Pattern.compile("(?:\\]\\(|<(?:a|img|source)\\b[^>]*?\\b(?:href|src|srcset)=\")"
      + "([^)#:\\s\"]+)(?:#[^)\"]*)?[)\"]");

  /** Packages of which two jars carry the same few classes. */
  private static final List<String> SHARED_PACKAGES =
    List.of("com/google/common/util/concurrent/internal/", "org/jspecify/annotations/");

  private static final Pattern NATIVE = Pattern.compile(".*\\.(so|dll|jnilib|dylib)");

  private static final Pattern PURL_OF_JAR = Pattern.compile("\"purl\" : \"pkg:maven/[^/]+/"
    + "(?<name>[^@]+)@(?<version>[^?]+)\\?(classifier=(?<classifier>[^&]+)&)?"
    + "type=(?<type>jar|pom)\"");

  /** Whose native libraries are compiled from the project's own sources alone. */
  private static final List<String> WITH_OWN_NATIVE_CODE =
    List.of("commons-crypto", "hbase-shaded-netty");

  private static final Path HOME = Packages.dist();

  @Test
  public void holdsWhatAnOperatorExpects() {
    assertThat(List.of("LICENSE.txt", "NOTICE.txt", "THIRD-PARTY.txt", "README.md",
      "docs/operators-guide.md", "patches/composite-bucket-cache/README.md", "bin/hbase",
      "conf/hbase-site.xml", "conf/profiles/memory.xml", "conf/profiles/ssd.xml",
      "conf/hbase-env.sh", "lib/shell-patches/shell_patches.rb",
      "hbase-webapps/master/WEB-INF/web.xml", "hbase-webapps/static/css/hbase.css"))
        .allSatisfy(name -> assertThat(HOME.resolve(name)).isNotEmptyFile());
    assertThat(versions(HOME.resolve("lib/ruby"))).containsOnlyKeys("hbase-shell",
      "jruby-complete");
  }

  /** Of those for operators; what dev-support/ has besides documents stays in the checkout. */
  @Test
  public void everyLinkOfADocumentLeadsToAFile() throws IOException {
    List<Path> documents =
      Stream.concat(Stream.of(".", "docs", "conf/jvm", "patches").map(HOME::resolve),
        Packages.list(HOME.resolve("patches")).stream().filter(Files::isDirectory))
        .map(Packages::list).flatMap(List::stream)
        .filter(file -> file.toString().endsWith(".md")).toList();
    List<String> broken = new ArrayList<>();
    for (Path document : documents) {
      Matcher link = RELATIVE_LINK.matcher(Files.readString(document));
      while (link.find()) {
        if (!Files.exists(document.resolveSibling(link.group(1)))) {
          broken.add(HOME.relativize(document) + ": " + link.group(1));
        }
      }
    }
    assertThat(documents).hasSizeGreaterThan(2);
    assertThat(broken).isEmpty();
  }

  @Test
  public void everyScriptIsExecutable() {
    assertThat(Packages.list(HOME.resolve("bin"))).isNotEmpty()
      .allSatisfy(script -> assertThat(script).isExecutable());
  }

  @Test
  public void patchedJarsAreOursAndOnlyOurs() {
    Map<String, Set<String>> versions = versions(HOME.resolve("lib"));
    assertThat(Packages.PATCHED)
      .allSatisfy(module -> assertThat(versions.get(module)).containsExactly(Packages.VERSION));
  }

  @Test
  public void everyArtifactIsThereInOneVersion() {
    assertThat(versions(HOME.resolve("lib")))
      .allSatisfy((artifact, versions) -> assertThat(versions).hasSize(1));
  }

  @Test
  public void nettyModulesAreOfOneVersion() {
    Set<String> found = new TreeSet<>();
    versions(HOME.resolve("lib")).forEach((artifact, versions) -> {
      if (artifact.startsWith("netty-")) {
        found.addAll(versions);
      }
    });
    assertThat(found).hasSize(1);
  }

  @Test
  public void nothingIsASnapshot() {
    assertThat(jars("lib", "lib/ruby")).noneMatch(jar -> jar.toString().contains("SNAPSHOT"));
  }

  @Test
  public void loggingGoesToLog4j2Alone() {
    assertThat(versions(HOME.resolve("lib")))
      .containsKeys("log4j-core", "log4j-slf4j-impl", "log4j-1.2-api", "jcl-over-slf4j")
      .doesNotContainKeys("log4j", "reload4j", "slf4j-reload4j", "slf4j-log4j12",
        "commons-logging", "logback-classic");
  }

  @Test
  public void noClassIsInTwoJars() throws IOException {
    Map<String, Path> owners = new HashMap<>();
    Set<String> conflicts = new TreeSet<>();
    for (Path jar : jars("lib")) {
      try (JarFile file = new JarFile(jar.toFile())) {
        for (ZipEntry entry : Collections.list(file.entries())) {
          String name = entry.getName();
          if (isClassOnTheClasspath(name)) {
            Path other = owners.put(name, jar);
            if (other != null) {
              conflicts.add(other.getFileName() + " and " + jar.getFileName() + ": " + name);
            }
          }
        }
      }
    }
    assertThat(conflicts).isEmpty();
  }

  @Test
  public void everyThirdPartyJarIsInTheListOfLicences() throws IOException {
    List<String> listed = Files.readAllLines(HOME.resolve("THIRD-PARTY.txt")).stream()
      .filter(line -> line.contains(".jar: ")).map(line -> line.replaceFirst(": .*", "")).toList();
    List<String> there = jars("lib", "lib/ruby").stream().map(jar -> jar.getFileName().toString())
      .filter(jar -> !jar.contains(Packages.VERSION)).toList();
    assertThat(listed).containsExactlyInAnyOrderElementsOf(there);
  }

  /** Upstream's modules are in it by their POMs, whose classes our jars have. */
  @Test
  public void theBillOfMaterialsHasEachJar() throws IOException {
    // Its plugin does nothing without a network.
    assumeFalse("offline=true".equals(System.getProperty("maven.mode")));
    List<String> components = new ArrayList<>();
    Matcher purl = PURL_OF_JAR.matcher(Files.readString(HOME.resolve("bom.cdx.json")));
    while (purl.find()) {
      String classifier = purl.group("classifier");
      components.add(purl.group("name") + "-" + purl.group("version")
        + (classifier == null ? "" : "-" + classifier) + "." + purl.group("type"));
    }
    // The jar of diagnostics is made here, of classes of others.
    List<String> expected = new ArrayList<>(
      jars("lib", "lib/ruby").stream().map(jar -> jar.getFileName().toString())
        .filter(jar -> !jar.startsWith("hbase-diagnostics-")).toList());
    Packages.PATCHED
      .forEach(module -> expected.add(module + "-" + Packages.UPSTREAM_VERSION + ".pom"));
    expected.add("hbase-assembly-" + Packages.VERSION + ".pom");
    assertThat(components).containsExactlyInAnyOrderElementsOf(expected);
  }

  /** Of libraries that are compiled from others' sources; what is in META-INF is of the jar. */
  @Test
  public void nativeCodeOfOthersHasItsNotice() throws IOException {
    String licence = Files.readString(HOME.resolve("LICENSE.txt"));
    Set<String> found = new TreeSet<>();
    for (Path jar : jars("lib", "lib/ruby")) {
      try (JarFile file = new JarFile(jar.toFile())) {
        if (file.stream().anyMatch(entry -> NATIVE.matcher(entry.getName()).matches())) {
          found.add(jar.getFileName().toString().replaceFirst("-\\d.*", ""));
        }
      }
    }
    found.removeAll(WITH_OWN_NATIVE_CODE);
    assertThat(found).contains("snappy-java", "zstd-jni")
      .allSatisfy(jar -> assertThat(licence).contains("in the native libraries of " + jar));
  }

  /** What a job that is submitted to YARN needs of lib/: a class that is missing shows here. */
  @Test
  public void clientsOfYarnLink() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (Path jar : jars("lib")) {
      urls.add(jar.toUri().toURL());
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader lib =
      new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
      thread.setContextClassLoader(lib);
      Object client = lib.loadClass("org.apache.hadoop.yarn.client.api.YarnClient")
        .getMethod("createYarnClient").invoke(null);
      assertThat(client).isNotNull();

      Class<?> confClass = lib.loadClass("org.apache.hadoop.conf.Configuration");
      Object conf = confClass.getConstructor().newInstance();
      confClass.getMethod("set", String.class, String.class)
        .invoke(conf, "mapreduce.framework.name", "yarn");
      confClass.getMethod("set", String.class, String.class)
        .invoke(conf, "yarn.timeline-service.enabled", "true");
      Class<?> clusterClass = lib.loadClass("org.apache.hadoop.mapreduce.Cluster");
      Object cluster = clusterClass.getConstructor(confClass).newInstance(conf);
      clusterClass.getMethod("close").invoke(cluster);

      Class<?> timelineClass =
        lib.loadClass("org.apache.hadoop.yarn.client.api.TimelineClient");
      Object timeline = timelineClass.getMethod("createTimelineClient").invoke(null);
      timelineClass.getMethod("init", confClass).invoke(timeline, conf);
      timelineClass.getMethod("close").invoke(timeline);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static boolean isClassOnTheClasspath(String entry) {
    return entry.endsWith(".class") && !entry.startsWith("META-INF/")
      && !entry.endsWith("module-info.class") && !entry.endsWith("package-info.class")
      && SHARED_PACKAGES.stream().noneMatch(entry::startsWith);
  }

  private static List<Path> jars(String... folders) {
    return Stream.of(folders).map(HOME::resolve).map(Packages::list)
      .flatMap(List::stream).filter(Files::isRegularFile).toList();
  }

  /** Artifact names of the jars in a folder, each with the versions that it is there in. */
  private static Map<String, Set<String>> versions(Path folder) {
    Map<String, Set<String>> versions = new TreeMap<>();
    for (Path jar : Packages.list(folder)) {
      if (Files.isRegularFile(jar)) {
        Matcher name = JAR_NAME.matcher(jar.getFileName().toString());
        assertThat(name.matches()).as("%s is named artifact-version.jar", jar).isTrue();
        versions.computeIfAbsent(name.group(1), artifact -> new TreeSet<>()).add(name.group(2));
      }
    }
    return versions;
  }
}
