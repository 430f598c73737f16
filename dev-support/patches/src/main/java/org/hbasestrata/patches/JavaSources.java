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
package org.hbasestrata.patches;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticListener;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.hbasestrata.tools.ToolException;

/** Compiles Java 8 sources, as upstream's branch-2 is. */
final class JavaSources {
  private static final String RELEASE = "8";

  private JavaSources() {
  }

  /**
   * An error or a warning of the compiler.
   * @param file in which it is; null if in none
   */
  record Message(Path file, long line, boolean error, String text) {
    @Override
    public String toString() {
      return (file == null ? "" : file + ":" + line + ": ") + (error ? "error: " : "warning: ")
        + text;
    }
  }

  /**
   * Compiles files.
   * @param lint    what is warned of, as the compiler's option {@code -Xlint} takes it
   * @param classes takes the classes
   */
  static List<Message> compile(List<Path> files, List<Path> classPath, String lint, Path classes)
    throws IOException {
    Files.createDirectories(classes);
    if (files.isEmpty()) {
      return List.of();
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw ToolException.failed(System.getProperty("java.home") + " has no compiler: set JAVA_HOME"
        + " to a JDK");
    }
    List<String> options = List.of("--release", RELEASE, "-g", "-proc:none", "-encoding", "UTF-8",
      "-Xlint:" + lint, "-Xmaxerrs", "100000", "-Xmaxwarns", "100000",
      // Else a file that can't be parsed hides all errors but those of parsing.
      "--should-stop=ifError=FLOW", "-d", classes.toString(), "-classpath",
      classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
    List<Message> messages = new ArrayList<>();
    // Words each message at once: when the task is over, files that it may look into are closed.
    DiagnosticListener<JavaFileObject> listener = diagnostic -> messages.add(message(diagnostic));
    StringWriter unlocated = new StringWriter();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(listener, null, null)) {
      boolean compiled = compiler.getTask(unlocated, manager, listener, options, null,
        manager.getJavaFileObjectsFromPaths(files)).call();
      if (!compiled && messages.stream().noneMatch(Message::error)) {
        messages.add(new Message(null, 0, true, unlocated.toString().strip()));
      }
    }
    return messages;
  }

  private static Message message(Diagnostic<? extends JavaFileObject> diagnostic) {
    Path file = diagnostic.getSource() == null ? null : Path.of(diagnostic.getSource().toUri());
    return new Message(file, diagnostic.getLineNumber(),
      diagnostic.getKind() == Diagnostic.Kind.ERROR,
      diagnostic.getMessage(null).replaceAll("\\s*\\n\\s*", " "));
  }
}
