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
package org.hbasestrata.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a thread of {@link PhoenixLoad} has written: rows of its own, which no other thread writes
 * or asks for. Each is in the tables of {@link #TABLES}, with indexes of different kinds, and its
 * values follow from its version, a number that each write raises. Not thread-safe.
 */
final class PhoenixModel {
  /** A salted table, and one with a local index. */
  static final List<String> TABLES = List.of("SALTED", "LOCALLY");
  static final String COPY = "COPY";
  static final int SALT_BUCKETS = 4;
  static final int GROUPS = 20;
  private static final int LETTERS = 40;
  private static final int MOST_C = 1000;
  private static final int LONGEST_D = 900;
  private static final int LIST = 40;
  private static final int SPAN = 60;
  private static final int LIMIT = 15;
  private static final int GROUP_OF_VIEW = 7;

  /** Creates tables, indexes and views, in this order. */
  static List<String> schema() {
    List<String> statements = new ArrayList<>();
    String columns = " (W INTEGER NOT NULL, K INTEGER NOT NULL, A VARCHAR, B INTEGER, C BIGINT,"
      + " D VARCHAR CONSTRAINT PK PRIMARY KEY (W, K))";
    statements.add("CREATE TABLE SALTED" + columns + " SALT_BUCKETS = " + SALT_BUCKETS);
    statements.add("CREATE TABLE LOCALLY" + columns + " SPLIT ON (2)");
    statements.add("CREATE TABLE " + COPY + columns);
    for (String table : TABLES) {
      statements.add("CREATE INDEX " + table + "_B ON " + table + " (W, B) INCLUDE (A)");
      statements.add("CREATE UNCOVERED INDEX " + table + "_A ON " + table + " (W, A)");
      statements.add("CREATE VIEW " + table + "_VIEW AS SELECT * FROM " + table + " WHERE B = "
        + GROUP_OF_VIEW);
    }
    statements.add("CREATE LOCAL INDEX LOCALLY_C ON LOCALLY (C)");
    statements.add("CREATE TABLE GROUPS (B INTEGER PRIMARY KEY, NAME VARCHAR)");
    return statements;
  }

  /** A row's values in a version. */
  private record Row(int k, String a, int b, long c, String d) {
  }

  /**
   * A query and its answer.
   * @param shape    its name
   * @param sql      with the values in it
   * @param expected a line for each row
   * @param ordered  whether rows come in this order
   * @param isOld    tells of a line, whether it is that of an earlier version of its row
   */
  record Question(String shape, String sql, List<String> expected, boolean ordered,
    Predicate<String> isOld) {
    Question(String shape, String sql, List<String> expected, boolean ordered) {
      this(shape, sql, expected, ordered, line -> false);
    }

    /** Returns the same question to the table itself. */
    Question withoutIndex() {
      return new Question(shape, sql.replaceFirst("/\\*\\+ [^*]* \\*/", "")
        .replaceFirst("SELECT *", "SELECT /*+ NO_INDEX */ "), expected, ordered, isOld);
    }

    /**
     * Returns true if an answer is wrong only in that it has earlier versions of rows, beside or in
     * place of what the rows are now.
     */
    boolean isOfBefore(List<String> lines) {
      List<String> more = new ArrayList<>(lines);
      expected.forEach(more::remove);
      List<String> missing = new ArrayList<>(expected);
      lines.forEach(missing::remove);
      Set<String> keys = more.stream().map(PhoenixModel::key).collect(Collectors.toSet());
      return more.stream().allMatch(isOld)
        && missing.stream().map(PhoenixModel::key).allMatch(keys::contains);
    }
  }

  private static String key(String line) {
    return line.split("\\|", 2)[0];
  }

  private final int w;
  /** The version of each row, 0 for none. */
  private final int[] versions;
  private final SplittableRandom random;
  private int last;

  PhoenixModel(int w, int rows, long seed) {
    this.w = w;
    versions = new int[rows];
    random = new SplittableRandom(seed + w);
  }

  int w() {
    return w;
  }

  int rows() {
    return versions.length;
  }

  SplittableRandom random() {
    return random;
  }

  /** Gives a row another version, and returns the statement's end that writes it. */
  String write(int k) {
    versions[k] = ++last;
    Row row = row(k);
    return " VALUES (" + w + ", " + k + ", '" + row.a + "', " + row.b + ", " + row.c + ", '"
      + row.d + "')";
  }

  void delete(int k) {
    versions[k] = 0;
  }

  private Row row(int k) {
    return row(k, versions[k]);
  }

  private Row row(int k, int version) {
    SplittableRandom of = new SplittableRandom(((long) w << 56) + ((long) k << 32) + version);
    String a = "a" + of.nextInt(LETTERS);
    int b = of.nextInt(GROUPS);
    long c = of.nextInt(MOST_C);
    String word = Long.toString(of.nextLong() >>> 1, 36);
    String d = word.repeat(1 + of.nextInt(LONGEST_D) / word.length());
    return new Row(k, a, b, c, d);
  }

  /** Returns the rows that are there from one key on, below another. */
  private List<Row> rows(int from, int to) {
    return IntStream.range(from, Math.min(to, versions.length)).filter(k -> versions[k] > 0)
      .mapToObj(this::row).toList();
  }

  private List<Row> all() {
    return rows(0, versions.length);
  }

  int anyKey() {
    return random.nextInt(versions.length);
  }

  int anySpan() {
    return 1 + random.nextInt(SPAN);
  }

  private static String line(Object... values) {
    return List.of(values).stream().map(String::valueOf).collect(Collectors.joining("|"));
  }

  private static List<String> lines(List<Row> rows, Function<Row, String> line) {
    return rows.stream().map(line).toList();
  }

  /** Returns a question that some rows answer, a line each. */
  private Question rows(String shape, String sql, List<Row> rows, Function<Row, String> line) {
    return new Question(shape, sql, lines(rows, line), false, text -> isOld(text, line));
  }

  /**
   * Returns true if each value of a line is that of some version of the row. An index has entries
   * of before, which are joined with what the row is now; values are null if it is gone.
   */
  private boolean isOld(String text, Function<Row, String> line) {
    String[] found = text.split("\\|", -1);
    if (!found[0].matches("\\d{1,9}")) {
      return false;
    }
    boolean[] seen = new boolean[found.length];
    for (int version = 1; version <= last; version++) {
      String[] written = line.apply(row(Integer.parseInt(found[0]), version)).split("\\|");
      if (written.length != found.length) {
        return false;
      }
      for (int i = 0; i < found.length; i++) {
        seen[i] |= found[i].equals(written[i]) || i > 0 && found[i].equals("null");
      }
    }
    return IntStream.range(0, seen.length).allMatch(i -> seen[i]);
  }

  private String from(String table) {
    return " FROM " + table + " WHERE W = " + w;
  }

  private static final List<BiFunction<PhoenixModel, String, Question>> SHAPES = List.of(
    PhoenixModel::list, PhoenixModel::range, PhoenixModel::coveredIndex,
    PhoenixModel::indexAndTable, PhoenixModel::uncoveredIndex, PhoenixModel::groups,
    PhoenixModel::top, PhoenixModel::view, PhoenixModel::join, PhoenixModel::count,
    PhoenixModel::page, PhoenixModel::distinct, PhoenixModel::pattern, PhoenixModel::subquery,
    PhoenixModel::missing);

  /** Returns any question. Those that count or sort ask the table: an index may have old rows. */
  Question any() {
    int shape = random.nextInt(SHAPES.size() + 1);
    return shape == SHAPES.size() ? localIndex()
      : SHAPES.get(shape).apply(this, TABLES.get(random.nextInt(TABLES.size())));
  }

  /** Returns one of those whose cells Phoenix uses after it has closed their scanner. */
  Question anyOfCells() {
    return random.nextBoolean() ? localIndex()
      : list(TABLES.get(random.nextInt(TABLES.size())));
  }

  /** Returns a question for all rows of each table, and by each index. */
  List<Question> whole() {
    List<Question> questions = new ArrayList<>();
    for (String table : TABLES) {
      questions.add(new Question("all of " + table, "SELECT /*+ NO_INDEX */ K, A, B, C, D"
        + from(table), lines(all(), row -> line(row.k, row.a, row.b, row.c, row.d)), false));
      questions.add(rows("all by " + table + "_B", "SELECT /*+ INDEX(" + table + ' ' + table
        + "_B) */ K, A" + from(table) + " AND B >= 0", all(), row -> line(row.k, row.a)));
      questions.add(rows("all by " + table + "_A", "SELECT /*+ INDEX(" + table + ' ' + table
        + "_A) */ K, D" + from(table) + " AND A >= 'a'", all(), row -> line(row.k, row.d)));
    }
    questions.add(rows("all by LOCALLY_C", "SELECT /*+ INDEX(LOCALLY LOCALLY_C) */ K, C, D"
      + from("LOCALLY") + " AND C >= 0", all(), row -> line(row.k, row.c, row.d)));
    return questions;
  }

  private Question list(String table) {
    TreeSet<Integer> keys = new TreeSet<>();
    for (int i = 0; i < LIST; i++) {
      keys.add(anyKey());
    }
    String in = keys.stream().map(String::valueOf).collect(Collectors.joining(", "));
    List<Row> rows =
      keys.stream().filter(k -> versions[k] > 0).map(this::row).toList();
    return new Question("list of keys", "SELECT K, A, B, C, D" + from(table) + " AND K IN (" + in
      + ")", lines(rows, row -> line(row.k, row.a, row.b, row.c, row.d)), false);
  }

  private Question range(String table) {
    int k = anyKey();
    int end = k + anySpan();
    return new Question("range", "SELECT K, C, D" + from(table) + " AND K >= " + k + " AND K < "
      + end + " ORDER BY K", lines(rows(k, end), row -> line(row.k, row.c, row.d)), true);
  }

  private Question coveredIndex(String table) {
    int b = random.nextInt(GROUPS);
    return rows("covered index", "SELECT /*+ INDEX(" + table + ' ' + table + "_B) */ K, A"
      + from(table) + " AND B = " + b,
      all().stream().filter(row -> row.b == b).toList(), row -> line(row.k, row.a));
  }

  private Question indexAndTable(String table) {
    int b = random.nextInt(GROUPS);
    return rows("index and table", "SELECT /*+ INDEX(" + table + ' ' + table
      + "_B) */ K, D" + from(table) + " AND B = " + b,
      all().stream().filter(row -> row.b == b).toList(), row -> line(row.k, row.d));
  }

  private Question uncoveredIndex(String table) {
    String a = "a" + random.nextInt(LETTERS);
    return rows("uncovered index", "SELECT /*+ INDEX(" + table + ' ' + table
      + "_A) */ K, C, D" + from(table) + " AND A = '" + a + "'",
      all().stream().filter(row -> row.a.equals(a)).toList(), row -> line(row.k, row.c, row.d));
  }

  /** Returns one by the local index, for columns that it doesn't have. */
  Question localIndex() {
    long c = random.nextInt(MOST_C);
    long end = c + random.nextInt(MOST_C / 8);
    return rows("local index", "SELECT /*+ INDEX(LOCALLY LOCALLY_C) */ K, C, D"
      + from("LOCALLY") + " AND C >= " + c + " AND C <= " + end,
      all().stream().filter(row -> row.c >= c && row.c <= end).toList(),
      row -> line(row.k, row.c, row.d));
  }

  private Question groups(String table) {
    Map<Integer, List<Row>> groups =
      all().stream().collect(Collectors.groupingBy(Row::b, TreeMap::new, Collectors.toList()));
    return new Question("groups",
      "SELECT /*+ NO_INDEX */ B, COUNT(*), SUM(C), MAX(K), MIN(D)" + from(table) + " GROUP BY B",
      groups.entrySet().stream().map(group -> line(group.getKey(), group.getValue().size(),
        group.getValue().stream().mapToLong(Row::c).sum(),
        group.getValue().stream().mapToInt(Row::k).max().getAsInt(),
        group.getValue().stream().map(Row::d).min(String::compareTo).get())).toList(), false);
  }

  private Question top(String table) {
    return new Question("top",
      "SELECT /*+ NO_INDEX */ K, C" + from(table) + " ORDER BY C DESC, K LIMIT " + LIMIT,
      all().stream().sorted((one, other) -> one.c != other.c ? Long.compare(other.c, one.c)
        : one.k - other.k).limit(LIMIT).map(row -> line(row.k, row.c)).toList(), true);
  }

  private Question view(String table) {
    return new Question("view", "SELECT /*+ NO_INDEX */ K, B, D" + from(table + "_VIEW"),
      lines(all().stream().filter(row -> row.b == GROUP_OF_VIEW).toList(),
        row -> line(row.k, row.b, row.d)), false);
  }

  static String nameOf(int group) {
    return "group " + group % (GROUPS / 4);
  }

  private Question join(String table) {
    Map<String, Long> names = all().stream()
      .collect(Collectors.groupingBy(row -> nameOf(row.b), TreeMap::new, Collectors.counting()));
    boolean merge = random.nextBoolean();
    return new Question(merge ? "merge join" : "hash join",
      "SELECT /*+ NO_INDEX" + (merge ? " USE_SORT_MERGE_JOIN" : "") + " */ G.NAME, COUNT(*) FROM "
        + table + " T JOIN GROUPS G ON T.B = G.B WHERE T.W = " + w + " GROUP BY G.NAME",
      names.entrySet().stream().map(name -> line(name.getKey(), name.getValue())).toList(), false);
  }

  private Question count(String table) {
    return new Question("count", "SELECT /*+ NO_INDEX */ COUNT(*), COUNT(DISTINCT B)" + from(table),
      List.of(line(all().size(), all().stream().map(Row::b).distinct().count())), false);
  }

  private Question page(String table) {
    int k = anyKey();
    return new Question("page", "SELECT K, A" + from(table) + " AND (W, K) > (" + w + ", " + k
      + ") ORDER BY W, K LIMIT " + LIMIT, rows(k + 1, versions.length).stream().limit(LIMIT)
        .map(row -> line(row.k, row.a)).toList(), true);
  }

  private Question distinct(String table) {
    return new Question("distinct",
      "SELECT /*+ NO_INDEX */ DISTINCT A" + from(table) + " ORDER BY A",
      all().stream().map(Row::a).distinct().sorted().toList(), true);
  }

  private Question pattern(String table) {
    String begin = Integer.toString(random.nextInt(36), 36).toLowerCase(Locale.ROOT);
    return new Question("pattern", "SELECT /*+ NO_INDEX */ K" + from(table) + " AND D LIKE '"
      + begin + "%' AND C < " + MOST_C / 2,
      lines(all().stream().filter(row -> row.d.startsWith(begin) && row.c < MOST_C / 2).toList(),
        row -> line(row.k)), false);
  }

  private Question subquery(String table) {
    String name = nameOf(random.nextInt(GROUPS));
    return new Question("subquery", "SELECT /*+ NO_INDEX */ K, B" + from(table)
      + " AND B IN (SELECT B FROM GROUPS WHERE NAME = '" + name + "')",
      lines(all().stream().filter(row -> nameOf(row.b).equals(name)).toList(),
        row -> line(row.k, row.b)), false);
  }

  private Question missing(String table) {
    int k = versions.length + anyKey();
    return new Question("row that isn't there", "SELECT K, D" + from(table) + " AND K = " + k,
      List.of(), false);
  }

  /** Returns what a copy of some rows has. */
  Question copied(int from, int to) {
    return new Question("copy", "SELECT K, A, B, C, D" + from(COPY) + " AND K >= " + from
      + " AND K < " + to, lines(rows(from, to), row -> line(row.k, row.a, row.b, row.c, row.d)),
      false);
  }
}
