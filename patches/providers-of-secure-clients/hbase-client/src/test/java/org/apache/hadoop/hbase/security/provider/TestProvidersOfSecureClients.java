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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.testclassification.SecurityTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * Which provider of authentication a connection gets after others. Without the change one with
 * Kerberos gets the simple provider if one without came first.
 */
@Category({ SecurityTests.class, SmallTests.class })
public class TestProvidersOfSecureClients {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestProvidersOfSecureClients.class);

  private final User user =
    User.create(UserGroupInformation.createRemoteUser("u", AuthMethod.KERBEROS));

  @Before
  @After
  public void forget() {
    SaslClientAuthenticationProviders.reset();
  }

  private static Configuration conf(String authentication) {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hadoop.security.authentication", authentication);
    conf.set(User.HBASE_SECURITY_CONF_KEY, authentication);
    return conf;
  }

  private void assertProvider(Class<?> expected, String authentication) {
    assertEquals(expected, SaslClientAuthenticationProviders.getInstance(conf(authentication))
      .selectProvider("cluster", user).getFirst().getClass());
  }

  @Test
  public void aSecureOneAfterAnotherHasKerberos() {
    assertProvider(SimpleSaslClientAuthenticationProvider.class, "simple");
    assertProvider(GssSaslClientAuthenticationProvider.class, "kerberos");
  }

  @Test
  public void anInsecureOneAfterAnotherHasNone() {
    assertProvider(GssSaslClientAuthenticationProvider.class, "kerberos");
    assertProvider(SimpleSaslClientAuthenticationProvider.class, "simple");
    assertProvider(GssSaslClientAuthenticationProvider.class, "kerberos");
  }

  @Test
  public void clientsOfTheSameKeysShareProviders() {
    SaslClientAuthenticationProviders providers =
      SaslClientAuthenticationProviders.getInstance(conf("kerberos"));
    assertSame(providers, SaslClientAuthenticationProviders.getInstance(conf("kerberos")));
    SaslClientAuthenticationProviders.reset();
    assertNotSame(providers, SaslClientAuthenticationProviders.getInstance(conf("kerberos")));
  }
}
