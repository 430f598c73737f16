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

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.objectweb.asm.ClassReader;

/** The classes of jars, and the JDK's. Not thread-safe. */
final class ClassPath implements AutoCloseable {
  private static final String SUFFIX = ".class";

  private final List<JarFile> jars = new ArrayList<>();
  /** The first that has a class wins. */
  private final Map<String, JarFile> jarOf = new HashMap<>();
  /** With null for those that aren't there. */
  private final Map<String, ClassFile> read = new HashMap<>();

  ClassPath(Collection<Path> paths) throws IOException {
    for (Path path : paths) {
      JarFile jar = new JarFile(path.toFile());
      jars.add(jar);
      classes(jar).forEach(name -> jarOf.putIfAbsent(name, jar));
    }
  }

  /** The names of a jar's classes, without those for certain versions of Java. */
  static List<String> classes(JarFile jar) {
    return jar.stream().map(ZipEntry::getName)
      .filter(name -> name.endsWith(SUFFIX) && !name.startsWith("META-INF/")
        && !name.endsWith("-info.class"))
      .map(name -> name.substring(0, name.length() - SUFFIX.length())).toList();
  }

  static ClassReader read(JarFile jar, String name) throws IOException {
    try (InputStream in = jar.getInputStream(jar.getEntry(name + SUFFIX))) {
      return new ClassReader(in);
    }
  }

  /** Returns null if it isn't there. */
  ClassFile find(String name) {
    if (!read.containsKey(name)) {
      try {
        read.put(name, load(name));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return read.get(name);
  }

  private ClassFile load(String name) throws IOException {
    JarFile jar = jarOf.get(name);
    if (jar != null) {
      return ClassFile.read(read(jar, name));
    }
    try (InputStream in =
      ClassLoader.getPlatformClassLoader().getResourceAsStream(name + SUFFIX)) {
      return in == null ? null : ClassFile.read(new ClassReader(in));
    }
  }

  @Override
  public void close() throws IOException {
    for (JarFile jar : jars) {
      jar.close();
    }
  }
}
