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
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/*
 * Curves of servers have different sizes on their axes, and percentages of different numbers of
 * references. At the same multiple of each server's size their hits can be added:
 *
 *   hits of all at a factor = sum over servers (percentage at the factor * references) / 100
 *
 * which, divided by the references of all, is what the servers would serve if each of their tiers
 * had that multiple of its size. Metadata and data have references of their own. So a curve of
 * several servers is exact for growing all of them alike, and says nothing about giving the bytes
 * to some of them only.
 *
 * A server whose curve isn't known adds nothing to curves and tables, unless none is known. What
 * tiers hold, and what they did minute by minute, is counted, so that each server adds its own.
 */
/**
 * Adds the reports of several servers. Tiers of the same name that are for different kinds of
 * blocks aren't added. Used once.
 */
@InterfaceAudience.Private
final class ReportSum {
  private static final int MINUTES = 60;
  private static final int MINUTES_OF_MEASURED = 5;
  private static final long UNKNOWN = -1;

  private final List<ServerReport> servers;
  /** The servers with curves. */
  private final List<ServerReport> curved;

  private ReportSum(List<ServerReport> servers) {
    this.servers = servers;
    List<ServerReport> known =
      servers.stream().filter(ServerReport::isKnown).collect(Collectors.toList());
    curved = known.isEmpty() ? servers : known;
  }

  /** @param servers one or more */
  static CacheSizingReport of(List<ServerReport> servers) {
    return servers.size() == 1 ? servers.get(0).getReport() : new ReportSum(servers).report();
  }

  private CacheSizingReport report() {
    List<TierSizing> tiers = tiers();
    boolean known = curved.get(0).isKnown();
    return new CacheSizingReport(known ? advice(tiers) : "Not known on any of the servers",
      (known ? CacheAdvice.State.KNOWN : CacheAdvice.State.COLD).name(), tiers,
      sum(curved, server -> server.getReport().getMetadataReferences()),
      sum(curved, server -> server.getReport().getDataReferences()), tables(), held(), minutes(),
      sample());
  }

  private String advice(List<TierSizing> tiers) {
    String sentences = tiers.stream()
      .filter(tier -> CacheAdvice.at(1, tier).getHitPercent() >= 0)
      .map(tier -> CacheAdvice.ofTier(tier, isFirst(tier)))
      .collect(Collectors.joining(". "));
    return curved.size() == servers.size()
      ? sentences
      : "By " + curved.size() + " of " + servers.size() + " servers, others don't know: "
        + sentences;
  }

  private static boolean isFirst(TierSizing tier) {
    return "L1".equals(tier.getName());
  }

  /** A tier of a server. */
  private static final class ServerTier {
    private final ServerReport server;
    private final TierSizing tier;

    ServerTier(ServerReport server, TierSizing tier) {
      this.server = server;
      this.tier = tier;
    }
  }

  private List<TierSizing> tiers() {
    Map<String, List<ServerTier>> alike = new TreeMap<>();
    for (ServerReport server : servers) {
      for (TierSizing tier : server.getReport().getTiers()) {
        alike.computeIfAbsent(tier.getName() + " " + tier.getBlocks(), key -> new ArrayList<>())
          .add(new ServerTier(server, tier));
      }
    }
    return alike.values().stream().map(this::tier).collect(Collectors.toList());
  }

  private TierSizing tier(List<ServerTier> tiers) {
    TierSizing first = tiers.get(0).tier;
    CacheMinute last = CacheMinute.sum(0,
      tiers.stream().flatMap(tier -> CacheMinute
        .last(MINUTES_OF_MEASURED, tier.server.getReport().getMinutes()).stream())
        .collect(Collectors.toList()));
    List<ServerTier> withCurves =
      tiers.stream().filter(tier -> curved.contains(tier.server)).collect(Collectors.toList());
    List<CurvePoint> curve = new ArrayList<>();
    for (CurvePoint point : first.getCurve()) {
      curve.add(point(withCurves.isEmpty() ? tiers : withCurves, tiers, point.getFactor()));
    }
    return new TierSizing(first.getName(), first.getBlocks(),
      tiers.stream().allMatch(tier -> tier.tier.isEnabled()),
      sum(tiers, tier -> tier.tier.getCapacity()), sum(tiers, tier -> tier.tier.getUsed()),
      CacheAdvice.servedPercent(last, isFirst(first)), curve);
  }

  private static CurvePoint point(List<ServerTier> withCurves, List<ServerTier> all,
    double factor) {
    double metadata = 0;
    double data = 0;
    double ofMetadata = 0;
    double ofData = 0;
    double hits = 0;
    for (ServerTier tier : withCurves) {
      CurvePoint point = CacheAdvice.at(factor, tier.tier);
      long metadataReferences = tier.server.getReport().getMetadataReferences();
      long dataReferences = tier.server.getReport().getDataReferences();
      metadata += part(point.getMetadataHitPercent(), metadataReferences);
      data += part(point.getDataHitPercent(), dataReferences);
      hits += part(point.getHitPercent(), metadataReferences + dataReferences);
      ofMetadata += metadataReferences;
      ofData += dataReferences;
    }
    return new CurvePoint(factor, sum(all, tier -> CacheAdvice.at(factor, tier.tier).getBytes()),
      CacheCurve.percent(hits, ofMetadata + ofData), CacheCurve.percent(metadata, ofMetadata),
      CacheCurve.percent(data, ofData));
  }

  private static double part(double percent, long of) {
    return percent < 0 ? 0 : percent / 100 * of;
  }

  private List<TableSizing> tables() {
    Map<String, List<TableSizing>> byName = new LinkedHashMap<>();
    Map<String, Double> references = new TreeMap<>();
    double all = 0;
    for (ServerReport server : curved) {
      all += server.getReferences();
      for (TableSizing table : server.getReport().getTables()) {
        byName.computeIfAbsent(table.getTable(), name -> new ArrayList<>()).add(table);
        references.merge(table.getTable(),
          part(table.getReferencePercent(), server.getReferences()), Double::sum);
      }
    }
    List<TableSizing> tables = new ArrayList<>();
    for (Map.Entry<String, List<TableSizing>> table : byName.entrySet()) {
      List<TableSizing> parts = table.getValue();
      tables.add(new TableSizing(table.getKey(),
        CacheCurve.percent(references.get(table.getKey()), all),
        sum(parts, TableSizing::getMetadataBytes), sum(parts, TableSizing::getDataBytes),
        sumOrUnknown(parts, TableSizing::getBytes90), sumOrUnknown(parts, TableSizing::getBytes95),
        sumOrUnknown(parts, TableSizing::getBytes99)));
    }
    tables.sort(Comparator.comparingDouble(TableSizing::getReferencePercent).reversed());
    return tables;
  }

  private List<HeldBytes> held() {
    List<HeldBytes> all = servers.stream().flatMap(server -> server.getReport().getHeld().stream())
      .collect(Collectors.toList());
    return group(all, held -> held.getTier() + '\n' + held.getTable() + '\n' + held.getFamily())
      .stream()
      .map(alike -> new HeldBytes(alike.get(0).getTier(), alike.get(0).getTable(),
        alike.get(0).getFamily(), sum(alike, HeldBytes::getBlocks),
        sum(alike, HeldBytes::getBytes)))
      .sorted(Comparator.comparingLong(HeldBytes::getBytes).reversed())
      .collect(Collectors.toList());
  }

  /** Returns the minutes of the servers' clocks. */
  private List<CacheMinute> minutes() {
    Map<Long, List<CacheMinute>> byTime = new TreeMap<>();
    for (ServerReport server : servers) {
      for (CacheMinute minute : server.getReport().getMinutes()) {
        byTime.computeIfAbsent(TimeUnit.MILLISECONDS.toMinutes(minute.getTime()),
          time -> new ArrayList<>()).add(minute);
      }
    }
    List<CacheMinute> minutes = new ArrayList<>();
    byTime.forEach((time, alike) -> minutes
      .add(CacheMinute.sum(TimeUnit.MINUTES.toMillis(time), alike)));
    return new ArrayList<>(CacheMinute.last(MINUTES, minutes));
  }

  private SampleQuality sample() {
    List<SampleQuality> samples = curved.stream().map(server -> server.getReport().getSample())
      .collect(Collectors.toList());
    double unknown = 0;
    double references = 0;
    for (ServerReport server : curved) {
      unknown += part(server.getReport().getSample().getUnknownPercent(), server.getReferences());
      references += server.getReferences();
    }
    return new SampleQuality(sum(samples, SampleQuality::getDataBlocks),
      sum(samples, SampleQuality::getMetadataBlocks),
      rate(samples, SampleQuality::getDataBlocks, SampleQuality::getDataPercent),
      rate(samples, SampleQuality::getMetadataBlocks, SampleQuality::getMetadataPercent),
      sum(samples, SampleQuality::getReferences), sum(samples, SampleQuality::getDropped),
      CacheCurve.percent(unknown, references), sum(samples, SampleQuality::getUsedBytes));
  }

  /** Returns the sampled part of the blocks of all servers, in percent. */
  private static double rate(List<SampleQuality> samples, ToLongFunction<SampleQuality> blocks,
    ToDoubleFunction<SampleQuality> percent) {
    double all = samples.stream()
      .mapToDouble(sample -> blocks.applyAsLong(sample) / percent.applyAsDouble(sample)).sum();
    return all > 0 ? sum(samples, blocks) / all : percent.applyAsDouble(samples.get(0));
  }

  private static <T> Collection<List<T>> group(List<T> all, Function<T, String> key) {
    return all.stream()
      .collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList())).values();
  }

  private static <T> long sum(List<T> all, ToLongFunction<T> value) {
    return all.stream().mapToLong(value).sum();
  }

  private static <T> long sumOrUnknown(List<T> all, ToLongFunction<T> value) {
    return all.stream().anyMatch(one -> value.applyAsLong(one) < 0) ? UNKNOWN : sum(all, value);
  }
}
