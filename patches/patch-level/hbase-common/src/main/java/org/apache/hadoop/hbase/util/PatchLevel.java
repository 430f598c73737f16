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
package org.apache.hadoop.hbase.util;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Version;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The patch level of this process's HBase jars: their version, the upstream version, and the
 * patches (JIRA numbers) in them. Each patched jar has it as properties below
 * {@code META-INF/patch-level}; an upstream jar has none. If that folder is missing, for example
 * after jars were merged into one, the level is upstream's. Immutable.
 */
@InterfaceAudience.Private
public final class PatchLevel {
  private static final Logger LOG = LoggerFactory.getLogger(PatchLevel.class);
  private static final String FOLDER = "META-INF/patch-level/";

  /** The patched modules, each with a class file that is in the upstream jar, too. */
  private static final Map<String, String> MODULES = new LinkedHashMap<>();
  static {
    MODULES.put("hbase-common", "org/apache/hadoop/hbase/util/VersionInfo.class");
    MODULES.put("hbase-client", "org/apache/hadoop/hbase/client/ConnectionFactory.class");
    MODULES.put("hbase-server", "org/apache/hadoop/hbase/regionserver/HRegionServer.class");
  }

  /** HBASE-9 before HBASE-10. */
  private static final Comparator<String> BY_NUMBER =
    Comparator.<String, String>comparing(id -> id.replaceFirst("[0-9]+$", ""))
      .thenComparingInt(String::length).thenComparing(Comparator.naturalOrder());

  private static final PatchLevel CURRENT = read(PatchLevel.class.getClassLoader());

  private final List<Jar> jars;

  private PatchLevel(List<Jar> jars) {
    this.jars = Collections.unmodifiableList(jars);
  }

  /** Returns the patch level of the jars that this class was loaded with. */
  public static PatchLevel current() {
    return CURRENT;
  }

  /** Returns the version of the patched jars, such as 2.6.4-strata.1. */
  public String getVersion() {
    return get("version");
  }

  /** Returns the version of the upstream jars that they are made from, such as 2.6.4-hadoop3. */
  public String getUpstreamVersion() {
    return get("upstream");
  }

  private String get(String key) {
    return jars.stream().filter(Jar::isPatched).map(jar -> jar.get(key)).findFirst()
      .orElse(Version.version);
  }

  /**
   * Returns the titles of the patches by JIRA number, in numeric order. It is a LinkedHashMap,
   * since JMX can't show a sorted map that has a comparator of its own.
   */
  public Map<String, String> getPatches() {
    SortedMap<String, String> patches = new TreeMap<>(BY_NUMBER);
    jars.stream().filter(Jar::isPatched).forEach(jar -> patches.putAll(jar.patches()));
    return new LinkedHashMap<>(patches);
  }

  /** Returns the jars that were found, as {@code file (version)}. */
  public List<String> getJars() {
    List<String> names = new ArrayList<>();
    jars.forEach(jar -> names.add(jar.toString()));
    return names;
  }

  /** Returns the upstream version and the patches, for people to read. */
  @Override
  public String toString() {
    return "Apache HBase " + getUpstreamVersion() + " with "
      + (getPatches().isEmpty() ? "no patches" : String.join(", ", getPatches().keySet()));
  }

  /**
   * Checks that all jars on the class path that should be patched are, and have the same level. For
   * servers, since the operator controls their class path.
   * @throws IllegalStateException if they differ; the message names the files
   */
  public void verify() {
    for (Jar jar : jars) {
      if (!jar.isOfLevel(jars.get(0))) {
        throw new IllegalStateException(contradiction(jars.get(0), jar));
      }
    }
  }

  /**
   * Checks that the jars that classes are loaded from have the same level. For clients, since
   * others put their class paths together, and a copy that no class is loaded from does no harm.
   * @throws IllegalStateException if they differ; the message names the files
   */
  public void verifyLoaded() {
    for (Jar jar : jars) {
      if (jar.loaded && !jar.isOfLevel(jars.get(0))) {
        throw new IllegalStateException(contradiction(jars.get(0), jar));
      }
    }
  }

  private static String contradiction(Jar one, Jar other) {
    return "HBase jars that don't belong together are on the class path: " + one + " and " + other
      + ". Remove the one that should not be there.";
  }

  /** Reads the patch level of the jars that a class loader sees. */
  static PatchLevel read(ClassLoader loader) {
    List<Jar> jars = new ArrayList<>();
    for (Map.Entry<String, String> module : MODULES.entrySet()) {
      try {
        boolean loaded = true;
        for (URL marker : Collections.list(loader.getResources(module.getValue()))) {
          jars.add(new Jar(module.getKey(), marker, module.getValue(), loaded));
          loaded = false;
        }
      } catch (IOException e) {
        LOG.warn("Can't read the patch level of {}; it is left out", module.getKey(), e);
      }
    }
    return new PatchLevel(jars);
  }

  /** One of the patched modules as found on the class path: a jar, or a folder of classes. */
  private static final class Jar {
    private final String file;
    private final Properties level;
    private final boolean loaded;

    /** @param loaded whether classes are loaded from here; false if another copy precedes it */
    Jar(String module, URL marker, String markerName, boolean loaded) throws IOException {
      String root = marker.toExternalForm().substring(0,
        marker.toExternalForm().length() - markerName.length());
      this.file = name(root.replaceFirst("^(jar:)?file:", "").replaceFirst("!?/$", ""));
      String upToRoot = markerName.replaceAll("[^/]*/", "../").replaceAll("[^/]*$", "");
      this.level = load(new URL(marker, upToRoot + FOLDER + module + ".properties"));
      this.loaded = loaded;
    }

    private static String name(String location) {
      try {
        return URLDecoder.decode(location.replace("+", "%2B"), StandardCharsets.UTF_8.name());
      } catch (IOException | IllegalArgumentException e) {
        return location;
      }
    }

    /** Returns the patch level, or null if the jar has none. */
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

    boolean isOfLevel(Jar other) {
      return Objects.equals(get("version"), other.get("version"));
    }

    String get(String key) {
      return isPatched() ? level.getProperty(key) : null;
    }

    Map<String, String> patches() {
      Map<String, String> titles = new HashMap<>();
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
