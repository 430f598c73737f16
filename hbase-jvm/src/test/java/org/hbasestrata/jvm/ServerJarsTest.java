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

import java.io.File;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

public class ServerJarsTest {
  /** Loads the classes of this module, and those of HBase except the ones that only ours has. */
  private static final class UpstreamsJars extends URLClassLoader {
    private static final List<String> OURS =
      Arrays.asList("SettingsCheck", "CompositeBucketCacheSettings", "BucketCacheTierSettings",
        "BufferPoolSettings", "DirectFileIOEngine");

    private UpstreamsJars() throws Exception {
      super(classPath(), ClassLoader.getSystemClassLoader().getParent());
    }

    private static URL[] classPath() throws Exception {
      List<URL> urls = new ArrayList<>();
      for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
        urls.add(new File(path).toURI().toURL());
      }
      return urls.toArray(new URL[0]);
    }

    private static boolean isOurs(String name) {
      return OURS.stream().anyMatch(ours -> name.matches(".*[./]" + ours + "([$.].*)?"));
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (isOurs(name)) {
        throw new ClassNotFoundException(name);
      }
      return super.findClass(name);
    }

    @Override
    public URL findResource(String name) {
      return isOurs(name) ? null : super.findResource(name);
    }
  }

  @Test
  public void ourJarsAreKnown() {
    assertThat(ServerJars.haveOurSettings()).isTrue();
  }

  @Test
  public void upstreamsJarsHaveAPlanToo() throws Exception {
    try (UpstreamsJars jars = new UpstreamsJars()) {
      Class<?> configuration = jars.loadClass(Configuration.class.getName());
      Object conf = configuration.getConstructor(boolean.class).newInstance(false);
      configuration.getMethod("set", String.class, String.class).invoke(conf,
        "hbase.bucketcache.ioengine", "offheap");
      configuration.getMethod("set", String.class, String.class).invoke(conf,
        "hbase.bucketcache.size", "100");
      Constructor<?> use =
        jars.loadClass(OffHeapUse.class.getName()).getDeclaredConstructor(configuration);
      use.setAccessible(true);
      assertThat(use.newInstance(conf)).hasToString("block cache 100 MB (hbase.bucketcache.size),"
        + " buffers 119 MB (hbase.server.allocator.max.buffer.count)");
    }
  }
}
