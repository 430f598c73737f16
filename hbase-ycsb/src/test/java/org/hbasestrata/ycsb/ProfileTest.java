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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ProfileTest {
  private static final Path SHIPPED = Path.of("..", "conf", "ycsb");

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Profile profile(String... lines) throws IOException {
    Path file = folder.getRoot().toPath().resolve("some.properties");
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
  public void shippedProfilesAreCompleteAndThoseOfATableAgreeOnIt() throws IOException {
    List<Path> files = Profile.list(List.of(SHIPPED));
    assertThat(files).extracting(Profile::nameOf).containsExactlyInAnyOrder("point-get",
      "multiget-50", "read100", "write100", "mixed50", "workload-a", "workload-b", "workload-c",
      "workload-d", "workload-e", "workload-f", "scan-cold", "read95-scan", "index-heavy",
      "narrow-get", "narrow-multiget-50", "graph-multiget", "series-get", "put-batch", "put-bulk",
      "put-compactions", "increment-batch", "scan-5000");
    Map<String, Profile> firstOfTable = new HashMap<>();
    for (Path file : files) {
      Profile profile = Profile.read(file.toString(), List.of());
      profile.check();
      profile.set(Key.ROWS, "1000");
      profile.check();
      assertThat(profile.number(Key.OPERATIONS) + profile.number(Key.SECONDS))
        .as(profile.name() + " has an end").isPositive();
      assertThat(Files.readString(file)).as(profile.name() + " says in a line what it is")
        .containsOnlyOnce("\n## ");
      Profile first = firstOfTable.computeIfAbsent(profile.text(Key.TABLE), table -> profile);
      for (Key key : List.of(Key.FAMILY, Key.FIELD_COUNT, Key.FIELD_LENGTH, Key.ZERO_PADDING,
        Key.BLOCK_SIZE, Key.ENCODING, Key.COMPRESSION, Key.BLOOM_FILTER, Key.FLUSH_SIZE,
        Key.LOAD_BATCH, Key.LOAD_FLUSH)) {
        assertThat(profile.text(key)).as(profile.name() + " " + key.text())
          .isEqualTo(first.text(key));
      }
    }
    assertThat(firstOfTable).containsOnlyKeys("usertable", "indextable", "narrowtable",
      "graphtable", "seriestable", "flushtable", "countertable");
  }

  @Test
  public void tableHasTheSchemaOfTheProfile() throws IOException {
    ColumnFamilyDescriptor family =
      Cluster.descriptor(profile("recordcount=5", "columnfamily=g", "blocksize=2048",
        "datablockencoding=FAST_DIFF", "compression=GZ", "bloomfilter=ROWCOL"))
        .getColumnFamily(Bytes.toBytes("g"));
    assertThat(family.getBlocksize()).isEqualTo(2048);
    assertThat(family.getDataBlockEncoding()).isEqualTo(DataBlockEncoding.FAST_DIFF);
    assertThat(family.getCompressionType()).isEqualTo(Compression.Algorithm.GZ);
    assertThat(family.getBloomFilterType()).isEqualTo(BloomType.ROWCOL);
    assertThat(Cluster.descriptor(profile("recordcount=5")).getColumnFamily(Bytes.toBytes("f"))
      .getBloomFilterType()).isEqualTo(ColumnFamilyDescriptorBuilder.DEFAULT_BLOOMFILTER);
    assertThat(Cluster.descriptor(profile("recordcount=5")).getMemStoreFlushSize())
      .as("the servers' size").isEqualTo(-1);
    assertThat(Cluster.descriptor(profile("recordcount=5", "flushsize=4194304"))
      .getMemStoreFlushSize()).isEqualTo(4 << 20);
  }

  @Test
  public void unknownKeyIsNamedWithItsFileAndTheNearestKey() {
    assertThatThrownBy(() -> profile("recordcount=5", "treadcount=3"))
      .isInstanceOf(ToolException.class).hasMessageContaining("some.properties")
      .hasMessageContaining("'treadcount'").hasMessageContaining("'threadcount'");
  }

  @Test
  public void onlyAKeyThatIsNearIsSuggested() {
    Profile profile = Profile.read("point-get", List.of(SHIPPED));
    assertThatThrownBy(() -> profile.set("bogus", "1", "-p"))
      .hasMessageStartingWith("-p: unknown key 'bogus'; there are: workload, table, columnfamily, ")
      .hasMessageEndingWith(", fullscanthreads. Keys of the HBase client start with hbase. or"
        + " zookeeper.");
    assertThatThrownBy(() -> profile.set("x", "1", "-p")).hasMessageContaining("there are:");
    assertThatThrownBy(() -> profile.set("FieldLenght", "1", "-p"))
      .hasMessageContaining("did you mean 'fieldlength'?");
    assertThatThrownBy(() -> profile.set("compress", "1", "-p"))
      .hasMessageContaining("did you mean 'compression'?");
  }

  @Test
  public void valueOutOfRangeIsNamedWithWhatIsAllowed() {
    assertThatThrownBy(
      () -> Profile.read("point-get", List.of(SHIPPED)).set("insertcount", "0", "-p"))
      .hasMessageStartingWith("-p: insertcount is '0', allowed: a whole number from 1 to ");
    assertThatThrownBy(
      () -> Profile.read("point-get", List.of(SHIPPED)).set("bloomfilter", "ROWS", "-p"))
      .hasMessage("-p: bloomfilter is 'ROWS', allowed: one of NONE, ROW, ROWCOL");
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
    assertThat(Profile.list(folders)).extracting(Profile::nameOf).doesNotHaveDuplicates()
      .contains("multiget-50", "point-get");
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

  private static long operations(String name, String... keysAndValues) {
    Profile profile = Profile.read(name, List.of(SHIPPED));
    for (int i = 0; i < keysAndValues.length; i += 2) {
      profile.set(keysAndValues[i], keysAndValues[i + 1], "-p");
    }
    profile.scaleOperations();
    return profile.number(Key.OPERATIONS);
  }

  @Test
  public void operationsShrinkWithTheRowsDownToAFloor() {
    assertThat(operations("multiget-50", "recordcount", "100000")).isEqualTo(10_000);
    assertThat(operations("point-get", "recordcount", "100000")).isEqualTo(10_000);
    assertThat(operations("point-get", "recordcount", "500000001")).isEqualTo(25_000_001);
    assertThat(operations("point-get", "recordcount", "2147483647")).isEqualTo(100_000_000);
    assertThat(operations("point-get")).isEqualTo(100_000_000);
  }

  @Test
  public void anEndThatIsGivenStays() throws IOException {
    assertThat(operations("multiget-50", "recordcount", "1000", "operationcount", "10000000"))
      .isEqualTo(10_000_000);
    assertThat(operations("multiget-50", "recordcount", "1000", "maxexecutiontime", "60"))
      .isEqualTo(10_000_000);
    assertThat(operations("workload-a", "recordcount", "1000")).isZero();
    Profile small = profile("recordcount=5000", "operationcount=700");
    small.set(Key.ROWS, "10");
    small.scaleOperations();
    assertThat(small.number(Key.OPERATIONS)).isEqualTo(700);
    assertThat(small.unscaledOperations()).isZero();
  }
}
