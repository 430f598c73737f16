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
package org.hbasestrata.seams;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keys and values of a patch's file, or of a part of it.
 * @param content what is written there
 * @param where   how messages name it
 */
public record YamlMapping(Map<?, ?> content, String where) {

  /** @throws SeamException for what isn't a mapping */
  public static YamlMapping of(Object value, String where) throws SeamException {
    if (value instanceof Map<?, ?> map) {
      return new YamlMapping(map, where);
    }
    throw new SeamException(where + ": must be a mapping of keys to values");
  }

  /** @throws SeamException for a key that isn't allowed */
  public YamlMapping checkKeys(Set<String> allowed) throws SeamException {
    for (Object key : content.keySet()) {
      if (!allowed.contains(String.valueOf(key))) {
        throw new SeamException(
          where + ": unknown key '" + key + "'; allowed are " + allowed.stream().sorted().toList());
      }
    }
    return this;
  }

  public boolean has(String key) {
    return content.containsKey(key);
  }

  /** Returns the value as it was read; null if there is none. */
  public Object get(String key) {
    return content.get(key);
  }

  /** Returns the value; null if there is none. */
  public String optional(String key) {
    Object value = content.get(key);
    return value == null ? null : value.toString();
  }

  /** @throws SeamException if there is no value, or a blank one */
  public String required(String key) throws SeamException {
    String value = optional(key);
    if (value == null || value.isBlank()) {
      throw new SeamException(where + ": '" + key + "' is missing");
    }
    return value;
  }

  /**
   * Returns the values of a list; none if it isn't there.
   * @param what it must be, for the message
   * @throws SeamException for what isn't a list
   */
  public List<?> list(String key, String what) throws SeamException {
    Object value = content.get(key);
    if (value == null) {
      return List.of();
    }
    if (value instanceof List<?> list) {
      return list;
    }
    throw new SeamException(where + ": '" + key + "' must be " + what);
  }
}
