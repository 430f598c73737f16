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

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.util.MBeans;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Shows what this process's {@code CacheSizing} knows: numbers in JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=CacheSizing} and for Prometheus, all of it in
 * JMX as {@code sub=CacheSizingReport}. Thread-safe.
 */
@InterfaceAudience.Private
final class MetricsCacheSizing extends BaseSourceImpl implements CacheSizingMXBean {
  private static MetricsCacheSizing source;
  private static volatile Supplier<CacheSizingReport> current;

  private MetricsCacheSizing() {
    super("CacheSizing", "Metrics about what the block cache would serve at other sizes",
      "regionserver", "RegionServer,sub=CacheSizing");
    MBeans.register("HBase", "RegionServer,sub=CacheSizingReport", this);
  }

  /** Shows the newest of these reports from now on, in place of others. */
  static synchronized void show(Supplier<CacheSizingReport> reports) {
    current = reports;
    if (source == null) {
      source = new MetricsCacheSizing();
    }
  }

  /** Shows nothing any more, if these are what is shown. */
  static synchronized void hide(Supplier<CacheSizingReport> reports) {
    if (current == reports) {
      current = null;
    }
  }

  /** Returns null if nothing is shown. */
  private static CacheSizingReport report() {
    Supplier<CacheSizingReport> reports = current;
    return reports == null ? null : reports.get();
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    CacheSizingReport report = report();
    if (report == null) {
      return;
    }
    MetricsRecordBuilder record = collector.addRecord(metricsName).setContext(metricsContext);
    SampleQuality sample = report.getSample();
    record
      .addGauge(Interns.info("adviceKnown", "0 if what other sizes would serve isn't known"),
        CacheAdvice.State.KNOWN.name().equals(report.getState()) ? 1 : 0)
      .addGauge(Interns.info("sampledBlockCount", "Blocks in the sample"),
        sample.getDataBlocks() + sample.getMetadataBlocks())
      .addGauge(Interns.info("sampledReferenceCount", "References to these, older ones less"),
        sample.getReferences())
      .addCounter(Interns.info("droppedReferenceCount", "References to these that were lost, as "
        + "they came too fast; those that weren't lost count for them"), sample.getDropped())
      .addGauge(Interns.info("sampleBytes", "Bytes of heap that the sample takes"),
        sample.getUsedBytes());
    for (TierSizing tier : report.getTiers()) {
      String name = tier.getName().toLowerCase(Locale.ROOT);
      record
        .addGauge(Interns.info(name + "HitPercent", "Part of references that the tier and those "
          + "before it served in the last minutes, -1 without any"), tier.getMeasuredPercent())
        .addGauge(Interns.info(name + "HalfHitPercent", "Part that they would serve with half the "
          + "tier's size"), CacheAdvice.at(0.5, tier).getHitPercent())
        .addGauge(Interns.info(name + "SameHitPercent", "Part that they would serve as it is"),
          CacheAdvice.at(1, tier).getHitPercent())
        .addGauge(Interns.info(name + "DoubleHitPercent", "Part that they would serve with twice "
          + "the tier's size"), CacheAdvice.at(2, tier).getHitPercent());
    }
  }

  @Override
  public String getAdvice() {
    CacheSizingReport report = report();
    return report == null ? "Not known: no server is running" : report.getAdvice();
  }

  @Override
  public String getState() {
    CacheSizingReport report = report();
    return report == null ? CacheAdvice.State.COLD.name() : report.getState();
  }

  @Override
  public List<TierSizing> getTiers() {
    CacheSizingReport report = report();
    return report == null ? Collections.emptyList() : report.getTiers();
  }

  @Override
  public long getMetadataReferences() {
    CacheSizingReport report = report();
    return report == null ? 0 : report.getMetadataReferences();
  }

  @Override
  public long getDataReferences() {
    CacheSizingReport report = report();
    return report == null ? 0 : report.getDataReferences();
  }

  @Override
  public List<TableSizing> getTables() {
    CacheSizingReport report = report();
    return report == null ? Collections.emptyList() : report.getTables();
  }

  @Override
  public List<HeldBytes> getHeld() {
    CacheSizingReport report = report();
    return report == null ? Collections.emptyList() : report.getHeld();
  }

  @Override
  public List<CacheMinute> getMinutes() {
    CacheSizingReport report = report();
    return report == null ? Collections.emptyList() : report.getMinutes();
  }

  @Override
  public SampleQuality getSample() {
    CacheSizingReport report = report();
    return report == null ? null : report.getSample();
  }
}
