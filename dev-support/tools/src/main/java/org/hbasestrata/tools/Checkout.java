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
package org.hbasestrata.tools;

import java.nio.file.Path;

/**
 * The source checkout that a tool runs from.
 * @param root its folder
 */
public record Checkout(Path root) {
  /** Set by dev-support/launch.sh. */
  public static final String PROPERTY = "tools.checkout";

  public static Checkout fromProperty() {
    String root = System.getProperty(PROPERTY);
    if (root == null) {
      throw ToolException.usage("system property " + PROPERTY
        + " isn't set: run the scripts of dev-support/bin");
    }
    return new Checkout(Path.of(root));
  }

  public Path clusterScript() {
    return root.resolve("dev-support/bin/cluster");
  }

  public Path shippedConf() {
    return root.resolve("conf");
  }

  /** What a tool has beside its code. */
  public Path folderOf(String tool) {
    return root.resolve("dev-support").resolve(tool);
  }

  /** Where a tool puts what it makes, unless it is told where to. */
  public Path outputOf(String tool) {
    return root.resolve("target").resolve(tool);
  }

  /** A text whose paths within the checkout are as seen from it, for people. */
  public String withoutRoot(String text) {
    return text.replace(root + "/", "");
  }

  /** The commit that is checked out, with -dirty if files differ from it; null if unknown. */
  public String commit() throws InterruptedException {
    Git git = new Git(root);
    try {
      String head = git.run("rev-parse", "HEAD");
      return git.run("status", "--porcelain", "--untracked-files=no").isEmpty() ? head
        : head + "-dirty";
    } catch (ToolException e) {
      // No clone, or no git.
      return null;
    }
  }
}
