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
package org.hbasestrata.bench.report;

/**
 * Where objects are allocated: the innermost frame of the stack that is HBase's, Hadoop's or
 * netty's.
 * @param className  with its package; for stacks with no such frame {@link #ELSEWHERE}
 * @param methodName empty for stacks with no such frame
 */
record Site(String className, String methodName) {
  private static final String[] PACKAGES = { "org.apache.hadoop.", "org.apache.hbase.",
    "io.netty." };

  /** For stacks that have no frame of interest. */
  static final Site ELSEWHERE = new Site("elsewhere", "");

  static boolean of(String className) {
    for (String start : PACKAGES) {
      if (className.startsWith(start)) {
        return true;
      }
    }
    return false;
  }

  /** Without the package. */
  String shortName() {
    return this == ELSEWHERE || methodName.isEmpty() ? className
      : className.substring(className.lastIndexOf('.') + 1) + '.' + methodName;
  }

  /** With the package. */
  String fullName() {
    return methodName.isEmpty() ? className : className + '.' + methodName;
  }
}
