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

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes as scripts, the JVM and people write them. The program uses whole MB. */
final class Sizes {
  static final int MB_OF_GB = 1024;
  static final int BITS_OF_MB = 20;
  private static final Pattern SIZE = Pattern.compile("(\\d{1,15})([kmgtKMGT]?)");

  private Sizes() {
  }

  /**
   * Parses a size; a number without a unit is MB, as in HBASE_HEAPSIZE.
   * @param name name of the setting, for the message
   */
  static long ofMegabytes(String name, String text) {
    Matcher matcher = SIZE.matcher(text);
    if (!matcher.matches() || matcher.group(1).length() > 12) {
      throw new JvmException(name + "=" + text
        + " is not a size; give megabytes, or a number with k, m, g or t behind it");
    }
    String unit = matcher.group(2);
    return bytes(matcher.group(1), unit.isEmpty() ? "m" : unit) >> BITS_OF_MB;
  }

  /** Parses a size; a number without a unit is bytes, as for the JVM. Returns null for others. */
  static Long ofBytes(String text) {
    Matcher matcher = SIZE.matcher(text);
    return matcher.matches() ? bytes(matcher.group(1), matcher.group(2)) >> BITS_OF_MB : null;
  }

  private static long bytes(String number, String unit) {
    int power = unit.isEmpty() ? 0 : "kmgt".indexOf(unit.toLowerCase(Locale.ROOT)) + 1;
    return Long.parseLong(number) << 10 * power;
  }

  /** Formats a size for people: 31 GB, 1.5 GB, 512 MB. */
  static String text(long megabytes) {
    if (megabytes < MB_OF_GB) {
      return megabytes + " MB";
    }
    return megabytes % MB_OF_GB == 0 ? megabytes / MB_OF_GB + " GB"
      : String.format(Locale.ROOT, "%.1f GB", (double) megabytes / MB_OF_GB);
  }

  /** Formats a size for a script or the JVM: 31g, 1536m. */
  static String option(long megabytes) {
    return megabytes > 0 && megabytes % MB_OF_GB == 0 ? megabytes / MB_OF_GB + "g"
      : megabytes + "m";
  }
}
