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

import java.util.Collections;
import java.util.Objects;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.quotas.policies.MissingSnapshotViolationPolicyEnforcement;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.yetus.audience.InterfaceAudience;

/** What writes are checked by while no table has a space quota. Immutable. */
@InterfaceAudience.Private
final class NoSpaceQuotas extends ActivePolicyEnforcement {

  NoSpaceQuotas(RegionServerServices server) {
    super(Collections.emptyMap(), Collections.emptyMap(), server);
  }

  @Override
  public SpaceViolationPolicyEnforcement getPolicyEnforcement(TableName table) {
    Objects.requireNonNull(table);
    return MissingSnapshotViolationPolicyEnforcement.getInstance();
  }
}
