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
package org.hbasestrata.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import org.junit.Test;

public class FootprintTest {
  private static final List<Path> SHIPPED = List.of(Path.of("..", "conf", "ycsb"));

  private static Profile profile(String name) {
    return Profile.read(name, SHIPPED);
  }

  @Test
  public void aRowIsItsCellsWithTheirKeys() {
    // Each cell: lengths 8, row 2 + 23, family 1 + 1, qualifier 6, time and type 9, value 100.
    assertThat(new Footprint(profile("point-get")).rowBytes()).isEqualTo(10 * 150);
  }

  @Test
  public void sourceOfReadsMeasuredAboutWhatIsReckoned() {
    assertThat(new Footprint(profile("read100")).dataBytes()).isCloseTo(580e9, within(30e9));
  }

  @Test
  public void metaBlocksOfSixtyTerabytesAreNearlyAHundredGigabytes() {
    Profile profile = profile("point-get");
    profile.set(Key.BLOCK_SIZE.text(), "65536", "test");
    Footprint footprint = new Footprint(profile);
    assertThat(footprint.metaBytes() * 60e12 / footprint.dataBytes())
      .isCloseTo(100e9, within(25e9));
  }

  @Test
  public void metaBlocksOfIndexHeavyAreThreeToFiveTimesTheLruOfAHeapOfOneGigabyte() {
    double lru = 0.4 * (1 << 30);
    assertThat(new Footprint(profile("index-heavy")).metaBytes()).isBetween(3 * lru, 5 * lru);
  }

  @Test
  public void aBloomFilterHasTenBitsForEachRowOrCell() {
    Profile profile = profile("point-get");
    profile.set(Key.ROWS, "1000");
    double withRows = new Footprint(profile).metaBytes();
    profile.set(Key.BLOOM_FILTER.text(), "ROWCOL", "test");
    assertThat(new Footprint(profile).metaBytes() - withRows).isEqualTo(9 * 1250);
    profile.set(Key.BLOOM_FILTER.text(), "NONE", "test");
    assertThat(withRows - new Footprint(profile).metaBytes()).isEqualTo(1250);
  }

  @Test
  public void aBlockHoldsACellAtTheLeast() {
    Profile profile = profile("point-get");
    profile.set(Key.BLOCK_SIZE.text(), "1024", "test");
    profile.set(Key.FIELD_LENGTH.text(), "5000", "test");
    double withBigCells = new Footprint(profile).metaBytes();
    profile.set(Key.FIELD_LENGTH.text(), "10000", "test");
    assertThat(new Footprint(profile).metaBytes()).isEqualTo(withBigCells);
  }

  @Test
  public void onlyWritesGrowTheTable() {
    assertThat(new Footprint(profile("workload-c")).ofRun().get(0))
      .endsWith("; the run writes nothing.");
    assertThat(new Footprint(profile("workload-a")).writtenBytesPerOperation()).isEqualTo(75);
    assertThat(new Footprint(profile("workload-a")).ofRun().get(0))
      .endsWith("; the run writes about 75 MB per million operations.");
    assertThat(new Footprint(profile("workload-d")).writtenBytesPerOperation()).isEqualTo(75);
    assertThat(new Footprint(profile("workload-f")).writtenBytesPerOperation()).isEqualTo(75);
    assertThat(new Footprint(profile("put-batch")).writtenBytesPerOperation())
      .isEqualTo(50 * 10 * 150);
    assertThat(new Footprint(profile("increment-batch")).writtenBytesPerOperation())
      .isEqualTo(50 * 58);
  }

  @Test
  public void everythingGrowsWithTheRows() {
    Profile profile = profile("read100");
    profile.set(Key.ROWS, "1000000");
    assertThat(new Footprint(profile).ofLoad()).containsExactly(
      "Disk: about 1.50 GB of HFiles a replica, as much again while they are compacted, and as much"
        + " in WALs until memstores are flushed (without encoding and compression).",
      "Cache: about 1.50 GB over all servers to hold all blocks, 4.09 MB of it for indexes and"
        + " Bloom filters, and 11.7 MB of heap to keep track of them.",
      "Client: about 270 MB of heap for the rows in the hands of its threads.");
  }

  @Test
  public void clientHoldsTheRowsOfEachThread() {
    assertThat(new Footprint(profile("scan-cold")).ofRun().get(2)).contains("about 360 MB");
    assertThat(new Footprint(profile("multiget-50")).ofRun().get(2)).contains("about 6.75 MB");
    assertThat(new Footprint(profile("put-batch")).ofRun().get(2)).contains("about 900 KB");
  }
}
