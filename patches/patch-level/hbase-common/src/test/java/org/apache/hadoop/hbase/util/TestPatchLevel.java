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
package org.apache.hadoop.hbase.util;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.Version;
import org.apache.hadoop.hbase.testclassification.MiscTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** Jars of one level are accepted, and mixed ones are named. */
@Category({ MiscTests.class, SmallTests.class })
public class TestPatchLevel {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestPatchLevel.class);

  private static final String COMMON = "org/apache/hadoop/hbase/util/VersionInfo.class";
  private static final String CLIENT = "org/apache/hadoop/hbase/client/ConnectionFactory.class";
  private static final String SERVER = "org/apache/hadoop/hbase/regionserver/HRegionServer.class";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private File jar(String fileName, String marker, String module, String... level)
    throws IOException {
    Path jar = folder.newFolder().toPath().resolve(fileName);
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      zip.putNextEntry(new ZipEntry(marker));
      if (level.length > 0) {
        zip.putNextEntry(new ZipEntry("META-INF/patch-level/" + module + ".properties"));
        zip.write(String.join("\n", level).getBytes(StandardCharsets.UTF_8));
      }
    }
    return jar.toFile();
  }

  private File common(String version) throws IOException {
    return jar("common-" + version + ".jar", COMMON, "hbase-common", "version=" + version,
      "upstream=1.0", "patches=HBASE-2", "HBASE-2=Faster");
  }

  private File server(String version) throws IOException {
    return jar("server + " + version + ".jar", SERVER, "hbase-server", "version=" + version,
      "upstream=1.0", "patches=HBASE-1,HBASE-10,HBASE-2", "HBASE-1=Smaller", "HBASE-10=Later",
      "HBASE-2=Faster");
  }

  private File upstreamClient() throws IOException {
    return jar("client-1.0.jar", CLIENT, "hbase-client");
  }

  private PatchLevel read(File... jars) throws IOException {
    URL[] urls = new URL[jars.length];
    for (int i = 0; i < jars.length; i++) {
      urls[i] = jars[i].toURI().toURL();
    }
    try (URLClassLoader loader = new URLClassLoader(urls, null)) {
      return PatchLevel.read(loader);
    }
  }

  private void assertRefused(PatchLevel level, File... named) {
    IllegalStateException e = assertThrows(IllegalStateException.class, level::verify);
    for (File jar : named) {
      assertTrue(e.getMessage(), e.getMessage().contains(jar.getPath()));
    }
  }

  @Test
  public void jarsOfOneLevelAddTheirPatches() throws IOException {
    File common = common("1.0-p.1");
    File server = server("1.0-p.1");
    PatchLevel level = read(common, server);
    level.verify();
    assertEquals("1.0-p.1", level.getVersion());
    assertEquals("1.0", level.getUpstreamVersion());
    assertEquals("{HBASE-1=Smaller, HBASE-2=Faster, HBASE-10=Later}",
      level.getPatches().toString());
    assertEquals("Apache HBase 1.0 with HBASE-1, HBASE-2, HBASE-10", level.toString());
    assertEquals(Arrays.asList(common + " (1.0-p.1)", server + " (1.0-p.1)"), level.getJars());
  }

  @Test
  public void theSameJarTwiceIsNoContradiction() throws IOException {
    read(common("1.0-p.1"), common("1.0-p.1")).verify();
  }

  @Test
  public void anUpstreamJarBesideOursIsNamedWhicheverComesFirst() throws IOException {
    File common = common("1.0-p.1");
    File client = upstreamClient();
    assertRefused(read(common, client), common, client);
    assertRefused(read(client, common), common, client);
    File upstreamCommon = jar("common-1.0.jar", COMMON, "hbase-common");
    assertRefused(read(upstreamCommon, common), common, upstreamCommon);
  }

  @Test
  public void clientsMindOnlyTheJarsThatTheyLoadFrom() throws IOException {
    File common = common("1.0-p.1");
    File client = upstreamClient();
    assertThrows(IllegalStateException.class, () -> read(common, client).verifyLoaded());
    read(common, jar("fat.jar", COMMON, "hbase-common")).verifyLoaded();
  }

  @Test
  public void aJarOfAnotherLevelIsNamed() throws IOException {
    File common = common("1.0-p.1");
    File server = server("1.0-p.2");
    assertRefused(read(common, server), common, server);
  }

  @Test
  public void jarsWithoutLevelsAreUpstreams() throws IOException {
    PatchLevel level = read(upstreamClient());
    level.verify();
    assertEquals(Version.version, level.getVersion());
    assertEquals("Apache HBase " + Version.version + " with no patches", level.toString());
  }

  @Test
  public void classLoadersMayHaveUrlsOfTheirOwn() throws IOException {
    URL jar = common("1.0-p.1").toURI().toURL();
    URLStreamHandler handler = new URLStreamHandler() {
      @Override
      protected URLConnection openConnection(URL url) throws IOException {
        return new URL("jar:" + jar + "!" + url.getPath()).openConnection();
      }
    };
    ClassLoader loader = new ClassLoader(null) {
      @Override
      protected Enumeration<URL> findResources(String name) throws IOException {
        return name.equals(COMMON)
          ? Collections
            .enumeration(Collections.singleton(new URL("vault", null, -1, "/" + name, handler)))
          : Collections.emptyEnumeration();
      }
    };
    assertEquals("1.0-p.1", PatchLevel.read(loader).getVersion());
  }

  @Test
  public void versionInfoReportsThePatchedVersion() {
    PatchLevel current = PatchLevel.current();
    current.verify();
    assertEquals(current.getVersion(), VersionInfo.getVersion());
    assertEquals("HBase " + current.getVersion() + " (" + current + ")",
      VersionInfo.versionReport()[0]);
    assertTrue(VersionInfo.compareVersion(current.getVersion(), current.getUpstreamVersion()) > 0);
    assertTrue(current.getPatches().containsKey("STRATA-1"));
  }

  @Test
  public void upstreamsDefaultsAreAcceptedAndOthersAreNot() {
    assertEquals(PatchLevel.current().getUpstreamVersion(),
      HBaseConfiguration.create().get("hbase.defaults.for.version"));
    assertThrows(RuntimeException.class, () -> HBaseConfiguration.addHbaseResources(
      new org.apache.hadoop.conf.Configuration() {
        @Override
        public String get(String name) {
          return name.equals("hbase.defaults.for.version") ? "2.0.0" : super.get(name);
        }
      }));
  }
}
