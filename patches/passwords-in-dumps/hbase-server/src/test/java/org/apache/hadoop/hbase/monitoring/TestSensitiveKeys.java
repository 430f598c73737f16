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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.StringWriter;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.testclassification.MiscTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** What a configuration and the arguments of a JVM show of passwords. */
@Category({ MiscTests.class, SmallTests.class })
public class TestSensitiveKeys {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestSensitiveKeys.class);

  private static final String VALUE = "open-sesame";

  private static String hidden(Configuration conf) throws Exception {
    StringWriter xml = new StringWriter();
    SensitiveKeys.hideValues(conf).writeXml(xml);
    return xml.toString();
  }

  @Test
  public void passwordsAreHidden() throws Exception {
    for (String key : Arrays.asList("ssl.server.keystore.password", "ssl.keystore.Password.old",
      "hbase.rpc.tls.truststore.password", "fs.s3a.secret.key", "fs.s3a.session.token",
      "fs.azure.account.key.us", "my.shared.SECRET", "my.passwd")) {
      Configuration conf = HBaseConfiguration.create();
      conf.set(key, VALUE);
      String xml = hidden(conf);
      assertFalse(key, xml.contains(VALUE));
      assertTrue(key, xml.contains("<name>" + key + "</name>"));
      assertEquals("it is for pages alone", VALUE, conf.get(key));
    }
  }

  @Test
  public void allElseIsShown() throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.rootdir", VALUE);
    assertTrue(hidden(conf).contains(VALUE));
    assertEquals(conf.get("hbase.client.retries.number"),
      SensitiveKeys.hideValues(conf).get("hbase.client.retries.number"));
    assertNull(SensitiveKeys.hideValues(conf).get("no.such.key"));
  }

  @Test
  public void whatTheOperatorNamesIsHidden() throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hadoop.security.sensitive-config-keys", "pin$");
    conf.set("door.pin", VALUE);
    assertFalse(hidden(conf).contains(VALUE));
  }

  @Test
  public void passwordsAmongArgumentsAreHidden() {
    assertEquals(
      Arrays.asList("-Xmx1g", "-Djavax.net.ssl.trustStorePassword=******", "-Da=b", "-Dpassword",
        "-Dmy.passwd=******", "-Dmy.credential=******", "-javaagent:a.jar=******"),
      SensitiveKeys.hideValues(Arrays.asList("-Xmx1g",
        "-Djavax.net.ssl.trustStorePassword=" + VALUE, "-Da=b", "-Dpassword",
        "-Dmy.passwd=" + VALUE, "-Dmy.credential=" + VALUE,
        "-javaagent:a.jar=port:1,password:" + VALUE)));
  }
}
