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
package org.hbasestrata.ycsb;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.Client;
import site.ycsb.Workload;
import site.ycsb.generator.ExponentialGenerator;
import site.ycsb.workloads.CoreWorkload;

/**
 * The keys of a profile: those of YCSB's CoreWorkload that hold for values which depend on row and
 * field alone (so that any table can be verified), and this tool's own.
 */
enum Key {
  WORKLOAD(Client.WORKLOAD_PROPERTY, CoreWorkload.class.getName(),
    oneOf(CoreWorkload.class.getName())),

  TABLE(CoreWorkload.TABLENAME_PROPERTY, CoreWorkload.TABLENAME_PROPERTY_DEFAULT, Key::tableName),
  FAMILY("columnfamily", "f", matching("[A-Za-z0-9_]+", "letters, digits and _")),
  BLOCK_SIZE("blocksize", "65536", whole(1024, 16 << 20)),
  ENCODING("datablockencoding", "NONE", oneOf(names(DataBlockEncoding.values()))),
  COMPRESSION("compression", "NONE", oneOf(names(Compression.Algorithm.values()))),
  BLOOM_FILTER("bloomfilter", "ROW", oneOf("NONE", "ROW", "ROWCOL")),
  /** Bytes of a region's memstores at which they are flushed; 0: as the servers have it. */
  FLUSH_SIZE("flushsize", "0", whole(0, 1L << 40)),
  /** 0: as many as the data needs. */
  REGIONS("regions", "0", whole(0, 10_000)),

  ROWS(Client.RECORD_COUNT_PROPERTY, "", whole(1, Integer.MAX_VALUE)),
  FIELD_COUNT(CoreWorkload.FIELD_COUNT_PROPERTY, CoreWorkload.FIELD_COUNT_PROPERTY_DEFAULT,
    whole(1, 100_000)),
  FIELD_LENGTH(CoreWorkload.FIELD_LENGTH_PROPERTY, CoreWorkload.FIELD_LENGTH_PROPERTY_DEFAULT,
    whole(1, 10 << 20)),
  FIELD_PREFIX(CoreWorkload.FIELD_NAME_PREFIX, CoreWorkload.FIELD_NAME_PREFIX_DEFAULT,
    matching("[A-Za-z0-9_]+", "letters, digits and _")),
  INSERT_START(Workload.INSERT_START_PROPERTY, Workload.INSERT_START_PROPERTY_DEFAULT,
    whole(0, Integer.MAX_VALUE)),
  INSERT_COUNT(Workload.INSERT_COUNT_PROPERTY, "", whole(1, Integer.MAX_VALUE)),
  INSERT_ORDER(CoreWorkload.INSERT_ORDER_PROPERTY, CoreWorkload.INSERT_ORDER_PROPERTY_DEFAULT,
    oneOf("hashed", "ordered")),
  ZERO_PADDING(CoreWorkload.ZERO_PADDING_PROPERTY, CoreWorkload.ZERO_PADDING_PROPERTY_DEFAULT,
    whole(1, 1_000)),

  LOAD_BATCH("loadbatch", "100", whole(1, 100_000)),
  LOAD_FLUSH("loadflush", "false", oneOf("true", "false")),

  /** 0: no bound by number. */
  OPERATIONS(Client.OPERATION_COUNT_PROPERTY, "0", whole(0, Integer.MAX_VALUE)),
  /** In seconds; 0: no bound by time. */
  SECONDS(Client.MAX_EXECUTION_TIME, "0", whole(0, Integer.MAX_VALUE)),
  THREADS(Client.THREAD_COUNT_PROPERTY, "1", whole(1, 10_000)),
  /** Operations (in a load: rows) per second over all threads; 0: as fast as they go. */
  TARGET(Client.TARGET_PROPERTY, "0", whole(0, Integer.MAX_VALUE)),
  VERIFY("verify", "false", oneOf("true", "false")),

  READ_SHARE(CoreWorkload.READ_PROPORTION_PROPERTY, CoreWorkload.READ_PROPORTION_PROPERTY_DEFAULT,
    fraction()),
  UPDATE_SHARE(CoreWorkload.UPDATE_PROPORTION_PROPERTY,
    CoreWorkload.UPDATE_PROPORTION_PROPERTY_DEFAULT, fraction()),
  INSERT_SHARE(CoreWorkload.INSERT_PROPORTION_PROPERTY,
    CoreWorkload.INSERT_PROPORTION_PROPERTY_DEFAULT, fraction()),
  SCAN_SHARE(CoreWorkload.SCAN_PROPORTION_PROPERTY, CoreWorkload.SCAN_PROPORTION_PROPERTY_DEFAULT,
    fraction()),
  READ_MODIFY_WRITE_SHARE(CoreWorkload.READMODIFYWRITE_PROPORTION_PROPERTY,
    CoreWorkload.READMODIFYWRITE_PROPORTION_PROPERTY_DEFAULT, fraction()),
  /**
   * Of each get: a range that has all fields, as JanusGraph sends it, and with a limit; or one that
   * has a sixtieth of the fields, as of a time series.
   */
  READ_FILTER("readfilter", "none",
    oneOf("none", "column-range", "column-page", HBaseClient.COLUMN_PART)),
  MULTIGET_SHARE("multigetproportion", "0.0", fraction()),
  MULTIGET_BATCH("multigetbatch", "50", whole(1, 100_000)),
  UPDATE_BATCH_SHARE("updatebatchproportion", "0.0", fraction()),
  UPDATE_BATCH("updatebatch", "50", whole(1, 100_000)),
  /**
   * What an update of a row is: a put; an increment of a counter that the row has from then on
   * beside its fields; or a put that checks one of its fields before, which holds for all rows that
   * were loaded.
   */
  UPDATE_KIND("updatekind", HBaseClient.PUT, oneOf(HBaseClient.PUT, HBaseClient.INCREMENT,
    HBaseClient.CHECK_AND_PUT)),

  DISTRIBUTION(CoreWorkload.REQUEST_DISTRIBUTION_PROPERTY,
    CoreWorkload.REQUEST_DISTRIBUTION_PROPERTY_DEFAULT,
    oneOf("uniform", "zipfian", "latest", "hotspot", "exponential", "sequential")),
  HOTSPOT_DATA(CoreWorkload.HOTSPOT_DATA_FRACTION, CoreWorkload.HOTSPOT_DATA_FRACTION_DEFAULT,
    fraction()),
  HOTSPOT_OPERATIONS(CoreWorkload.HOTSPOT_OPN_FRACTION, CoreWorkload.HOTSPOT_OPN_FRACTION_DEFAULT,
    fraction()),
  EXPONENTIAL_PERCENTILE(ExponentialGenerator.EXPONENTIAL_PERCENTILE_PROPERTY,
    ExponentialGenerator.EXPONENTIAL_PERCENTILE_DEFAULT, decimal("0.001", "99.999")),
  EXPONENTIAL_FRACTION(ExponentialGenerator.EXPONENTIAL_FRAC_PROPERTY,
    ExponentialGenerator.EXPONENTIAL_FRAC_DEFAULT, fraction()),
  READ_ALL_FIELDS(CoreWorkload.READ_ALL_FIELDS_PROPERTY,
    CoreWorkload.READ_ALL_FIELDS_PROPERTY_DEFAULT, oneOf("true", "false")),
  WRITE_ALL_FIELDS(CoreWorkload.WRITE_ALL_FIELDS_PROPERTY,
    CoreWorkload.WRITE_ALL_FIELDS_PROPERTY_DEFAULT, oneOf("true", "false")),
  MIN_SCAN(CoreWorkload.MIN_SCAN_LENGTH_PROPERTY, CoreWorkload.MIN_SCAN_LENGTH_PROPERTY_DEFAULT,
    whole(1, 1_000_000)),
  MAX_SCAN(CoreWorkload.MAX_SCAN_LENGTH_PROPERTY, CoreWorkload.MAX_SCAN_LENGTH_PROPERTY_DEFAULT,
    whole(1, 1_000_000)),
  SCAN_DISTRIBUTION(CoreWorkload.SCAN_LENGTH_DISTRIBUTION_PROPERTY,
    CoreWorkload.SCAN_LENGTH_DISTRIBUTION_PROPERTY_DEFAULT, oneOf("uniform", "zipfian")),
  /**
   * What a scan asks for: rows, which the client keeps; rows whose bytes the client adds up, in
   * their order or in the reverse; the key of each row's first cell, which the client counts; or,
   * of the whole table, the last row, by a filter.
   */
  SCAN_KIND("scankind", HBaseClient.ROWS, oneOf(HBaseClient.ROWS, HBaseClient.BYTES,
    HBaseClient.BYTES_REVERSED, HBaseClient.COUNT, HBaseClient.ROW_FILTER)),
  /** Whether blocks that a scan reads from disk go to the block cache. */
  SCAN_CACHE_BLOCKS("scancacheblocks", "true", oneOf("true", "false")),
  /** Threads that scan the whole table over and over, beside those that do the operations. */
  FULL_SCAN_THREADS("fullscanthreads", "0", whole(0, 1_000));

  private static final Map<String, Key> BY_NAME =
    Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(k -> k.text, k -> k));

  private final String text;
  private final String defaultValue;
  private final Function<String, String> allowed;

  /**
   * @param defaultValue empty for none
   * @param allowed      gives null for a value that is allowed, else what is
   */
  Key(String text, String defaultValue, Function<String, String> allowed) {
    this.text = text;
    this.defaultValue = defaultValue;
    this.allowed = allowed;
  }

  /** The key's name in a profile. */
  String text() {
    return text;
  }

  String defaultValue() {
    return defaultValue;
  }

  /** Returns null when {@code value} is allowed, else what is allowed. */
  String problemWith(String value) {
    return allowed.apply(value);
  }

  /** Returns null when no key has this name. */
  static Key named(String name) {
    return BY_NAME.get(name);
  }

  static List<String> texts() {
    return Arrays.stream(values()).map(Key::text).toList();
  }

  private static Function<String, String> whole(long least, long most) {
    return value -> {
      try {
        long number = Long.parseLong(value);
        if (number >= least && number <= most) {
          return null;
        }
      } catch (NumberFormatException e) {
        // Falls through to what is allowed.
      }
      return "a whole number from " + least + " to " + most;
    };
  }

  private static Function<String, String> fraction() {
    return decimal("0", "1");
  }

  private static Function<String, String> decimal(String least, String most) {
    return value -> {
      try {
        BigDecimal number = new BigDecimal(value);
        if (number.compareTo(new BigDecimal(least)) >= 0
          && number.compareTo(new BigDecimal(most)) <= 0) {
          return null;
        }
      } catch (NumberFormatException e) {
        // Falls through to what is allowed.
      }
      return "a number from " + least + " to " + most;
    };
  }

  private static Function<String, String> oneOf(String... allowed) {
    List<String> values = List.of(allowed);
    return value -> values.contains(value) ? null
      : values.size() == 1 ? values.get(0) + " alone" : "one of " + String.join(", ", values);
  }

  private static Function<String, String> matching(String pattern, String allowed) {
    return value -> value.matches(pattern) ? null : allowed;
  }

  private static String tableName(String value) {
    try {
      TableName.isLegalFullyQualifiedTableName(Bytes.toBytes(value));
      return null;
    } catch (IllegalArgumentException e) {
      return "a table name of letters, digits, _ - and . (with namespace: before it if need be)";
    }
  }

  private static String[] names(Enum<?>[] values) {
    return Stream.of(values).map(Enum::name).toArray(String[]::new);
  }
}
