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
package org.apache.hadoop.hbase.filter;

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.testclassification.FilterTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.AfterClass;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.common.reflect.ClassPath;

/**
 * Scans with random filters over random rows give what the filters' documentation says: from
 * memory, from files and from both, forward and reversed, of named columns and of all, in batches
 * and with limits. A filter for which this isn't written down here, as most lists of filters that
 * look at whole rows, must give the same wherever the cells are. {@code -Drandom.filters.seconds}
 * says for how long; with {@code -Drandom.filters.first} tables before that one are left out.
 */
@Category({ FilterTests.class, MediumTests.class })
public class TestRandomFilters {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRandomFilters.class);

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private static final int SECONDS = Integer.getInteger("random.filters.seconds", 5);
  private static final int FIRST = Integer.getInteger("random.filters.first", 0);
  private static final int STUCK_SECONDS = 60;
  private static final int SCANS_OF_ROWS = 150;
  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final BlockCache CACHE =
    BlockCacheFactory.createBlockCache(UTIL.getConfiguration());
  private static final byte[][] FAMILIES = { Bytes.toBytes("f"), Bytes.toBytes("g") };
  /** Those at which a byte overflows, or is taken for a negative number or for none. */
  private static final byte[] BYTES = { 0, 1, 'k', 0x7f, (byte) 0x80, (byte) 0xff };
  private static final byte[][] COLUMNS = { {}, { 'a' }, { 'a', 'b' }, { 'b' }, { 'b', 0 },
    { 'c' }, { (byte) 0xff } };
  private static final int MAX_TIMESTAMP = 4;
  /** Scans of so few cells can't need more steps. */
  private static final int MAX_STEPS = 10_000;

  /** A filter, and what comes of all cells of a scan, row by row; null if that isn't known. */
  private static final class Tried {
    final Filter filter;
    final Predicate<Cell> keeps;
    final Function<List<List<Cell>>, List<List<Cell>>> expected;

    private Tried(Filter filter, Predicate<Cell> keeps,
      Function<List<List<Cell>>, List<List<Cell>>> expected) {
      this.filter = filter;
      this.keeps = keeps;
      this.expected = expected;
    }

    /** One that looks at each cell by itself. */
    static Tried byCell(Filter filter, Predicate<Cell> keeps) {
      return new Tried(filter, keeps, rows -> eachRow(rows,
        row -> row.stream().filter(keeps).collect(Collectors.toList())));
    }

    static Tried byRow(Filter filter, Function<List<List<Cell>>, List<List<Cell>>> expected) {
      return new Tried(filter, null, expected);
    }
  }

  private static List<List<Cell>> eachRow(List<List<Cell>> rows,
    Function<List<Cell>, List<Cell>> change) {
    return rows.stream().map(change).filter(row -> !row.isEmpty()).collect(Collectors.toList());
  }

  /** Random rows in a region, and scans of them. */
  private static final class World {
    private final Random random;
    private final List<byte[]> rows = new ArrayList<>();
    private final List<Cell> cells = new ArrayList<>();
    private HRegion region;
    private boolean hasDeletes;

    World(long seed) {
      random = new Random(seed);
    }

    int below(int limit) {
      return random.nextInt(limit);
    }

    boolean oneIn(int n) {
      return random.nextInt(n) == 0;
    }

    @SafeVarargs
    final <T> T oneOf(T... choices) {
      return choices[below(choices.length)];
    }

    byte[] bytes(int minLength, int maxLength) {
      byte[] bytes = new byte[minLength + below(maxLength - minLength + 1)];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = BYTES[below(BYTES.length)];
      }
      return bytes;
    }

    /** Returns one of the rows, or one that may not be there. */
    byte[] row() {
      return oneIn(2) ? bytes(1, 4) : rows.get(below(rows.size()));
    }

    void open() throws IOException {
      TableName table = TableName.valueOf("t");
      RegionInfo info = RegionInfoBuilder.newBuilder(table).build();
      TableDescriptorBuilder descriptor = TableDescriptorBuilder.newBuilder(table);
      for (byte[] family : FAMILIES) {
        descriptor.setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(family)
          .setMaxVersions(MAX_TIMESTAMP).setBlocksize(oneOf(64, 256, 65536))
          .setBloomFilterType(oneOf(BloomType.NONE, BloomType.ROW, BloomType.ROWCOL))
          .setDataBlockEncoding(oneOf(DataBlockEncoding.NONE, DataBlockEncoding.ROW_INDEX_V1,
            DataBlockEncoding.FAST_DIFF))
          .build());
      }
      region = HBaseTestingUtility.createRegionAndWAL(info, UTIL.getDataTestDir(),
        UTIL.getConfiguration(), descriptor.build(), CACHE);
      for (int i = 1 + below(30); i > 0; i--) {
        rows.add(bytes(1, oneOf(1, 2, 3, 4, 8)));
      }
      Set<Cell> all = new TreeSet<>(CellComparator.getInstance());
      for (int i = rows.size() * (1 + below(8)); i > 0; i--) {
        byte[] column = COLUMNS[below(COLUMNS.length)];
        // A scan can't go on from a column without a name, so filters see each of its versions.
        int timestamp = column.length == 0 ? 1 : 1 + below(MAX_TIMESTAMP);
        all.add(new KeyValue(rows.get(below(rows.size())), oneOf(FAMILIES), column, timestamp,
          new byte[] { BYTES[below(3)] }));
      }
      cells.addAll(all);
      List<Cell> written = new ArrayList<>(cells);
      Collections.shuffle(written, random);
      int files = below(4);
      for (Cell cell : written) {
        if (files > 0 && oneIn(1 + written.size() / files)) {
          region.flush(true);
        }
        write(cell);
        if (oneIn(20)) {
          write(written.get(below(written.size())));
        }
      }
      if (oneIn(4)) {
        deleteSome();
      }
    }

    /** What is left is what a scan without a filter gives. */
    private void deleteSome() throws IOException {
      hasDeletes = true;
      for (int i = below(6); i >= 0; i--) {
        Delete delete =
          new Delete(rows.get(below(rows.size()))).setDurability(Durability.SKIP_WAL);
        byte[] family = oneOf(FAMILIES);
        byte[] column = COLUMNS[below(COLUMNS.length)];
        int timestamp = 1 + below(MAX_TIMESTAMP);
        switch (below(4)) {
          case 0:
            delete.addColumn(family, column, timestamp);
            break;
          case 1:
            delete.addColumns(family, column, timestamp);
            break;
          case 2:
            delete.addFamilyVersion(family, timestamp);
            break;
          default:
            delete.addFamily(family, timestamp);
        }
        region.delete(delete);
        if (oneIn(4)) {
          region.flush(true);
        }
      }
      cells.clear();
      try (RegionScanner scanner = region.getScanner(new Scan().readAllVersions())) {
        List<Cell> row = new ArrayList<>();
        boolean more = true;
        while (more) {
          more = scanner.next(row);
          row.forEach(cell -> cells.add(KeyValueUtil.copyToNewKeyValue(cell)));
          row.clear();
        }
      }
    }

    private void write(Cell cell) throws IOException {
      region.put(new Put(CellUtil.cloneRow(cell)).setDurability(Durability.SKIP_WAL)
        .add(cell));
    }

    void close() throws IOException {
      HBaseTestingUtility.closeRegionAndWAL(region);
      UTIL.cleanupTestDir();
    }

    private ByteArrayComparable comparator(byte[] value) {
      String text = Bytes.toString(value);
      switch (below(12)) {
        case 0:
          return new BinaryPrefixComparator(value);
        case 1:
          return new BinaryComponentComparator(value, below(2));
        case 2:
          return new BitComparator(value, oneOf(BitComparator.BitwiseOp.values()));
        case 3:
          return new NullComparator();
        case 4:
          return new SubstringComparator(text);
        case 5:
          return new RegexStringComparator("^" + Pattern.quote(text));
        default:
          return new BinaryComparator(value);
      }
    }

    /** What a comparator says of bytes on the heap, whatever a filter gives it. */
    private static boolean holds(CompareOperator op, ByteArrayComparable comparator, byte[] bytes) {
      return holds(op, -comparator.compareTo(bytes, 0, bytes.length));
    }

    private Tried compared(CompareOperator op, ByteArrayComparable comparator, Filter filter,
      Function<Cell, byte[]> part) {
      return Tried.byCell(filter, cell -> holds(op, comparator, part.apply(cell)));
    }

    private static boolean holds(CompareOperator op, int order) {
      switch (op) {
        case LESS:
          return order < 0;
        case LESS_OR_EQUAL:
          return order <= 0;
        case EQUAL:
          return order == 0;
        case NOT_EQUAL:
          return order != 0;
        case GREATER_OR_EQUAL:
          return order >= 0;
        default:
          return order > 0;
      }
    }

    private CompareOperator op() {
      return oneOf(CompareOperator.LESS, CompareOperator.LESS_OR_EQUAL, CompareOperator.EQUAL,
        CompareOperator.NOT_EQUAL, CompareOperator.GREATER_OR_EQUAL, CompareOperator.GREATER);
    }

    private static boolean startsWith(byte[] bytes, byte[] prefix) {
      return Bytes.startsWith(bytes, prefix);
    }

    private static boolean isBetween(byte[] bytes, byte[] from, boolean withFrom, byte[] to,
      boolean withTo) {
      int first = Bytes.compareTo(bytes, from);
      int last = to == null ? -1 : Bytes.compareTo(bytes, to);
      return (first > 0 || withFrom && first == 0) && (last < 0 || withTo && last == 0);
    }

    private byte[] value() {
      return new byte[] { BYTES[below(3)] };
    }

    /** A filter that looks at each cell by itself. */
    Tried ofCells() {
      CompareOperator op = op();
      byte[] row = row();
      byte[] column = COLUMNS[below(COLUMNS.length)];
      byte[] family = oneOf(FAMILIES);
      int kind = below(11);
      ByteArrayComparable comparator =
        comparator(kind == 0 ? row : kind == 1 ? family : kind == 2 ? column : value());
      switch (kind) {
        case 0:
          return compared(op, comparator, new RowFilter(op, comparator), CellUtil::cloneRow);
        case 1:
          return compared(op, comparator, new FamilyFilter(op, comparator),
            CellUtil::cloneFamily);
        case 2:
          return compared(op, comparator, new QualifierFilter(op, comparator),
            CellUtil::cloneQualifier);
        case 3:
          return compared(op, comparator, new ValueFilter(op, comparator), CellUtil::cloneValue);
        case 4:
          byte[] rowPrefix = Arrays.copyOf(row, 1 + below(row.length));
          return Tried.byCell(new PrefixFilter(rowPrefix),
            cell -> startsWith(CellUtil.cloneRow(cell), rowPrefix));
        case 5:
          return Tried.byCell(new ColumnPrefixFilter(column),
            cell -> startsWith(CellUtil.cloneQualifier(cell), column));
        case 6:
          int from = below(COLUMNS.length);
          byte[][] prefixes =
            Arrays.copyOfRange(COLUMNS, from, from + 1 + below(COLUMNS.length - from));
          return Tried.byCell(new MultipleColumnPrefixFilter(prefixes),
            cell -> Arrays.stream(prefixes)
              .anyMatch(prefix -> startsWith(CellUtil.cloneQualifier(cell), prefix)));
        case 7:
          byte[] last = oneIn(4) ? null : COLUMNS[below(COLUMNS.length)];
          boolean withFirst = oneIn(2);
          boolean withLast = oneIn(2);
          return Tried.byCell(new ColumnRangeFilter(column, withFirst, last, withLast),
            cell -> isBetween(CellUtil.cloneQualifier(cell), column, withFirst, last, withLast));
        case 8:
          Set<Long> timestamps = new HashSet<>();
          for (int i = below(3); i >= 0; i--) {
            timestamps.add(1L + below(MAX_TIMESTAMP));
          }
          // Its hints go past deletes, as its documentation says.
          return Tried.byCell(
            new TimestampsFilter(new ArrayList<>(timestamps), oneIn(2) && !hasDeletes),
            cell -> timestamps.contains(cell.getTimestamp()));
        case 9:
          return ranges();
        default:
          return fuzzy();
      }
    }

    private Tried ranges() {
      List<RowRange> ranges = new ArrayList<>();
      Predicate<Cell> inRange = cell -> false;
      for (int i = below(3); i >= 0; i--) {
        byte[] first = row();
        byte[] last = row();
        boolean withFirst = oneIn(2);
        boolean withLast = oneIn(2);
        if (Bytes.compareTo(first, last) < 0) {
          ranges.add(new RowRange(first, withFirst, last, withLast));
          inRange = inRange
            .or(cell -> isBetween(CellUtil.cloneRow(cell), first, withFirst, last, withLast));
        }
      }
      return ranges.isEmpty() ? ofCells() : Tried.byCell(new MultiRowRangeFilter(ranges), inRange);
    }

    /** Whether a row fits that is shorter than a rule depends on the rows around it. */
    private Tried fuzzy() {
      int shortest = rows.stream().mapToInt(row -> row.length).min().getAsInt();
      List<Pair<byte[], byte[]>> rules = new ArrayList<>();
      Predicate<Cell> fits = cell -> false;
      for (int i = below(3); i >= 0; i--) {
        byte[] key = bytes(shortest, shortest);
        byte[] mask = new byte[key.length];
        for (int b = 0; b < mask.length; b++) {
          mask[b] = (byte) below(2);
        }
        rules.add(new Pair<>(key.clone(), mask.clone()));
        fits = fits.or(cell -> fits(CellUtil.cloneRow(cell), key, mask));
      }
      return Tried.byCell(new FuzzyRowFilter(rules), fits);
    }

    private static boolean fits(byte[] row, byte[] key, byte[] mask) {
      for (int i = 0; i < key.length; i++) {
        if (mask[i] == 0 && row[i] != key[i]) {
          return false;
        }
      }
      return true;
    }

    private Tried list(int depth) {
      boolean all = oneIn(2);
      FilterList list =
        new FilterList(all ? FilterList.Operator.MUST_PASS_ALL : FilterList.Operator.MUST_PASS_ONE);
      Predicate<Cell> keeps = null;
      for (int i = below(4); i >= 0; i--) {
        Tried next = depth > 0 && oneIn(3) ? list(depth - 1) : ofCells();
        list.addFilter(next.filter);
        keeps = keeps == null ? next.keeps : all ? keeps.and(next.keeps) : keeps.or(next.keeps);
      }
      return Tried.byCell(list, keeps);
    }

    /** SkipFilter is of cells: it doesn't ask a filter about the row. */
    private static boolean looksAtRows(Filter filter) {
      return !(filter instanceof ColumnPrefixFilter || filter instanceof MultipleColumnPrefixFilter
        || filter instanceof ColumnRangeFilter || filter instanceof TimestampsFilter
        || filter instanceof CompareFilter && !(filter instanceof RowFilter)
          && !(filter instanceof DependentColumnFilter));
    }

    /** A filter that looks at more than a cell. */
    @SuppressWarnings("deprecation") // FirstKeyValueMatchingQualifiersFilter is still there
    private Tried ofRows(boolean reversed) {
      byte[] row = row();
      byte[] family = oneOf(FAMILIES);
      byte[] column = COLUMNS[below(COLUMNS.length)];
      ByteArrayComparable comparator = comparator(value());
      CompareOperator op = op();
      Tried inner = ofCells();
      while (looksAtRows(inner.filter)) {
        inner = ofCells();
      }
      Predicate<Cell> innerKeeps = inner.keeps;
      switch (below(13)) {
        case 0:
          return Tried.byCell(new InclusiveStopFilter(row), cell -> {
            int order = Bytes.compareTo(CellUtil.cloneRow(cell), row);
            return reversed ? order >= 0 : order <= 0;
          });
        case 1:
          int pageSize = 1 + below(5);
          return Tried.byRow(new PageFilter(pageSize),
            rows -> rows.subList(0, Math.min(pageSize, rows.size())));
        case 2:
          return Tried.byRow(new FirstKeyOnlyFilter(),
            rows -> eachRow(rows, cells -> cells.subList(0, 1)));
        case 3:
          return Tried.byRow(new KeyOnlyFilter(), rows -> eachRow(rows,
            cells -> cells.stream().map(World::withoutValue).collect(Collectors.toList())));
        case 4:
          boolean ifMissing = oneIn(2);
          boolean latest = oneIn(2);
          boolean exclude = oneIn(2);
          SingleColumnValueFilter filter = exclude
            ? new SingleColumnValueExcludeFilter(family, column, op, comparator)
            : new SingleColumnValueFilter(family, column, op, comparator);
          filter.setFilterIfMissing(ifMissing);
          filter.setLatestVersionOnly(latest);
          return Tried.byRow(filter, rows -> eachRow(rows, cells -> {
            List<Cell> tested = cells.stream()
              .filter(cell -> CellUtil.matchingColumn(cell, family, column))
              .collect(Collectors.toList());
            boolean matches = tested.isEmpty() ? !ifMissing
              : tested.subList(0, latest ? 1 : tested.size()).stream()
                .anyMatch(cell -> holds(op, comparator, CellUtil.cloneValue(cell)));
            return !matches ? Collections.emptyList()
              : cells.stream().filter(cell -> !exclude || !tested.contains(cell))
                .collect(Collectors.toList());
          }));
        case 5:
          int limit = 1 + below(4);
          int offset = below(4);
          return Tried.byRow(new ColumnPaginationFilter(limit, offset),
            rows -> eachRow(rows, cells -> page(newest(cells), offset, limit)));
        case 6:
          return Tried.byRow(new SkipFilter(inner.filter), rows -> eachRow(rows,
            cells -> cells.stream().allMatch(innerKeeps) ? cells : Collections.emptyList()));
        case 7:
          return Tried.byCell(new ColumnValueFilter(family, column, op, comparator),
            cell -> CellUtil.matchingColumn(cell, family, column)
              && holds(op, comparator, CellUtil.cloneValue(cell)));
        case 8:
          float chance = below(2);
          return Tried.byCell(new RandomRowFilter(chance), cell -> chance > 0);
        case 9:
          return Tried.byRow(new KeyOnlyFilter(true), rows -> eachRow(rows, cells -> cells.stream()
            .map(cell -> withValue(cell, Bytes.toBytes(cell.getValueLength())))
            .collect(Collectors.toList())));
        case 10:
          Set<byte[]> found = new TreeSet<>(Bytes.BYTES_COMPARATOR);
          found.add(column);
          return Tried.byRow(new FirstKeyValueMatchingQualifiersFilter(found),
            rows -> eachRow(rows, cells -> upTo(cells, column)));
        case 11:
          int columns = 1 + below(4);
          return Tried.byRow(new ColumnPaginationFilter(columns, column),
            rows -> eachRow(rows, cells -> page(from(newest(cells), column), 0, columns)));
        default:
          boolean drop = oneIn(2);
          boolean any = oneIn(4);
          Predicate<Cell> isDependent = cell -> CellUtil.matchingColumn(cell, family, column);
          Predicate<Cell> matches = isDependent
            .and(cell -> any || holds(op, comparator, CellUtil.cloneValue(cell)));
          DependentColumnFilter dependent = any
            ? new DependentColumnFilter(family, column, drop)
            : new DependentColumnFilter(family, column, drop, op, comparator);
          return Tried.byRow(dependent, rows -> eachRow(rows, cells -> {
            Set<Long> timestamps =
              cells.stream().filter(matches).map(Cell::getTimestamp).collect(Collectors.toSet());
            return cells.stream()
              .filter(cell -> timestamps.contains(cell.getTimestamp())
                && (!isDependent.test(cell) || !drop && matches.test(cell)))
              .collect(Collectors.toList());
          }));
      }
    }

    private static Cell withoutValue(Cell cell) {
      return withValue(cell, new byte[0]);
    }

    private static Cell withValue(Cell cell, byte[] value) {
      return new KeyValue(CellUtil.cloneRow(cell), CellUtil.cloneFamily(cell),
        CellUtil.cloneQualifier(cell), cell.getTimestamp(), value);
    }

    private static List<Cell> newest(List<Cell> cells) {
      List<Cell> newest = new ArrayList<>();
      for (Cell cell : cells) {
        if (newest.isEmpty()
          || !CellUtil.matchingColumn(cell, newest.get(newest.size() - 1))) {
          newest.add(cell);
        }
      }
      return newest;
    }

    /** Returns the cells up to the first with a qualifier, and that one. */
    private static List<Cell> upTo(List<Cell> cells, byte[] qualifier) {
      for (int i = 0; i < cells.size(); i++) {
        if (CellUtil.matchingQualifier(cells.get(i), qualifier)) {
          return cells.subList(0, i + 1);
        }
      }
      return cells;
    }

    /** Returns the cells from the first on that has this qualifier or a later one. */
    private static List<Cell> from(List<Cell> cells, byte[] qualifier) {
      int i = 0;
      while (
        i < cells.size() && Bytes.compareTo(CellUtil.cloneQualifier(cells.get(i)), qualifier) < 0
      ) {
        i++;
      }
      return cells.subList(i, cells.size());
    }

    private static <T> List<T> page(List<T> list, int offset, int limit) {
      int from = Math.min(offset, list.size());
      return list.subList(from, Math.min(from + limit, list.size()));
    }

    /**
     * Filters together of which it isn't written down what comes of it. What a WhileMatchFilter
     * does depends on whether it is asked about a row that was deleted, and so on where that is.
     */
    private Filter mixed(boolean reversed, int depth) {
      FilterList list = new FilterList(
        oneOf(FilterList.Operator.MUST_PASS_ALL, FilterList.Operator.MUST_PASS_ONE));
      for (int i = below(4); i >= 0; i--) {
        Filter filter = depth > 0 && oneIn(3) ? mixed(reversed, depth - 1)
          : oneIn(12) ? new ColumnCountGetFilter(below(5))
          : oneIn(2) ? ofCells().filter
          : ofRows(reversed).filter;
        list.addFilter(oneIn(6) && !hasDeletes ? new WhileMatchFilter(filter)
          : oneIn(6) && !looksAtRows(filter) ? new SkipFilter(filter)
          : filter);
      }
      return list;
    }

    Scan scan() {
      Scan scan = new Scan().readAllVersions().setReversed(oneIn(2));
      if (oneIn(2)) {
        scan.withStartRow(row(), oneIn(2));
      }
      if (oneIn(3)) {
        byte[] stop = row();
        if (
          scan.getStartRow().length == 0
            || Bytes.compareTo(scan.getStartRow(), stop) < 0 != scan.isReversed()
        ) {
          scan.withStopRow(stop, oneIn(2));
        }
      }
      if (oneIn(2)) {
        byte[] family = oneOf(FAMILIES);
        for (int i = below(3); i >= 0; i--) {
          scan.addColumn(oneIn(3) ? oneOf(FAMILIES) : family, COLUMNS[below(COLUMNS.length)]);
        }
      } else if (oneIn(4)) {
        scan.addFamily(oneOf(FAMILIES));
      }
      if (oneIn(8)) {
        scan.setMaxResultsPerColumnFamily(1 + below(3)).setRowOffsetPerColumnFamily(below(3));
      }
      return scan;
    }

    /** Returns the cells that the scan has without a filter and limits, row by row. */
    List<List<Cell>> rowsOf(Scan scan) {
      Map<String, List<Cell>> byRow = new LinkedHashMap<>();
      for (Cell cell : cells) {
        byte[] row = CellUtil.cloneRow(cell);
        boolean isIn = scan.isReversed()
          ? isBetween(row, scan.getStopRow(), scan.includeStopRow(),
            scan.getStartRow().length == 0 ? null : scan.getStartRow(), scan.includeStartRow())
          : isBetween(row, scan.getStartRow(), scan.includeStartRow(),
            scan.getStopRow().length == 0 ? null : scan.getStopRow(), scan.includeStopRow());
        if (isIn && isOfColumns(scan, cell)) {
          byRow.computeIfAbsent(Bytes.toStringBinary(row), name -> new ArrayList<>()).add(cell);
        }
      }
      List<List<Cell>> rows = new ArrayList<>(byRow.values());
      if (scan.isReversed()) {
        Collections.reverse(rows);
      }
      return rows;
    }

    private static boolean isOfColumns(Scan scan, Cell cell) {
      if (!scan.hasFamilies()) {
        return true;
      }
      byte[] family = CellUtil.cloneFamily(cell);
      if (!scan.getFamilyMap().containsKey(family)) {
        return false;
      }
      Set<byte[]> columns = scan.getFamilyMap().get(family);
      return columns == null || columns.contains(CellUtil.cloneQualifier(cell));
    }

    private static List<Cell> limited(Scan scan, List<Cell> row) {
      int limit = scan.getMaxResultsPerColumnFamily();
      if (limit < 0) {
        return row;
      }
      List<Cell> limited = new ArrayList<>();
      for (byte[] family : FAMILIES) {
        limited.addAll(page(row.stream().filter(cell -> CellUtil.matchingFamily(cell, family))
          .collect(Collectors.toList()), scan.getRowOffsetPerColumnFamily(), limit));
      }
      return limited;
    }

    private static String text(Cell cell) {
      return Bytes.toStringBinary(CellUtil.cloneRow(cell)) + " "
        + Bytes.toString(CellUtil.cloneFamily(cell)) + ":"
        + Bytes.toStringBinary(CellUtil.cloneQualifier(cell)) + " " + cell.getTimestamp() + "="
        + Bytes.toStringBinary(CellUtil.cloneValue(cell));
    }

    private static List<String> text(List<List<Cell>> rows) {
      return rows.stream().flatMap(List::stream).map(World::text).collect(Collectors.toList());
    }

    /** Returns what a scan gives, with a filter that came over the wire. */
    private List<String> results(Scan scan, int batch) throws IOException {
      Scan copy = new Scan(scan);
      if (batch > 0) {
        copy.setBatch(batch);
      }
      if (scan.getFilter() != null) {
        copy.setFilter(copyOf(scan.getFilter()));
      }
      List<String> results = new ArrayList<>();
      List<Cell> next = new ArrayList<>();
      try (RegionScanner scanner = region.getScanner(copy)) {
        boolean more = true;
        for (int step = 0; more; step++) {
          if (step > MAX_STEPS) {
            throw new AssertionError("the scan doesn't end");
          }
          next.clear();
          more = scanner.next(next);
          next.stream().map(World::text).forEach(results::add);
        }
      }
      return results;
    }

    private static Filter copyOf(Filter filter) throws IOException {
      return org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil
        .toFilter(org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil.toFilter(filter));
    }

    /** Tells what is missing and what is too much; of the same cells in another order, both. */
    private void assertSame(String how, List<String> expected, List<String> found) {
      if (!expected.equals(found)) {
        List<String> missing = new ArrayList<>(expected);
        missing.removeAll(found);
        List<String> tooMuch = new ArrayList<>(found);
        tooMuch.removeAll(expected);
        throw new AssertionError(how + ", missing " + missing + ", too much " + tooMuch + ", found "
          + found + ", of " + cells.stream().map(World::text).collect(Collectors.toList()));
      }
    }

    void run(Progress progress) throws IOException {
      Map<Scan, List<String>> results = new LinkedHashMap<>();
      for (int i = 0; i < SCANS_OF_ROWS; i++) {
        Scan scan = scan();
        List<String> expected = null;
        if (oneIn(4)) {
          scan.setFilter(mixed(scan.isReversed(), 2));
        } else {
          Tried tried = oneIn(3) ? list(2) : oneIn(2) ? ofCells() : ofRows(scan.isReversed());
          scan.setFilter(tried.filter);
          if (tried.keeps != null || scan.getMaxResultsPerColumnFamily() < 0) {
            expected = text(
              eachRow(tried.expected.apply(rowsOf(scan)), cells -> limited(scan, cells)));
          }
        }
        progress.scans(scan);
        List<String> found = results(scan, 0);
        if (expected != null) {
          assertSame("in one scan", expected, found);
          if (!scan.getFilter().hasFilterRow()) {
            assertSame("in batches", expected, results(scan, 1 + below(3)));
          }
          Scan inList = new Scan(scan).setFilter(new FilterList(oneOf(
            FilterList.Operator.MUST_PASS_ALL, FilterList.Operator.MUST_PASS_ONE),
            scan.getFilter()));
          assertSame("in a list", expected, results(inList, 0));
        }
        results.put(scan, found);
      }
      region.flush(true);
      progress.step("flushed");
      for (Map.Entry<Scan, List<String>> result : results.entrySet()) {
        progress.scans(result.getKey());
        assertSame("from files", result.getValue(), results(result.getKey(), 0));
      }
      region.compact(true);
      progress.step("compacted");
      for (Map.Entry<Scan, List<String>> result : results.entrySet()) {
        progress.scans(result.getKey());
        assertSame("from one file", result.getValue(), results(result.getKey(), 0));
      }
    }
  }

  /** What is being tried. */
  private static final class Progress {
    private volatile long changedNanos = System.nanoTime();
    private volatile String what = "";
    private volatile String step = "";
    private volatile Throwable failure;

    void scans(Scan scan) {
      what = scan.getFilter() + " in " + scan;
      changedNanos = System.nanoTime();
    }

    void step(String name) {
      step = name;
    }

    boolean isStuck() {
      return System.nanoTime() - changedNanos > TimeUnit.SECONDS.toNanos(STUCK_SECONDS);
    }
  }

  @AfterClass
  public static void stopCache() {
    CACHE.shutdown();
  }

  @Test
  public void scansGiveWhatTheirFiltersSay() throws Exception {
    Random seeds = seed.newRandom();
    for (int i = 0; i < FIRST; i++) {
      seeds.nextLong();
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    int table = FIRST;
    do {
      try {
        run(seeds.nextLong());
      } catch (Exception | AssertionError e) {
        throw new AssertionError("-Drandom.filters.first=" + table + "\n" + e.getMessage(), e);
      }
      table++;
    } while (System.nanoTime() < end);
    System.out.println(table - FIRST + " tables, with " + SCANS_OF_ROWS + " scans each");
  }

  /** A filter or comparator of a later release is missed here. */
  @Test
  public void allOfTheClientsAreTried() throws Exception {
    // Values here are shorter than what these compare.
    Set<Class<?>> tried = new HashSet<>(Arrays.asList(LongComparator.class,
      BigDecimalComparator.class, FilterListWithAND.class, FilterListWithOR.class));
    Random seeds = seed.newRandom();
    World world = new World(seeds.nextLong());
    world.open();
    // With deletes some aren't.
    while (world.hasDeletes) {
      world.close();
      world = new World(seeds.nextLong());
      world.open();
    }
    for (int i = 0; i < 1_000; i++) {
      addClasses(world.mixed(false, 2), tried);
    }
    world.close();
    String folder = Filter.class.getResource("Filter.class").toString().replace("Filter.class", "");
    for (ClassPath.ClassInfo info : ClassPath.from(Filter.class.getClassLoader())
      .getTopLevelClasses(Filter.class.getPackage().getName())) {
      if (info.url().toString().startsWith(folder)) {
        Class<?> type = info.load();
        if (
          (Filter.class.isAssignableFrom(type) || ByteArrayComparable.class.isAssignableFrom(type))
            && !Modifier.isAbstract(type.getModifiers())
        ) {
          assertTrue(type + " isn't tried", tried.contains(type));
        }
      }
    }
  }

  private static void addClasses(Filter filter, Set<Class<?>> classes) {
    classes.add(filter.getClass());
    if (filter instanceof FilterList) {
      ((FilterList) filter).getFilters().forEach(inner -> addClasses(inner, classes));
    } else if (filter instanceof SkipFilter) {
      addClasses(((SkipFilter) filter).getFilter(), classes);
    } else if (filter instanceof WhileMatchFilter) {
      addClasses(((WhileMatchFilter) filter).getFilter(), classes);
    } else if (filter instanceof CompareFilter) {
      ByteArrayComparable comparator = ((CompareFilter) filter).getComparator();
      if (comparator != null) {
        classes.add(comparator.getClass());
      }
    }
  }

  /** Scans in a thread of their own, so that one that doesn't end is told of. */
  private static void run(long seed) throws Exception {
    Progress progress = new Progress();
    Thread thread = new Thread(() -> {
      World world = new World(seed);
      try {
        world.open();
        world.run(progress);
        world.close();
      } catch (Throwable e) {
        progress.failure = e;
      }
    }, "scans");
    thread.setDaemon(true);
    thread.start();
    do {
      thread.join(TimeUnit.SECONDS.toMillis(1));
    } while (thread.isAlive() && !progress.isStuck());
    if (thread.isAlive()) {
      progress.failure = new AssertionError("the scan doesn't end");
      progress.failure.setStackTrace(thread.getStackTrace());
    }
    if (progress.failure != null) {
      throw new AssertionError(
        progress.what + " " + progress.step + "\n" + progress.failure.getMessage(),
        progress.failure);
    }
  }
}
