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
package org.apache.hadoop.hbase.quotas;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;

import java.util.Collections;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.Stubs;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.quotas.SpaceQuotaSnapshot.SpaceQuotaStatus;
import org.apache.hadoop.hbase.quotas.policies.MissingSnapshotViolationPolicyEnforcement;
import org.apache.hadoop.hbase.quotas.policies.NoInsertsViolationPolicyEnforcement;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** What writes are checked by, with space quotas and without. */
@Category(SmallTests.class)
public class TestNoSpaceQuotas {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestNoSpaceQuotas.class);

  private static final TableName TABLE = TableName.valueOf("t");
  private static final TableName OTHER = TableName.valueOf("u");

  private final RegionServerSpaceQuotaManager manager =
    new RegionServerSpaceQuotaManager(Stubs.of(RegionServerServices.class));

  @Test
  public void withoutQuotasNothingIsMadeForAWrite() {
    ActivePolicyEnforcement none = manager.getActiveEnforcements();
    assertSame(none, manager.getActiveEnforcements());
    assertSame(MissingSnapshotViolationPolicyEnforcement.getInstance(),
      none.getPolicyEnforcement(TABLE));
    assertEquals(Collections.emptyMap(), none.getPolicies());
    assertThrows(NullPointerException.class, () -> none.getPolicyEnforcement((TableName) null));
  }

  @Test
  public void aSnapshotOfATableIsHeeded() {
    ActivePolicyEnforcement none = manager.getActiveEnforcements();
    manager.updateQuotaSnapshot(Collections.singletonMap(TABLE,
      new SpaceQuotaSnapshot(SpaceQuotaStatus.notInViolation(), 10, 100)));
    ActivePolicyEnforcement some = manager.getActiveEnforcements();
    assertNotSame(none, some);
    assertNotSame(MissingSnapshotViolationPolicyEnforcement.getInstance(),
      some.getPolicyEnforcement(TABLE));
    assertSame(MissingSnapshotViolationPolicyEnforcement.getInstance(),
      some.getPolicyEnforcement(OTHER));
    manager.updateQuotaSnapshot(Collections.emptyMap());
    assertSame(none, manager.getActiveEnforcements());
  }

  @Test
  public void aViolationIsHeeded() {
    manager.enforceViolationPolicy(TABLE, new SpaceQuotaSnapshot(
      new SpaceQuotaStatus(SpaceViolationPolicy.NO_INSERTS), 200, 100));
    assertSame(NoInsertsViolationPolicyEnforcement.class,
      manager.getActiveEnforcements().getPolicyEnforcement(TABLE).getClass());
    manager.disableViolationPolicyEnforcement(TABLE);
    assertSame(MissingSnapshotViolationPolicyEnforcement.getInstance(),
      manager.getActiveEnforcements().getPolicyEnforcement(TABLE));
  }
}
