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
package org.apache.hadoop.hbase.regionserver;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CleanupBulkLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.PrepareBulkLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;

/**
 * What the end of a bulk load deletes. Without the change that is whatever the client names, the
 * root folder among it.
 */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestBulkLoadFolders {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestBulkLoadFolders.class);

  private static final TableName TABLE = TableName.valueOf("t");

  private final HBaseTestingUtility util = new HBaseTestingUtility();
  private final Configuration conf = util.getConfiguration();
  private final Path root = util.getDataTestDir();
  private FileSystem fs;
  private Path staging;
  private HRegion region;
  private SecureBulkLoadManager bulkLoads;

  @Before
  public void start() throws IOException {
    fs = root.getFileSystem(conf);
    CommonFSUtils.setRootDir(conf, root);
    staging = new Path(root, HConstants.BULKLOAD_STAGING_DIR_NAME);
    region = HBaseTestingUtility.createRegionAndWAL(RegionInfoBuilder.newBuilder(TABLE).build(),
      root, conf, TableDescriptorBuilder.newBuilder(TABLE)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f")).build());
    region.setCoprocessorHost(new RegionCoprocessorHost(region, null, conf));
    bulkLoads = new SecureBulkLoadManager(conf, null);
    bulkLoads.start();
  }

  @After
  public void stop() throws IOException {
    HBaseTestingUtility.closeRegionAndWAL(region);
    util.cleanupTestDir();
  }

  private RegionSpecifier specifier() {
    return RequestConverter.buildRegionSpecifier(RegionSpecifierType.REGION_NAME,
      region.getRegionInfo().getRegionName());
  }

  private String prepare() throws IOException {
    return bulkLoads.prepareBulkLoad(region, PrepareBulkLoadRequest.newBuilder()
      .setTableName(ProtobufUtil.toProtoTableName(TABLE)).setRegion(specifier()).build());
  }

  private void cleanUp(String token) throws IOException {
    bulkLoads.cleanupBulkLoad(region,
      CleanupBulkLoadRequest.newBuilder().setBulkToken(token).setRegion(specifier()).build());
  }

  @Test
  public void theFolderOfABulkLoadIsDeleted() throws IOException {
    String token = prepare();
    Path family = new Path(token, "f");
    assertTrue(fs.mkdirs(family));
    cleanUp(token);
    assertFalse(fs.exists(new Path(token)));
    assertTrue(fs.exists(staging));
    // A client tries again if it had no answer.
    cleanUp(token);
  }

  @Test
  public void aFolderWithoutItsFileSystemIsDeleted() throws IOException {
    Path folder = new Path(prepare());
    cleanUp(Path.getPathWithoutSchemeAndAuthority(folder).toString());
    assertFalse(fs.exists(folder));
  }

  @Test
  public void nothingElseIsDeleted() throws IOException {
    String token = prepare();
    Path family = new Path(token, "f");
    assertTrue(fs.mkdirs(family));
    for (String other : Arrays.asList(family.toString(), staging.toString(), staging + "/",
      token + "/..", token + "/../..", token + "/../../data", root.toString(), root + "/data", "/",
      "", ".", "..", "a", "a:b", root.toUri().getPath() + "/data",
      "hdfs://other:8020" + staging + "/a")) {
      assertThrows(other, DoNotRetryIOException.class, () -> cleanUp(other));
      assertTrue(other, fs.exists(family));
      assertTrue(other, fs.exists(new Path(root, "data")));
    }
  }
}
