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
package org.hbasestrata.upstreamtests;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.launcher.PostDiscoveryFilter;

/** In each test's JVM: leaves out all tests once the time of the whole run is up. */
public class DeadlineFilter implements PostDiscoveryFilter {
  @Override
  public FilterResult apply(TestDescriptor test) {
    try {
      return FilterResult.includedIf(!Deadline.isOver(), () -> "there is time",
        () -> "the time is up");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
