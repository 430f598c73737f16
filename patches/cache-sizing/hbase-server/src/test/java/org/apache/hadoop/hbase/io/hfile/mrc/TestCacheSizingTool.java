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
package org.apache.hadoop.hbase.io.hfile.mrc;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/** The command, against an HTTP server that answers what JMX of a region server did. */
@Category({ IOTests.class, SmallTests.class })
public class TestCacheSizingTool {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCacheSizingTool.class);

  /** As a server with a cache on the heap answered, with fewer points of the curve. */
  private static final String BEANS = "{'beans': [{'name': 'Hadoop:service=HBase,"
    + "name=RegionServer,sub=CacheSizing', 'adviceKnown': 1}, {'name': 'Hadoop:service=HBase,"
    + "name=RegionServer,sub=CacheSizingReport', 'modelerType': 'x', 'State': 'KNOWN', 'Advice':"
    + " 'L1 400 MB: enough', 'MetadataReferences': 100, 'DataReferences': 900, 'Tiers': [{'blocks':"
    + " 'all blocks', 'capacity': 419430400, 'curve': [POINTS], 'enabled': true,"
    + " 'measuredPercent': 55.5, 'name': 'L1', 'used': 1048576}], 'Tables': [{'bytes90': 9,"
    + " 'bytes95': 10, 'bytes99': -1, 'dataBytes': 1, 'metadataBytes': 2, 'referencePercent': 99.5,"
    + " 'table': 'ns:orders'}], 'Held': [{'blocks': 12, 'bytes': 3072, 'family': 'd', 'table':"
    + " 'ns:orders', 'tier': 'L1'}], 'Minutes': [{'demotions': 0, 'evictions': 4, 'l1Hits': 60,"
    + " 'l2Hits': 0, 'promotions': 0, 'references': 80, 'time': 1764045000000}], 'Sample':"
    + " {'dataBlocks': 10, 'dataPercent': 6.25, 'dropped': 0, 'metadataBlocks': 1,"
    + " 'metadataPercent': 6.25, 'references': 99, 'unknownPercent': 0.0, 'usedBytes': 5}},"
    + " {'name': 'Hadoop:service=HBase,name=RegionServer,sub=CacheWarmupProgress', 'Regions':"
    + " [{'blocks': 200, 'blocksDone': 50, 'bytesPerSecond': 1048576, 'family': null, 'file': null,"
    + " 'filesWaiting': 3, 'millisLeft': 7000, 'region': '0123abcd'}], 'Files': []}]}";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Configuration conf = HBaseConfiguration.create();
  private HttpServer server;
  private String address;
  private volatile String query;
  private volatile String answer = beans();
  private volatile int status = 200;

  private static String beans() {
    StringBuilder points = new StringBuilder();
    for (double factor : CacheSizingPage.FACTORS) {
      points.append(points.length() == 0 ? "" : ", ").append("{'bytes': ")
        .append(Math.round(factor * 419430400)).append(", 'dataHitPercent': 50.0, 'factor': ")
        .append(factor).append(", 'hitPercent': 55.0, 'metadataHitPercent': 100.0}");
    }
    return BEANS.replace("POINTS", points).replace('\'', '"');
  }

  @Before
  public void setUp() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/jmx", exchange -> {
      query = exchange.getRequestURI().getQuery();
      byte[] body = answer.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
    address = "localhost:" + server.getAddress().getPort();
  }

  @After
  public void tearDown() {
    server.stop(0);
  }

  private int run(String... args) throws Exception {
    out.reset();
    err.reset();
    return new CacheSizingTool(conf, new PrintStream(out, true, "UTF-8"),
      new PrintStream(err, true, "UTF-8")).run(args);
  }

  private void assertOut(String... parts) throws Exception {
    assertContains(out.toString("UTF-8").replaceAll(" +", " "), parts);
  }

  private void assertOneError(String... parts) throws Exception {
    String text = err.toString("UTF-8");
    assertEquals(text, 1, text.split("\n").length);
    assertContains(text, parts);
  }

  private static void assertContains(String text, String... parts) {
    for (String part : parts) {
      assertTrue(part + " in\n" + text, text.contains(part));
    }
  }

  @Test
  public void aServerIsShown() throws Exception {
    assertEquals(0, run(address));
    assertEquals("qry=Hadoop:service=HBase,name=RegionServer,sub=Cache*", query);
    assertOut("Block cache of " + address + "\nL1 400 MB: enough.\n", "\nL1: all blocks\n",
      "1.0 MB of 400 MB used; served 55.5 % of", "\n 1/4 x 100 MB 55.0 % 100.0 % 50.0 %",
      "ns:orders 99.5 %", "d L1 12 3.0 KB", "0 to 1 80 75.0 %",
      "0123abcd 3 200 25.0 % 1.0 MB 7 s");
    assertEquals("", err.toString("UTF-8"));
  }

  @Test
  public void portOfTheConfigurationIsTheDefault() throws Exception {
    conf.setInt(HConstants.REGIONSERVER_INFO_PORT, server.getAddress().getPort());
    assertEquals(0, run("localhost"));
    conf.setInt(HConstants.REGIONSERVER_INFO_PORT, 0);
    assertEquals(CacheSizingTool.USAGE, run("localhost"));
    assertOneError("localhost", HConstants.REGIONSERVER_INFO_PORT);
  }

  @Test
  public void serversAreAddedAndThoseThatDoNotAnswerNamed() throws Exception {
    try (Socket silent = new Socket()) {
      // Nobody else gets the port, and nobody listens.
      silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      String closed = "localhost:" + silent.getLocalPort();
      String other = "127.0.0.1:" + server.getAddress().getPort();
      assertEquals(CacheSizingTool.INCOMPLETE, run(address, closed, other));
      assertOut("Block cache of 2 servers\n", "2.0 MB of 800 MB used", "\n " + other + " ",
        "24 6.0 KB");
      assertOneError("cache: " + closed + ": ", "refused");
    }
  }

  @Test
  public void programsGetTheSumAndEachServer() throws Exception {
    String other = "127.0.0.1:" + server.getAddress().getPort();
    assertEquals(CacheSizingTool.INCOMPLETE,
      run("--json", address, other, "no.such.host.invalid:1"));
    JsonObject json = JsonParser.parseString(out.toString("UTF-8")).getAsJsonObject();
    assertEquals(838860800, json.getAsJsonObject("sum").getAsJsonArray("tiers").get(0)
      .getAsJsonObject().get("capacity").getAsLong());
    assertEquals(2, json.getAsJsonArray("servers").size());
    JsonObject first = json.getAsJsonArray("servers").get(0).getAsJsonObject();
    assertEquals(address, first.get("server").getAsString());
    assertEquals("0123abcd", first.getAsJsonArray("warmUps").get(0).getAsJsonObject()
      .get("region").getAsString());
    assertEquals("there is no such host",
      json.getAsJsonObject("failures").get("no.such.host.invalid:1").getAsString());
  }

  @Test
  public void aServerThatMakesNoEstimatesIsToldTheKey() throws Exception {
    answer = "{\"beans\": []}";
    assertEquals(CacheSizingTool.INCOMPLETE, run(address));
    assertOneError(address, CacheSizingSettings.ENABLED.key(), "true");
  }

  @Test
  public void whatIsNoRegionServerIsNamed() throws Exception {
    answer = "<html>";
    assertEquals(CacheSizingTool.INCOMPLETE, run(address));
    assertOneError(address, "no JSON");
    answer = beans().replace("MetadataReferences", "Other");
    assertEquals(CacheSizingTool.INCOMPLETE, run(address));
    assertOneError(address, "MetadataReferences", "version");
    status = 404;
    assertEquals(CacheSizingTool.INCOMPLETE, run(address));
    assertOneError(address, "404");
  }

  @Test
  public void wrongUseIsOneLine() throws Exception {
    assertEquals(CacheSizingTool.USAGE, run("--jsn"));
    assertOneError("--jsn", "--help");
    assertEquals(CacheSizingTool.USAGE, run(""));
    assertEquals(0, run("--help"));
    assertOut("Usage: hbase cache", CacheSizingSettings.ENABLED.key(), "Exit codes");
  }

  @Test
  public void aClusterThatCannotBeAskedIsNamed() throws Exception {
    conf.set(HConstants.ZOOKEEPER_QUORUM, "localhost");
    conf.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, 1);
    conf.setInt(HConstants.ZK_SESSION_TIMEOUT, 2000);
    assertEquals(CacheSizingTool.NO_CLUSTER, run());
    assertOneError("cluster", HConstants.ZOOKEEPER_QUORUM);
  }

  @Test
  public void whoHasNoTicketIsToldAtOnce() throws Exception {
    conf.set(User.HBASE_SECURITY_CONF_KEY, "kerberos");
    assertEquals(CacheSizingTool.NO_CLUSTER, run());
    assertOneError("no Kerberos ticket", "kinit", "hbase.client.keytab.file");
    assertEquals(0, run(address));
  }
}
