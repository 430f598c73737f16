#!/usr/bin/env bash
# Licensed to the Apache Software Foundation (ASF) under one or more contributor license
# agreements. See the NOTICE file distributed with this work for additional information
# regarding copyright ownership. The ASF licenses this file to you under the Apache License,
# Version 2.0 (the "License"); you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software distributed under the
# License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
# either express or implied. See the License for the specific language governing permissions and
# limitations under the License.

# How stock HBase shares its memory out, and arms that are compared with it; hbase-site.xml has the
# rest. HBASE_HEAPSIZE and HBASE_OFFHEAPSIZE come from bench and are the same for all arms. G1 is
# what bin/hbase starts servers with.

case ${HBASE_OFFHEAPSIZE:=1g} in
  *[gG]) stock_offheap_mb=$((${HBASE_OFFHEAPSIZE%?} * 1024)) ;;
  *[mM]) stock_offheap_mb=${HBASE_OFFHEAPSIZE%?} ;;
  *) stock_offheap_mb=$HBASE_OFFHEAPSIZE ;;
esac

# The guide: more off-heap memory than the cache and the buffer pool together, for the network and
# the HDFS client need some, it suggests 1 to 2 GB. That is for big machines: of a small
# memory it is an eighth here, 64 MB at least, and 1 GB at most.
stock_spare_mb=$((stock_offheap_mb / 8))
if [ "$stock_spare_mb" -lt 64 ]; then stock_spare_mb=64; fi
if [ "$stock_spare_mb" -gt 1024 ]; then stock_spare_mb=1024; fi
# 30 handlers with 4 MB each, upstream's default.
stock_pool_mb=120
export HBASE_BUCKETCACHE_MB=$((stock_offheap_mb - stock_spare_mb - stock_pool_mb))
# A cache on disk, where there is one. It takes heap for each block: about 240 bytes.
export HBASE_CACHE_FILE_MB="${HBASE_CACHE_FILE_MB:-$((stock_offheap_mb * 2))}"
unset stock_offheap_mb stock_spare_mb stock_pool_mb
