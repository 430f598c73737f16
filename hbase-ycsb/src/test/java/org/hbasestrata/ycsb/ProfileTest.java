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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ProfileTest {
  private static final Path SHIPPED = Path.of("..", "conf", "ycsb");

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Profile profile(String... lines) throws IOException {
    Path file = folder.newFile("some.properties").toPath();
    Files.write(file, List.of(lines));
    return Profile.read(file.toString(), List.of());
  }

  @Test
  public void shippedPointGetIsTheSourcesFirstTest() {
    Profile profile = Profile.read("point-get", List.of(SHIPPED));
    profile.check();
    assertThat(profile.number(Key.ROWS)).isEqualTo(2_000_000_000);
    assertThat(profile.number(Key.FIELD_COUNT)).isEqualTo(10);
    assertThat(profile.number(Key.FIELD_LENGTH)).isEqualTo(100);
    assertThat(profile.number(Key.BLOCK_SIZE)).isEqualTo(32 * 1024);
    assertThat(profile.number(Key.THREADS)).isEqualTo(40);
    assertThat(profile.number(Key.OPERATIONS)).isEqualTo(100_000_000);
    assertThat(profile.text(Key.READ_SHARE)).isEqualTo("1");
  }

  @Test
  public void shippedMultigetIsTheSourcesSecondTestOnTheSameTable() {
    Profile profile = Profile.read("multiget-50", List.of(SHIPPED));
    profile.check();
    assertThat(profile.number(Key.THREADS)).isEqualTo(30);
    assertThat(profile.number(Key.MULTIGET_BATCH)).isEqualTo(50);
    assertThat(profile.number(Key.OPERATIONS)).isEqualTo(10_000_000);
    assertThat(profile.text(Key.MULTIGET_SHARE)).isEqualTo("1");
    Profile other = Profile.read("point-get", List.of(SHIPPED));
    for (Key key : List.of(Key.TABLE, Key.FAMILY, Key.ROWS, Key.FIELD_COUNT, Key.FIELD_LENGTH,
      Key.BLOCK_SIZE, Key.ENCODING, Key.COMPRESSION)) {
      assertThat(profile.text(key)).as(key.text()).isEqualTo(other.text(key));
    }
  }

  @Test
  public void unknownKeyIsNamedWithItsFileAndTheNearestKey() {
    assertThatThrownBy(() -> profile("recordcount=5", "treadcount=3"))
      .isInstanceOf(ToolException.class).hasMessageContaining("some.properties")
      .hasMessageContaining("'treadcount'").hasMessageContaining("'threadcount'");
  }

  @Test
  public void valueOutOfRangeIsNamedWithWhatIsAllowed() {
    assertThatThrownBy(() -> profile("recordcount=0")).hasMessageContaining("some.properties")
      .hasMessageContaining("recordcount is '0'").hasMessageContaining("from 1 to 2147483647");
    assertThatThrownBy(() -> Profile.read("point-get", List.of(SHIPPED)).set(Key.ROWS, "10k"))
      .hasMessage("--rows is '10k', allowed: a whole number from 1 to 2147483647");
    assertThatThrownBy(
      () -> Profile.read("point-get", List.of(SHIPPED)).set(Key.DISTRIBUTION, "normal"))
      .hasMessageContaining("--distribution").hasMessageContaining("uniform, zipfian");
  }

  @Test
  public void keysOfTheHBaseClientAreTaken() throws IOException {
    Profile profile = profile("recordcount=5", "hbase.client.retries.number=2");
    assertThat(SharedConnection.configuration(profile.properties())
      .getInt("hbase.client.retries.number", 0)).isEqualTo(2);
  }

  @Test
  public void absentProfileIsAnsweredWithThoseThereAre() {
    assertThatThrownBy(() -> Profile.read("point-got", List.of(SHIPPED)))
      .isInstanceOf(ToolException.class)
      .hasMessageContaining("no profile 'point-got'").hasMessageContaining("point-get");
    assertThatThrownBy(() -> Profile.read("/no/such.properties", List.of(SHIPPED)))
      .hasMessageContaining("/no/such.properties");
  }

  @Test
  public void firstFolderWins() throws IOException {
    Files.writeString(folder.newFile("point-get.properties").toPath(), "recordcount=7\n");
    List<Path> folders = List.of(folder.getRoot().toPath(), SHIPPED);
    assertThat(Profile.read("point-get", folders).number(Key.ROWS)).isEqualTo(7);
    assertThat(Profile.list(folders)).extracting(Profile::nameOf)
      .containsExactly("multiget-50", "point-get");
  }

  @Test
  public void proportionsMustAddUp() throws IOException {
    Profile profile = profile("recordcount=5", "multigetproportion=1");
    assertThatThrownBy(profile::check).hasMessageContaining("readproportion=0.95");
  }

  @Test
  public void rowsMustCoverTheRangeToInsert() throws IOException {
    Profile profile = profile("recordcount=5", "insertstart=3", "insertcount=3");
    assertThatThrownBy(profile::check).hasMessageContaining("insertstart + insertcount is 6");
  }
}
