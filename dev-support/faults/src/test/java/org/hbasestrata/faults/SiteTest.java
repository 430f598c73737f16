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
package org.hbasestrata.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class SiteTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void valuesThatAreAddedWinAndGoAgain() throws Exception {
    Path file = folder.newFile("hbase-site.xml").toPath();
    String text = "<configuration><property><name>old</name><value>1</value></property>"
      + "</configuration>";
    Files.writeString(file, text);
    Site site = Site.read(file);

    site.with(Map.of("old", "2", "new", "3"));

    Configuration conf = new Configuration(false);
    conf.addResource(file.toUri().toURL());
    assertThat(conf.get("old")).isEqualTo("2");
    assertThat(conf.get("new")).isEqualTo("3");
    site.restore();
    assertThat(file).hasContent(text);
  }
}
