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
package org.hbasestrata.faults;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hbasestrata.bench.BenchException;

/** All faults, in the order in which they are run. */
final class Faults {
  /** What isn't run unless it is named: one takes an hour, the other another cluster. */
  private static final Set<String> ON_REQUEST = Set.of("soak", "rolling-upgrade");

  private Faults() {
  }

  /** A name and what it stands for, to count under. */
  record Named(String name, String about) implements Fault {
    @Override
    public void run(Scene scene, Outcome outcome) {
      throw new UnsupportedOperationException();
    }
  }

  static List<Fault> all() {
    List<Fault> all = new ArrayList<>(DeviceFault.all());
    all.addAll(KillFault.all());
    all.addAll(LittleMemory.all());
    all.add(new Fragmentation());
    all.add(new PinnedBlocks());
    all.add(new Leaks());
    all.add(new HostileRpc());
    all.add(new HugeMultigets());
    all.add(new BadValues());
    all.add(new Ports());
    all.add(new Soak());
    all.add(new RollingUpgrade());
    return all;
  }

  /** @param names none for all that aren't on request */
  static List<Fault> named(List<String> names) {
    List<Fault> all = all();
    if (names.isEmpty()) {
      return all.stream().filter(fault -> !ON_REQUEST.contains(fault.name())).toList();
    }
    Map<String, Fault> byName = new LinkedHashMap<>();
    all.forEach(fault -> byName.put(fault.name(), fault));
    List<String> unknown = names.stream().filter(name -> !byName.containsKey(name)).toList();
    if (!unknown.isEmpty()) {
      throw BenchException.usage("no fault '" + String.join("', '", unknown) + "'; there are: "
        + String.join(", ", byName.keySet()), null);
    }
    return names.stream().map(byName::get).toList();
  }
}
