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
package org.apache.hadoop.hbase.io.hfile.mrc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Gives tables small numbers, by the paths of their files. Only so many; the others have a number
 * together. Thread-safe.
 */
@InterfaceAudience.Private
final class TableNumbers {
  /** Tables that are told from others. */
  static final int MAX_TABLES = 64;
  /** The number of files of no table, and of tables beyond the maximum. */
  static final int OTHERS = 0;

  @GuardedBy("this")
  private final Map<String, Integer> numbers = new HashMap<>();
  @GuardedBy("this")
  private final List<String> names = new ArrayList<>();

  TableNumbers() {
    names.add("");
  }

  /** Returns the number of the table that a file belongs to. */
  synchronized int numberOf(Path file) {
    String name = nameOf(file);
    if (name.isEmpty()) {
      return OTHERS;
    }
    Integer number = numbers.get(name);
    if (number == null) {
      if (names.size() > MAX_TABLES) {
        return OTHERS;
      }
      number = names.size();
      names.add(name);
      numbers.put(name, number);
    }
    return number;
  }

  /** Returns the name of a table; empty for {@link #OTHERS}. */
  synchronized String nameOf(int number) {
    return names.get(number);
  }

  /**
   * Returns the name of the table that a file belongs to: {@code data/NAMESPACE/TABLE} is before
   * region and column family. Empty if the path isn't one of a table's file.
   */
  static String nameOf(Path file) {
    Path table = parent(parent(parent(file)));
    Path namespace = parent(table);
    Path data = parent(namespace);
    if (data == null || !data.getName().equals(HConstants.BASE_NAMESPACE_DIR)) {
      return "";
    }
    return namespace.getName().equals(NamespaceDescriptor.DEFAULT_NAMESPACE_NAME_STR)
      ? table.getName()
      : namespace.getName() + ":" + table.getName();
  }

  private static Path parent(Path path) {
    return path == null ? null : path.getParent();
  }
}
