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
package org.apache.hadoop.hbase.io.hfile.mrc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.yetus.audience.InterfaceAudience;

/** What {@link CacheSizing} of a server, or of several, knows at a moment. Immutable. */
@InterfaceAudience.Private
public final class CacheSizingReport implements CacheSizingMXBean {
  private static final long UNKNOWN = -1;

  private final String advice;
  private final String state;
  private final List<TierSizing> tiers;
  private final long metadataReferences;
  private final long dataReferences;
  private final List<TableSizing> tables;
  private final List<HeldBytes> held;
  private final List<CacheMinute> minutes;
  private final SampleQuality sample;

  CacheSizingReport(CacheAdvice.State current, CacheModel model, SampledReferences references,
    TableNumbers numbers, MinuteHistory history, List<HeldBytes> held, CacheMinute lastMinutes,
    long dropped, long bufferBytes) {
    List<TierSizing> all = new ArrayList<>();
    all.add(tier(model, references, lastMinutes, true));
    if (model.getL2() != null) {
      all.add(tier(model, references, lastMinutes, false));
    }
    tiers = Collections.unmodifiableList(all);
    metadataReferences =
      Math.round(references.metadata().base(references.countOfMetadata()));
    dataReferences = Math.round(references.data().base(references.countOfData()));
    tables = tables(references, numbers);
    this.held = held;
    minutes = Collections.unmodifiableList(history.getMinutes());
    state = current.name();
    advice = CacheAdvice.of(current, model, references, lastMinutes, tiers);
    sample = new SampleQuality(references.data().samples(), references.metadata().samples(),
      100 * references.data().rate(), 100 * references.metadata().rate(),
      Math.round(references.sampled()), dropped, 100 * references.unknownPart(),
      references.heapSize() + bufferBytes);
  }

  /** What was computed elsewhere. */
  CacheSizingReport(String advice, String state, List<TierSizing> tiers, long metadataReferences,
    long dataReferences, List<TableSizing> tables, List<HeldBytes> held, List<CacheMinute> minutes,
    SampleQuality sample) {
    this.advice = advice;
    this.state = state;
    this.tiers = Collections.unmodifiableList(tiers);
    this.metadataReferences = metadataReferences;
    this.dataReferences = dataReferences;
    this.tables = Collections.unmodifiableList(tables);
    this.held = Collections.unmodifiableList(held);
    this.minutes = Collections.unmodifiableList(minutes);
    this.sample = sample;
  }

  private static TierSizing tier(CacheModel model, SampledReferences references,
    CacheMinute lastMinutes, boolean first) {
    CachePart part = first ? model.getL1() : model.getL2();
    return new TierSizing(first ? "L1" : "L2", model.describe(first), part.isEnabled(),
      part.getCapacity(), part.getUsed(), CacheAdvice.servedPercent(lastMinutes, first),
      CacheCurve.of(model, references, first));
  }

  private static List<TableSizing> tables(SampledReferences references, TableNumbers numbers) {
    StackDistances metadata = references.metadata();
    StackDistances data = references.data();
    Set<Integer> known = new TreeSet<>(metadata.tables().keySet());
    known.addAll(data.tables().keySet());
    double all = 0;
    for (int table : known) {
      all += referencesOf(metadata, table) + referencesOf(data, table);
    }
    List<TableSizing> tables = new ArrayList<>();
    for (int table : known) {
      double ofMetadata = bytesOf(metadata, table);
      tables.add(new TableSizing(numbers.nameOf(table),
        CacheCurve.percent(referencesOf(metadata, table) + referencesOf(data, table), all),
        Math.round(ofMetadata), Math.round(bytesOf(data, table)),
        bytesFor(data, table, 0.90, ofMetadata), bytesFor(data, table, 0.95, ofMetadata),
        bytesFor(data, table, 0.99, ofMetadata)));
    }
    tables.sort(Comparator.comparingDouble(TableSizing::getReferencePercent).reversed());
    return Collections.unmodifiableList(tables);
  }

  private static double referencesOf(StackDistances distances, int table) {
    TableDemand demand = distances.tables().get(table);
    return demand == null ? 0 : demand.references();
  }

  private static double bytesOf(StackDistances distances, int table) {
    TableDemand demand = distances.tables().get(table);
    return demand == null ? 0 : demand.stack().bytes() / distances.rate();
  }

  private static long bytesFor(StackDistances data, int table, double part, double metadata) {
    TableDemand demand = data.tables().get(table);
    double bytes = demand == null ? 0 : demand.bytesFor(part);
    return Double.isInfinite(bytes) ? UNKNOWN : Math.round(bytes + metadata);
  }

  @Override
  public String getAdvice() {
    return advice;
  }

  @Override
  public String getState() {
    return state;
  }

  @Override
  public List<TierSizing> getTiers() {
    return tiers;
  }

  @Override
  public long getMetadataReferences() {
    return metadataReferences;
  }

  @Override
  public long getDataReferences() {
    return dataReferences;
  }

  @Override
  public List<TableSizing> getTables() {
    return tables;
  }

  @Override
  public List<HeldBytes> getHeld() {
    return held;
  }

  @Override
  public List<CacheMinute> getMinutes() {
    return minutes;
  }

  @Override
  public SampleQuality getSample() {
    return sample;
  }
}
