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
package org.apache.hadoop.hbase.master.procedure;

import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.Stubs;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.testclassification.MasterTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * Changes of a table with coprocessors that don't reopen its regions. Without the change each of
 * them is refused.
 */
@Category({ MasterTests.class, SmallTests.class })
public class TestAlterWithoutReopening {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestAlterWithoutReopening.class);

  private static final Configuration CONF = HBaseConfiguration.create();

  private static final class Environment extends MasterProcedureEnv {
    Environment() {
      super(Stubs.of(MasterServices.class, "getConfiguration", CONF, "isClusterUp", true), null);
    }

    @Override
    public User getRequestUser() {
      return User.createUserForTesting(CONF, "user", new String[0]);
    }
  }

  private static TableDescriptorBuilder table() {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
      .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"));
  }

  private static TableDescriptorBuilder table(String... coprocessors) throws IOException {
    TableDescriptorBuilder table = table();
    for (String coprocessor : coprocessors) {
      table.setCoprocessor(coprocessor);
    }
    return table;
  }

  private static void alter(TableDescriptor from, TableDescriptor to) throws IOException {
    new ModifyTableProcedure(new Environment(), to, null, from, false, false);
  }

  private static void assertRefused(TableDescriptor from, TableDescriptor to) {
    HBaseIOException refused = assertThrows(HBaseIOException.class, () -> alter(from, to));
    assertTrue(refused.getMessage(), refused.getMessage().contains("Coprocessor"));
  }

  @Test
  public void aTableWithCoprocessorsMayBeAltered() throws IOException {
    alter(table("a.A", "b.B").build(), table("a.A", "b.B").setMaxFileSize(1_000_000).build());
    CoprocessorDescriptorBuilder coprocessor = CoprocessorDescriptorBuilder.newBuilder("a.A")
      .setJarPath("/a.jar").setPriority(7).setProperty("key", "value");
    alter(table().setCoprocessor(coprocessor.build()).build(),
      table().setCoprocessor(coprocessor.build()).setMaxFileSize(1_000_000).build());
  }

  @Test
  public void theOrderOfCoprocessorsDoesNotMatter() throws IOException {
    alter(table("a.A", "b.B").build(), table("b.B", "a.A").build());
  }

  @Test
  public void coprocessorsMayNotBeAddedOrRemoved() throws IOException {
    assertRefused(table().build(), table("a.A").build());
    assertRefused(table("a.A", "b.B").build(), table("b.B").build());
  }

  @Test
  public void noPartOfACoprocessorMayChange() throws IOException {
    CoprocessorDescriptorBuilder coprocessor = CoprocessorDescriptorBuilder.newBuilder("a.A")
      .setJarPath("/a.jar").setPriority(7).setProperty("key", "value");
    TableDescriptor before = table().setCoprocessor(coprocessor.build()).build();
    assertRefused(before, table("b.B").build());
    assertRefused(before,
      table().setCoprocessor(coprocessor.setJarPath("/b.jar").build()).build());
    coprocessor.setJarPath("/a.jar");
    assertRefused(before, table().setCoprocessor(coprocessor.setPriority(8).build()).build());
    coprocessor.setPriority(7);
    assertRefused(before,
      table().setCoprocessor(coprocessor.setProperty("key", "other").build()).build());
  }
}
