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
package org.hbasestrata.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ConfigToolTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Map<String, String> environment = new HashMap<>();
  private ClassLoader loader;
  private String out;
  private String err;

  @Before
  public void setUp() {
    loader = Thread.currentThread().getContextClassLoader();
  }

  @After
  public void tearDown() {
    Thread.currentThread().setContextClassLoader(loader);
  }

  /** Writes a configuration of these keys and values. */
  private void site(String... keysAndValues) throws IOException {
    StringBuilder xml = new StringBuilder("<configuration>\n");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      xml.append("<property><name>").append(keysAndValues[i]).append("</name><value>")
        .append(keysAndValues[i + 1]).append("</value></property>\n");
    }
    write("hbase-site.xml", xml + "</configuration>\n");
  }

  private Path write(String name, String text) throws IOException {
    return Files.write(folder.getRoot().toPath().resolve(name),
      text.getBytes(StandardCharsets.UTF_8));
  }

  /** Runs the tool like bin/hbase, with the folder first on the class path. */
  private int check(String... args) throws IOException {
    return run(folder.getRoot().toPath(), args);
  }

  private int run(Path conf, String... args) throws IOException {
    ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
    ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
    environment.put("HBASE_CONF_DIR", conf.toString());
    String[] all = new String[args.length + 1];
    all[0] = "check";
    System.arraycopy(args, 0, all, 1, args.length);
    int code;
    try (URLClassLoader withConf =
      new URLClassLoader(new URL[] { conf.toUri().toURL() }, loader)) {
      Thread.currentThread().setContextClassLoader(withConf);
      code =
        ConfigTool.run(new PrintStream(outBytes), new PrintStream(errBytes), environment, all);
    }
    out = outBytes.toString();
    err = errBytes.toString();
    return code;
  }

  private void preset(String name) {
    environment.put("HBASE_HOME", Jvms.CONF.getParent().toString());
    environment.put("HBASE_JVM_PRESET", name);
  }

  @Test
  public void theShippedConfigurationIsFine() throws IOException {
    assertThat(run(Jvms.CONF)).as(err).isZero();
    assertThat(out).contains("Checked for a master:", " keys of " + Jvms.CONF + "/hbase-site.xml",
      "hdfs-site.xml", "no value is refused.");
    assertThat(err).isEmpty();
    environment.put("HBASE_JVM_PRESET", "g1");
    environment.put("HBASE_HEAPSIZE", "1g");
    environment.put("HBASE_OFFHEAPSIZE", "1g");
    assertThat(run(Jvms.CONF, "--role", "master")).as(err).isZero();
  }

  /** Copies the shipped profiles, and includes one before these keys and values. */
  private void profile(String name, String... keysAndValues) throws IOException {
    Path profiles = Files.createDirectories(folder.getRoot().toPath().resolve("profiles"));
    for (String file : new String[] { "memory.xml", "ssd.xml" }) {
      Files.copy(Jvms.CONF.resolve("profiles").resolve(file), profiles.resolve(file),
        StandardCopyOption.REPLACE_EXISTING);
    }
    site(keysAndValues);
    Path site = folder.getRoot().toPath().resolve("hbase-site.xml");
    String xml = new String(Files.readAllBytes(site), StandardCharsets.UTF_8);
    write("hbase-site.xml", xml.replace("<configuration>",
      "<configuration><xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"profiles/"
        + name + ".xml\"/>"));
  }

  @Test
  public void eachProfileIsFineByOneLine() throws IOException {
    profile("memory", "hbase.cluster.distributed", "true");
    assertThat(check()).as(err).isZero();
    assertThat(out).contains("hbase-site.xml with profiles/memory.xml");
    assertThat(err).isEmpty();
    profile("ssd", "hbase.cluster.distributed", "true", "hbase.profile.ssd.path",
      folder.getRoot() + "/block-cache");
    assertThat(check()).as(err).isZero();
    assertThat(out).contains("hbase-site.xml with profiles/ssd.xml and profiles/memory.xml");
    assertThat(err).isEmpty();
    preset("g1");
    assertThat(check()).as(err).isZero();
  }

  @Test
  public void theProfileForAnSsdAsksForItsPath() throws IOException {
    profile("ssd", "hbase.cluster.distributed", "true");
    assertThat(check()).isEqualTo(1);
    assertThat(err.split("\n")).containsExactly("hbase: hbase.bucketcache.l2.ioengine is"
      + " segments:${hbase.profile.ssd.path}. Nothing sets hbase.profile.ssd.path; add that"
      + " property, with an absolute path as its value. It is in " + folder.getRoot()
      + "/profiles/ssd.xml.");
  }

  @Test
  public void whatIsSetBelowAProfileWinsAndIsNoRepetition() throws IOException {
    profile("memory", "hbase.cluster.distributed", "true", "hbase.bucketcache.size", "1g");
    assertThat(check()).isEqualTo(1);
    assertThat(err.split("\n")).containsExactly(
      "hbase: hbase.bucketcache.size is 1g. Give MB, at least 1, without a unit, such as 1024.");
  }

  @Test
  public void aWrongValueInAProfileIsSaidWithItsFile() throws IOException {
    profile("memory", "hbase.cluster.distributed", "true");
    Path memory = folder.getRoot().toPath().resolve("profiles/memory.xml");
    String xml = new String(Files.readAllBytes(memory), StandardCharsets.UTF_8);
    write("profiles/memory.xml", xml.replace("${env.HBASE_BUCKETCACHE_MB:-64}", "64m"));
    assertThat(check()).isEqualTo(1);
    assertThat(err.split("\n")).containsExactly("hbase: hbase.bucketcache.size is 64m. Give MB, at"
      + " least 1, without a unit, such as 1024. It is in " + memory + ".");
    assertThat(check("-D", "hbase.bucketcache.size=64k")).isEqualTo(1);
    assertThat(err).contains("as 1024.").doesNotContain("It is in");
  }

  @Test
  public void aProfileThatIsNotThereIsNamed() throws IOException {
    profile("none");
    assertThat(check()).isEqualTo(2);
    assertThat(err.split("\n")).containsExactly("hbase: hbase-site.xml includes profiles/none.xml,"
      + " which isn't there: put it into the folder of the configuration, or remove the line");
  }

  @Test
  public void forUpstreamEachProblemIsALineWithItsFile() throws IOException {
    profile("memory", "hbase.cluster.distributed", "true", "hbase.bucketcache.ioengine",
      "direct:/mnt/ssd/cache", "hbase.bucketcache.size", "1024",
      "hbase.hregion.memstore.flush.size", "134217728",
      "hbase.regionserver.offheap.global.memstore.size", "1024");
    assertThat(check("--for-upstream")).isEqualTo(1);
    String root = folder.getRoot().toString();
    assertThat(err.split("\n")).satisfiesExactly(
      line -> assertThat(line).startsWith("hbase: hbase.bucketcache.ioengine is direct:/mnt")
        .endsWith(" It is in " + root + "/hbase-site.xml."),
      line -> assertThat(line).startsWith("hbase: hbase.rs.prefetchblocksonopen is true. ")
        .endsWith(" It is in " + root + "/profiles/memory.xml."));
    assertThat(out).contains("2 to change");
    site("hbase.cluster.distributed", "true", "hbase.bucketcache.ioengine", "offheap",
      "hbase.bucketcache.size", "1024", "hbase.regionserver.get.row.path.enabled", "true");
    assertThat(check("--for-upstream")).as(err).isZero();
    assertThat(out).contains("nothing has to change");
    environment.put("HBASE_OFFHEAPSIZE", "512m");
    assertThat(check("--for-upstream")).isEqualTo(1);
  }

  @Test
  public void allThatIsRefusedIsNamed() throws IOException {
    site("hbase.cluster.distributed", "true", "hbase.bucketcache.ioengine", "offheap",
      "hbase.bucketcache.size", "1g", "hbase.regionserver.handler.count", "many",
      "hbase.regionserver.multiget.parallel.threads", "0");
    assertThat(check()).isEqualTo(1);
    assertThat(err.split("\n")).containsExactly(
      "hbase: hbase.regionserver.handler.count is many. Give a whole number, 2147483647 at most.",
      "hbase: hbase.bucketcache.size is 1g. Give MB, at least 1, without a unit, such as 1024.",
      "hbase: hbase.regionserver.multiget.parallel.threads is 0. Give a whole number from 1 to"
        + " 1024.");
    assertThat(out).contains("for a regionserver and a master: 5 keys of", "3 refused");
  }

  @Test
  public void withAPresetLikewise() throws IOException {
    preset("g1");
    environment.put("HBASE_HEAPSIZE", "512m");
    allThatIsRefusedIsNamed();
    site("hbase.cluster.distributed", "true", "hbase.bucketcache.ioengine", "offheap",
      "hbase.bucketcache.size", "900");
    environment.put("HBASE_OFFHEAPSIZE", "512m");
    assertThat(check()).isEqualTo(1);
    assertThat(err).contains("HBASE_OFFHEAPSIZE of 512 MB is too small");
  }

  @Test
  public void theDirectMemoryIsThatOfTheServer() throws IOException {
    site("hbase.cluster.distributed", "true", "hbase.bucketcache.ioengine", "offheap",
      "hbase.bucketcache.size", "900");
    assertThat(check()).as(err).isZero();
    environment.put("HBASE_OFFHEAPSIZE", "512m");
    assertThat(check()).isEqualTo(1);
    assertThat(err).startsWith("hbase: hbase.bucketcache.size is 900. The JVM allows 512 MB");
    assertThat(check("--", "-XX:MaxDirectMemorySize=1g")).as(err).isZero();
    assertThat(err).isEmpty();
    for (String unknown : new String[] { "@options", "-XX:Flags=options" }) {
      assertThat(check("--", unknown)).as(err).isZero();
    }
    environment.remove("HBASE_OFFHEAPSIZE");
    environment.put("HBASE_HEAPSIZE", "512m");
    assertThat(check()).as("JAVA_TOOL_OPTIONS may have more").isZero();
    assertThat(err)
      .startsWith("hbase: warning: hbase.bucketcache.size is 900. The JVM allows 512 MB");
    preset("g1");
    environment.put("HBASE_OFFHEAPSIZE", "950m");
    assertThat(check()).as("buffers come with load").isZero();
    assertThat(err).startsWith("hbase: warning: HBASE_OFFHEAPSIZE of 950 MB is too small");
  }

  @Test
  public void theConfigurationMayNameSystemPropertiesOfTheServer() throws IOException {
    site("hbase.cluster.distributed", "true", "hbase.regionserver.port", "${test.config.port}",
      "hbase.regionserver.info.port", "${test.config.port}");
    assertThat(check()).isEqualTo(1);
    try {
      assertThat(check("--", "-Dtest.config.port=no", "-XX:+UseG1GC", "-Dtest.config.port=16020"))
        .as(err).isZero();
    } finally {
      System.clearProperty("test.config.port");
    }
  }

  @Test
  public void furtherFilesOfTheServerAreRead() throws IOException {
    site("hbase.cluster.distributed", "true", "hbase.regionserver.port", "soon");
    Path more = write("more.xml", "<configuration><property><name>hbase.regionserver.port</name>"
      + "<value>16020</value></property></configuration>");
    assertThat(check("--role", "regionserver", "-conf", more.toString())).as(err).isZero();
  }

  @Test
  public void aMasterOfAClusterHasNoRegions() throws IOException {
    site("hbase.cluster.distributed", "true", "hbase.bucketcache.ioengine", "offheap",
      "hbase.bucketcache.size", "1g");
    assertThat(check("--role", "master")).as(err).isZero();
    site("hbase.bucketcache.ioengine", "offheap", "hbase.bucketcache.size", "1g");
    assertThat(check("--role", "master")).isEqualTo(1);
    assertThat(check("--role", "regionserver")).isEqualTo(1);
    assertThat(err).contains("no region server can be started on its own",
      "hbase.cluster.distributed is false", folder.getRoot().toString());
  }

  @Test
  public void aClusterIsCheckedForBothRoles() throws IOException {
    site("hbase.cluster.distributed", "true", "hbase.master.port", "99999",
      "hbase.master.info.port", "${test.config.port}", "hbase.regionserver.port", "70000",
      "hbase.zookeeper.property.clientPort", "70000");
    try {
      assertThat(check("--", "-Dtest.config.port=no", "--", "-Dtest.config.port=16010"))
        .isEqualTo(1);
    } finally {
      System.clearProperty("test.config.port");
    }
    assertThat(err.split("\n")).containsExactlyInAnyOrder(
      "hbase: hbase.master.port is 99999. Give a port, 65535 at most; 0 for any.",
      "hbase: hbase.regionserver.port is 70000. Give a port, 65535 at most; 0 for any.",
      "hbase: hbase.zookeeper.property.clientPort is 70000. Give a port, from 1 to 65535.");
    assertThat(check("--role", "regionserver")).isEqualTo(1);
    assertThat(err).contains("hbase.regionserver.port is 70000").doesNotContain("master.port");
    site("hbase.cluster.distributed", "true", "hbase.master.port", "abc");
    assertThat(check()).isEqualTo(1);
    assertThat(err.split("\n")).containsExactly(
      "hbase: hbase.master.port is abc. Give a whole number, 2147483647 at most.");
  }

  @Test
  public void thePresetIsRead() throws IOException {
    site("hbase.cluster.distributed", "true", "hbase.regionserver.port", "70000");
    preset("g2");
    assertThat(check()).isEqualTo(1);
    assertThat(err).startsWith("hbase: there is no JVM preset 'g2'; there are ")
      .contains("hbase.regionserver.port is 70000");
  }

  @Test
  public void optionsOfTheServerWin() throws IOException {
    site("hbase.cluster.distributed", "true", "hbase.regionserver.port", "soon");
    assertThat(check("--role", "regionserver", "--server-options", "-D",
      "hbase.regionserver.port=16120", "start", "--minRegionServers", "1")).as(err).isZero();
    assertThat(check("--role", "regionserver", "-Dhbase.regionserver.handler.count=x"))
      .isEqualTo(1);
    assertThat(err.split("\n")).hasSize(2);
    site("hbase.cluster.distributed", "true");
    assertThat(check("--role", "regionserver", "--server-options", "-D", "no.value", "start"))
      .as(err).isZero();
  }

  @Test
  public void whatIsOddIsAWarning() throws IOException {
    site("hbase.cluster.distributed", "true", "hbase.bucketcache.l1.ioengin", "offheap",
      "hbase.rest.port", "some");
    assertThat(check()).isZero();
    assertThat(err.split("\n")).containsExactlyInAnyOrder(
      "hbase: warning: hbase.bucketcache.l1.ioengin isn't read by any server. Is"
        + " hbase.bucketcache.l1.ioengine meant?",
      "hbase: warning: hbase.rest.port is some. What reads it fails; its default is 8080.");
    Files.delete(folder.getRoot().toPath().resolve("hbase-site.xml"));
    assertThat(check()).isZero();
    assertThat(out).contains("has no hbase-site.xml");
    assertThat(err).isEmpty();
  }

  @Test
  public void aKeyThatIsTwiceInAFileIsAWarningThatNamesBothValues() throws IOException {
    site("hbase.cluster.distributed", "true", "hbase.bucketcache.size", "2048",
      "hbase.regionserver.port", "16020", "hbase.regionserver.port", " 16020 ",
      "hbase.bucketcache.size", "4096");
    assertThat(check()).isZero();
    Path file = folder.getRoot().toPath().resolve("hbase-site.xml");
    assertThat(err.split("\n")).containsExactly("hbase: warning: hbase.bucketcache.size is more"
      + " than once in " + file + ": 2048, then 4096. In force is 4096; delete what isn't meant.");
    write("hbase-site.xml", "<configuration><property><name>a.key</name><value>1</value>"
      + "<final>true</final></property><property name=\"a.key\" value=\"2\"/></configuration>");
    assertThat(check()).isZero();
    assertThat(err).contains("a.key is more than once", "1, then 2. In force is 1;");
    Path more = Files.move(file, folder.getRoot().toPath().resolve("more.xml"));
    site();
    assertThat(check("-conf", more.toString())).isZero();
    assertThat(err).contains("a.key is more than once in " + more + ": 1, then 2.");
  }

  @Test
  public void whatIsNoXmlIsNamedWithItsLine() throws IOException {
    Path file = write("hbase-site.xml",
      "<configuration>\n<property>\n<name>a</name>\n<value>b</valu>\n</property>\n");
    assertThat(check()).isEqualTo(2);
    assertThat(err.split("\n")).hasSize(1);
    assertThat(err).contains(file + ", line 4: this isn't XML: ");
  }

  @Test
  public void wrongUseIsOneLine() throws IOException {
    site();
    assertThat(check("--role", "zookeeper")).isEqualTo(2);
    assertThat(err).contains("--role is 'zookeeper'").contains("--help");
    assertThat(check("--bogus")).isEqualTo(2);
    assertThat(check("other-conf")).isEqualTo(2);
    assertThat(err).contains("takes one directory, and 'other-conf' is another");
    assertThat(check("--role", "master", "other-conf")).isEqualTo(2);
    assertThat(err).contains("takes one directory, and 'other-conf' is another");
    assertThat(check("--role", "master", "--bogus")).isEqualTo(2);
    assertThat(check("--role", "master", "-D")).isEqualTo(2);
    assertThat(check("--help")).isZero();
    assertThat(out).startsWith("Usage: hbase config check");
  }
}
