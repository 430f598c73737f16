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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.Test;
import site.ycsb.BasicDB;
import site.ycsb.ByteIterator;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

public class RowVerifierTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");

  private final List<String> told = new ArrayList<>();
  private final RowVerifier verifier = new RowVerifier(
    Profile.read("point-get", List.of(Path.of("..", "conf", "ycsb"))), told::add);

  private static List<Cell> cells(String row) {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      cells.add(cell(row, i, FieldValues.of(row, "field" + i, 100)));
    }
    return cells;
  }

  private static Cell cell(String row, int field, byte[] value) {
    return new KeyValue(Bytes.toBytes(row), FAMILY, Bytes.toBytes("field" + field), value);
  }

  @Test
  public void expectedValueIsWhatCoreWorkloadWrites() throws Exception {
    Map<String, byte[]> written = new HashMap<>();
    Measurements.setProperties(new Properties());
    for (int length : new int[] { 1, 20, 100, 1000 }) {
      Properties properties = new Properties();
      properties.setProperty("recordcount", "1");
      properties.setProperty("fieldlength", Integer.toString(length));
      properties.setProperty("dataintegrity", "true");
      CoreWorkload workload = new CoreWorkload();
      workload.init(properties);
      workload.doInsert(new BasicDB() {
        @Override
        public Status insert(String table, String key, Map<String, ByteIterator> values) {
          values.forEach((field, value) -> written.put(key + '/' + field, value.toArray()));
          return Status.OK;
        }
      }, null);
      assertThat(written).hasSize(10);
      written.forEach((name, value) -> {
        String[] parts = name.split("/");
        assertThat(value).asString()
          .isEqualTo(Bytes.toString(FieldValues.of(parts[0], parts[1], length)));
      });
    }
  }

  @Test
  public void wholeRowPasses() {
    verifier.check("user1", null, Result.create(cells("user1")));
    assertThat(verifier.checked()).isEqualTo(1);
    assertThat(verifier.wrong() + verifier.missing()).isZero();
    assertThat(told).isEmpty();
  }

  @Test
  public void oneFieldPassesWhenOneWasAskedFor() {
    verifier.check("user1", Set.of("field3"), Result.create(cells("user1").subList(3, 4)));
    assertThat(verifier.wrong()).isZero();
  }

  @Test
  public void wrongByteIsNamedWithRowFieldAndValues() {
    List<Cell> cells = cells("user1");
    byte[] value = FieldValues.of("user1", "field4", 100);
    value[57] = 0;
    cells.set(4, cell("user1", 4, value));
    verifier.check("user1", null, Result.create(cells));
    assertThat(verifier.wrong()).isEqualTo(1);
    assertThat(told).singleElement().asString()
      .startsWith("verify: row user1: field field4 differs from byte 57 on: expected '")
      .contains("read '\\x00");
  }

  @Test
  public void valueOfAnotherLengthIsWrong() {
    for (int length : new int[] { 60, 200, 0 }) {
      List<Cell> cells = cells("user1");
      cells.set(4, cell("user1", 4, FieldValues.of("user1", "field4", length)));
      verifier.check("user1", null, Result.create(cells));
    }
    assertThat(verifier.wrong()).isEqualTo(3);
    assertThat(told).containsExactly(
      "verify: row user1: field field4 has 60 bytes, expected 100 (fieldlength); the first 60 are"
        + " right",
      "verify: row user1: field field4 has 200 bytes, expected 100 (fieldlength); the first 100 are"
        + " right",
      "verify: row user1: field field4 has 0 bytes, expected 100 (fieldlength)");
  }

  @Test
  public void missingFieldExtraFieldAndOtherRowAreWrong() {
    verifier.check("user1", null, Result.create(cells("user1").subList(0, 9)));
    verifier.check("user1", Set.of("field3"), Result.create(cells("user1")));
    verifier.check("user1", null, Result.create(cells("user2")));
    assertThat(verifier.wrong()).isEqualTo(3);
    assertThat(told).containsExactly("verify: row user1: field field9 is missing",
      "verify: row user1: 10 cells, expected 1",
      "verify: row user1: the answer holds row user2");
  }

  @Test
  public void missingRowIsCounted() {
    verifier.check("user1", null, Result.EMPTY_RESULT);
    assertThat(verifier.missing()).isEqualTo(1);
    assertThat(told).containsExactly("verify: row user1: missing");
  }

  @Test
  public void manyWrongRowsAreToldOnlyInPart() {
    for (int i = 0; i < 100; i++) {
      verifier.check("user" + i, null, Result.EMPTY_RESULT);
    }
    assertThat(verifier.missing()).isEqualTo(100);
    assertThat(told).hasSize(6).last().asString().endsWith("from here on only counted");
  }
}
