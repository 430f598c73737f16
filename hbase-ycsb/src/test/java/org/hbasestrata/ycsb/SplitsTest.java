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

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.Test;
import site.ycsb.WorkloadException;

public class SplitsTest {
  private static final int ROWS = 300_000;

  private static Profile profile(String... keysAndValues) {
    Profile profile = Profile.read("point-get", List.of(Path.of("..", "conf", "ycsb")));
    profile.set(Key.ROWS, Integer.toString(ROWS));
    for (int i = 0; i < keysAndValues.length; i += 2) {
      profile.set(keysAndValues[i], keysAndValues[i + 1], "-p");
    }
    return profile;
  }

  private static LongFunction<String> keys(Profile profile) throws WorkloadException {
    HBaseWorkload workload = new HBaseWorkload();
    workload.init(profile);
    return workload::rowKey;
  }

  private static void assertEvenRegions(Profile profile) throws WorkloadException {
    LongFunction<String> keys = keys(profile);
    byte[][] splits = Splits.of(8, 0, ROWS, keys);
    assertThat(splits).hasNumberOfRows(7);
    long[] rows = new long[8];
    LongStream.range(0, ROWS).forEach(i -> {
      int at = Arrays.binarySearch(splits, Bytes.toBytes(keys.apply(i)),
        Bytes.BYTES_COMPARATOR);
      rows[at >= 0 ? at + 1 : -at - 1]++;
    });
    for (long count : rows) {
      assertThat(count).isBetween(ROWS / 8 * 97L / 100, ROWS / 8 * 103L / 100);
    }
  }

  @Test
  public void hashedKeysFillRegionsEvenly() throws WorkloadException {
    assertEvenRegions(profile());
  }

  @Test
  public void orderedKeysFillRegionsEvenly() throws WorkloadException {
    assertEvenRegions(profile("insertorder", "ordered"));
  }

  @Test
  public void paddedKeysFillRegionsEvenly() throws WorkloadException {
    assertEvenRegions(profile("zeropadding", "19"));
  }

  @Test
  public void fewRowsGiveFewRegions() throws WorkloadException {
    assertThat(Splits.of(8, 0, 3, keys(profile()))).hasNumberOfRows(2);
    assertThat(Splits.of(1, 0, 1000, keys(profile()))).isEmpty();
  }

  @Test
  public void regionsFollowServersThenDataThenTheProfile() {
    assertThat(Cluster.regions(profile(), 2)).isEqualTo(8);
    assertThat(Cluster.regions(profile("recordcount", "2000000000"), 2)).isBetween(500, 700);
    assertThat(Cluster.regions(profile("regions", "3"), 2)).isEqualTo(3);
  }
}
