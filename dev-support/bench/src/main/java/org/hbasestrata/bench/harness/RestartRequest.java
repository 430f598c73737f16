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
 * The validated request of {@code bench restart}.
 * @param request       what it has in common with a comparison; the memory is that of each region
 *                      server
 * @param servers       region servers, two or more
 * @param target        operations a second; null for a share of what the first arm can do
 * @param share         that share
 * @param steadySeconds how long the steady state is measured
 * @param afterSeconds  how long the restart is taken to go on after its last step
 * @param kill          whether a server is killed, in place of a restart of all
 */
record RestartRequest(Request request, int servers, Integer target, double share,
  int steadySeconds, int afterSeconds, boolean kill) {
}
