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
package org.apache.hadoop.hbase.regionserver;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.yetus.audience.InterfaceAudience;

/** Finds settings that servers tolerate, but that are probably mistakes. */
@InterfaceAudience.Private
final class SettingsWarnings {
  private static final String DEFAULTS = "hbase-default.xml";
  private static final Pattern NUMBER = Pattern.compile("[-+]?\\d+(\\.\\d+)?");
  /** Numbers with a unit, in hexadecimal or as an expression: only their reader can parse them. */
  private static final Pattern LIKE_A_NUMBER = Pattern.compile("[-+.]?\\d.*");
  private static final Pattern BOOLEAN = Pattern.compile("true|false", Pattern.CASE_INSENSITIVE);
  /** Maximum number of wrong, missing or extra letters for a key to count as misspelt. */
  private static final int MOST_EDITS = 2;

  private SettingsWarnings() {
  }

  /**
   * Returns the warnings, a line for each key.
   * @param own keys that {@link #DEFAULTS} doesn't have
   */
  static List<String> of(Configuration conf, Collection<String> own) {
    Map<String, String> defaults = defaults();
    List<String> warnings = new ArrayList<>();
    for (Map.Entry<String, String> entry : new TreeMap<>(conf.getPropsWithPrefix("hbase."))
      .entrySet()) {
      String key = "hbase." + entry.getKey();
      String value = conf.getTrimmed(key, "");
      String byDefault = defaults.get(key);
      if (byDefault == null) {
        String meant = own.contains(key) ? null : nearest(key, own);
        if (meant != null) {
          warnings.add(key + " isn't read by any server. Is " + meant + " meant?");
        }
      } else if (BOOLEAN.matcher(byDefault).matches() && !BOOLEAN.matcher(value).matches()) {
        warnings.add(key + " is " + value + ". It is read as " + byDefault
          + ", its default; give " + Setting.BOOLEANS + ".");
      } else if (NUMBER.matcher(byDefault).matches() && !LIKE_A_NUMBER.matcher(value).matches()) {
        warnings.add(key + " is " + value + ". What reads it fails; its default is " + byDefault
          + ".");
      }
    }
    return warnings;
  }

  private static Map<String, String> defaults() {
    Configuration defaults = new Configuration(false);
    defaults.addResource(DEFAULTS);
    Map<String, String> values = new HashMap<>();
    defaults.forEach(entry -> values.put(entry.getKey(), entry.getValue().trim()));
    return values;
  }

  /** Returns the known key that is most similar to a key; null if none is similar enough. */
  private static String nearest(String key, Collection<String> own) {
    String nearest = null;
    int edits = MOST_EDITS + 1;
    for (String known : own) {
      if (Math.abs(known.length() - key.length()) < edits) {
        int needed = edits(key, known);
        if (needed < edits) {
          edits = needed;
          nearest = known;
        }
      }
    }
    return nearest;
  }

  /** Returns the number of letters to change, add or remove to turn one string into the other. */
  private static int edits(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int i = 0; i <= to.length(); i++) {
      row[i] = i;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int above = row[j];
        int changed = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(changed, 1 + Math.min(above, row[j - 1]));
        diagonal = above;
      }
    }
    return row[to.length()];
  }
}
