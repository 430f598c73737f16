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
package org.apache.hadoop.hbase.master.procedure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.yetus.audience.InterfaceAudience;

/** What differs between the coprocessors of two descriptors of a table. */
@InterfaceAudience.Private
final class CoprocessorChange {

  private CoprocessorChange() {
  }

  /** Returns true if the descriptors don't have the same coprocessors, in any order. */
  static boolean isBetween(TableDescriptor one, TableDescriptor other) {
    return !parts(one).equals(parts(other));
  }

  /** Returns what makes each coprocessor, in an order of their own. */
  private static List<List<Object>> parts(TableDescriptor table) {
    List<List<Object>> parts = new ArrayList<>();
    for (CoprocessorDescriptor coprocessor : table.getCoprocessorDescriptors()) {
      parts.add(Arrays.asList(coprocessor.getClassName(), coprocessor.getJarPath(),
        coprocessor.getPriority(), coprocessor.getProperties()));
    }
    Collections.sort(parts, Comparator.comparing(Object::toString));
    return parts;
  }
}
