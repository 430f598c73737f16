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
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A configuration key: its name, what it means, which values it may have, and what is used without
 * one. The class that reads it declares it, as a public constant, from which its description in
 * hbase-default.xml is made; a private one is of a key that others describe. A value that isn't
 * allowed is refused with a message that names the key, the value and what is allowed. An empty
 * value counts as not set. Immutable.
 * @param <T> type of the value
 */
@InterfaceAudience.Private
public final class Setting<T> {
  /** The values of a switch, for messages. */
  public static final String BOOLEANS = "true or false";
  /** A size with a unit, for messages. */
  public static final String SIZE_WITH_UNIT = "a whole number with k, m, g or t behind it";

  private final String key;
  private final Function<String, T> parser;
  private final T unset;
  private final String text;
  /** Null if {@link #unset} says it. */
  private final String unsetText;
  private final long least;
  private final long most;
  /** Null for a sentence of the range. */
  private final String fix;
  private final boolean live;

  private Setting(String key, Function<String, T> parser, T unset, String text, String unsetText,
    long least, long most, String fix, boolean live) {
    this.key = key;
    this.parser = parser;
    this.unset = unset;
    this.text = text;
    this.unsetText = unsetText;
    this.least = least;
    this.most = most;
    this.fix = fix;
    this.live = live;
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

  /**
   * Declares a switch, true or false, in any case.
   * @param unset used if the key isn't set
   * @param text  what it is, for operators; Markdown
   */
  public static Setting<Boolean> ofBoolean(String key, boolean unset, String text) {
    return new Setting<>(key, Setting::parseBoolean, unset, text, null, 0, Long.MAX_VALUE,
      "Give " + BOOLEANS + ".", false);
  }

  /** Declares a whole number, from 0 on, like a switch. */
  public static Setting<Integer> ofInt(String key, int unset, String text) {
    return new Setting<>(key, Integer::valueOf, unset, text, null, 0, Integer.MAX_VALUE, null,
      false);
  }

  /** Declares bytes, a whole number that k, m, g or t may follow, like a switch. */
  public static Setting<Long> ofBytes(String key, long unset, String text) {
    return new Setting<>(key, TraditionalBinaryPrefix::string2long, unset, text, null, 0,
      Long.MAX_VALUE, "Give bytes, or " + SIZE_WITH_UNIT + ".", false);
  }

  /** Declares what its reader parses, like a switch; it is null if the key isn't set. */
  public static Setting<String> ofText(String key, String text) {
    return new Setting<>(key, Function.identity(), null, text, null, 0, 0, null, false);
  }

  /** Returns this setting with words for what is used if the key isn't set. */
  public Setting<T> unset(String words) {
    return new Setting<>(key, parser, unset, text, words, least, most, fix, live);
  }

  /** Returns this setting with limits of its number. */
  public Setting<T> range(long from, long to) {
    return new Setting<>(key, parser, unset, text, unsetText, from, to, fix, live);
  }

  /** Returns this setting with a sentence that tells what to give instead of a wrong value. */
  public Setting<T> fix(String sentence) {
    return new Setting<>(key, parser, unset, text, unsetText, least, most, sentence, live);
  }

  /** Returns this setting as one that a running server takes over when it is changed. */
  public Setting<T> live() {
    return new Setting<>(key, parser, unset, text, unsetText, least, most, fix, true);
  }

  public String key() {
    return key;
  }

  public String text() {
    return text;
  }

  /** Returns what is used if the key isn't set, for a person to read. */
  public String byDefault() {
    return unsetText == null ? String.valueOf(unset) : unsetText;
  }

  public boolean isLive() {
    return live;
  }

  public boolean isSet(Configuration conf) {
    return !conf.getTrimmed(key, "").isEmpty();
  }

  /**
   * Reads the value.
   * @throws InvalidSettingException if it isn't allowed
   */
  public T read(Configuration conf) {
    return read(conf, unset);
  }

  /**
   * Reads the value.
   * @param otherwise returned if the key isn't set
   * @throws InvalidSettingException if it isn't allowed
   */
  public T read(Configuration conf, T otherwise) {
    String value = conf.getTrimmed(key, "");
    if (value.isEmpty()) {
      return otherwise;
    }
    try {
      T parsed = parser.apply(value);
      if (!(parsed instanceof Number) || isInRange((Number) parsed)) {
        return parsed;
      }
    } catch (IllegalArgumentException e) {
      // Reported below, as a number out of range is.
    }
    throw invalid(key, value, fix == null ? fixOfRange() : fix);
  }

  private boolean isInRange(Number number) {
    return number.longValue() >= least && number.longValue() <= most;
  }

  private String fixOfRange() {
    return most == Integer.MAX_VALUE
      ? atLeast(least)
      : "Give a whole number from " + least + " to " + most + ".";
  }

  private static boolean parseBoolean(String value) {
    switch (value.toLowerCase(Locale.ROOT)) {
      case "true":
        return true;
      case "false":
        return false;
      default:
        throw new IllegalArgumentException(value);
    }
  }

  @Override
  public String toString() {
    return key;
  }
}
