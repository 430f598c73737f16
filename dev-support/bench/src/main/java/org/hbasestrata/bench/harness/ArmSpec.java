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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.hbasestrata.bench.Arm;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Folders;
import org.hbasestrata.tools.ToolException;

/**
 * An arm as asked for.
 * @param name what people call it; part of folder names
 * @param conf a whole configuration directory
 * @param jars {@link #STOCK}, {@link #STRATA}, or a directory of jars that take the places of the
 *             distribution's of the same modules; absolute
 */
public record ArmSpec(String name, Path conf, String jars) {
  /** Upstream's jars, and the name of the arm with them. */
  static final String STOCK = "stock";
  /** The distribution's own jars, and the name of the arm with them. */
  public static final String STRATA = "strata";
  /** The name of the arm that is upstream's jars with a block cache on disk. */
  static final String COMBINED = "combined";
  /** The name of the arm that is the distribution's jars with a first tier before such a cache. */
  static final String COMPOSITE = "composite";

  /** The name of the arm that is upstream's jars with such a cache, and no pool of buffers. */
  static final String UNPOOLED = "unpooled";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]*");

  /** The bench's own configuration of this name. */
  static Path conf(Checkout checkout, String name) {
    return checkout.folderOf("bench").resolve("conf").resolve(name);
  }

  static ArmSpec stock(Checkout checkout) {
    return new ArmSpec(STOCK, conf(checkout, STOCK), STOCK);
  }

  static ArmSpec strata(Checkout checkout) {
    return new ArmSpec(STRATA, checkout.shippedConf(), STRATA);
  }

  /** Reads {@code NAME[=CONF_DIR[:JARS]]}; a name alone is one of the five above. */
  static ArmSpec parse(String text, Checkout checkout) {
    int equals = text.indexOf('=');
    if (equals < 0) {
      return switch (text) {
        case STOCK -> stock(checkout);
        case STRATA -> strata(checkout);
        case COMBINED -> new ArmSpec(COMBINED, conf(checkout, COMBINED), STOCK);
        case UNPOOLED -> new ArmSpec(UNPOOLED, conf(checkout, UNPOOLED), STOCK);
        case COMPOSITE -> new ArmSpec(COMPOSITE, conf(checkout, COMPOSITE), STRATA);
        default -> throw ToolException.usage("--arm is '" + text
          + "', allowed: stock, strata, combined, composite, unpooled, or NAME=CONF_DIR[:JARS]");
      };
    }
    String name = text.substring(0, equals);
    if (!NAME.matcher(name).matches()) {
      throw ToolException.usage("--arm: the name is '" + name
        + "', allowed: letters, digits, _ . and -");
    }
    String rest = text.substring(equals + 1);
    // A directory may have a colon in its name.
    int colon = Files.isDirectory(Path.of(rest)) ? -1 : rest.lastIndexOf(':');
    String conf = colon < 0 ? rest : rest.substring(0, colon);
    // An empty path would be the working directory.
    if (conf.isEmpty() || !Files.isDirectory(Path.of(conf))) {
      throw ToolException.usage("--arm " + name + ": the configuration directory '" + conf
        + "' isn't there");
    }
    return new ArmSpec(name, Path.of(conf).toAbsolutePath(),
      colon < 0 ? STRATA : jars(name, rest.substring(colon + 1)));
  }

  private static String jars(String name, String jars) {
    if (jars.equals(STOCK) || jars.equals(STRATA)) {
      return jars;
    }
    Path folder = Path.of(jars);
    if (!Files.isDirectory(folder) || Folders.list(folder, "*.jar").isEmpty()) {
      throw ToolException.usage("--arm " + name + ": JARS is '" + jars
        + "', allowed: stock, strata, or a directory that holds jars");
    }
    return folder.toAbsolutePath().toString();
  }

  /** The arm for the report; {@code runtime} is its region server's JVM, null when not known. */
  Arm described(Checkout checkout, RegionServer.Runtime runtime) {
    return new Arm(name, checkout.withoutRoot(conf.toString()), List.of(checkout.withoutRoot(jars)),
      runtime == null ? null : runtime.patchLevel(), runtime == null ? null : runtime.name(),
      runtime == null ? List.of() : runtime.arguments().stream()
        .filter(flag -> !flag.startsWith("--add-")).map(checkout::withoutRoot).toList());
  }
}
