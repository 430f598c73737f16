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

import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;

/**
 * Tells of the message of a get, before anything is made of it, whether an event loop may read it.
 * Bounds what making it and looking for its columns takes.
 */
@InterfaceAudience.Private
final class ShortGets {
  /** Of a request, with its header. */
  private static final int MAX_REQUEST_BYTES = 4 * 1024;
  /** Families, columns, time ranges of families, and attributes together. */
  private static final int MAX_NAMES = 64;

  private ShortGets() {
  }

  /** Returns false if a handler has to read the get, whatever it asks for. */
  static boolean isShort(ClientProtos.Get get, long requestBytes) {
    return requestBytes <= MAX_REQUEST_BYTES && !get.getClosestRowBefore()
      && countNames(get) <= MAX_NAMES
      && (!get.hasFilter() || ShortFilters.isShort(get.getFilter()));
  }

  private static int countNames(ClientProtos.Get get) {
    int names = get.getColumnCount() + get.getAttributeCount() + get.getCfTimeRangeCount();
    for (int i = 0; names <= MAX_NAMES && i < get.getColumnCount(); i++) {
      names += get.getColumn(i).getQualifierCount();
    }
    return names;
  }

  /** Returns false if a family isn't there, or needs a region scanner. */
  static boolean isOfPlainFamilies(ClientProtos.Get get, HRegion region) {
    if (get.getColumnCount() == 0) {
      for (HStore store : region.stores.values()) {
        if (!FamilyReader.canRead(store)) {
          return false;
        }
      }
      return true;
    }
    for (int i = 0; i < get.getColumnCount(); i++) {
      HStore store = region.getStore(get.getColumn(i).getFamily().toByteArray());
      if (store == null || !FamilyReader.canRead(store)) {
        return false;
      }
    }
    return true;
  }
}
