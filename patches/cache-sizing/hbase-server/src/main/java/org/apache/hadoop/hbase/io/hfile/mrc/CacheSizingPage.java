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

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.hbase.io.hfile.CacheWarmupMXBean;
import org.apache.yetus.audience.InterfaceAudience;

/** Writes a {@link CacheSizingReport} as a page that needs no other file. Used once. */
@InterfaceAudience.Private
final class CacheSizingPage {
  static final String PATH = "/cache-sizing";
  static final List<Double> FACTORS = Arrays.asList(0.25, 0.5, 1.0, 2.0, 4.0, 8.0);
  static final String[] FACTOR_NAMES = { "1/4", "1/2", "1", "2", "4", "8" };
  private static final int MINUTES = 60;
  private static final int MAX_ROWS = 100;
  static final String UNKNOWN = "-";

  private final String server;
  private final CacheSizingReport report;
  private final StringBuilder html = new StringBuilder();

  CacheSizingPage(String server, CacheSizingReport report) {
    this.server = server;
    this.report = report;
  }

  /** Returns the page. */
  @Override
  public String toString() {
    html.setLength(0);
    html.append("<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">")
      .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
      .append("<title>Block cache of ").append(escape(server)).append("</title><style>")
      .append(PageStyle.CSS).append("</style></head><body><main>")
      .append("<p><a href=\"/rs-status\">Region server</a> &middot; <a href=\"")
      .append(PATH).append("?format=json\">JSON</a></p>")
      .append("<h1>Block cache <small>").append(escape(server)).append("</small></h1>");
    boolean known = CacheAdvice.State.KNOWN.name().equals(report.getState());
    html.append("<p class=\"advice").append(known ? "" : " unknown").append("\">")
      .append(escape(report.getAdvice())).append(".</p>");
    html.append("<div class=\"tiers\">");
    report.getTiers().forEach(this::addTier);
    html.append("</div>");
    addTables();
    addHeld();
    addHour();
    addWarmUps();
    addSample();
    return html.append("</main></body></html>\n").toString();
  }

  private void addTier(TierSizing tier) {
    html.append("<section class=\"tier\"><h3>").append(escape(tier.getName())).append(": ")
      .append(escape(tier.getBlocks())).append("</h3><p class=\"soft\">")
      .append(size(tier.getUsed())).append(" of ").append(size(tier.getCapacity()))
      .append(" used");
    if (!tier.isEnabled()) {
      html.append(" &middot; <span class=\"off\">off, after errors of its device</span>");
    }
    html.append(" &middot; served ").append(percent(tier.getMeasuredPercent()))
      .append(" of the last minutes' reads").append("L1".equals(tier.getName()) ? "" : " with L1")
      .append("</p>").append(curve(tier)).append("<div class=\"key\">")
      .append("<span><i class=\"all\"></i>all reads</span>")
      .append("<span><i class=\"meta\"></i>of indexes and bloom filters</span>")
      .append("<span><i class=\"data\"></i>of data</span></div>");
    html.append("<div class=\"scroll\">");
    startTable("size", "", "all", "indexes", "data");
    for (int i = 0; i < FACTORS.size(); i++) {
      CurvePoint point = CacheAdvice.at(FACTORS.get(i), tier);
      html.append(point.getFactor() == 1 ? "<tr class=\"present\">" : "<tr>");
      cells(FACTOR_NAMES[i] + " x", size(point.getBytes()), percent(point.getHitPercent()),
        percent(point.getMetadataHitPercent()), percent(point.getDataHitPercent()));
      html.append("</tr>");
    }
    html.append("</tbody></table></div></section>");
  }

  private static LineChart curve(TierSizing tier) {
    List<CurvePoint> curve = tier.getCurve();
    double[] x = curve.stream().mapToDouble(point -> doublings(point.getFactor())).toArray();
    LineChart chart = percentages("Reads served by " + tier.getName() + " of other sizes",
      x[0], x[x.length - 1]);
    for (int i = 0; i < FACTORS.size(); i++) {
      chart.labelX(doublings(FACTORS.get(i)), FACTOR_NAMES[i] + " x",
        size(tier.getCapacity() * FACTORS.get(i)));
    }
    chart.markX(0, "now").line(x, values(curve, CurvePoint::getMetadataHitPercent), "meta")
      .line(x, values(curve, CurvePoint::getDataHitPercent), "data")
      .line(x, values(curve, CurvePoint::getHitPercent), "all");
    for (double factor : FACTORS) {
      CurvePoint point = CacheAdvice.at(factor, tier);
      if (point.getHitPercent() >= 0) {
        chart.dot(doublings(factor), point.getHitPercent(), "all",
          size(point.getBytes()) + ": " + percent(point.getHitPercent()));
      }
    }
    if (tier.getMeasuredPercent() >= 0) {
      chart.dot(0, tier.getMeasuredPercent(), "measured",
        "measured: " + percent(tier.getMeasuredPercent()));
    }
    return chart;
  }

  private static LineChart percentages(String label, double minX, double maxX) {
    LineChart chart = new LineChart(label, minX, maxX, 100);
    for (int y = 0; y <= 100; y += 25) {
      chart.gridY(y, y + " %");
    }
    return chart;
  }

  private static double doublings(double factor) {
    return Math.log(factor) / Math.log(2);
  }

  /** Returns a value of each element; not a number where it isn't known. */
  private static <T> double[] values(List<T> list, ToDoubleFunction<T> value) {
    return list.stream().mapToDouble(value).map(y -> y < 0 ? Double.NaN : y).toArray();
  }

  private void addTables() {
    html.append("<h2>What tables need</h2>");
    if (report.getTables().isEmpty()) {
      html.append("<p class=\"soft\">No reads yet.</p>");
      return;
    }
    html.append("<p class=\"soft\">Bytes of cache that hold the table's indexes and bloom "
      + "filters and serve this part of the reads of its data, if it had them for itself.</p>"
      + "<div class=\"scroll\">");
    startTable("table", "reads", "indexes", "90 %", "95 %", "99 %");
    report.getTables().stream().limit(MAX_ROWS).forEach(table -> {
      html.append("<tr>");
      name(table.getTable(), "others");
      cells(percent(table.getReferencePercent()), size(table.getMetadataBytes()),
        size(table.getBytes90()), size(table.getBytes95()), size(table.getBytes99()));
      html.append("</tr>");
    });
    html.append("</tbody></table></div>");
  }

  private void addHeld() {
    html.append("<h2>What the tiers hold</h2>");
    if (report.getHeld().isEmpty()) {
      html.append("<p class=\"soft\">Nothing yet. It is counted every five minutes.</p>");
      return;
    }
    html.append("<div class=\"scroll\">");
    startTable("table", "family", "tier", "blocks", "bytes");
    report.getHeld().stream().limit(MAX_ROWS).forEach(held -> {
      html.append("<tr>");
      name(held.getTable(), "files of no open region");
      cells(held.getFamily(), held.getTier(), String.format(Locale.ROOT, "%,d", held.getBlocks()),
        size(held.getBytes()));
      html.append("</tr>");
    });
    html.append("</tbody></table></div>");
  }

  private void addHour() {
    html.append("<h2>The last hour</h2>");
    List<CacheMinute> minutes = report.getMinutes();
    if (minutes.isEmpty()) {
      html.append("<p class=\"soft\">The first minute hasn't ended yet.</p>");
      return;
    }
    boolean hasL2 = report.getTiers().size() > 1;
    double[] x = new double[minutes.size()];
    for (int i = 0; i < x.length; i++) {
      x[i] = i + 1 - x.length;
    }
    double[] zero = new double[x.length];
    double[] l1 = values(minutes, minute -> CacheAdvice.servedPercent(minute, true));
    double[] both = values(minutes, minute -> CacheAdvice.servedPercent(minute, false));
    LineChart hits = labelMinutes(percentages("Reads served in the last hour", -MINUTES, 0))
      .area(x, zero, l1, "l1area").area(x, l1, both, "l2area");
    html.append("<div class=\"tiers\"><section class=\"tier\"><h3>Reads served</h3>").append(hits)
      .append("<div class=\"key\"><span><i class=\"all\"></i>from L1</span>")
      .append(hasL2 ? "<span><i class=\"data\"></i>from L2</span>" : "").append("</div></section>");
    addMoves(x, minutes);
    html.append("</div>");
  }

  private static LineChart labelMinutes(LineChart chart) {
    for (int minute = -MINUTES; minute < 0; minute += MINUTES / 4) {
      chart.labelX(minute, minute + " min", "");
    }
    return chart.labelX(0, "now", "");
  }

  private void addMoves(double[] x, List<CacheMinute> minutes) {
    double[] evictions = values(minutes, CacheMinute::getEvictions);
    double[] promotions = values(minutes, CacheMinute::getPromotions);
    double[] demotions = values(minutes, CacheMinute::getDemotions);
    double most = Math.max(4, Math.max(max(evictions), Math.max(max(promotions), max(demotions))));
    LineChart chart =
      labelMinutes(new LineChart("Blocks moved and evicted in the last hour", -MINUTES, 0, most));
    for (int i = 0; i <= 4; i++) {
      chart.gridY(most * i / 4, count(most * i / 4));
    }
    chart.line(x, evictions, "meta").line(x, promotions, "all").line(x, demotions, "data");
    html.append("<section class=\"tier\"><h3>Blocks moved in a minute</h3>").append(chart)
      .append("<div class=\"key\"><span><i class=\"meta\"></i>evicted</span>")
      .append("<span><i class=\"all\"></i>promoted to L1</span>")
      .append("<span><i class=\"data\"></i>demoted to L2</span></div></section>");
  }

  private static double max(double[] values) {
    return Arrays.stream(values).max().orElse(0);
  }

  private static String count(double number) {
    return number < 10_000 ? String.format(Locale.ROOT, "%.0f", number)
      : number < 10_000_000 ? String.format(Locale.ROOT, "%.0f k", number / 1e3)
      : String.format(Locale.ROOT, "%.0f m", number / 1e6);
  }

  private void addWarmUps() {
    html.append("<h2>Warm-ups</h2>");
    List<CacheWarmupMXBean.Progress> regions = WarmUps.ofRegions();
    if (regions.isEmpty()) {
      html.append("<p class=\"soft\">None is running or waits.</p>");
      return;
    }
    html.append("<div class=\"scroll\">");
    startTable("region", "files waiting", "blocks", "done", "a second", "time left");
    regions.stream().limit(MAX_ROWS).forEach(region -> {
      html.append("<tr>");
      name(region.getRegion(), "");
      cells(String.valueOf(region.getFilesWaiting()),
        String.format(Locale.ROOT, "%,d", region.getBlocks()),
        percent(CacheCurve.percent(region.getBlocksDone(), region.getBlocks())),
        size(region.getBytesPerSecond()), region.getMillisLeft() < 0
          ? UNKNOWN
          : String.format(Locale.ROOT, "%,d s", region.getMillisLeft() / 1000));
      html.append("</tr>");
    });
    html.append("</tbody></table></div>");
  }

  private void addSample() {
    SampleQuality sample = report.getSample();
    html.append("<h2>How this is known</h2><p class=\"soft\">").append(String.format(Locale.ROOT,
      "Estimated from %,d references to %,d metadata blocks (%.2f %% of all) and %,d data blocks "
        + "(%.2f %%); half an hour halves what a reference counts. %,d were lost as they came too "
        + "fast. The first references to blocks that were cached before, %.1f %%, aren't counted. "
        + "The sample takes %s of heap.",
      sample.getReferences(), sample.getMetadataBlocks(), sample.getMetadataPercent(),
      sample.getDataBlocks(), sample.getDataPercent(), sample.getDropped(),
      sample.getUnknownPercent(), size(sample.getUsedBytes()))).append("</p>");
  }

  private void startTable(String... heads) {
    html.append("<table><thead><tr>");
    for (String head : heads) {
      html.append("<th>").append(escape(head)).append("</th>");
    }
    html.append("</tr></thead><tbody>");
  }

  private void name(String name, String none) {
    html.append("<td class=\"name\">").append(escape(name.isEmpty() ? none : name))
      .append("</td>");
  }

  private void cells(String... values) {
    for (String value : values) {
      html.append("<td>").append(escape(value)).append("</td>");
    }
  }

  private static String escape(String text) {
    return LineChart.escape(text);
  }

  static String size(double bytes) {
    return bytes < 0 ? UNKNOWN : CacheAdvice.size(bytes);
  }

  static String percent(double percent) {
    return percent < 0 ? UNKNOWN : String.format(Locale.ROOT, "%.1f %%", percent);
  }
}
