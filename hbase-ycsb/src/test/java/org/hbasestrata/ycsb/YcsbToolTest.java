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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Vector;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The command on a cluster of one server. */
public class YcsbToolTest extends YcsbCommand {
  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] FAMILY = Bytes.toBytes("f");

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @BeforeClass
  public static void startCluster() throws Exception {
    // Without HDFS.
    UTIL.startMiniZKCluster();
    UTIL.startMiniHBaseCluster();
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    UTIL.shutdownMiniCluster();
  }

  @Override
  int zooKeeperPort() {
    return UTIL.getZkCluster().getClientPort();
  }

  private void load(String table, String... arguments) {
    load(1000, table, arguments);
  }

  private void load(int rows, String table, String... arguments) {
    List<String> all = new ArrayList<>(List.of("load", "point-get", "--rows",
      Integer.toString(rows), "--table", table, "--threads", "4"));
    all.addAll(List.of(arguments));
    if (!all.contains("--regions")) {
      all.addAll(List.of("--regions", "2"));
    }
    assertThat(ycsb(all.toArray(new String[0]))).as(err()).isZero();
  }

  @Test
  public void loadedTableServesBothProfilesVerified() throws IOException {
    load("both", "--regions", "3", "--verify");
    assertThat(out()).contains("3 regions.", "INSERT-BATCH", "MULTIGET",
      "Verified 1,000 rows: every byte as written.\n" + RowVerifier.NOT_SHOWN);
    TableDescriptor table = UTIL.getAdmin().getDescriptor(TableName.valueOf("both"));
    assertThat(table.getColumnFamily(FAMILY).getBlocksize()).isEqualTo(32 * 1024);
    assertThat(UTIL.getAdmin().getRegions(TableName.valueOf("both"))).hasSize(3);

    Path json = folder.getRoot().toPath().resolve("result.json");
    Path hlog = folder.getRoot().toPath().resolve("result.hlog");
    assertThat(ycsb("run", "multiget-50", "--rows", "1000", "--table", "both", "--operations",
      "200", "--threads", "4", "--verify", "--json", json.toString(), "--hlog", hlog.toString()))
        .isZero();
    assertThat(out()).containsPattern("MULTIGET +200 ")
      .containsPattern("per row +rows .*\nMULTIGET +10,000 ")
      .contains("Verified 10,000 rows: every byte as written.");
    JsonObject result = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
    assertThat(result.getAsJsonObject("verified").get("rows").getAsInt()).isEqualTo(10_000);
    assertThat(result.getAsJsonArray("phases").get(0).getAsJsonObject().get("operations")
      .getAsInt()).isEqualTo(200);
    assertThat(Files.readAllLines(hlog)).anyMatch(l -> l.startsWith("Tag=MULTIGET,"));
    // Those of an earlier run are written over.
    assertThat(ycsb("run", "point-get", "--rows", "1000", "--table", "both", "--operations",
      "100", "--threads", "4", "--json", json.toString(), "--hlog", hlog.toString())).as(err())
        .isZero();
    assertThat(Files.readString(json)).contains("\"point-get\"");

    assertThat(ycsb("run", "point-get", "--rows", "1000", "--table", "both", "--operations",
      "500", "--threads", "4", "--target", "2000", "--verify")).isZero();
    assertThat(out()).containsPattern("READ +500 ").containsPattern("READ-INTENDED +500 ");
  }

  @Test
  public void slicesAreTheTurnsOfATable() throws IOException {
    load("slices-a");
    load("slices-b");
    assertThat(ycsbReading("""
      servers
      turn slices-a 2 300
      turn slices-b 1 100
      turn slices-b 1 200
      slice slices-a
      slice slices-b
      turn slices-b 1 300
      slice slices-b
      """, "slices", "mixed50", "--rows", "1000", "--threads", "2", "--tables",
      "slices-a,slices-b")).as(err()).isZero();
    List<JsonObject> answers = out().lines().filter(line -> line.startsWith("{"))
      .map(line -> JsonParser.parseString(line).getAsJsonObject()).toList();
    assertThat(answers).hasSize(9);
    assertThat(answers.get(0).get("pid").getAsLong()).isEqualTo(ProcessHandle.current().pid());
    assertThat(answers.get(0).get("client").getAsString()).isNotEmpty();
    String server = UTIL.getMiniHBaseCluster().getRegionServer(0).getServerName().getServerName();
    for (String table : List.of("slices-a", "slices-b")) {
      assertThat(answers.get(1).getAsJsonObject("servers").getAsJsonArray(table))
        .singleElement().satisfies(name -> assertThat(name.getAsString()).isEqualTo(server));
    }
    assertThat(answers.get(2).get("turn").getAsString()).isEqualTo("slices-a");
    for (int slice : List.of(5, 6, 8)) {
      assertSlice(answers.get(slice).getAsJsonObject("slice"));
    }
  }

  private static void assertSlice(JsonObject slice) {
    assertThat(slice.get("failed").getAsLong()).isZero();
    assertThat(slice.get("allocated_bytes").getAsDouble()).isPositive();
    assertThat(slice.get("seconds").getAsDouble()).isBetween(0.2, 30.0);
    long operations = slice.get("operations").getAsLong();
    assertThat(operations).isPositive().isEqualTo(slice.get("rows").getAsLong());
    long counted = 0;
    for (String type : slice.getAsJsonObject("series").keySet()) {
      assertThat(type).isIn("READ", "UPDATE");
      JsonObject series = slice.getAsJsonObject("series").getAsJsonObject(type);
      counted += series.get("count").getAsLong();
      assertThat(series.get("p999_us").getAsLong())
        .isGreaterThanOrEqualTo(series.get("p50_us").getAsLong());
    }
    assertThat(counted).isEqualTo(operations);
  }

  @Test
  public void slicesRefuseWhatTheyCantDo() {
    load("refused");
    Map<String, String> refused = Map.of("turn other 1 300", "table 'other'",
      "turn refused 3 300", "'3' is no number from 1 to 2",
      "turn refused 1 x", "'x'", "slice other", "table 'other'", "stop", "'stop' is no request");
    refused.forEach((request, error) -> {
      assertThat(ycsbReading(request + "\n", "slices", "point-get", "--rows", "1000", "--threads",
        "2", "--tables", "refused")).isEqualTo(ToolException.USAGE);
      assertOneLineOfError(error);
    });
    assertThat(ycsb("slices", "read95-scan", "--rows", "1000", "--threads", "2", "--tables",
      "refused")).isEqualTo(ToolException.USAGE);
    assertOneLineOfError("fullscanthreads is 1, allowed in slices: 0");
    assertThat(ycsb("slices", "point-get", "--rows", "1000", "--threads", "2", "--tables",
      "absent")).isEqualTo(ToolException.CLUSTER);
    assertOneLineOfError("table absent doesn't exist");
  }

  @Test
  public void operationsShrinkWithTheRows() {
    load("small", "-p", "fieldcount=1", "-p", "fieldlength=1");
    assertThat(ycsb("run", "multiget-50", "--rows", "1000", "--table", "small", "--threads", "4",
      "-p", "multigetbatch=1", "-p", "fieldcount=1", "-p", "fieldlength=1")).isZero();
    assertThat(out().lines().findFirst().orElseThrow())
      .contains("10,000 operations (the profile's 10,000,000 scaled down with --rows");
    assertThat(out()).containsPattern("MULTIGET +10,000 ");
  }

  @Test
  public void everyOperationIsTimedAndVerified() throws IOException {
    load("mixed", "-p", "loadbatch=1", "-p", "datablockencoding=ROW_INDEX_V1");
    assertThat(out()).containsPattern("INSERT +1,000 ");
    assertThat(UTIL.getAdmin().getDescriptor(TableName.valueOf("mixed")).getColumnFamily(FAMILY)
      .getDataBlockEncoding()).isEqualTo(DataBlockEncoding.ROW_INDEX_V1);
    assertThat(ycsb("run", "point-get", "--rows", "1000", "--table", "mixed", "--operations",
      "600", "--threads", "4", "--distribution", "latest", "--verify", "-p", "readproportion=0.2",
      "-p", "updateproportion=0.2", "-p", "insertproportion=0.2", "-p", "scanproportion=0.2",
      "-p", "readmodifywriteproportion=0.1", "-p", "multigetproportion=0.05", "-p",
      "updatebatchproportion=0.05", "-p", "readallfields=false", "-p", "maxscanlength=20"))
        .as(err()).isZero();
    assertThat(out()).contains("READ ", "UPDATE ", "INSERT ", "SCAN ", "READ-MODIFY-WRITE ",
      "MULTIGET ", "UPDATE-BATCH ", "every byte as written.");
  }

  @Test
  public void batchesOfUpdatesWriteWholeRows() throws IOException {
    load("batches");
    List<HRegion> regions =
      UTIL.getHBaseCluster().getRegions(TableName.valueOf("batches"));
    long before = regions.stream().mapToLong(HRegion::getWriteRequestsCount).sum();
    assertThat(ycsb("run", "put-batch", "--rows", "1000", "--table", "batches", "--operations",
      "20", "--threads", "2")).as(err()).isZero();
    assertThat(out()).contains("50 rows an update, ").containsPattern("UPDATE-BATCH +20 ")
      .containsPattern("per row +rows .*\nUPDATE-BATCH +1,000 ");
    assertThat(regions.stream().mapToLong(HRegion::getWriteRequestsCount).sum() - before)
      .isEqualTo(1_000);
  }

  @Test
  public void updatesOfAllKindsChangeEachRow() throws IOException {
    load("updates");
    TableName table = TableName.valueOf("updates");
    assertThat(ycsb("run", "increment-batch", "--rows", "1000", "--table", "updates",
      "--operations", "20", "--threads", "2")).as(err()).isZero();
    assertThat(out()).containsPattern("per row +rows .*\nUPDATE-BATCH +1,000 ");
    assertThat(counters(table)).isEqualTo(1_000);
    assertThat(ycsb("run", "workload-f", "--rows", "1000", "--table", "updates", "--operations",
      "20", "-p", "readproportion=0", "-p", "readmodifywriteproportion=0", "-p",
      "updateproportion=1", "-p", "updatekind=increment")).as(err()).isZero();
    assertThat(counters(table)).isEqualTo(1_020);
    assertThat(ycsb("run", "put-batch", "--rows", "1000", "--table", "updates", "--verify", "-p",
      "updatekind=increment")).isEqualTo(2);
    assertThat(err()).contains("updatekind is increment");
  }

  /** The sum of all rows'. */
  private static long counters(TableName name) throws IOException {
    long sum = 0;
    try (Table table = UTIL.getConnection().getTable(name);
      ResultScanner rows = table.getScanner(Bytes.toBytes("f"), Bytes.toBytes("counter"))) {
      for (Result row : rows) {
        sum += Bytes.toLong(row.value());
      }
    }
    return sum;
  }

  @Test
  public void checkedUpdatesWriteTheirRows() throws IOException {
    load("checked");
    for (String share : List.of("updateproportion", "updatebatchproportion")) {
      List<HRegion> regions = UTIL.getHBaseCluster().getRegions(TableName.valueOf("checked"));
      long checked = regions.stream().mapToLong(HRegion::getCheckAndMutateChecksPassed).sum();
      assertThat(ycsb("run", "put-batch", "--rows", "1000", "--table", "checked", "--operations",
        "20", "-p", "updatebatchproportion=0", "-p", share + "=1", "-p",
        "updatekind=check-and-put", "--verify")).as(share + err()).isZero();
      assertThat(regions.stream().mapToLong(HRegion::getCheckAndMutateChecksPassed).sum() - checked)
        .as(share).isEqualTo(share.equals("updateproportion") ? 20 : 1_000);
      assertThat(ycsb("run", "put-batch", "--rows", "1000", "--table", "checked", "--operations",
        "20", "-p", "updatebatchproportion=0", "-p", share + "=1", "-p",
        "updatekind=check-and-put", "-p", "fieldnameprefix=other")).as(share).isEqualTo(1);
      assertThat(out() + err()).as(share).contains("has none of the field");
    }
  }

  @Test
  public void fullScanRunsBesideGets() throws IOException {
    load("scanned", "--regions", "3");
    Path json = folder.getRoot().toPath().resolve("scanned.json");
    assertThat(ycsb("run", "read95-scan", "--rows", "1000", "--table", "scanned", "--operations",
      "2000", "--verify", "--json", json.toString())).as(err()).isZero();
    assertThat(out()).contains("19 threads, 1 more that scan the whole table")
      .containsPattern("READ +2,000 ").contains("FULL-SCAN ", "every byte as written.");
    JsonObject phase = JsonParser.parseString(Files.readString(json)).getAsJsonObject()
      .getAsJsonArray("phases").get(0).getAsJsonObject();
    assertThat(phase.get("operations").getAsInt()).isEqualTo(2_000);
    assertThat(phase.getAsJsonObject("series").getAsJsonObject("FULL-SCAN").get("rows").getAsInt())
      .isPositive();
  }

  @Test
  public void longScansPassTheCacheBy() throws IOException {
    load("long", "--regions", "1");
    CacheStats cache = UTIL.getHBaseCluster().getRegionServer(0).getBlockCache().orElseThrow()
      .getStats();
    long cached = cache.getMissCachingCount();
    assertThat(ycsb("run", "scan-cold", "--rows", "1000", "--table", "long", "--operations", "10",
      "--verify")).as(err()).isZero();
    assertThat(out()).containsPattern("SCAN +10 ").contains("every byte as written.");
    assertThat(cache.getMissCachingCount() - cached).isLessThan(10);
    assertThat(ycsb("run", "scan-cold", "--rows", "1000", "--table", "long", "--operations", "10",
      "-p", "scancacheblocks=true")).as(err()).isZero();
    assertThat(cache.getMissCachingCount() - cached).isGreaterThan(10);
  }

  @Test
  public void scansThatKeepNoRowsCountThem() throws IOException {
    load("kinds", "--regions", "3");
    for (String kind : List.of("bytes", "bytes-reversed", "count", "row-filter")) {
      assertThat(ycsb("run", "scan-5000", "--rows", "1000", "--table", "kinds", "--operations",
        "20", "-p", "scankind=" + kind, "-p", "minscanlength=100", "-p", "maxscanlength=100"))
        .as(kind + err()).isZero();
      assertThat(out()).as(kind).containsPattern("SCAN +20 ");
    }
    assertThat(out()).as("rows of the whole table").containsPattern("SCAN +20,000 ");
    assertThat(ycsb("run", "scan-5000", "--rows", "1000", "--table", "kinds", "-p",
      "scankind=count", "--verify")).isEqualTo(2);
    assertThat(err()).contains("scankind is count");
  }

  @Test
  public void scansThatKeepNoRowsMissTheirFirst() throws IOException {
    load("gone");
    TableName table = TableName.valueOf("gone");
    try (Table gone = UTIL.getConnection().getTable(table);
      ResultScanner rows = gone.getScanner(new Scan().setLimit(999))) {
      for (Result row : rows) {
        // The one that was loaded last is looked for at the start.
        if (!Bytes.toString(row.getRow()).equals("user2071219101098386137")) {
          gone.delete(new Delete(row.getRow()));
        }
      }
    }
    for (String kind : List.of("bytes", "bytes-reversed", "count")) {
      assertThat(ycsb("run", "scan-5000", "--rows", "1000", "--table", "gone", "--operations", "5",
        "-p", "scankind=" + kind)).as(kind).isEqualTo(1);
    }
    assertThat(ycsb("run", "scan-5000", "--rows", "1000", "--table", "gone", "--operations", "5",
      "-p", "scankind=row-filter")).as("its row is there" + err()).isZero();
  }

  @Test
  public void filtersOfReadsTakeAllFields() {
    load("filtered");
    for (String filter : List.of("column-range", "column-page")) {
      for (String profile : List.of("point-get", "multiget-50")) {
        assertThat(ycsb("run", profile, "--rows", "1000", "--table", "filtered", "--operations",
          "20", "-p", "readfilter=" + filter, "--verify")).as(err()).isZero();
        assertThat(out()).contains("every byte as written.");
      }
    }
  }

  @Test
  public void aPartOfTheFieldsIsRead() {
    String[] shape = { "-p", "fieldcount=600", "-p", "fieldlength=8" };
    assertThat(ycsb("load", "point-get", "--rows", "10", "--table", "parts", shape[0], shape[1],
      shape[2], shape[3])).as(err()).isZero();
    assertThat(ycsb("run", "point-get", "--rows", "10", "--table", "parts", "--operations", "100",
      shape[0], shape[1], shape[2], shape[3], "-p", "readfilter=column-part")).as(err()).isZero();
    assertThat(ycsb("run", "point-get", "--rows", "10", "--table", "parts", "-p",
      "readfilter=column-part", "--verify")).isEqualTo(2);
    assertThat(err()).contains("readfilter is column-part");
  }

  @Test
  public void diskAndMemoryAreTold() {
    load("told");
    assertThat(out()).contains("Disk: about 1.50 MB of HFiles a replica", "Cache: about 1.50 MB",
      "Client: about ");
    assertThat(ycsb("run", "mixed50", "--rows", "1000", "--table", "told", "--operations",
      "100", "--threads", "4")).isZero();
    assertThat(out()).contains("the run writes about 7.50 KB.");
  }

  @Test
  public void timeEndsARun() {
    load("timed");
    assertThat(ycsb("run", "point-get", "--rows", "1000", "--table", "timed", "--minutes", "0.05",
      "--threads", "2", "--target", "100")).isZero();
    assertThat(out()).contains("(time is up)");
  }

  @Test
  public void wrongByteIsFound() throws IOException {
    load(200, "wrong");
    byte[] row;
    try (Table table = UTIL.getConnection().getTable(TableName.valueOf("wrong"));
      ResultScanner scanner = table.getScanner(new Scan().setReversed(true).setLimit(1))) {
      Result first = scanner.next();
      row = first.getRow();
      byte[] value = first.getValue(FAMILY, Bytes.toBytes("field7"));
      value[99] ^= 1;
      table.put(new Put(row).addColumn(FAMILY, Bytes.toBytes("field7"), value));
    }
    // As many as read each row once.
    Map<String, String> operations = Map.of("point-get", "200", "multiget-50", "4");
    for (String profile : operations.keySet()) {
      assertThat(ycsb("run", profile, "--rows", "200", "--table", "wrong", "--operations",
        operations.get(profile), "--threads", "1", "--distribution", "sequential", "--verify"))
          .isEqualTo(ToolException.FAILED);
      assertThat(err()).contains("verify: row " + Bytes.toString(row)
        + ": field field7 differs from byte 99 on: expected '");
      assertThat(out()).containsPattern("Verified .* rows: [1-9]\\d* wrong, 0 missing\\.");
    }
    assertThat(ycsb("run", "point-get", "--rows", "200", "--table", "wrong", "--operations",
      "50", "--threads", "1", "--verify", "-p", "readproportion=0", "-p", "scanproportion=1",
      "-p", "minscanlength=200")).isEqualTo(ToolException.FAILED);
    assertThat(err()).contains("field field7 differs");
  }

  @Test
  public void missingRowIsAFailure() throws IOException {
    load(200, "missing");
    try (Table table = UTIL.getConnection().getTable(TableName.valueOf("missing"));
      ResultScanner scanner = table.getScanner(new Scan().setLimit(1))) {
      table.delete(new Delete(scanner.next().getRow()));
    }
    assertThat(ycsb("run", "multiget-50", "--rows", "200", "--table", "missing", "--operations",
      "4", "--threads", "1", "--distribution", "sequential", "--verify"))
        .isEqualTo(ToolException.FAILED);
    assertThat(err()).containsPattern("verify: row user\\d+: missing");
    assertThat(out()).containsPattern("MULTIGET-FAILED +1 ")
      .contains("Verified 200 rows: 0 wrong, 1 missing.");
    assertThat(ycsb("run", "point-get", "--rows", "200", "--table", "missing", "--operations",
      "200", "--threads", "1", "--distribution", "sequential")).isEqualTo(ToolException.FAILED);
    assertThat(out()).containsPattern("1 failed; the first: .*row user\\d+ not found");
  }

  @Test
  public void scanThatLacksItsStartRowFails() throws IOException {
    load(200, "headless");
    String first = Bytes.toString(firstRow("headless", false));
    try (Table table = UTIL.getConnection().getTable(TableName.valueOf("headless"))) {
      table.delete(new Delete(Bytes.toBytes(first)));
    }
    List<String> run = List.of("run", "scan-cold", "--rows", "200", "--table", "headless",
      "--operations", "200", "--distribution", "sequential", "-p", "minscanlength=5", "-p",
      "maxscanlength=5");
    assertThat(ycsb(run.toArray(new String[0]))).isEqualTo(ToolException.FAILED);
    assertThat(out()).containsPattern("SCAN-FAILED +1 ").containsPattern("SCAN +199 ")
      .contains("row " + first + " not found");
    List<String> verified = new ArrayList<>(run);
    verified.add("--verify");
    assertThat(ycsb(verified.toArray(new String[0]))).isEqualTo(ToolException.FAILED);
    assertThat(err()).contains("verify: row " + first + ": missing");
    assertThat(out()).contains("0 wrong, 1 missing.");
  }

  @Test
  public void scanThatEndsBeforeTheTableFails() throws Exception {
    load("short", "--regions", "2");
    Profile profile = profileOf("point-get");
    byte[] last = firstRow("short", true);
    List<String> told = new ArrayList<>();
    for (byte[] wanted : List.of(last, Bytes.add(last, new byte[] { '0' }))) {
      Latencies latencies = new Latencies(false);
      RowVerifier verifier = new RowVerifier(profile, told::add);
      HBaseClient client = new HBaseClient(latencies, verifier, new TableEnds(null, wanted));
      client.setProperties(profile.properties());
      client.init();
      try {
        client.scan("short", Bytes.toString(last), 2, null, new Vector<>());
        client.scanOn("short", 600);
        client.scanOn("short", 600);
      } finally {
        client.cleanup();
      }
      boolean complete = wanted == last;
      assertThat(latencies.failures()).isEqualTo(complete ? 0 : 2);
      assertThat(verifier.wrong()).isEqualTo(complete ? 0 : 2);
    }
    assertThat(told).hasSize(2).allMatch(l -> l.contains(Bytes.toString(last)
      + ": a scan ended here, but the table goes on to " + Bytes.toString(last) + "0"));
  }

  @Test
  public void reversedScanThatEndsBeforeTheTableFails() throws Exception {
    load("reversed", "--regions", "2");
    Profile profile = profileOf("scan-5000");
    profile.set("scankind", "bytes-reversed", "-p");
    byte[] first = firstRow("reversed", false);
    byte[] before = Arrays.copyOf(first, first.length - 1);
    for (byte[] wanted : List.of(first, before)) {
      Latencies latencies = new Latencies(false);
      HBaseClient client = new HBaseClient(latencies, null,
        new TableEnds(wanted, firstRow("reversed", true)));
      client.setProperties(profile.properties());
      client.init();
      try {
        client.scan("reversed", Bytes.toString(first), 2, null, new Vector<>());
        client.scan("reversed", Bytes.toString(firstRow("reversed", true)), 1_000, null,
          new Vector<>());
      } finally {
        client.cleanup();
      }
      assertThat(latencies.failures()).isEqualTo(wanted == first ? 0 : 1);
    }
  }

  private static Profile profileOf(String name) {
    Profile profile = Profile.read(name, List.of(Path.of("..", "conf", "ycsb")));
    profile.set("hbase.zookeeper.quorum", "localhost", "-p");
    profile.set("hbase.zookeeper.property.clientPort",
      Integer.toString(UTIL.getZkCluster().getClientPort()), "-p");
    return profile;
  }

  private static byte[] firstRow(String name, boolean reversed) throws IOException {
    try (Table table = UTIL.getConnection().getTable(TableName.valueOf(name));
      ResultScanner scanner = table.getScanner(new Scan().setReversed(reversed).setLimit(1))) {
      return scanner.next().getRow();
    }
  }

  @Test
  public void absentTableNamesTheLoadCommand() {
    assertThat(ycsb("run", "point-get", "--rows", "70", "--table", "absent"))
      .isEqualTo(ToolException.CLUSTER);
    assertOneLineOfError("table absent doesn't exist",
      "bin/hbase ycsb load point-get --rows 70 --table absent");
  }

  @Test
  public void bigLoadIsRefusedUntilItsRowsAreGiven() throws IOException {
    assertThat(ycsb("load", "point-get", "--table", "big")).isEqualTo(ToolException.USAGE);
    assertOneLineOfError("all 2,000,000,000 rows of point-get take about 3.01 TB of disk a replica:"
      + " give --rows N (--rows 2000000000 for all of it)");
    assertThat(out()).isEmpty();
    assertThat(UTIL.getAdmin().tableExists(TableName.valueOf("big"))).isFalse();
    assertThat(ycsb("run", "point-get", "--table", "big")).isEqualTo(ToolException.CLUSTER);
    assertOneLineOfError("bin/hbase ycsb load point-get --rows N --table big");

    Path small = folder.newFile("small.properties").toPath();
    Files.writeString(small, "recordcount=50\nreadproportion=1\nupdateproportion=0\n");
    assertThat(ycsb("load", small.toString(), "--table", "big")).as(err()).isZero();
  }

  @Test
  public void tableThatDoesNotFitIsNamed() throws IOException {
    load("unfit");
    assertThat(ycsb("run", "point-get", "--rows", "1001", "--table", "unfit"))
      .isEqualTo(ToolException.CLUSTER);
    assertOneLineOfError("holds fewer than 1,001 rows");
    assertThat(ycsb("run", "point-get", "--rows", "1000", "--table", "unfit", "-p",
      "columnfamily=g")).isEqualTo(ToolException.CLUSTER);
    assertOneLineOfError("no family 'g'");
    UTIL.getAdmin().disableTable(TableName.valueOf("unfit"));
    assertThat(ycsb("run", "point-get", "--rows", "1000", "--table", "unfit"))
      .isEqualTo(ToolException.CLUSTER);
    assertOneLineOfError("is disabled");
  }
}
