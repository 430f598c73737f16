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
package org.hbasestrata.patches;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hbasestrata.patches.ReleaseCheck.Row;
import org.hbasestrata.seams.UpstreamJar;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Another release of a small upstream. */
public class ReleaseCheckTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  private SampleCheckout sample;
  private ReleaseCheck check;

  @Before
  public void setUp() throws Exception {
    sample = new SampleCheckout(folder.newFolder("checkout").toPath());
  }

  private Row check(String tank) throws Exception {
    check = new ReleaseCheck(sample.read(), sample.upstream(),
      folder.getRoot().toPath().resolve("work"));
    List<Row> rows = check.check(new ServerRelease(tank));
    assertThat(rows).hasSize(1);
    return rows.get(0);
  }

  /** Only hbase-server can be had, with one class. */
  private final class ServerRelease extends Release {
    private final String tank;

    private ServerRelease(String tank) {
      super(sample.root(), "9.9.9", folder.getRoot().toPath());
      this.tank = tank;
    }

    @Override
    Optional<UpstreamJar> sources(String module) throws IOException {
      if (!module.equals("hbase-server")) {
        return Optional.empty();
      }
      Path jar = folder.getRoot().toPath().resolve("sources.jar");
      SampleCheckout.writeJar(jar, Map.of(SampleCheckout.TANK, tank));
      return Optional.of(UpstreamJar.unpinned(jar));
    }

    @Override
    Optional<Path> jar(String module) {
      return module.equals("hbase-server")
        ? Optional.of(folder.getRoot().toPath().resolve("sources.jar"))
        : Optional.empty();
    }

    @Override
    Optional<List<Path>> classPath() {
      return Optional.empty();
    }
  }

  @Test
  public void theSameReleaseFits() throws Exception {
    assertThat(check(SampleCheckout.UPSTREAM_TANK))
      .isEqualTo(new Row("hbase-server", 2, 2, 5, 5, true));
    assertThat(check.moved()).isEmpty();
  }

  @Test
  public void aSeamThatDoesNotFitNamesTheMethod() throws Exception {
    Row row = check(SampleCheckout.UPSTREAM_TANK.replace("int size()", "int volume()"));
    assertThat(row).isEqualTo(new Row("hbase-server", 2, 1, 5, 5, true));
    assertThat(check.moved()).singleElement().asString()
      .contains("gauge/patch.yaml #1").contains("Tank.size matches 0 times");
  }

  @Test
  public void aClassThatDoesNotCompileNamesWhatItMisses() throws Exception {
    sample.ours("gauge", "Gauge", "class Gauge {\n"
      + "  static boolean read() { return new Tank().size() == 2; }\n}\n");
    sample.patch(SampleCheckout.GAUGE,
      "requires: [HBASE-1]\n" + SampleCheckout.seam("level", "Gauge.read();"));
    Row row = check(SampleCheckout.UPSTREAM_TANK.replace("int size()", "int volume()"));
    assertThat(row).isEqualTo(new Row("hbase-server", 2, 2, 5, 4, true));
    assertThat(check.moved()).singleElement().asString()
      .contains("Gauge.java:4: cannot find symbol").contains("size()");
  }
}
