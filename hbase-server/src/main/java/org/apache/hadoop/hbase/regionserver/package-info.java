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
/**
 * Region servers, their regions and stores. What patches add, by feature, with the class that the
 * entry seam of the feature is in:
 * <dl>
 * <dt>HBASE-23063, parallel multiget. Entry seam: {@code RSRpcServices}</dt>
 * <dd>{@link ParallelMultiGet} decides whether the gets of a request are spread, by
 * {@link ParallelMultiGetSettings}, and counts them in {@link MetricsParallelMultiGet}.
 * {@link ParallelGets} has the gets of one request: {@link HelperEstimator} says how many helpers
 * they are worth, {@link GetPlanner} which of them may be served ahead of the handler.
 * {@link MultiGetPool} has the helpers' threads. {@link GetPlan} has the gets to claim, each a
 * {@link PlannedGet}, which {@link GetRunner} serves with a {@link GetCall} in place of the
 * handler's call. The handler waits for a get by {@link GetWaiter}, and counts all of them by
 * {@link MultiGetAccounting}. {@link IdleCpus} limits the helpers by what {@link CpuLoad} reads of
 * the system and {@link CgroupCpuQuota} of a container.</dd>
 * <dt>HBASE-23296, block cache of two tiers. Entry seam: {@code BlockCacheFactory}</dt>
 * <dd>{@link BlockCacheEnd} lets a server end though the device of its block cache hangs.</dd>
 * <dt>STRATA-1, patch level. Entry seam: {@code HRegionServer}</dt>
 * <dd>{@link ServerPatchLevel} refuses mixed jars and shows the level in JMX, as
 * {@link PatchLevelMXBean}.</dd>
 * <dt>STRATA-8, values that aren't allowed. Entry seam: {@code HRegionServerCommandLine}</dt>
 * <dd>{@link SettingsCheck} reads all settings before a server is created; {@link SettingsWarnings}
 * finds those that are probably mistakes, {@link StandaloneKeys} those that a cluster has left of a
 * single server, and {@link CacheFileWarnings} files that a cache would write over.
 * {@link Refusals} collects what is wrong. {@link CoreRules}, {@link BucketCacheRules} and
 * {@link NumericKeys} are the rules for keys of HBase.</dd>
 * <dt>STRATA-11, mutations that can't be read back. Entry seam: {@code HRegion}</dt>
 * <dd>{@link MutationSanityCheck} refuses them.</dd>
 * <dt>STRATA-17, cells of coprocessors' scanners. Entry seam: {@code RegionCoprocessorHost}</dt>
 * <dd>{@link CoprocessorScan} goes around the methods of a scanner. {@link CellGuard} makes each
 * cell a {@link GuardedCell}, in tests.</dd>
 * <dt>STRATA-19, the row path of gets. Entry seam: {@code RSRpcServices}</dt>
 * <dd>{@link RowPath} has plain gets read by a {@link RowReader}, by {@link RowPathSettings}, and
 * counts gets in {@link MetricsRowPath}. {@link GetBatch} holds what gets of a request share.
 * {@link FamilyReader} reads a family of the row, from the files and segments of
 * {@link FamilySources}, each a {@link RowSource}, as a {@link FamilyMatcher} says, to
 * {@link RowCells}, which become a {@link RowResult} if they are in one block. {@link GetObservers}
 * knows the coprocessors that need a region scanner. A {@link PreparedGet} was read before its call
 * ran, or couldn't be.</dd>
 * <dt>STRATA-26, gets on the event loop. Entry seam: {@code ServerRpcConnection}</dt>
 * <dd>{@link EventLoopGets} reads them, by {@link EventLoopGetSettings}, answers them, and counts
 * them in {@link MetricsEventLoopGets}. {@link ShortGets} knows those that it leaves alone.</dd>
 * <dt>STRATA-28, requests of gets. Entry seam: {@code ServerRpcConnection}</dt>
 * <dd>{@link CellCounts} has the messages of results whose cells are sent beside them.</dd>
 * <dt>STRATA-33, hot blocks of regions that move. Entry seam: {@code HRegionServer}</dt>
 * <dd>{@link HotBlockHandover} has {@link HotBlockLists} write the {@link HotBlockList} of a region
 * that closes to its {@link HotBlockFile}, by {@link HotBlocksSettings}, as long as
 * {@link CloseWaits} allow, and the blocks of one that was opened read by {@link HotBlockReads}.
 * {@link MetricsHotBlocks} counts them.</dd>
 * <dt>STRATA-34, reads before a server registers. Entry seam: {@code HRegionServer}</dt>
 * <dd>{@link StartupWarmup} opens a {@link StartupWarmupRegion} and has it read by
 * {@link StartupWarmupReader}s, by {@link StartupWarmupSettings}. {@link MetricsStartupWarmup} says
 * how long that took.</dd>
 * <dt>STRATA-37, calls for a region that moves. Entry seam: {@code HRegionServer}</dt>
 * <dd>{@link RegionMoveWaits} has them wait, by {@link RegionMoveWaitSettings}, and counts them in
 * {@link MetricsRegionMoveWaits}.</dd>
 * <dt>STRATA-38, blocks of regions that left. Entry seam: {@code HRegionServer}</dt>
 * <dd>{@link OrphanBlocks} keeps them, and evicts what no region has had for as long as
 * {@link OrphanBlocksSettings} say. {@link OrphanFiles} knows since when,
 * {@link MetricsOrphanBlocks} counts.</dd>
 * <dt>STRATA-45, coprocessors' readers of store files. Entry seam: {@code StoreFileInfo}</dt>
 * <dd>{@link StoreFileReaderOwner} counts their scanners and has them closed.</dd>
 * </dl>
 */
package org.apache.hadoop.hbase.regionserver;
