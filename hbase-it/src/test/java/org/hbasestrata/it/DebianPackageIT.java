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
package org.hbasestrata.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeFalse;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hbasestrata.it.Packages.Result;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;

/**
 * What the Debian package does to a machine: to this one, as it is seen through an overlay that
 * takes all writes and ends with the commands. Of the packages that dpkg knows there is one, a
 * stand-in for what the package depends on.
 */
@RunWith(SideBySide.class)
public class DebianPackageIT {
  @ClassRule
  public static final TemporaryFolder folder = new TemporaryFolder();

  private static final Path DEB = Path.of(System.getProperty("deb.file"));
  private static final boolean HADOOP_3_5 = DEB.toString().contains("-hadoop-3.5_");

  private static final String IN_AN_OVERLAY = """
    mount -t tmpfs tmpfs "$0/machine"
    cd "$0/machine"
    mkdir upper work root
    mount -t overlay -o lowerdir=/,upperdir=upper,workdir=work overlay root
    mount --rbind /proc root/proc
    mount --rbind /dev root/dev
    mount --bind "$0/packages" root/mnt
    : > root/var/lib/dpkg/status
    cd /
    exec chroot "$0/machine/root" bash -euc "$1" bash "$2"
    """;

  /** Packages without the jars, the second of them the next version with its own configuration. */
  private static final String SMALL_PACKAGES = """
    mkdir "$0/machine" "$0/packages"
    cp "$1" "$0/packages/hbase-strata.deb"
    cd "$0"
    dpkg-deb -R "$1" small
    rm -r small/opt/hbase-strata/lib
    dpkg-deb -Znone -b small packages/small.deb
    sed -i 's/^Version: .*/&.1/' small/DEBIAN/control
    echo '# next' | tee -a small/etc/hbase/conf/hbase-env.sh >> small/etc/hbase/conf/regionservers
    dpkg-deb -Znone -b small packages/next.deb
    rm -r small
    """;

  @BeforeClass
  public static void buildPackages() throws Exception {
    assumeFalse("there is a package with -Ddeb.skip=false only", Boolean.getBoolean("deb.skip"));
    assumeTrue("needs Debian", Files.isExecutable(Path.of("/usr/bin/dpkg-deb")));
    assumeTrue("needs root", "root".equals(System.getProperty("user.name")));
    Result built = Packages.run(DEB.getParent(), "bash", "-euc", SMALL_PACKAGES,
      folder.getRoot().toString(), DEB.toString());
    assertThat(built.exitCode()).as(built.output()).isZero();
    for (int jdk : new int[] { 11, 17, 25 }) {
      buildStandIn("jdk-" + jdk, jdk, ", bash, passwd, procps");
    }
    buildStandIn("no-procps", 17, ", bash, passwd");
    assumeTrue("needs the right to mount", onMachine("true").exitCode() == 0);
  }

  @Test
  public void versionTellsTheFlavourAndIsBelowTheNextRelease() throws Exception {
    String version =
      Packages.VERSION.replace('-', '+') + (HADOOP_3_5 ? "+hadoop3.5" : "");
    assertThat(succeed("dpkg-deb -f /mnt/hbase-strata.deb Version").trim()).isEqualTo(version);
    succeed("dpkg --compare-versions " + version + " lt "
      + version.replaceFirst("strata\\.(\\d+).*", "strata.1$1"));
  }

  @Test
  public void installsWhatItSays() throws Exception {
    String output = succeed("""
      dpkg -i /mnt/jdk-17.deb /mnt/hbase-strata.deb
      getent passwd hbase
      stat -c '%a %U:%G %n' /var/lib/hbase /var/log/hbase
      readlink /opt/hbase-strata/conf /opt/hbase-strata/data /opt/hbase-strata/logs
      ls /etc/hbase/conf/hbase-site.xml /etc/hbase/conf/profiles/ssd.xml
      ls /opt/hbase-strata/docs/operators-guide.md
      cd /
      runuser -u hbase -- env JAVA_HOME="$1" hbase version
      """);
    assertThat(output).containsPattern("hbase:x:.*:/var/lib/hbase:/usr/sbin/nologin")
      .contains("750 hbase:hbase /var/lib/hbase", "750 hbase:hbase /var/log/hbase")
      .contains("/etc/hbase/conf\n/var/lib/hbase\n/var/log/hbase\n")
      .contains("HBase " + Packages.VERSION);
  }

  /** As of LDAP, or of another package. */
  @Test
  public void aGroupOrAUserThatIsThereIsUsed() throws Exception {
    String state = """
      dpkg -i /mnt/jdk-17.deb /mnt/small.deb
      stat -c '%U:%G' /var/lib/hbase
      id -gn hbase
      grep -c ^Group= /usr/lib/systemd/system/hbase-*.service || true
      """;
    assertThat(succeed("groupadd --system hbase\n" + state)).contains("hbase:hbase\nhbase\n");
    assertThat(succeed("groupadd data; useradd --gid data hbase\n" + state))
      .contains("hbase:data\ndata\n").contains("master.service:0\n", "regionserver.service:0\n");
  }

  @Test
  public void unitsAreValidAndKeepTheModesOfTheFolders() throws Exception {
    String output = succeed("""
      dpkg -i /mnt/jdk-17.deb /mnt/hbase-strata.deb
      cd /usr/lib/systemd/system
      grep -H DirectoryMode hbase-master.service hbase-regionserver.service
      if command -v systemd-analyze > /dev/null; then
        systemd-analyze verify "$PWD/hbase-master.service" "$PWD/hbase-regionserver.service"
      fi
      """);
    for (String unit : new String[] { "hbase-master.service", "hbase-regionserver.service" }) {
      assertThat(output).contains(unit + ":LogsDirectoryMode=0750",
        unit + ":StateDirectoryMode=0750");
    }
  }

  @Test
  public void upgradeKeepsWhatWasChanged() throws Exception {
    String output = succeed("""
      dpkg -i /mnt/jdk-17.deb /mnt/small.deb
      cd /etc/hbase/conf
      echo '<!-- mine -->' >> hbase-site.xml
      echo '# mine' >> hbase-env.sh
      chmod 0755 /var/lib/hbase
      dpkg --force-confdef -i /mnt/next.deb
      tail -qn 1 hbase-site.xml hbase-env.sh hbase-env.sh.dpkg-dist regionservers
      stat -c '%a %n' /var/lib/hbase
      """);
    assertThat(output).endsWith("<!-- mine -->\n# mine\n# next\n# next\n755 /var/lib/hbase\n");
  }

  @Test
  public void removeAndPurgeKeepData() throws Exception {
    String output = succeed("""
      dpkg -i /mnt/jdk-17.deb /mnt/small.deb
      touch /var/lib/hbase/data /var/log/hbase/log
      dpkg -r hbase-strata
      ls -d /etc/hbase/conf/hbase-site.xml
      [ ! -e /opt/hbase-strata ]
      dpkg -P hbase-strata
      [ ! -e /etc/hbase ]
      [ ! -e /usr/lib/systemd/system/hbase-master.service ]
      ls /var/lib/hbase/data /var/log/hbase/log
      getent passwd hbase
      """);
    assertThat(output).contains("/etc/hbase/conf/hbase-site.xml", "are kept",
      "/var/lib/hbase/data\n", "/var/log/hbase/log\nhbase:x:");
  }

  @Test
  public void anUnpackedTarballInItsPlaceIsRefused() throws Exception {
    assertThat(fail("""
      mkdir -p /opt/hbase-strata-1/conf
      ln -s hbase-strata-1 /opt/hbase-strata
      dpkg -i /mnt/jdk-17.deb /mnt/small.deb
      """)).contains("/opt/hbase-strata is a link, to hbase-strata-1", "rm /opt/hbase-strata");
    assertThat(fail("""
      mkdir -p /opt/hbase-strata/conf
      dpkg -i /mnt/jdk-17.deb /mnt/small.deb
      """)).contains("/opt/hbase-strata/conf is a folder", "move it");
  }

  @Test
  public void dependsOnWhatItsScriptsRun() throws Exception {
    assertThat(fail("dpkg -i /mnt/no-procps.deb /mnt/small.deb")).contains("depends on procps");
  }

  @Test
  public void dependsOnAJavaThatItRunsOn() throws Exception {
    String tooOld = "dpkg -i /mnt/jdk-11.deb /mnt/small.deb";
    String tooNew = "dpkg -i /mnt/jdk-25.deb /mnt/small.deb";
    succeed("dpkg -i /mnt/jdk-17.deb /mnt/small.deb");
    succeed(HADOOP_3_5 ? tooNew : tooOld);
    assertThat(fail(HADOOP_3_5 ? tooOld : tooNew)).contains("depends on")
      .contains("runtime-headless");
  }

  /** A package that provides a JDK as Debian's do, and other packages. */
  private static void buildStandIn(String name, int jdk, String others) throws Exception {
    String provides = IntStream.rangeClosed(8, jdk).mapToObj(older -> ", java" + older
      + "-runtime-headless").collect(Collectors.joining());
    Path control = Files.createDirectories(folder.getRoot().toPath().resolve(name + "/DEBIAN"))
      .resolve("control");
    Files.writeString(control, """
      Package: stand-in
      Version: 1
      Architecture: all
      Maintainer: nobody
      Provides: java-runtime-headless (= %d)%s%s
      Description: stand-in
      """.formatted(jdk, provides, others));
    Result built = Packages.run(folder.getRoot().toPath(), "dpkg-deb", "-b", name,
      "packages/" + name + ".deb");
    assertThat(built.exitCode()).as(built.output()).isZero();
  }

  private static String succeed(String script) throws Exception {
    Result result = onMachine(script);
    assertThat(result.exitCode()).as(result.output()).isZero();
    return result.output();
  }

  private static String fail(String script) throws Exception {
    Result result = onMachine(script);
    assertThat(result.exitCode()).as(result.output()).isNotZero();
    return result.output();
  }

  private static Result onMachine(String script) throws IOException, InterruptedException {
    return Packages.run(folder.getRoot().toPath(), "unshare", "--mount", "--propagation", "private",
      "bash", "-euc", IN_AN_OVERLAY, folder.getRoot().toString(), script,
      System.getProperty("java.home"));
  }
}
