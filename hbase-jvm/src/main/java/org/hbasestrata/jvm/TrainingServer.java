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

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.master.HMaster;

/**
 * For bin/jvm-train: a standalone server whose JVM makes an archive when it ends. Its class path
 * has no conf/, since no archive is made of one that has a folder on it.
 * <p>
 * It also loads what a server on HDFS uses and one on the local file system doesn't, so that the
 * archive has these classes as well.
 */
public final class TrainingServer {
  /** Classes by the jar that they are in. */
  private static final Pattern JARS =
    Pattern.compile(".*/(hadoop-hdfs-client|hbase-asyncfs)-\\d.*\\.jar");
  private static final Pattern CLASSES = Pattern.compile("[\\w/$]+\\.class");

  private TrainingServer() {
  }

  /** @param args the site file that is the server's configuration, and HMaster's arguments */
  public static void main(String[] args) {
    Thread loader = new Thread(TrainingServer::loadClasses, "class-loader");
    loader.setDaemon(true);
    loader.start();
    String[] more = new String[args.length + 1];
    more[0] = "-conf";
    System.arraycopy(args, 0, more, 1, args.length);
    HMaster.main(more);
  }

  private static void loadClasses() {
    for (String jar : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (JARS.matcher(jar).matches()) {
        try (JarFile file = new JarFile(Paths.get(jar).toFile())) {
          for (JarEntry entry : Collections.list(file.entries())) {
            load(entry.getName());
          }
        } catch (IOException e) {
          throw new UncheckedIOException(jar, e);
        }
      }
    }
  }

  private static void load(String entry) {
    if (CLASSES.matcher(entry).matches()) {
      String name = entry.substring(0, entry.length() - ".class".length()).replace('/', '.');
      try {
        Class.forName(name, false, TrainingServer.class.getClassLoader());
      } catch (ClassNotFoundException | LinkageError e) {
        // It needs another library, so no server uses it here.
      }
    }
  }
}
