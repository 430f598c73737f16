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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Options;
import org.hbasestrata.tools.ToolException;
import picocli.CommandLine.Option;

/** The sides of a comparison, as a command is told of them. */
final class ArmOptions {
  @Option(names = "--arm", paramLabel = "NAME[=CONF_DIR[:JARS]]",
    description = "A side of the comparison; give two or more, of pairs two. The first is what"
      + " others are compared with. CONF_DIR is a whole configuration directory. JARS: strata"
      + " (default) is the tarball's, stock upstream's, a directory holds jars that take the places"
      + " of the tarball's of the same modules. A NAME alone is one of dev-support/bench/README.md:"
      + " stock, strata, combined, composite or unpooled. Default: stock and strata, of alloc"
      + " unpooled, stock and strata.")
  private List<String> arms = List.of();

  @Option(names = "--preset", paramLabel = "ARM=PRESET",
    description = "Starts an arm's region server with a JVM preset (bin/hbase jvm --list), or the"
      + " path of one, in place of the JVM's own choices; of pairs in place of"
      + " dev-support/bench/conf/jvm/pairs.preset, the JVM's own choices but for sizes of the heap"
      + " and of its young generation that stay the same.")
  private Map<String, String> presets = new LinkedHashMap<>();

  boolean isEmpty() {
    return arms.isEmpty();
  }

  /** @param defaults when none is named */
  List<ArmSpec> arms(Checkout checkout, List<String> defaults) {
    List<ArmSpec> specs = (arms.isEmpty() ? defaults : arms).stream()
      .map(arm -> ArmSpec.parse(arm, checkout)).toList();
    List<String> names = specs.stream().map(ArmSpec::name).toList();
    if (names.size() < 2) {
      throw ToolException.usage("one --arm is nothing to compare: give two or more, such as"
        + " --arm stock --arm strata");
    }
    if (names.stream().distinct().count() < names.size()) {
      throw ToolException.usage("two arms have the same name: " + String.join(", ", names)
        + "; give different ones, such as stock and other=CONF_DIR:stock");
    }
    return specs;
  }

  /**
   * The JVMs of arms by the arms' names.
   * @param otherwise the preset of arms without one; null for none
   */
  Map<String, ServerJvm> jvms(List<ArmSpec> specs, String otherwise) {
    List<String> names = specs.stream().map(ArmSpec::name).toList();
    presets.keySet().forEach(name -> Options.check("--preset", names.contains(name), name,
      "ARM=PRESET of an --arm"));
    Map<String, ServerJvm> jvms = new LinkedHashMap<>();
    for (String name : names) {
      String preset = presets.getOrDefault(name, otherwise);
      if (preset != null) {
        jvms.put(name, new ServerJvm(preset, null, null));
      }
    }
    return jvms;
  }
}
