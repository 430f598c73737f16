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
package org.apache.hadoop.hbase.conf;

import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Reads and validates settings. A value that isn't allowed is refused with a message that names the
 * key, the value and what is allowed. An empty value counts as not set.
 */
@InterfaceAudience.Private
public final class SettingsReader {
  /** The values of a switch, for messages. */
  public static final String BOOLEANS = "true or false";
  /** A size with a unit, for messages. */
  public static final String SIZE_WITH_UNIT = "a whole number with k, m, g or t behind it";

  private SettingsReader() {
  }

  /** A setting has a value that isn't allowed. */
  public static final class InvalidSettingException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String key;

    private InvalidSettingException(String key, String value, String fix) {
      super(key + " is " + value + ". " + fix);
      this.key = key;
    }

    public String getKey() {
      return key;
    }
  }

  /**
   * Returns the exception for a value that isn't allowed.
   * @param fix what to do, a sentence or more
   */
  public static InvalidSettingException invalid(String key, String value, String fix) {
    return new InvalidSettingException(key, value, fix);
  }

  /** Returns a sentence that tells to give a whole number without an upper limit. */
  public static String atLeast(long least) {
    return "Give a whole number of at least " + least + ".";
  }

  /** Returns a sentence that tells to give sizes in bytes. */
  public static String multiplesOf(int unit) {
    return "Give bytes, each a multiple of " + unit + ", separated by commas.";
  }

  /** Returns a sentence that tells to give a number from 0 on, with or without 1 as its limit. */
  public static String numberFrom0(boolean to1) {
    return "Give a number " + (to1 ? "from 0 to 1." : "of at least 0.");
  }

  /**
   * Reads true or false, in any case.
   * @param unset returned if the key isn't set
   * @throws InvalidSettingException if the value is neither
   */
  public static boolean readBoolean(Configuration conf, String key, boolean unset) {
    String value = conf.getTrimmed(key, "");
    switch (value.toLowerCase(Locale.ROOT)) {
      case "":
        return unset;
      case "true":
        return true;
      case "false":
        return false;
      default:
        throw invalid(key, value, "Give " + BOOLEANS + ".");
    }
  }

  /**
   * Reads a whole number.
   * @param unset returned if the key isn't set
   * @param most  Integer.MAX_VALUE for no upper limit
   * @throws InvalidSettingException if the value isn't a whole number, or is out of range
   */
  public static int readInt(Configuration conf, String key, int unset, int least, int most) {
    return readInt(conf, key, unset, least, most, most == Integer.MAX_VALUE
      ? atLeast(least)
      : "Give a whole number from " + least + " to " + most + ".");
  }

  /**
   * Reads a whole number.
   * @param unset returned if the key isn't set
   * @param fix   what to give instead of a value that isn't allowed
   * @throws InvalidSettingException if the value isn't a whole number, or is out of range
   */
  public static int readInt(Configuration conf, String key, int unset, int least, int most,
    String fix) {
    String value = conf.getTrimmed(key, "");
    if (value.isEmpty()) {
      return unset;
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, as a number out of range is.
    }
    throw invalid(key, value, fix);
  }

  /**
   * Reads a number of bytes: a whole number, which may be followed by k, m, g or t.
   * @param unset returned if the key isn't set
   * @param fix   what to give instead of a value that isn't allowed
   * @return bytes
   * @throws InvalidSettingException if the value isn't such a number, or is out of range
   */
  public static long readBytes(Configuration conf, String key, long unset, long least, long most,
    String fix) {
    String value = conf.getTrimmed(key, "");
    if (value.isEmpty()) {
      return unset;
    }
    try {
      long bytes = conf.getLongBytes(key, unset);
      if (bytes >= least && bytes <= most) {
        return bytes;
      }
    } catch (IllegalArgumentException e) {
      // Reported below, as a number out of range is.
    }
    throw invalid(key, value, fix);
  }
}
