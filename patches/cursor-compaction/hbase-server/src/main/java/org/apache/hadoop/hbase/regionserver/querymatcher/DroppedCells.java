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
package org.apache.hadoop.hbase.regionserver.querymatcher;

import java.util.Arrays;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.InnerStoreCellComparator;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Which cells a compaction drops: what {@link MinorCompactionScanQueryMatcher} or
 * {@link MajorCompactionScanQueryMatcher} answers, from the numbers in the keys. It is told where
 * rows and columns begin, and has the settings of the matcher that it is made from. Not
 * thread-safe.
 * <p>
 * Where a matcher has the scanner seek to the next column, the rest of the column is dropped. In
 * the column without a name that is only what has the same key, since deletes of the family, which
 * concern other columns, too, may follow.
 */
@InterfaceAudience.Private
public final class DroppedCells {
  /** Of cells that stand for a place, not for a version. */
  private static final long OLDEST_TIMESTAMP = Long.MIN_VALUE;
  private static final byte DELETE_FAMILY = KeyValue.Type.DeleteFamily.getCode();
  private static final byte DELETE_FAMILY_VERSION = KeyValue.Type.DeleteFamilyVersion.getCode();
  private static final byte DELETE_COLUMN = KeyValue.Type.DeleteColumn.getCode();

  private final boolean dropsDeletes;
  private final long readPoint;
  private final long oldestUnexpired;
  private final long now;
  private final long millisToKeepDeletes;
  private final long earliestPut;
  private final KeepDeletedCells keptDeleted;
  private final int minVersions;
  private final int maxVersions;
  private final long oldestVersion;

  // Of the row.
  private boolean familyDeleted;
  private long familyDelete;
  private long[] familyVersions = new long[8];
  private int familyVersionCount;

  // Of the column. No type is 0.
  private byte deleteType;
  private long delete;
  private boolean counted;
  private int versions;
  private long lastTimestamp;
  private byte lastType;
  private boolean done;
  private long doneTimestamp;
  private byte doneType;

  private DroppedCells(CompactionScanQueryMatcher matcher, ScanWildcardColumnTracker columns) {
    DropDeletesCompactionScanQueryMatcher major =
      matcher instanceof DropDeletesCompactionScanQueryMatcher
        ? (DropDeletesCompactionScanQueryMatcher) matcher
        : null;
    dropsDeletes = major != null;
    millisToKeepDeletes = major != null ? major.timeToPurgeDeletes : 0;
    earliestPut = major != null ? major.earliestPutTs : 0;
    readPoint = matcher.maxReadPointToTrackVersions;
    oldestUnexpired = matcher.oldestUnexpiredTS;
    now = matcher.now;
    keptDeleted = matcher.keepDeletedCells;
    minVersions = columns.getMinVersions();
    maxVersions = columns.getMaxVersions();
    oldestVersion = columns.getOldestTimestamp();
  }

  /**
   * Returns what drops the cells that a matcher would, or null if it has rules that aren't known
   * here.
   */
  public static DroppedCells of(ScanQueryMatcher matcher) {
    if (
      matcher.getClass() != MinorCompactionScanQueryMatcher.class
        && matcher.getClass() != MajorCompactionScanQueryMatcher.class
    ) {
      return null;
    }
    CompactionScanQueryMatcher compaction = (CompactionScanQueryMatcher) matcher;
    if (
      compaction.deletes.getClass() != ScanDeleteTracker.class
        || compaction.columns.getClass() != ScanWildcardColumnTracker.class
        || compaction.rowComparator.getClass() != InnerStoreCellComparator.class
    ) {
      return null;
    }
    return new DroppedCells(compaction, (ScanWildcardColumnTracker) compaction.columns);
  }

  /** Returns the time that decides whether a cell has expired. */
  public long getNow() {
    return now;
  }

  /** A row begins with the next cell. */
  public void startRow() {
    familyDeleted = false;
    familyVersionCount = 0;
    startColumn();
  }

  /** A column begins with the next cell. */
  public void startColumn() {
    deleteType = 0;
    counted = false;
    lastTimestamp = HConstants.LATEST_TIMESTAMP;
    lastType = 0;
    done = false;
  }

  /**
   * Returns true if a cell is dropped; of each row all cells have to be asked for, in their order.
   * @param named        whether its column has a name
   * @param expiredByTag whether it has a time to live of its own, which is over
   */
  public boolean drops(boolean named, long timestamp, byte type, long sequenceId,
    boolean expiredByTag) {
    if (done) {
      if (named || timestamp == doneTimestamp && type == doneType) {
        return true;
      }
      done = false;
    }
    if (
      timestamp == OLDEST_TIMESTAMP || minVersions <= 0 && timestamp < oldestVersion
    ) {
      return dropColumn(timestamp, type);
    }
    if (expiredByTag) {
      return true;
    }
    boolean isNew = sequenceId > readPoint;
    if (PrivateCellUtil.isDelete(type)) {
      if (isNew) {
        return false;
      }
      if (
        keptDeleted == KeepDeletedCells.FALSE
          || keptDeleted == KeepDeletedCells.TTL && timestamp < oldestUnexpired
      ) {
        addDelete(timestamp, type);
      }
      if (!dropsDeletes || millisToKeepDeletes > 0 && now - timestamp <= millisToKeepDeletes) {
        return false;
      }
      if (
        keptDeleted == KeepDeletedCells.FALSE
          || keptDeleted == KeepDeletedCells.TTL && timestamp < oldestUnexpired
      ) {
        return true;
      }
      if (timestamp < earliestPut) {
        return dropColumn(timestamp, type);
      }
    } else if (familyDeleted && timestamp <= familyDelete) {
      return dropColumn(timestamp, type);
    } else if (familyVersionCount > 0 && isFamilyVersionDeleted(timestamp)) {
      return true;
    } else if (deleteType != 0) {
      if (deleteType == DELETE_COLUMN) {
        return dropColumn(timestamp, type);
      }
      if (timestamp == delete) {
        return true;
      }
      deleteType = 0;
    }
    return dropsVersion(timestamp, type, isNew);
  }

  private void addDelete(long timestamp, byte type) {
    if (familyDeleted && timestamp <= familyDelete) {
      return;
    }
    if (type == DELETE_FAMILY) {
      familyDeleted = true;
      familyDelete = timestamp;
    } else if (type == DELETE_FAMILY_VERSION) {
      if (!isFamilyVersionDeleted(timestamp)) {
        addFamilyVersion(timestamp);
      }
    } else if (type >= deleteType) {
      deleteType = type;
      delete = timestamp;
    }
  }

  /** As a rule at the end; but such a delete may also be in a column with a name. */
  private void addFamilyVersion(long timestamp) {
    if (familyVersionCount == familyVersions.length) {
      familyVersions = Arrays.copyOf(familyVersions, 2 * familyVersionCount);
    }
    int place = familyVersionCount++;
    while (place > 0 && familyVersions[place - 1] < timestamp) {
      familyVersions[place] = familyVersions[place - 1];
      place--;
    }
    familyVersions[place] = timestamp;
  }

  /** They are sorted from the latest to the earliest. */
  private boolean isFamilyVersionDeleted(long timestamp) {
    int low = 0;
    int high = familyVersionCount - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (familyVersions[middle] == timestamp) {
        return true;
      }
      if (familyVersions[middle] > timestamp) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return false;
  }

  /** A version of the same time as the one before is that, overwritten. */
  private boolean dropsVersion(long timestamp, byte type, boolean isNew) {
    if (!counted) {
      counted = true;
      versions = 0;
    } else if (!isNew && timestamp == lastTimestamp && type == lastType) {
      return true;
    }
    if (isNew) {
      return false;
    }
    if (!PrivateCellUtil.isDelete(type)) {
      versions++;
    }
    if (versions > maxVersions || versions > minVersions && timestamp < oldestVersion) {
      return dropColumn(timestamp, type);
    }
    lastTimestamp = timestamp;
    lastType = type;
    return false;
  }

  private boolean dropColumn(long timestamp, byte type) {
    done = true;
    doneTimestamp = timestamp;
    doneType = type;
    return true;
  }
}
