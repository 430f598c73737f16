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
package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;

import java.io.File;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** Checksums of two caches' files are computed at the same time, as by the tiers of a server. */
@Category({ IOTests.class, SmallTests.class })
public class TestPersistentIOEngineChecksum {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestPersistentIOEngineChecksum.class);

  private static final String ALGORITHM = "MD5";
  private static final int[] FILE_SIZES = { 4096, 1 << 20 };
  private static final int ROUNDS = 30;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  /** Of a file that exists already, so that nothing changes it. */
  private PersistentIOEngine engine(int fileSize) throws Exception {
    File file = folder.newFile();
    Files.write(file.toPath(), new byte[fileSize]);
    return new FileIOEngine(fileSize, true, file.toString());
  }

  @Test
  public void eachIsOfItsOwnFiles() throws Exception {
    List<PersistentIOEngine> engines = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int size : FILE_SIZES) {
      engines.add(engine(size));
      expected.add(Bytes.toHex(engines.get(engines.size() - 1).calculateChecksum(ALGORITHM)));
    }
    assertNotEquals(expected.get(0), expected.get(1));
    CyclicBarrier together = new CyclicBarrier(engines.size());
    ExecutorService threads = Executors.newFixedThreadPool(engines.size());
    try {
      List<Future<List<String>>> computed = new ArrayList<>();
      for (PersistentIOEngine engine : engines) {
        computed.add(threads.submit(() -> {
          List<String> checksums = new ArrayList<>();
          for (int i = 0; i < ROUNDS; i++) {
            together.await();
            checksums.add(Bytes.toHex(engine.calculateChecksum(ALGORITHM)));
          }
          return checksums;
        }));
      }
      for (int i = 0; i < engines.size(); i++) {
        for (String checksum : computed.get(i).get()) {
          assertEquals(expected.get(i), checksum);
        }
      }
    } finally {
      threads.shutdownNow();
      engines.forEach(IOEngine::shutdown);
    }
  }
}
