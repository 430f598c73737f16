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
package org.apache.hadoop.hbase.regionserver;

import static org.junit.Assert.assertEquals;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.filter.BigDecimalComparator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.BitComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** Makes filters of gets: HBase's own, lists of them, and such as users may have. */
final class RandomFilters {
  private final byte[][] families;
  private final byte[][] qualifiers;
  private final long now;
  private Random random;
  /** Whether a SkipFilter is around what is made: it doesn't show its filter the row. */
  private boolean isSkipped;

  /** @param now milliseconds, which are the newest timestamp of cells */
  RandomFilters(byte[][] families, byte[][] qualifiers, long now) {
    this.families = families;
    this.qualifiers = qualifiers;
    this.now = now;
  }

  /** Returns the same filter for the same seed, and another object. */
  Filter make(long seed) {
    random = new Random(seed);
    isSkipped = false;
    return make(3);
  }

  private boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  private <T> T any(T[] values) {
    return values[random.nextInt(values.length)];
  }

  private byte[] anyValue() {
    byte[] value = new byte[random.nextInt(3)];
    random.nextBytes(value);
    return value;
  }

  private byte[] anyRow() {
    return row(random.nextInt(12));
  }

  private static byte[] row(int row) {
    return Bytes.toBytes(String.format("row-%02d", row));
  }

  private byte[] anyPrefix() {
    byte[] qualifier = any(qualifiers);
    return Arrays.copyOf(qualifier, random.nextInt(qualifier.length + 1));
  }

  private ByteArrayComparable comparator(byte[] value) {
    switch (random.nextInt(6)) {
      case 0:
        return new BinaryPrefixComparator(value);
      case 3:
        return new BitComparator(value, any(BitComparator.BitwiseOp.values()));
      case 4:
        return new NullComparator();
      case 1:
        return new SubstringComparator(Bytes.toStringBinary(value));
      case 2:
        return new RegexStringComparator("[q0-5]+");
      default:
        return new BinaryComparator(value);
    }
  }

  private CompareOperator op() {
    return any(new CompareOperator[] { CompareOperator.LESS, CompareOperator.LESS_OR_EQUAL,
      CompareOperator.EQUAL, CompareOperator.NOT_EQUAL, CompareOperator.GREATER_OR_EQUAL,
      CompareOperator.GREATER });
  }

  private Filter ofRow() {
    // A MultiRowRangeFilter that wasn't shown the row has no answer, and the get fails.
    switch (random.nextInt(isSkipped ? 4 : 5)) {
      case 0:
        return new PrefixFilter(Arrays.copyOf(anyRow(), random.nextInt(9)));
      case 1:
        byte[] mask = new byte[anyRow().length];
        for (int i = 0; i < mask.length; i++) {
          mask[i] = (byte) random.nextInt(2);
        }
        return new FuzzyRowFilter(Arrays.asList(new Pair<>(anyRow(), mask),
          new Pair<>(anyRow(), new byte[anyRow().length])));
      case 2:
        // All rows or none: between these each filter object throws dice of its own.
        return new RandomRowFilter(oneIn(2) ? 2 : -1);
      case 3:
        byte[] row = anyRow();
        int from = random.nextInt(row.length);
        // It reads as many bytes as it was given, so only what is as long as others is for it.
        return new RowFilter(op(), oneIn(3)
          ? new BinaryComponentComparator(Arrays.copyOfRange(row, from, row.length), from)
          : comparator(row));
      default:
        List<MultiRowRangeFilter.RowRange> ranges = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
          int first = random.nextInt(12);
          ranges.add(new MultiRowRangeFilter.RowRange(row(first), oneIn(2),
            row(first + 1 + random.nextInt(3)), oneIn(2)));
        }
        return new MultiRowRangeFilter(ranges);
    }
  }

  /** These take values of a size, which those of counters have. */
  private Filter ofCounter() {
    long count = random.nextInt(9);
    return new ColumnValueFilter(any(families), TestRowPath.COUNT, op(),
      oneIn(2) ? new LongComparator(count) : new BigDecimalComparator(BigDecimal.valueOf(count)));
  }

  private Set<byte[]> anyQualifiers() {
    Set<byte[]> some = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int i = random.nextInt(3); i >= 0; i--) {
      some.add(any(qualifiers));
    }
    return some;
  }

  @SuppressWarnings("deprecation") // FirstKeyValueMatchingQualifiersFilter is still there
  private Filter make(int depth) {
    if (depth > 0 && oneIn(3)) {
      FilterList list = new FilterList(
        oneIn(2) ? FilterList.Operator.MUST_PASS_ALL : FilterList.Operator.MUST_PASS_ONE);
      for (int i = random.nextInt(4); i > 0; i--) {
        list.addFilter(make(depth - 1));
      }
      return list;
    }
    switch (random.nextInt(depth > 0 ? 25 : 22)) {
      case 0:
      case 1:
      case 2:
        return new ColumnRangeFilter(oneIn(4) ? null : any(qualifiers), oneIn(2),
          oneIn(4) ? null : any(qualifiers), oneIn(2));
      case 3:
        return new ColumnPrefixFilter(anyPrefix());
      case 4:
        return new MultipleColumnPrefixFilter(oneIn(2)
          ? new byte[][] { anyPrefix() }
          : new byte[][] { Bytes.toBytes("q1"), Bytes.toBytes("q" + (2 + random.nextInt(6))) });
      case 5:
        return oneIn(2)
          ? new ColumnPaginationFilter(1 + random.nextInt(4), random.nextInt(4))
          : new ColumnPaginationFilter(1 + random.nextInt(4), any(qualifiers));
      case 6:
        return new ColumnCountGetFilter(random.nextInt(5));
      case 7:
        return oneIn(2)
          ? new FirstKeyOnlyFilter()
          : new org.apache.hadoop.hbase.filter.FirstKeyValueMatchingQualifiersFilter(
            anyQualifiers());
      case 8:
        return new KeyOnlyFilter(oneIn(2));
      case 9:
        return new QualifierFilter(op(), comparator(any(qualifiers)));
      case 10:
        return new FamilyFilter(op(), comparator(any(families)));
      case 11:
        return new ValueFilter(op(), comparator(anyValue()));
      case 12:
      case 13:
        return singleColumnValue();
      case 14:
        return oneIn(3)
          ? ofCounter()
          : new ColumnValueFilter(any(families), any(qualifiers), op(), comparator(anyValue()));
      case 15:
        return timestamps();
      case 16:
        return new DependentColumnFilter(any(families), any(qualifiers), oneIn(2));
      case 17:
        return ofRow();
      case 18:
        return oneIn(2) ? new PageFilter(random.nextInt(3)) : new InclusiveStopFilter(anyRow());
      case 19:
      case 20:
        return new OwnFilter(random.nextLong());
      case 21:
        return new HintingFilter(qualifiers, now, random.nextLong());
      case 22:
        boolean wasSkipped = isSkipped;
        isSkipped = true;
        Filter skipped = make(depth - 1);
        isSkipped = wasSkipped;
        return new SkipFilter(skipped);
      default:
        return new WhileMatchFilter(make(depth - 1));
    }
  }

  private Filter singleColumnValue() {
    byte[] family = any(families);
    byte[] qualifier = any(qualifiers);
    SingleColumnValueFilter filter = oneIn(2)
      ? new SingleColumnValueExcludeFilter(family, qualifier, op(), comparator(anyValue()))
      : new SingleColumnValueFilter(family, qualifier, op(), comparator(anyValue()));
    filter.setFilterIfMissing(oneIn(2));
    filter.setLatestVersionOnly(oneIn(2));
    return filter;
  }

  private Filter timestamps() {
    List<Long> timestamps = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      timestamps.add(now - random.nextInt(6) * TestRowPath.TICK_MS);
    }
    return new TimestampsFilter(timestamps, oneIn(2));
  }

  /** A user's: it says anything, keeps what it is given, and changes values and the row's cells. */
  private static class OwnFilter extends FilterBase {
    private static final ReturnCode[] CODES = { ReturnCode.INCLUDE, ReturnCode.INCLUDE,
      ReturnCode.INCLUDE_AND_NEXT_COL, ReturnCode.INCLUDE_AND_SEEK_NEXT_ROW, ReturnCode.SKIP,
      ReturnCode.NEXT_COL, ReturnCode.NEXT_ROW };

    final Random random;
    private final List<Cell> kept = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();
    private final boolean hasFilterRow;

    OwnFilter(long seed) {
      random = new Random(seed);
      hasFilterRow = random.nextBoolean();
    }

    private void checkKept() {
      for (int i = 0; i < kept.size(); i++) {
        assertEquals(texts.get(i), kept.get(i).toString());
      }
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
      checkKept();
      kept.add(cell);
      texts.add(cell.toString());
      return CODES[random.nextInt(CODES.length)];
    }

    @Override
    public Cell transformCell(Cell cell) {
      checkKept();
      return random.nextBoolean()
        ? cell
        : new KeyValue(CellUtil.cloneRow(cell), CellUtil.cloneFamily(cell),
          CellUtil.cloneQualifier(cell), cell.getTimestamp(), Bytes.toBytes("own"));
    }

    @Override
    public boolean hasFilterRow() {
      return hasFilterRow;
    }

    @Override
    public void filterRowCells(List<Cell> cells) {
      checkKept();
      for (Cell cell : cells) {
        KeyValueUtil.copyToNewKeyValue(cell);
      }
      if (cells.size() > 2) {
        cells.remove(1);
      }
    }

    @Override
    public boolean filterRow() {
      checkKept();
      return kept.size() % 5 == 4;
    }

    @Override
    public boolean filterAllRemaining() {
      return kept.size() == 6;
    }

    @Override
    public boolean isFamilyEssential(byte[] family) {
      return !hasFilterRow || family[0] == 'f';
    }
  }

  /** A user's, with hints to anywhere in the family. */
  private static final class HintingFilter extends OwnFilter {
    private final byte[][] qualifiers;
    private final long now;

    HintingFilter(byte[][] qualifiers, long now, long seed) {
      super(seed);
      this.qualifiers = qualifiers;
      this.now = now;
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
      ReturnCode code = super.filterCell(cell);
      return random.nextInt(3) == 0 ? ReturnCode.SEEK_NEXT_USING_HINT : code;
    }

    @Override
    public Cell getNextCellHint(Cell cell) {
      byte[] qualifier = qualifiers[random.nextInt(qualifiers.length)];
      long timestamp = now - random.nextInt(6) * TestRowPath.TICK_MS;
      switch (random.nextInt(8)) {
        case 0:
          return null;
        case 1:
          return new KeyValue(CellUtil.cloneRow(cell), CellUtil.cloneFamily(cell), qualifier,
            timestamp, KeyValue.Type.Maximum);
        case 2:
          return PrivateCellUtil.createLastOnRowCol(cell);
        case 3:
          return PrivateCellUtil.createLastOnRow(cell);
        case 4:
          return new KeyValue(Bytes.toBytes("row-99"), CellUtil.cloneFamily(cell), qualifier,
            now, KeyValue.Type.Maximum);
        case 5:
          return new KeyValue(CellUtil.cloneRow(cell), CellUtil.cloneFamily(cell),
            CellUtil.cloneQualifier(cell), timestamp, KeyValue.Type.Maximum);
        default:
          return PrivateCellUtil.createFirstOnRowCol(cell, qualifier, 0, qualifier.length);
      }
    }
  }
}
