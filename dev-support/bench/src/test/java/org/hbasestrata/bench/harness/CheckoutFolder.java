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
package org.hbasestrata.bench.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.hbasestrata.tools.Checkout;
import org.junit.rules.TemporaryFolder;

/** A checkout that has profiles and the arm {@code stock}. */
final class CheckoutFolder extends TemporaryFolder {
  private final Map<String, String> profiles = new LinkedHashMap<>();

  /** Has it contain a profile. */
  CheckoutFolder with(String profile, String properties) {
    profiles.put(profile, properties);
    return this;
  }

  @Override
  protected void before() throws Throwable {
    super.before();
    addArm("stock");
    Files.createDirectories(path("conf/ycsb"));
    for (Map.Entry<String, String> profile : profiles.entrySet()) {
      Files.writeString(path("conf/ycsb").resolve(profile.getKey() + ".properties"),
        profile.getValue());
    }
  }

  /** Adds a folder with the settings of an arm. */
  void addArm(String name) throws IOException {
    Files.createDirectories(path("dev-support/bench/conf").resolve(name));
  }

  Path path(String name) {
    return getRoot().toPath().resolve(name);
  }

  Checkout checkout() {
    return new Checkout(getRoot().toPath());
  }
}
