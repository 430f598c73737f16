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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** When an archive fits, as far as the JVM doesn't say it. */
public class ArchiveRecordTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path home;
  private Path lib;
  private Path conf;
  private Path archive;
  private Path record;

  @Before
  public void makeAnArchive() throws IOException {
    home = folder.getRoot().toPath();
    lib = Files.createDirectory(home.resolve("lib"));
    conf = Files.createDirectory(home.resolve("conf"));
    Files.createFile(conf.resolve("hbase-site.xml"));
    writeJar(lib.resolve("b.jar"), "com/B.class", "first");
    writeJar(lib.resolve("a.jar"), "a-default.xml", "first");
    archive = home.resolve("archive");
    Files.write(archive, new byte[] { 1, 2, 3 });
    record = home.resolve("archive.record");
    ArchiveRecord.of(archive, path().jars()).write(record);
  }

  static void writeJar(Path jar, String entry, String content) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
      JarOutputStream out = new JarOutputStream(file)) {
      out.putNextEntry(new JarEntry(entry));
      out.write(content.getBytes(StandardCharsets.UTF_8));
    }
  }

  private ServerClassPath path() {
    return new ServerClassPath(conf + ":" + home + ":" + lib + "/*", "/more/*:/other");
  }

  private String misfit() throws IOException {
    return ArchiveRecord.read(record).misfit(archive, path(), home);
  }

  @Test
  public void jarsComeFirstByNameAndWhatIsBehindThemLast() {
    Path jar = lib.resolve("b.jar");
    ServerClassPath path =
      new ServerClassPath("/etc/hadoop:" + jar + ":" + conf + ":" + home + ":" + lib + "/*",
        "/more/*");
    assertThat(path.ofJars()).isEqualTo(jar + ":" + lib + "/a.jar:" + lib + "/b.jar");
    assertThat(path.jarsFirst()).isEqualTo(
      path.ofJars() + ":/etc/hadoop:" + conf + ":" + home + ":/more/*");
    assertThat(new ServerClassPath(conf.toString(), "").jarsFirst()).isEqualTo(conf.toString());
  }

  @Test
  public void itFitsTheJarsThatItWasMadeOf() throws IOException {
    assertThat(misfit()).isNull();
    Files.write(conf.resolve("hbase-site.xml"), new byte[] { 1 });
    assertThat(misfit()).isNull();
  }

  /** Of the same size, and with the same time. */
  @Test
  public void anotherJarOfThatNameIsFound() throws IOException {
    Path jar = lib.resolve("b.jar");
    long size = Files.size(jar);
    FileTime time = Files.getLastModifiedTime(jar);
    writeJar(jar, "com/B.class", "other");
    Files.setLastModifiedTime(jar, time);
    assertThat(Files.size(jar)).isEqualTo(size);
    assertThat(misfit()).contains("another " + jar);
  }

  @Test
  public void aJarThatCameOrWentIsNamed() throws IOException {
    writeJar(lib.resolve("c.jar"), "com/C.class", "first");
    assertThat(misfit()).contains(lib + "/c.jar is new");
    Files.delete(lib.resolve("c.jar"));
    Files.delete(lib.resolve("a.jar"));
    assertThat(misfit()).contains(lib + "/a.jar is gone");
  }

  @Test
  public void theOrderOfTheJarsMatters() throws IOException {
    ServerClassPath other =
      new ServerClassPath(lib.resolve("b.jar") + ":" + lib.resolve("a.jar"), "");
    assertThat(ArchiveRecord.read(record).misfit(archive, other, home)).contains("order");
  }

  @Test
  public void aFileOfConfThatAJarHasTooIsNamed() throws IOException {
    Files.createFile(conf.resolve("a-default.xml"));
    assertThat(misfit()).startsWith(conf + "/a-default.xml stands in front");
    Files.delete(conf.resolve("a-default.xml"));
    Files.createDirectory(conf.resolve("com"));
    assertThat(misfit()).startsWith(conf + "/com stands in front");
  }

  @Test
  public void theDistributionItselfHidesNothing() throws IOException {
    Files.createDirectory(home.resolve("com"));
    assertThat(misfit()).isNull();
  }

  @Test
  public void anArchiveWithAnotherByteOrLengthIsDamaged() throws IOException {
    Files.write(archive, new byte[] { 1, 2, 4 });
    assertThat(misfit()).contains("damaged");
    Files.write(archive, new byte[] { 1, 2 });
    assertThat(misfit()).contains("damaged");
  }

  @Test
  public void whatIsNoRecordIsRefused() throws IOException {
    for (String line : Arrays.asList("nonsense", "archive 1", "jar x /a.jar", "")) {
      Files.write(record, Arrays.asList(line));
      assertThatThrownBy(this::misfit).as(line)
        .isInstanceOf(IOException.class).hasMessageContaining("no record");
    }
  }

  @Test
  public void whatIsNoJarHasAChecksumToo() throws IOException {
    Path file = home.resolve("x.jar");
    Files.write(file, new byte[100_000]);
    long before = Checksums.ofJar(file);
    assertThat(before).isEqualTo(Checksums.ofFile(file));
    byte[] other = new byte[100_000];
    other[7] = 1;
    Files.write(file, other);
    assertThat(Checksums.ofJar(file)).isNotEqualTo(before);
    Files.write(file, new byte[0]);
    assertThat(Checksums.ofJar(file)).isZero();
  }
}
