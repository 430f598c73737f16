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
package org.apache.hadoop.hbase.monitoring;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.ConfigRedactor;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/** Keys whose values, such as passwords, aren't to be seen in pages and logs. */
@InterfaceAudience.Private
public final class SensitiveKeys {
  private static final String HIDDEN = "******";

  private SensitiveKeys() {
  }

  private static boolean isSensitive(String key) {
    String name = key.toLowerCase(Locale.ROOT);
    return name.contains("password") || name.contains("passwd") || name.contains("secret");
  }

  private static boolean isSensitiveArgument(String argument) {
    return isSensitive(argument) || argument.toLowerCase(Locale.ROOT).contains("credential");
  }

  /** Returns a copy in which these values are hidden. */
  public static Configuration hideValues(Configuration conf) {
    Configuration copy = new Configuration(conf);
    ConfigRedactor redactor = new ConfigRedactor(conf);
    for (Map.Entry<String, String> property : conf) {
      String key = property.getKey();
      String value = property.getValue();
      if (isSensitive(key) || !value.equals(redactor.redact(key, value))) {
        copy.set(key, HIDDEN);
      }
    }
    return copy;
  }

  /**
   * Returns the arguments of a JVM, with these values of system properties hidden. Options of
   * agents are hidden, too, if any of them is a password.
   */
  public static List<String> hideValues(List<String> arguments) {
    List<String> hidden = new ArrayList<>(arguments.size());
    for (String argument : arguments) {
      int end = argument.indexOf('=');
      boolean hide = end > 0 && isSensitiveArgument(argument);
      hidden.add(hide ? argument.substring(0, end + 1) + HIDDEN : argument);
    }
    return hidden;
  }
}
