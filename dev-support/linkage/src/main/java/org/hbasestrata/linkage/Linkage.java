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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import org.hbasestrata.linkage.References.Member;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Finds what classes of other projects need of HBase and don't find there: classes, methods and
 * fields they refer to, by themselves or as subclasses, that aren't there or that they may not use,
 * and abstract methods of HBase's that they don't implement. Not thread-safe.
 */
/*
 * Follows JVMS 5.4.3: a method or field is looked for in the class that is named, its superclasses
 * and its interfaces. Where one of these belongs to a project whose jars aren't there, nothing is
 * said. So what is found lacking is lacking; a class without HBase's among its ancestors isn't
 * looked at.
 */
final class Linkage implements AutoCloseable {
  private static final List<String> PACKAGES =
    List.of("org/apache/hadoop/hbase/", "org/apache/hbase/thirdparty/");
  private static final String CONSTRUCTOR = "<init>";

  private final ClassPath classPath;
  /** Those that have it, by what is lacking. */
  private final Map<String, Set<String>> lacking = new TreeMap<>();
  private int classes;
  private int references;

  /** @param jars HBase's, what these need, and those that are checked */
  Linkage(Collection<Path> jars) throws IOException {
    classPath = new ClassPath(jars);
  }

  /** The number of classes that were checked. */
  int classes() {
    return classes;
  }

  /** The number of references to HBase that they have, each counted once for a class. */
  int references() {
    return references;
  }

  /** The classes that refer to something, by what is lacking. */
  Map<String, Set<String>> lacking() {
    return lacking;
  }

  void check(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      for (String name : ClassPath.classes(file)) {
        check(ClassPath.read(file, name));
      }
    }
  }

  private void check(ClassReader reader) {
    classes++;
    ClassFile from = ClassFile.read(reader);
    References of = References.of(reader);
    for (String name : of.classes()) {
      if (isHBase(name)) {
        references++;
        checkClass(from, name);
      }
    }
    for (Member member : of.members()) {
      if (ancestors(member.owner()).stream().anyMatch(Linkage::isHBase)) {
        references++;
        checkMember(from, member);
      }
    }
    checkOverrides(from);
  }

  private static boolean isHBase(String name) {
    return PACKAGES.stream().anyMatch(name::startsWith);
  }

  private void lacks(ClassFile from, String what) {
    lacking.computeIfAbsent(what, key -> new TreeSet<>()).add(from.name().replace('/', '.'));
  }

  private void checkClass(ClassFile from, String name) {
    if (classPath.find(name) == null) {
      lacks(from, name.replace('/', '.'));
    }
  }

  private static boolean isHidden(ClassFile from, ClassFile file) {
    return !file.is(Opcodes.ACC_PUBLIC) && !file.packageName().equals(from.packageName());
  }

  private boolean isKnown(Set<String> names) {
    return names.stream().allMatch(name -> classPath.find(name) != null);
  }

  /** Returns a class, its superclasses and its interfaces, in the order in which they are asked. */
  private Set<String> ancestors(String name) {
    Set<String> all = new LinkedHashSet<>();
    for (String type = name; type != null; type = superOf(type)) {
      all.add(type);
    }
    for (String type : List.copyOf(all)) {
      addInterfaces(type, all);
    }
    return all;
  }

  private String superOf(String name) {
    ClassFile file = classPath.find(name);
    return file == null ? null : file.superName();
  }

  private void addInterfaces(String name, Set<String> all) {
    ClassFile file = classPath.find(name);
    if (file != null) {
      for (String type : file.interfaces()) {
        all.add(type);
        addInterfaces(type, all);
      }
    }
  }

  private void checkMember(ClassFile from, Member member) {
    ClassFile owner = classPath.find(member.owner());
    if (owner == null) {
      // The class itself was found lacking, if it is HBase's.
      return;
    }
    if (isHBase(owner.name()) && isHidden(from, owner)) {
      lacks(from, owner.name().replace('/', '.') + ": not public");
      return;
    }
    Set<String> places = member.name().equals(CONSTRUCTOR) ? Set.of(member.owner())
      : ancestors(member.owner());
    for (String place : places) {
      ClassFile file = classPath.find(place);
      Integer access = file == null ? null : file.members().get(member.key());
      if (access != null) {
        String wrong = misuse(from, file, access, member, owner);
        if (wrong != null && isHBase(place)) {
          lacks(from, text(member) + ": " + wrong);
        }
        return;
      }
    }
    if (isKnown(places) && !isPolymorphic(member)) {
      lacks(from, text(member));
    }
  }

  /** Methods that take any arguments, as those of a VarHandle. */
  private static boolean isPolymorphic(Member member) {
    return member.owner().startsWith("java/lang/invoke/");
  }

  /** Returns null if it may be used so. */
  private String misuse(ClassFile from, ClassFile declaring, int access, Member member,
    ClassFile owner) {
    boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
    if (isStatic != member.isStatic()) {
      return isStatic ? "static" : "not static";
    }
    if (member.isMethod() && owner.is(Opcodes.ACC_INTERFACE) != member.ofInterface()) {
      return member.ofInterface() ? "of a class, not an interface"
        : "of an interface, not a class";
    }
    boolean samePackage = from.packageName().equals(declaring.packageName());
    if ((access & Opcodes.ACC_PRIVATE) != 0) {
      return from.outermost().equals(declaring.outermost()) ? null : "private";
    }
    if ((access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) == 0) {
      return samePackage ? null : "not public";
    }
    if ((access & Opcodes.ACC_PROTECTED) != 0) {
      return samePackage || ancestors(from.name()).contains(declaring.name()) ? null
        : "protected";
    }
    return null;
  }

  /** Checks what a class overrides of HBase's, and what it must. */
  private void checkOverrides(ClassFile from) {
    Set<String> ancestors = ancestors(from.name());
    if (!isKnown(ancestors)) {
      return;
    }
    Map<String, String> owed = new LinkedHashMap<>();
    for (String ancestor : ancestors) {
      if (ancestor.equals(from.name()) || !isHBase(ancestor)) {
        continue;
      }
      ClassFile file = classPath.find(ancestor);
      if (file.is(Opcodes.ACC_FINAL)) {
        lacks(from, ancestor.replace('/', '.') + ": final");
      }
      if ((ancestor.equals(from.superName()) || from.interfaces().contains(ancestor))
        && isHidden(from, file)) {
        lacks(from, ancestor.replace('/', '.') + ": not public");
      }
      file.members().forEach((key, access) -> {
        if ((access & Opcodes.ACC_ABSTRACT) != 0) {
          owed.putIfAbsent(key, ancestor);
        } else if ((access & Opcodes.ACC_FINAL) != 0 && (access & Opcodes.ACC_PRIVATE) == 0
          && key.contains("(") && from.members().containsKey(key)) {
          lacks(from, text(ancestor, key) + ": final");
        }
      });
    }
    if (!from.is(Opcodes.ACC_ABSTRACT)) {
      owed.forEach((key, ancestor) -> {
        if (!isImplemented(key, ancestors)) {
          lacks(from, text(ancestor, key) + ": abstract");
        }
      });
    }
  }

  private boolean isImplemented(String key, Set<String> ancestors) {
    for (String ancestor : ancestors) {
      Integer access = classPath.find(ancestor).members().get(key);
      if (access != null && (access & Opcodes.ACC_ABSTRACT) == 0) {
        return true;
      }
    }
    return false;
  }

  private static String text(Member member) {
    return text(member.owner(), member.key());
  }

  /** As in source, without the packages of parameters. */
  private static String text(String owner, String key) {
    int parameters = key.indexOf('(');
    String text = owner.replace('/', '.') + '.';
    if (parameters < 0) {
      return text + key.substring(0, key.indexOf(':'));
    }
    List<String> types = new ArrayList<>();
    for (Type type : Type.getArgumentTypes(key.substring(parameters))) {
      String name = type.getClassName();
      types.add(name.substring(name.lastIndexOf('.') + 1));
    }
    String result = Type.getReturnType(key.substring(parameters)).getClassName();
    return text + key.substring(0, parameters) + '(' + String.join(", ", types) + ") "
      + result.substring(result.lastIndexOf('.') + 1);
  }

  @Override
  public void close() throws IOException {
    classPath.close();
  }
}
