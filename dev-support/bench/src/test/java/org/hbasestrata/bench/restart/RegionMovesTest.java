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
package org.hbasestrata.bench.restart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A region that moves twice, by lines as region servers write them. */
public class RegionMovesTest {
  private static final String REGION = "0123456789abcdef0123456789abcdef";
  private static final String NAME = "usertable,user1,1795636280934." + REGION + ".";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path log(String name, String... lines) throws IOException {
    StringBuilder text = new StringBuilder("Picked up JAVA_TOOL_OPTIONS\n");
    for (String line : lines) {
      text.append("2026-11-25T19:51:").append(line).append('\n');
    }
    return Files.writeString(folder.getRoot().toPath().resolve(name), text);
  }

  private List<Path> logs() throws IOException {
    String closes = " INFO  [RS_CLOSE_REGION-1] regionserver.HRegion: Closing region " + NAME;
    String moved = " INFO  [RS_CLOSE_REGION-1] regionserver.HRegionServer: Adding " + REGION
      + " move to localhost,2,3 record at close sequenceid=5";
    String opens = " INFO  [RS_OPEN_REGION-1] handler.AssignRegionHandler: Open " + NAME;
    String opened = " INFO  [RS_OPEN_REGION-1] handler.AssignRegionHandler: Opened " + NAME;
    return List.of(
      log("1", "50,000" + closes, "50,010" + moved, "55,160" + opens, "55,190" + opened),
      log("2", "50,100" + opens, "50,150" + opened, "55,000" + closes, "55,030" + moved));
  }

  private static long millis(String time) {
    return LocalDateTime.parse("2026-11-25T19:51:" + time).atZone(ZoneId.systemDefault())
      .toInstant().toEpochMilli();
  }

  @Test
  public void eachPartIsTimed() throws IOException {
    assertThat(RegionMoves.of(logs(), millis("50"))).containsExactly(
      new RegionMoves.Part("closing", 2, 30, 30, 30),
      new RegionMoves.Part("between servers", 2, 130, 130, 130),
      new RegionMoves.Part("opening", 2, 50, 50, 50),
      new RegionMoves.Part("on no server", 2, 190, 190, 190));
  }

  @Test
  public void whatWasBeforeDoesNotCount() throws IOException {
    assertThat(RegionMoves.of(logs(), millis("50.050"))).extracting(RegionMoves.Part::moves)
      .containsOnly(1L);
  }
}
