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
package org.hbasestrata.bench.charts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomBlock;
import org.commonmark.node.CustomNode;
import org.commonmark.node.Heading;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.hbasestrata.tools.ToolException;

/**
 * The report.md of a comparison, of pairs, of an allocation report or of the GC lab. Tables have a
 * row for each figure and a column for each arm. In those of comparisons and pairs the column after
 * an arm's has its ratio to the first arm; in the others there is none, and it is computed. Pairs
 * have a column more for the interval, and a section for each number of threads.
 */
final class RecordedReport {
  private static final Parser PARSER =
    Parser.builder().extensions(List.of(TablesExtension.create())).build();

  private static final String RATIO = "ratio";
  private static final String INTERVAL = "95 % interval";
  private static final String ROUNDS = "Rounds: ";
  private static final String NUMBER = "([0-9][0-9,]*(?:\\.[0-9]+)?)";
  /** A median with its range, if there is one. */
  private static final Pattern RANGE =
    Pattern.compile(NUMBER + "(?:\\s+" + NUMBER + "\u2013" + NUMBER + ")?");
  private static final Pattern LIMITS = Pattern.compile(NUMBER + " to " + NUMBER);
  private static final Pattern PAIRS = Pattern.compile(", (\\d+) pairs of slices$");
  private static final Pattern QUANTITY = Pattern.compile(NUMBER + "(?: (B|KiB|MiB|GiB))?");
  private static final Map<String, Double> BYTES =
    Map.of("B", 1.0, "KiB", 0x1p10, "MiB", 0x1p20, "GiB", 0x1p30);

  private final Path file;
  private final List<Table> tables = new ArrayList<>();
  /** 0 when the report doesn't say. */
  private int rounds;

  /**
   * @param section the heading above it
   * @param rows    the header is the first
   */
  private record Table(String section, List<List<String>> rows) {
    List<String> header() {
      return rows.get(0);
    }

    /** Returns rows that have all of the header's cells, as Markdown's tables do. */
    List<List<String>> labelled(String label) {
      return rows.stream().skip(1).filter(row -> isLabel(row.get(0), label)).toList();
    }

    private static boolean isLabel(String cell, String label) {
      int unit = cell.lastIndexOf(", ");
      return cell.equals(label) || unit >= 0 && cell.substring(0, unit).equals(label);
    }
  }

  private RecordedReport(Path file, String text) {
    this.file = file;
    PARSER.parse(text).accept(new Reader());
  }

  static RecordedReport read(Path file) {
    try {
      return new RecordedReport(file, Files.readString(file));
    } catch (IOException e) {
      throw ToolException.usage(file + " can't be read: " + ToolException.oneLine(e), e);
    }
  }

  /**
   * Returns an arm's ratio in one figure.
   * @param arm     heads its column
   * @param against heads the column of what it is compared with
   * @param section how the heading above the table begins; null for any
   * @param label   of the row, with or without the unit
   */
  RecordedRatio ratio(String arm, String against, String section, String label) {
    List<RecordedRatio> found = new ArrayList<>();
    for (Table table : tables) {
      int column = table.header().indexOf(arm);
      int base = table.header().indexOf(against);
      if (column > 0 && base > 0 && (section == null || table.section().startsWith(section))) {
        table.labelled(label).forEach(row -> found.add(ratio(table, row, column, base)));
      }
    }
    if (found.size() != 1) {
      throw wrong(found.size() + " rows are named '" + label + "' in tables with columns " + arm
        + " and " + against + (section == null ? "" : " of section '" + section + "'")
        + ", allowed: 1");
    }
    return found.get(0);
  }

  private RecordedRatio ratio(Table table, List<String> row, int column, int base) {
    List<String> header = table.header();
    boolean recorded = column + 1 < header.size() && header.get(column + 1).equals(RATIO);
    boolean paired = header.contains(INTERVAL);
    if (rounds == 0 && !paired) {
      throw wrong("it doesn't say of how many rounds it is");
    }
    if (recorded && base != (paired ? 2 : 1)) {
      throw wrong("its ratios are to " + header.get(paired ? 2 : 1) + ", not to "
        + header.get(base));
    }
    RecordedRatio ratio;
    if (paired) {
      ratio = ofPairs(table, row, row.get(column + 1), row.get(header.indexOf(INTERVAL)));
    } else if (recorded) {
      ratio = recorded(row, row.get(column + 1));
    } else {
      ratio = computed(row, row.get(column), row.get(base));
    }
    if (!(ratio.low() > 0) || Double.isInfinite(ratio.high())) {
      throw wrong("'" + row.get(0) + "' has a ratio of " + ratio.description()
        + ", allowed: more than 0");
    }
    return ratio;
  }

  private RecordedRatio ofPairs(Table table, List<String> row, String mean, String interval) {
    Matcher limits = LIMITS.matcher(interval);
    Matcher pairs = PAIRS.matcher(table.section());
    if (!limits.matches() || !pairs.find()) {
      throw wrong("'" + row.get(0) + "' has no interval of pairs, but: " + interval);
    }
    return RecordedRatio.ofPairs(number(mean), number(limits.group(1)), number(limits.group(2)),
      Integer.parseInt(pairs.group(1)));
  }

  private RecordedRatio recorded(List<String> row, String cell) {
    Matcher range = RANGE.matcher(cell);
    if (!range.matches()) {
      throw wrong("'" + row.get(0) + "' has no ratio, but: " + cell);
    }
    double median = number(range.group(1));
    return range.group(2) == null ? new RecordedRatio(median, median, median, rounds)
      : new RecordedRatio(median, number(range.group(2)), number(range.group(3)), rounds);
  }

  private RecordedRatio computed(List<String> row, String value, String base) {
    double ratio = quantity(row, value) / quantity(row, base);
    return new RecordedRatio(ratio, ratio, ratio, rounds);
  }

  private double quantity(List<String> row, String cell) {
    Matcher quantity = QUANTITY.matcher(cell);
    if (!quantity.matches()) {
      throw wrong("'" + row.get(0) + "' has no number, but: " + cell);
    }
    return number(quantity.group(1)) * BYTES.getOrDefault(
      quantity.group(2) == null ? "B" : quantity.group(2), 1.0);
  }

  private static double number(String text) {
    return Double.parseDouble(text.replace(",", ""));
  }

  private ToolException wrong(String what) {
    return ToolException.usage(file + ": " + what);
  }

  private static String text(Node node) {
    StringBuilder text = new StringBuilder();
    node.accept(new AbstractVisitor() {
      @Override
      public void visit(Text part) {
        text.append(part.getLiteral());
      }

      @Override
      public void visit(Code part) {
        text.append(part.getLiteral());
      }
    });
    return text.toString().strip();
  }

  /** Goes through a report, once. */
  private final class Reader extends AbstractVisitor {
    private String section = "";

    @Override
    public void visit(Heading node) {
      section = text(node);
    }

    @Override
    public void visit(CustomBlock node) {
      if (node instanceof TableBlock) {
        tables.add(new Table(section, new ArrayList<>()));
      }
      visitChildren(node);
    }

    @Override
    public void visit(CustomNode node) {
      if (node instanceof TableRow) {
        List<String> cells = new ArrayList<>();
        for (Node cell = node.getFirstChild(); cell != null; cell = cell.getNext()) {
          if (cell instanceof TableCell) {
            cells.add(text(cell));
          }
        }
        tables.get(tables.size() - 1).rows().add(cells);
      } else {
        visitChildren(node);
      }
    }

    @Override
    public void visit(ListItem node) {
      String text = text(node);
      if (text.startsWith(ROUNDS)) {
        rounds = Integer.parseInt(text.substring(ROUNDS.length()));
      }
    }
  }
}
