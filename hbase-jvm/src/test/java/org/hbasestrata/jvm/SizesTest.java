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
package org.hbasestrata.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.Test;

public class SizesTest {
  @Test
  public void theScriptsSizesAreMegabytesUnlessTheyHaveAUnit() {
    assertThat(Sizes.ofMegabytes("X", "512")).isEqualTo(512);
    assertThat(Sizes.ofMegabytes("X", "512M")).isEqualTo(512);
    assertThat(Sizes.ofMegabytes("X", "2048k")).isEqualTo(2);
    assertThat(Sizes.ofMegabytes("X", "31g")).isEqualTo(31744);
    assertThat(Sizes.ofMegabytes("X", "1T")).isEqualTo(1 << 20);
  }

  @Test
  public void theJvmsSizesAreBytesUnlessTheyHaveAUnit() {
    assertThat(Sizes.ofBytes("1073741824")).isEqualTo(1024);
    assertThat(Sizes.ofBytes("4g")).isEqualTo(4096);
    assertThat(Sizes.ofBytes("lots")).isNull();
  }

  @Test
  public void whatIsNoSizeIsNamed() {
    for (String text : new String[] { "", "g", "lots", "-1", "1.5g", "31gb", "1234567890123" }) {
      assertThatThrownBy(() -> Sizes.ofMegabytes("HBASE_HEAPSIZE", text))
        .isInstanceOf(JvmException.class).hasMessageStartingWith("HBASE_HEAPSIZE=" + text + " is");
    }
  }

  @Test
  public void sizesAreWrittenShort() {
    assertThat(Sizes.text(31744)).isEqualTo("31 GB");
    assertThat(Sizes.text(1536)).isEqualTo("1.5 GB");
    assertThat(Sizes.text(512)).isEqualTo("512 MB");
    assertThat(Sizes.option(31744)).isEqualTo("31g");
    assertThat(Sizes.option(1537)).isEqualTo("1537m");
    assertThat(Sizes.option(0)).isEqualTo("0m");
  }
}
