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
 * Miss-ratio curves of the block cache: what it would serve at other sizes. What patches add, by
 * feature, with the class that the entry seam of the feature is in:
 * <dl>
 * <dt>STRATA-25, cache sizing. Entry seam: {@code HFileReaderImpl}</dt>
 * <dd>{@link BlockReferences} sees the references to the blocks of a file, and puts each
 * {@link BlockReference} to a sampled one into a {@link ReferenceBuffer}. {@link CacheSizing}, on
 * by {@link CacheSizingSettings}, takes it from there and counts it.
 * <p>
 * The estimate: {@link SampledReferences} has the {@link StackDistances} of metadata and of data;
 * these are {@link SampledBlocks} in a {@link RecencyStack}, {@link ReferenceDistances} of
 * {@link DistanceHistogram}s, and a {@link TableDemand} for each table, which {@link TableNumbers}
 * tells from others; {@link PopularBlocks} are those that are read most. None of these
 * depends on HBase's caches. {@link CountedReferences} has what the cache counted, without
 * {@link RepeatedMisses}.
 * <p>
 * What follows from it: {@link CacheModel} says how tiers, each a {@link CachePart}, use their
 * room. {@link CacheCurve} has the sizes, {@link CacheAdvice} the sentence. {@link MinuteHistory}
 * and {@link HeldByFamily} look at the cache itself.
 * <p>
 * What shows it: a {@link CacheSizingReport}, of {@link TierSizing}, {@link CurvePoint},
 * {@link TableSizing}, {@link HeldBytes}, {@link CacheMinute} and {@link SampleQuality}, is a
 * {@link CacheSizingMXBean} by {@link MetricsCacheSizing}, and a page or JSON by
 * {@link CacheSizingServlet}, {@link CacheSizingPage}, {@link PageStyle}, {@link LineChart} and
 * {@link WarmUps}.
 * <p>
 * The command {@link CacheSizingTool} asks servers by a {@link ReportReader}, which throws an
 * {@link UnreadableReportException}; {@link ReportSum} adds their {@link ServerReport}s, and
 * {@link ReportText} writes them.</dd>
 * </dl>
 */
package org.apache.hadoop.hbase.io.hfile.mrc;
