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
package org.apache.hadoop.hbase.security.provider;

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.security.User;
import org.apache.yetus.audience.InterfaceAudience;

/** The keys that say which providers of authentication a client has. */
@InterfaceAudience.Private
final class ProviderKeys {
  private ProviderKeys() {
  }

  /** Returns their values: configurations that have the same can share providers. */
  static List<String> of(Configuration conf) {
    return Arrays.asList(conf.get(User.HBASE_SECURITY_CONF_KEY),
      conf.get("hadoop.security.authentication"),
      conf.get(SaslClientAuthenticationProviders.SELECTOR_KEY),
      conf.get(SaslClientAuthenticationProviders.EXTRA_PROVIDERS_KEY));
  }
}
