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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hbasestrata.faults.PhoenixModel.Question;
import org.junit.Test;

public class PhoenixModelTest {
  private static final int ROWS = 100;

  private final PhoenixModel model = new PhoenixModel(3, ROWS, 1);

  private Question byIndex() {
    return model.whole().stream().filter(question -> question.shape().endsWith("LOCALLY_C"))
      .findFirst().orElseThrow();
  }

  private void writeAll() {
    for (int k = 0; k < ROWS; k++) {
      model.write(k);
    }
  }

  @Test
  public void aRowIsWhatItsLastStatementWrote() {
    String written = model.write(5);
    String[] row = model.whole().get(0).expected().get(0).split("\\|");
    assertThat(written).isEqualTo(" VALUES (3, " + row[0] + ", '" + row[1] + "', " + row[2] + ", "
      + row[3] + ", '" + row[4] + "')");
    assertThat(model.write(5)).isNotEqualTo(written);
    model.delete(5);
    assertThat(model.whole()).allSatisfy(question -> assertThat(question.expected()).isEmpty());
  }

  @Test
  public void rowsOfBeforeAreToldFromWrongOnes() {
    writeAll();
    List<String> before = byIndex().expected();
    model.write(7);
    model.delete(8);
    Question now = byIndex();
    assertThat(now.expected()).hasSize(ROWS - 1);
    assertThat(now.isOfBefore(before)).isTrue();

    List<String> both = new ArrayList<>(now.expected());
    both.add(before.get(7));
    assertThat(now.isOfBefore(both)).as("an entry that stayed").isTrue();

    both.set(ROWS - 1, before.get(8).replaceFirst("[^|]*$", "null"));
    assertThat(now.isOfBefore(both)).as("one whose row is gone").isTrue();

    String[] entry = before.get(7).split("\\|");
    both.set(ROWS - 1, entry[0] + '|' + entry[1] + '|' + now.expected().get(7).split("\\|")[2]);
    assertThat(now.isOfBefore(both)).as("one with what the row is now").isTrue();

    assertThat(now.isOfBefore(now.expected().subList(1, ROWS - 1))).as("a missing row").isFalse();
    List<String> damaged = new ArrayList<>(now.expected());
    damaged.set(3, damaged.get(3) + "?");
    assertThat(now.isOfBefore(damaged)).as("a row that nobody wrote").isFalse();
    damaged.set(3, "?");
    assertThat(now.isOfBefore(damaged)).isFalse();
  }

  @Test
  public void allShapesAreAskedForWithAndWithoutAnIndex() {
    writeAll();
    Set<String> shapes = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      Question question = model.any();
      shapes.add(question.shape());
      assertThat(question.withoutIndex().sql()).startsWith("SELECT /*+ NO_INDEX */ ")
        .doesNotContain("INDEX(").doesNotContain("USE_SORT");
      assertThat(question.withoutIndex().expected()).isEqualTo(question.expected());
    }
    assertThat(shapes).hasSize(17);
  }
}
