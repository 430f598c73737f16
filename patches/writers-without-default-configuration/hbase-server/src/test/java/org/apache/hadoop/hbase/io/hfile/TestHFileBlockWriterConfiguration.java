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
package org.apache.hadoop.hbase.io.hfile;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;

import java.util.Properties;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Which configuration the predictor of a writer's compressed sizes gets. */
@Category({ IOTests.class, SmallTests.class })
public class TestHFileBlockWriterConfiguration {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestHFileBlockWriterConfiguration.class);

  /** The setting is read by name only, as is one of a table. */
  private static final String KEY = "test.of.the.table";

  /** Keeps the configuration that it is made with. */
  public static class Predicator extends UncompressedBlockSizePredicator implements Configurable {

    private static Configuration given;

    @Override
    public void setConf(Configuration conf) {
      given = conf;
    }

    @Override
    public Configuration getConf() {
      return given;
    }
  }

  /** A store's configuration that says whether resources were parsed for it. */
  private static class StoreConfiguration extends CompoundConfiguration {

    private boolean parsed;

    @Override
    protected synchronized Properties getProps() {
      parsed = true;
      return super.getProps();
    }
  }

  private static Configuration given(Configuration conf) {
    new HFileBlock.Writer(conf, null, new HFileContextBuilder().build());
    return Predicator.given;
  }

  private static Configuration server() {
    Configuration server = new Configuration(false);
    server.setClass(BlockCompressedSizePredicator.BLOCK_COMPRESSED_SIZE_PREDICATOR,
      Predicator.class, BlockCompressedSizePredicator.class);
    return server;
  }

  @Test
  public void aStoresConfigurationIsGivenWithoutAParse() {
    StoreConfiguration store = new StoreConfiguration();
    Configuration table = new Configuration(false);
    table.set(KEY, "value");
    store.add(server()).add(table);
    assertSame(store, given(store));
    assertEquals("value", Predicator.given.get(KEY));
    assertFalse("resources were parsed for the store", store.parsed);
  }

  @Test
  public void anyOtherConfigurationIsCopied() {
    Configuration conf = server();
    conf.set(KEY, "value");
    assertNotSame(conf, given(conf));
    assertEquals("value", Predicator.given.get(KEY));
  }
}
