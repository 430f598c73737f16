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
package org.apache.hadoop.hbase.filter;

import static org.junit.Assert.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.filter.Filter.ReturnCode;
import org.apache.hadoop.hbase.testclassification.FilterTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * FuzzyRowFilter as on a platform without Unsafe: its class is loaded again, with another in place
 * of that which asks the platform. On 2.6.4 no row fitted there but those with the bytes that stand
 * for any.
 */
@Category({ FilterTests.class, SmallTests.class })
public class TestFuzzyRowsWithoutUnsafe {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestFuzzyRowsWithoutUnsafe.class);

  private static final String FILTER = FuzzyRowFilter.class.getName();
  private static final String ASKED = "org/apache/hadoop/hbase/unsafe/HBasePlatformDependent";
  /** Has a name that is as long. */
  private static final String ASKED_INSTEAD =
    PlatformsWithoutUnsafe.class.getName().replace('.', '/');

  /** Loads the filter and its nested classes itself. */
  private static final class Loader extends ClassLoader {
    Loader(ClassLoader parent) {
      super(parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(FILTER)) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      byte[] bytes = read(name.replace('.', '/') + ".class");
      replace(bytes, ASKED.getBytes(StandardCharsets.US_ASCII),
        ASKED_INSTEAD.getBytes(StandardCharsets.US_ASCII));
      return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] read(String file) throws ClassNotFoundException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (InputStream in = getParent().getResourceAsStream(file)) {
        for (int next = in.read(); next >= 0; next = in.read()) {
          bytes.write(next);
        }
      } catch (IOException e) {
        throw new ClassNotFoundException(file, e);
      }
      return bytes.toByteArray();
    }

    private static void replace(byte[] bytes, byte[] what, byte[] with) {
      assertEquals(what.length, with.length);
      for (int i = 0; i <= bytes.length - what.length; i++) {
        if (Bytes.equals(bytes, i, what.length, what, 0, what.length)) {
          System.arraycopy(with, 0, bytes, i, with.length);
        }
      }
    }
  }

  /** @param rule a byte of ? may be any */
  private static Filter filter(String rule) throws ReflectiveOperationException {
    byte[] key = Bytes.toBytes(rule);
    byte[] mask = new byte[key.length];
    for (int i = 0; i < key.length; i++) {
      mask[i] = (byte) (key[i] == '?' ? 1 : 0);
    }
    Loader loader = new Loader(FuzzyRowFilter.class.getClassLoader());
    return (Filter) loader.loadClass(FILTER).getConstructor(List.class)
      .newInstance(Collections.singletonList(new Pair<>(key, mask)));
  }

  private static boolean fits(Filter filter, String row) {
    try {
      filter.reset();
      byte[] bytes = Bytes.toBytes(row);
      return filter.filterCell(new KeyValue(bytes, bytes, bytes)) == ReturnCode.INCLUDE;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  public void theRowsThatFitAreFound() throws Exception {
    List<String> rows = Arrays.asList("aaa-x-2020", "abc-x-2021", "abc-y-2021", "abd-x-2021-1");
    Filter filter = filter("a??-x-????");
    for (int time = 0; time < 2; time++) {
      assertEquals(Arrays.asList("aaa-x-2020", "abc-x-2021", "abd-x-2021-1"),
        rows.stream().filter(row -> fits(filter, row)).collect(Collectors.toList()));
    }
  }

  @Test
  public void theMaskThatAServerGetsIsThatOfOtherPlatforms() throws Exception {
    Filter other = new FuzzyRowFilter(Collections
      .singletonList(new Pair<>(Bytes.toBytes("a??"), new byte[] { 0, 1, 1 })));
    assertEquals(Bytes.toStringBinary(other.toByteArray()),
      Bytes.toStringBinary(filter("a??").toByteArray()));
  }
}
