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
package org.hbasestrata.bench;

import java.util.Map;

/**
 * A setting that isn't the same in all arms.
 * @param file   where it is set, such as hbase-site.xml or jvm
 * @param key    its name
 * @param values the values by the arms' names; an arm that doesn't set it is not in the map
 */
public record ConfigDifference(String file, String key, Map<String, String> values) {

  public ConfigDifference {
    Checks.present("a config difference's key", key);
    values = Checks.map(values);
  }
}
