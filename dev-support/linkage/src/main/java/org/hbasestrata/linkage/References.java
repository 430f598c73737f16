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

import java.util.LinkedHashSet;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/** What a class refers to: classes, methods and fields. */
final class References {
  /** A field or method that code uses. */
  record Member(String owner, String name, String descriptor, boolean isStatic,
    boolean ofInterface) {
    boolean isMethod() {
      return descriptor.startsWith("(");
    }

    String key() {
      return ClassFile.key(name, descriptor);
    }
  }

  private final Set<String> classes = new LinkedHashSet<>();
  private final Set<Member> members = new LinkedHashSet<>();

  private References() {
  }

  static References of(ClassReader reader) {
    References references = new References();
    // A remapper is asked for each name of a class.
    Remapper names = new Remapper() {
      @Override
      public String map(String name) {
        references.classes.add(name);
        return name;
      }
    };
    ClassVisitor members = new ClassVisitor(Opcodes.ASM9) {
      @Override
      public MethodVisitor visitMethod(int access, String name, String descriptor,
        String signature, String[] exceptions) {
        return references.new OfCode();
      }
    };
    reader.accept(new ClassRemapper(members, names) {
      @Override
      public void visitInnerClass(String name, String outer, String inner, int access) {
        // Named, but not linked to.
      }
    }, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return references;
  }

  Set<String> classes() {
    return classes;
  }

  Set<Member> members() {
    return members;
  }

  private void add(Handle handle) {
    int tag = handle.getTag();
    members.add(new Member(handle.getOwner(), handle.getName(), handle.getDesc(),
      tag == Opcodes.H_INVOKESTATIC || tag == Opcodes.H_GETSTATIC || tag == Opcodes.H_PUTSTATIC,
      handle.isInterface()));
  }

  private final class OfCode extends MethodVisitor {
    private OfCode() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      members.add(new Member(owner, name, descriptor,
        opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC, false));
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor,
      boolean ofInterface) {
      if (!owner.startsWith("[")) {
        members.add(
          new Member(owner, name, descriptor, opcode == Opcodes.INVOKESTATIC, ofInterface));
      }
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap,
      Object... arguments) {
      add(bootstrap);
      for (Object argument : arguments) {
        if (argument instanceof Handle handle) {
          add(handle);
        }
      }
    }
  }
}
