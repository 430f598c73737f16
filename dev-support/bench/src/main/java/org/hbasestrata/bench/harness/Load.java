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
package org.hbasestrata.bench.harness;

/**
 * How much the client asks of a region server in one measured part.
 * @param name   part of folder names; null when it is the only one
 * @param target operations a second; null for as many as go, or as long as only the share is known
 * @param share  the target as a share of the maximum, which is measured first; null when it isn't
 *               one
 */
public record Load(String name, Integer target, Double share) {

  /** This load, with its share turned into a target. */
  Load of(double maximumPerSecond) {
    return share == null ? this
      : new Load(name, (int) Math.max(1, Math.round(share * maximumPerSecond)), share);
  }
}
