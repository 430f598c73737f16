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
package org.hbasestrata.jvm;

import java.net.URL;
import org.apache.hadoop.hbase.util.PatchLevel;
import org.apache.hadoop.hbase.util.VersionInfo;

/** {@code hbase version}: prints HBase's version, unless jars in lib/ differ in patch level. */
public final class VersionTool {
  private static final int FAILED = 1;

  private VersionTool() {
  }

  public static void main(String[] args) {
    try {
      verifyJars();
    } catch (JvmException e) {
      System.err.println("hbase: " + e.getMessage());
      System.exit(FAILED);
    }
    VersionInfo.main(args);
  }

  /** @throws JvmException if jars have different patch levels; the message names the files */
  static void verifyJars() {
    try {
      PatchLevel.current().verify();
    } catch (IllegalStateException e) {
      throw new JvmException(e.getMessage());
    } catch (NoClassDefFoundError e) {
      verifyBesideUpstreamsCommon();
    }
  }

  /** Checks without our hbase-common, which reads the levels: then no other jar may be ours. */
  private static void verifyBesideUpstreamsCommon() {
    for (String module : new String[] { "hbase-client", "hbase-server" }) {
      String level = "META-INF/patch-level/" + module + ".properties";
      URL patched = VersionTool.class.getClassLoader().getResource(level);
      if (patched != null) {
        throw new JvmException("HBase jars that don't belong together are on the class path: "
          + patched.getPath().replaceFirst("^file:", "").replace("!/" + level, "")
          + " is patched, "
          + VersionInfo.class.getProtectionDomain().getCodeSource().getLocation().getPath()
          + " is upstream's. Remove the one that should not be there.");
      }
    }
  }
}
