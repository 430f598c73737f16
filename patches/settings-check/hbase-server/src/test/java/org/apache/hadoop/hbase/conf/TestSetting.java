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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.conf.Setting.InvalidSettingException;
import org.apache.hadoop.hbase.testclassification.MiscTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** What a setting reads, refuses and says of itself. */
@Category({ MiscTests.class, SmallTests.class })
public class TestSetting {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestSetting.class);

  private final Configuration conf = new Configuration(false);

  private <T> T read(Setting<T> setting, String value) {
    conf.set(setting.key(), value);
    return setting.read(conf);
  }

  private void assertRefused(Setting<?> setting, String value, String fix) {
    InvalidSettingException refusal =
      assertThrows(InvalidSettingException.class, () -> read(setting, value));
    assertEquals("a.key is " + value + ". " + fix, refusal.getMessage());
    assertEquals("a.key", refusal.getKey());
  }

  @Test
  public void aSwitchIsTrueOrFalseInAnyCase() {
    Setting<Boolean> setting = Setting.ofBoolean("a.key", true, "A switch.");
    assertTrue(setting.read(conf));
    assertFalse(read(setting, " False "));
    assertTrue(read(setting, "TRUE"));
    assertRefused(setting, "yes", "Give true or false.");
  }

  @Test
  public void aNumberIsInItsRange() {
    Setting<Integer> setting = Setting.ofInt("a.key", 7, "A number.");
    assertEquals(7, (int) setting.read(conf));
    assertEquals(8, (int) setting.read(conf, 8));
    assertEquals(0, (int) read(setting, "0"));
    assertRefused(setting, "-1", "Give a whole number of at least 0.");
    assertRefused(setting.range(1, 3), "4", "Give a whole number from 1 to 3.");
    assertRefused(setting.range(1, Integer.MAX_VALUE), "0", "Give a whole number of at least 1.");
    assertRefused(setting.fix("Give 2."), "1.5", "Give 2.");
  }

  @Test
  public void bytesMayHaveAUnit() {
    Setting<Long> setting = Setting.ofBytes("a.key", 1L << 40, "A size.");
    assertEquals(1L << 40, (long) setting.read(conf));
    assertEquals(5L << 30, (long) read(setting, "5g"));
    assertRefused(setting, "-1g",
      "Give bytes, or a whole number with k, m, g or t behind it.");
    assertRefused(setting.range(1, 1 << 20).fix("Less."), "2m", "Less.");
  }

  @Test
  public void anEmptyValueIsNone() {
    Setting<String> setting = Setting.ofText("a.key", "A text.").unset("none");
    assertFalse(setting.isSet(conf));
    assertNull(setting.read(conf));
    assertNull(read(setting, " "));
    assertFalse(setting.isSet(conf));
    assertEquals("b", read(setting, " b "));
    assertTrue(setting.isSet(conf));
  }

  @Test
  public void saysWhatItIs() {
    Setting<Integer> setting = Setting.ofInt("a.key", 7, "A number.");
    assertEquals("A number.", setting.text());
    assertEquals("7", setting.byDefault());
    assertEquals("many", setting.unset("many").byDefault());
    assertFalse(setting.isLive());
    assertTrue(setting.live().range(0, 9).isLive());
    assertEquals("a.key", setting.toString());
  }
}
