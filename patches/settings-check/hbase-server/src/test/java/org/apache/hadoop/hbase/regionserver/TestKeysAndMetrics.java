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
package org.apache.hadoop.hbase.regionserver;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * Each new key is checked and documented, and each new metric is documented and tested. Both are
 * found among the constants of the compiled classes: what {@code ldc} loads, however the source
 * composes it.
 */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestKeysAndMetrics {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestKeysAndMetrics.class);

  private static final Path CHECKOUT = Paths.get("..").toAbsolutePath().normalize();
  private static final List<String> MODULES =
    Collections.unmodifiableList(Arrays.asList("hbase-common", "hbase-client", "hbase-server"));
  private static final Pattern KEY = Pattern.compile("(hbase|hfile)(\\.[A-Za-z0-9_-]+)+");
  /** The third cell of a row of the reference, which is of conf/, behind the two before it. */
  private static final Pattern SHIPPED = Pattern.compile("^(\\|[^|]*\\|[^|]*)\\|[^|]*");
  private static final Pattern METRIC = Pattern.compile("[A-Za-z]*[a-z][A-Za-z0-9]*");
  /** A comment, a character literal, or a string literal with its content as the group. */
  private static final Pattern JAVA_TOKEN = Pattern.compile("//[^\\n]*|/\\*(?s:.*?)\\*/"
    + "|'(?:\\\\.|[^'\\\\\\n])++'|\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"");

  /** String constants by class, of the new classes and of all others. */
  private static final Map<String, Set<String>> NEW = new HashMap<>();
  private static final Set<String> OTHERS = new HashSet<>();

  @BeforeClass
  public static void readClasses() throws IOException {
    for (String module : MODULES) {
      Set<String> sources = sources(module);
      Path classes = CHECKOUT.resolve(module + "/target/classes");
      for (Path file : files(classes, ".class")) {
        String name = classes.relativize(file).toString();
        Set<String> constants;
        try (InputStream in = Files.newInputStream(file)) {
          constants = constants(in);
        }
        if (sources.contains(name.replaceFirst("(\\$.*)?\\.class$", ".java"))) {
          NEW.put(name, constants);
        } else {
          OTHERS.addAll(constants);
        }
      }
    }
    assertTrue(NEW.size() + " classes", NEW.size() > 50);
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      // The modules' own jars, where these are packaged, have the new classes again.
      if (
        entry.matches(".*/hbase-[a-z]+-[^/]*(?<!-tests)\\.jar")
          && !Paths.get(entry).startsWith(CHECKOUT)
      ) {
        readJar(entry);
      }
    }
    assertTrue("upstream's constants are there", OTHERS.contains(HConstants.HBASE_DIR));
    assertFalse("so are new ones", OTHERS.contains(ParallelMultiGetSettings.ENABLED.key()));
  }

  /** Paths of a module's new classes, of the patches and of what several of them use. */
  private static Set<String> sources(String module) throws IOException {
    Set<String> sources = new HashSet<>();
    try (Stream<Path> patches = Files.list(CHECKOUT.resolve("patches"))) {
      for (Path owner : Stream.concat(Stream.of(CHECKOUT), patches).collect(Collectors.toList())) {
        Path folder = owner.resolve(module + "/src/main/java");
        if (Files.isDirectory(folder)) {
          files(folder, ".java").forEach(file -> sources.add(folder.relativize(file).toString()));
        }
      }
    }
    return sources;
  }

  private static void readJar(String path) throws IOException {
    try (JarFile jar = new JarFile(path)) {
      for (JarEntry file : Collections.list(jar.entries())) {
        if (file.getName().endsWith(".class")) {
          try (InputStream in = jar.getInputStream(file)) {
            OTHERS.addAll(constants(in));
          }
        }
      }
    }
  }

  private static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted()
        .collect(Collectors.toList());
    }
  }

  private static String text(List<Path> files) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Path file : files) {
      text.append(new String(Files.readAllBytes(file), StandardCharsets.UTF_8)).append('\n');
    }
    return text.toString();
  }

  /** Returns the words in the string literals of Java code, without those of comments. */
  private static Set<String> wordsOfStrings(String code) {
    Set<String> words = new HashSet<>();
    Matcher token = JAVA_TOKEN.matcher(code);
    while (token.find()) {
      if (token.group(1) != null) {
        words.addAll(words(token.group(1)));
      }
    }
    return words;
  }

  private static Set<String> words(String text) {
    return new HashSet<>(Arrays.asList(text.split("[^A-Za-z0-9]+")));
  }

  /** Returns true if a metric is a word, or, as the second part of a name, is within a word. */
  private static boolean isNamed(String metric, Set<String> words) {
    return words.contains(metric) || Character.isUpperCase(metric.charAt(0))
      && words.stream().anyMatch(word -> word.contains(metric));
  }

  /** Returns the strings in the constant pool of a class (JVM specification, 4.4). */
  private static Set<String> constants(InputStream in) throws IOException {
    Map<Integer, String> texts = new HashMap<>();
    List<Integer> strings = new ArrayList<>();
    DataInputStream data = new DataInputStream(new BufferedInputStream(in));
    data.readLong();
    int count = data.readUnsignedShort();
    for (int i = 1; i < count; i++) {
      int tag = data.readUnsignedByte();
      switch (tag) {
        case 1:
          texts.put(i, data.readUTF());
          break;
        case 8:
          strings.add(data.readUnsignedShort());
          break;
        case 7:
        case 16:
        case 19:
        case 20:
          data.readUnsignedShort();
          break;
        case 15:
          data.readUnsignedByte();
          data.readUnsignedShort();
          break;
        case 5:
        case 6:
          data.readLong();
          i++;
          break;
        default:
          data.readInt();
      }
    }
    return strings.stream().map(texts::get).collect(Collectors.toSet());
  }

  private static String row(Setting<?> setting) {
    String byDefault = setting.byDefault();
    if (byDefault.matches("[0-9]{7,18}") && setting.text().startsWith("Bytes")) {
      byDefault = (Long.parseLong(byDefault) >> 20) + " MB";
    }
    return "| `" + setting.key() + "` | " + byDefault + " | " + setting.text()
      + (setting.isLive() ? " *Live.*" : "") + " |";
  }

  /** Returns the keys that a class declares. */
  private static Set<String> declaredBy(String classFile) {
    Set<String> keys = new HashSet<>();
    try {
      for (Field field : Class.forName(classFile.replace('/', '.').replaceFirst("\\.class$", ""))
        .getDeclaredFields()) {
        if (field.getType() == Setting.class) {
          field.setAccessible(true);
          keys.add(((Setting<?>) field.get(null)).key());
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    return keys;
  }

  @Test
  public void theReferenceIsWhatTheSettingsSayThatAreChecked() throws IOException {
    Set<String> rows =
      Files.readAllLines(CHECKOUT.resolve("docs/configuration.md")).stream()
        .filter(line -> line.startsWith("| `"))
        .map(line -> SHIPPED.matcher(line).replaceFirst("$1"))
        .collect(Collectors.toCollection(TreeSet::new));
    Set<String> checked = SettingsCheck.settings().stream().map(TestKeysAndMetrics::row)
      .collect(Collectors.toCollection(TreeSet::new));
    assertEquals("run dev-support/bin/patches docs, and name the class in SettingsCheck",
      String.join("\n", rows), String.join("\n", checked));
  }

  @Test
  public void aKeyIsNamedByTheClassAloneThatDeclaresIt() {
    List<String> keys = SettingsCheck.keys();
    keys.forEach(key -> assertFalse(key, RemovedKeys.names().contains(key)));
    Set<String> undeclared = new TreeSet<>();
    NEW.forEach((name, constants) -> constants.stream().filter(text -> KEY.matcher(text).matches())
      .filter(key -> !RemovedKeys.names().contains(key) && !OTHERS.contains(key))
      .filter(part -> keys.stream().noneMatch(key -> key.startsWith(part + ".")))
      .filter(key -> !declaredBy(name).contains(key))
      .forEach(key -> undeclared.add(key + " of " + name)));
    assertEquals("declare them as settings", Collections.emptySet(), undeclared);
  }

  @Test
  public void aMetricIsNamedByAStringAndByNoCommentOrLongerWord() {
    assertEquals(new HashSet<>(Arrays.asList("one", "two", "n", "six")),
      wordsOfStrings("a = \"one.two\\n\"; // \"three\"\n/* \"four\n\" */ five '\"' + \"six\""));
    Set<String> words = words("l1BlockCount,blocksDroppedOnWrite");
    assertTrue(isNamed("BlockCount", words));
    assertFalse(isNamed("blocksDropped", words));
  }

  @Test
  public void metricsAreDocumentedAndTested() throws IOException {
    List<Path> pages = new ArrayList<>(files(CHECKOUT.resolve("docs"), ".md"));
    pages.addAll(files(CHECKOUT.resolve("patches"), ".md"));
    pages.add(CHECKOUT.resolve("README.md"));
    Set<String> docs = words(text(pages));
    List<Path> sources = new ArrayList<>(files(CHECKOUT.resolve("patches"), ".java"));
    sources.removeIf(file -> !file.toString().contains("/src/test/"));
    sources.addAll(files(CHECKOUT.resolve("hbase-it/src/test"), ".java"));
    Set<String> tests = wordsOfStrings(text(sources));
    Set<String> missing = new TreeSet<>();
    NEW.forEach((name, constants) -> {
      if (name.replaceFirst(".*/", "").startsWith("Metrics")) {
        constants.stream().filter(text -> METRIC.matcher(text).matches()).forEach(metric -> {
          if (!isNamed(metric, docs)) {
            missing.add(metric + " of " + name + " isn't documented");
          }
          if (!isNamed(metric, tests)) {
            missing.add(metric + " of " + name + " isn't named in a test");
          }
        });
      }
    });
    assertEquals(Collections.emptySet(), missing);
  }
}
