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
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.io.hfile.CacheWarmupMXBean;
import org.apache.yetus.audience.InterfaceAudience;

/** Writes the reports of one or more servers as text for a terminal. Used once. */
@InterfaceAudience.Private
final class ReportText {
  private static final int MINUTES_PER_ROW = 10;
  private static final int MAX_ROWS = 100;

  private final List<ServerReport> servers;
  private final CacheSizingReport sum;
  private final StringBuilder text = new StringBuilder();

  /**
   * @param servers one or more
   * @param sum     of these
   */
  ReportText(List<ServerReport> servers, CacheSizingReport sum) {
    this.servers = servers;
    this.sum = sum;
  }

  /** Returns the text. */
  @Override
  public String toString() {
    text.setLength(0);
    text.append("Block cache of ").append(servers.size() == 1
      ? servers.get(0).getServer()
      : servers.size() + " servers").append('\n').append(sum.getAdvice()).append(".\n");
    if (servers.size() > 1) {
      addServers();
    }
    addTiers();
    addTables();
    addHeld();
    addHour();
    addWarmUps();
    return text.toString();
  }

  private void addServers() {
    Rows rows = new Rows("server", "reads", "from L1", "from cache", "state", "advice");
    for (ServerReport server : servers) {
      List<TierSizing> tiers = server.getReport().getTiers();
      rows.add(server.getServer(),
        count(CacheMinute.sum(0, server.getReport().getMinutes()).getReferences()),
        percent(tiers.get(0).getMeasuredPercent()),
        percent(tiers.get(tiers.size() - 1).getMeasuredPercent()), server.getReport().getState(),
        server.getReport().getAdvice());
    }
    add("Servers (reads of the last hour; what was served in the last minutes)",
      rows.text("<>>><<"));
  }

  private void addTiers() {
    for (TierSizing tier : sum.getTiers()) {
      Rows rows = new Rows("", "size", "all", "indexes", "data");
      for (int i = 0; i < CacheSizingPage.FACTORS.size(); i++) {
        CurvePoint point = CacheAdvice.at(CacheSizingPage.FACTORS.get(i), tier);
        rows.add(CacheSizingPage.FACTOR_NAMES[i] + " x", CacheSizingPage.size(point.getBytes()),
          percent(point.getHitPercent()), percent(point.getMetadataHitPercent()),
          percent(point.getDataHitPercent()));
      }
      add(tier.getName() + ": " + tier.getBlocks(), size(tier) + "\nReads that it"
        + ("L1".equals(tier.getName()) ? "" : " and L1") + " would serve"
        + (servers.size() > 1 ? " if it had this multiple of its size on each server" : "")
        + "\n" + rows.text(">>>>>"));
    }
  }

  private String size(TierSizing tier) {
    String off = servers.stream().filter(server -> server.getReport().getTiers().stream()
      .anyMatch(other -> other.getName().equals(tier.getName())
        && other.getBlocks().equals(tier.getBlocks()) && !other.isEnabled()))
      .map(ServerReport::getServer).collect(Collectors.joining(", "));
    return CacheSizingPage.size(tier.getUsed()) + " of "
      + CacheSizingPage.size(tier.getCapacity()) + " used; served "
      + percent(tier.getMeasuredPercent()) + " of the last minutes' reads"
      + ("L1".equals(tier.getName()) ? "" : " with L1")
      + (off.isEmpty() ? "" : "\nOff, after errors of its device: " + off);
  }

  private void addTables() {
    Rows rows = new Rows("table", "reads", "indexes", "90 %", "95 %", "99 %");
    sum.getTables().stream().limit(MAX_ROWS)
      .forEach(table -> rows.add(name(table.getTable(), "others"),
        percent(table.getReferencePercent()), CacheSizingPage.size(table.getMetadataBytes()),
        CacheSizingPage.size(table.getBytes90()), CacheSizingPage.size(table.getBytes95()),
        CacheSizingPage.size(table.getBytes99())));
    add("What tables need: bytes that hold the indexes and serve a part of the reads of data",
      rows.isEmpty() ? "No reads yet.\n" : rows.text("<>>>>>"));
  }

  private void addHeld() {
    Rows rows = new Rows("table", "family", "tier", "blocks", "bytes");
    sum.getHeld().stream().limit(MAX_ROWS)
      .forEach(held -> rows.add(name(held.getTable(), "files of no open region"),
        held.getFamily(), held.getTier(), count(held.getBlocks()),
        CacheSizingPage.size(held.getBytes())));
    add("What the tiers hold", rows.isEmpty()
      ? "Nothing yet. It is counted every five minutes.\n"
      : rows.text("<<<>>"));
  }

  private void addHour() {
    List<CacheMinute> minutes = sum.getMinutes();
    Rows rows =
      new Rows("minutes ago", "reads", "from L1", "from cache", "evicted", "promoted", "demoted");
    for (int end = minutes.size(); end > 0; end -= MINUTES_PER_ROW) {
      int start = Math.max(0, end - MINUTES_PER_ROW);
      CacheMinute part = CacheMinute.sum(0, minutes.subList(start, end));
      rows.add((minutes.size() - end) + " to " + (minutes.size() - start),
        count(part.getReferences()), percent(CacheAdvice.servedPercent(part, true)),
        percent(CacheAdvice.servedPercent(part, false)), count(part.getEvictions()),
        count(part.getPromotions()), count(part.getDemotions()));
    }
    add("The last hour, in blocks",
      rows.isEmpty() ? "The first minute hasn't ended yet.\n" : rows.text(">>>>>>>"));
  }

  private void addWarmUps() {
    Rows rows = new Rows("server", "region", "files waiting", "blocks", "done", "a second", "left");
    for (ServerReport server : servers) {
      for (CacheWarmupMXBean.Progress region : server.getWarmUps()) {
        rows.add(server.getServer(), region.getRegion(), count(region.getFilesWaiting()),
          count(region.getBlocks()),
          percent(CacheCurve.percent(region.getBlocksDone(), region.getBlocks())),
          CacheSizingPage.size(region.getBytesPerSecond()), region.getMillisLeft() < 0
            ? CacheSizingPage.UNKNOWN
            : count(region.getMillisLeft() / 1000) + " s");
      }
    }
    add("Warm-ups", rows.isEmpty() ? "None is running or waits.\n" : rows.text("<<>>>>>"));
  }

  private void add(String title, String content) {
    text.append('\n').append(title).append('\n').append(content);
  }

  private static String name(String name, String none) {
    return name.isEmpty() ? "(" + none + ")" : name;
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String percent(double percent) {
    return CacheSizingPage.percent(percent);
  }

  /** Rows of cells, of which the columns get the width of the longest. */
  private static final class Rows {
    private final List<String[]> rows = new ArrayList<>();

    Rows(String... heads) {
      rows.add(heads);
    }

    void add(String... cells) {
      rows.add(cells);
    }

    boolean isEmpty() {
      return rows.size() == 1;
    }

    /** @param sides a character for each column, {@code <} or {@code >}: where its text is */
    String text(String sides) {
      StringBuilder lines = new StringBuilder();
      for (String[] row : rows) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.length; i++) {
          String side = sides.charAt(i) == '<' ? "-" : "";
          line.append(String.format("  %" + side + width(i) + "s", row[i]));
        }
        lines.append(line.toString().replaceFirst("\\s+$", "")).append('\n');
      }
      return lines.toString();
    }

    private int width(int column) {
      return rows.stream().mapToInt(row -> row[column].length()).max().orElse(0);
    }
  }
}
