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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What the patched jars of this process say of themselves: their version, upstream's version and
 * the patches (JIRA numbers) that they carry. Each patched jar holds this as properties below
 * {@code META-INF/patch-level}; an upstream jar has none. Immutable.
 */
@InterfaceAudience.Private
public final class PatchLevel {
  private static final String FOLDER = "META-INF/patch-level/";

  /** The patched modules, each with a class file that upstream's jar of it holds as well. */
  private static final Map<String, String> MODULES = new LinkedHashMap<>();
  static {
    MODULES.put("hbase-common", "org/apache/hadoop/hbase/util/VersionInfo.class");
    MODULES.put("hbase-client", "org/apache/hadoop/hbase/client/ConnectionFactory.class");
    MODULES.put("hbase-server", "org/apache/hadoop/hbase/regionserver/HRegionServer.class");
  }

  private static final PatchLevel CURRENT = read(PatchLevel.class.getClassLoader());

  private final List<Jar> jars;
  private final Jar common;

  private PatchLevel(List<Jar> jars) {
    this.jars = Collections.unmodifiableList(jars);
    this.common = jars.stream().filter(Jar::isPatched).findFirst()
      .orElseThrow(() -> new IllegalStateException("No patched HBase jar on the class path"));
  }

  /** Returns the patch level of the jars that this class was loaded with */
  public static PatchLevel current() {
    return CURRENT;
  }

  /** Returns the version of the patched jars, e.g. 2.6.4-strata.1 */
  public String getVersion() {
    return common.get("version");
  }

  /** Returns the version of the upstream jars that they are made from, e.g. 2.6.4-hadoop3 */
  public String getUpstreamVersion() {
    return common.get("upstream");
  }

  /** Returns the patches' titles by JIRA number */
  public SortedMap<String, String> getPatches() {
    SortedMap<String, String> patches = new TreeMap<>();
    jars.stream().filter(Jar::isPatched).forEach(jar -> patches.putAll(jar.patches()));
    return patches;
  }

  /** Returns the files that were found, as {@code file (version)} */
  public List<String> getJars() {
    List<String> names = new ArrayList<>();
    jars.forEach(jar -> names.add(jar.toString()));
    return names;
  }

  /** Returns upstream's version and the patches, for people */
  @Override
  public String toString() {
    return "Apache HBase " + getUpstreamVersion() + " with " + String.join(", ",
      getPatches().keySet());
  }

  /**
   * Makes sure that all jars on the class path that should be patched are, and to the same level.
   * Mixed jars would fail later, at some call from one into another.
   * @throws IllegalStateException if they aren't; names the files
   */
  public void verify() {
    for (Jar jar : jars) {
      if (!Objects.equals(jar.get("version"), getVersion())) {
        throw new IllegalStateException("HBase jars that don't belong together are on the class"
          + " path: " + common + " and " + jar + ". Remove the one that should not be there.");
      }
    }
  }

  /**
   * Reads the patch level of the jars that a class loader sees.
   * @throws UncheckedIOException  if a jar can't be read
   * @throws IllegalStateException if none of them is patched
   */
  static PatchLevel read(ClassLoader loader) {
    List<Jar> jars = new ArrayList<>();
    for (Map.Entry<String, String> module : MODULES.entrySet()) {
      try {
        for (URL marker : Collections.list(loader.getResources(module.getValue()))) {
          jars.add(new Jar(module.getKey(), marker, module.getValue()));
        }
      } catch (IOException e) {
        throw new UncheckedIOException("Can't read the patch level of " + module.getKey(), e);
      }
    }
    return new PatchLevel(jars);
  }

  /** One of the patched modules as found on the class path: a jar, or a folder of classes. */
  private static final class Jar {
    private final String file;
    private final Properties level;

    Jar(String module, URL marker, String markerName) throws IOException {
      String root = marker.toExternalForm().substring(0,
        marker.toExternalForm().length() - markerName.length());
      String location = root.replaceFirst("^(jar:)?file:", "").replaceFirst("!?/$", "");
      this.file = URLDecoder.decode(location.replace("+", "%2B"), StandardCharsets.UTF_8.name());
      this.level = load(new URL(root + FOLDER + module + ".properties"));
    }

    /** Returns null if the jar doesn't have them */
    private static Properties load(URL url) throws IOException {
      URLConnection connection = url.openConnection();
      connection.setUseCaches(false);
      try (InputStream in = connection.getInputStream()) {
        Properties properties = new Properties();
        properties.load(new InputStreamReader(in, StandardCharsets.UTF_8));
        return properties;
      } catch (FileNotFoundException e) {
        return null;
      }
    }

    boolean isPatched() {
      return level != null;
    }

    String get(String key) {
      return isPatched() ? level.getProperty(key) : null;
    }

    Map<String, String> patches() {
      Map<String, String> titles = new TreeMap<>();
      for (String id : get("patches").split(",")) {
        titles.put(id, get(id));
      }
      return titles;
    }

    @Override
    public String toString() {
      return file + " (" + (isPatched() ? get("version") : "upstream's") + ")";
    }
  }
}
