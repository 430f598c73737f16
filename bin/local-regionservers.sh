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

# Further region servers on this host.
set -euo pipefail

BIN=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=hbase-config.sh
. "$BIN/hbase-config.sh"

usage() {
  cat <<'HELP'
Usage: local-regionservers.sh [--config DIR] start|stop|status N...

Starts or stops further region servers on this host, for trying things out. The one numbered N,
from 1 to 99, listens on 16200+N, its web page on 16300+N, and has its own pid and log files. Where
the configuration keeps the block cache in files, its own have .N behind their names.
  local-regionservers.sh start 1 2

Environment: HBASE_RS_BASE_PORT and HBASE_RS_INFO_BASE_PORT (other ports to add N to).
HELP
}

# Keys of the block cache's files. Two servers can't share one.
file_keys=(hbase.bucketcache.ioengine hbase.bucketcache.persistent.path hbase.bucketcache.l1.ioengine
  hbase.bucketcache.l2.ioengine hbase.bucketcache.l2.persistent.path)
file_values=()

# shellcheck disable=SC2034,SC2317 # called by hbase_local_servers, whose arguments these are
server_arguments() {
  local i value
  arguments=(-D "hbase.regionserver.port=$((${HBASE_RS_BASE_PORT:-16200} + $1))"
    -D "hbase.regionserver.info.port=$((${HBASE_RS_INFO_BASE_PORT:-16300} + $1))")
  for i in "${!file_keys[@]}"; do
    value=${file_values[i]-$(hbase_conf_value "${file_keys[i]}")}
    file_values[i]=$value
    if [[ $value == *[:/]* ]]; then
      arguments+=(-D "${file_keys[i]}=${value//,/.$1,}.$1")
    fi
  done
}

hbase_common_args "$@"
hbase_local_servers regionserver ${HBASE_ARGS[@]+"${HBASE_ARGS[@]}"}
