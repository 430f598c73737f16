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
package org.apache.hadoop.hbase.shaded.protobuf;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Which exceptions of a server that a client can't make are tried again. */
@Category({ ClientTests.class, SmallTests.class })
public class TestUnknownExceptions {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestUnknownExceptions.class);

  /** One that can't be made of a message. */
  private static final class Refusal extends DoNotRetryIOException {
    private static final long serialVersionUID = 1L;
  }

  private static boolean isTriedAgain(String type) {
    IOException made = UnknownExceptions.of(type, "said", new NoSuchMethodException());
    assertTrue(made.getMessage(), made.getMessage().endsWith(type + ": said"));
    return !(made instanceof DoNotRetryIOException);
  }

  @Test
  public void aFailureThatMayPassIsTriedAgain() {
    assertTrue(isTriedAgain(ClosedChannelException.class.getName()));
    assertTrue(isTriedAgain("org.apache.hadoop.hdfs.ClassThatIsNotHere"));
  }

  @Test
  public void whatACoprocessorRefusesIsNot() {
    assertEquals(false, isTriedAgain("com.example.Refusal"));
    assertEquals(false, isTriedAgain(Refusal.class.getName()));
  }
}
