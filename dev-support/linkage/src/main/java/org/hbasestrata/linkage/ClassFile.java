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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * What other classes link to of a class. Names are the JVM's, with slashes.
 * @param superName null for Object
 * @param members   access flags of methods and fields, by {@link #key}
 */
record ClassFile(String name, int access, String superName, List<String> interfaces,
  Map<String, Integer> members) {

  static ClassFile read(ClassReader reader) {
    Map<String, Integer> members = new HashMap<>();
    reader.accept(new ClassVisitor(Opcodes.ASM9) {
      @Override
      public FieldVisitor visitField(int access, String name, String descriptor, String signature,
        Object value) {
        members.put(key(name, descriptor), access);
        return null;
      }

      @Override
      public MethodVisitor visitMethod(int access, String name, String descriptor,
        String signature, String[] exceptions) {
        members.put(key(name, descriptor), access);
        return null;
      }
    }, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return new ClassFile(reader.getClassName(), reader.getAccess(), reader.getSuperName(),
      List.of(reader.getInterfaces()), members);
  }

  /** Returns {@code name(II)V} for a method, {@code name:I} for a field. */
  static String key(String name, String descriptor) {
    return descriptor.startsWith("(") ? name + descriptor : name + ':' + descriptor;
  }

  boolean is(int flag) {
    return (access & flag) != 0;
  }

  String packageName() {
    return name.substring(0, name.lastIndexOf('/') + 1);
  }

  /** The class that it is nested in, or itself. */
  String outermost() {
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }
}
