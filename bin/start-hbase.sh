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

# Starts HBase: all of it in one process, or the whole cluster.
set -euo pipefail

BIN=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=hbase-config.sh
. "$BIN/hbase-config.sh"

usage() {
  cat <<'HELP'
Usage: start-hbase.sh [--config DIR]

With hbase.cluster.distributed false (as shipped) starts a master on this host whose process also
holds the region server and ZooKeeper. With true starts ZooKeeper (unless HBASE_MANAGES_ZK=false),
the master on this host, the region servers of conf/regionservers and the backup masters of
conf/backup-masters. Exit code 1 when anything could not be started.
HELP
}

hbase_common_args "$@"
[[ ${#HBASE_ARGS[@]} -eq 0 ]] || hbase_usage_error "no argument '${HBASE_ARGS[0]}'"
hbase_init
distributed=$(hbase_conf_value hbase.cluster.distributed)
if [[ $distributed != true ]]; then
  exec "$BIN/hbase-daemon.sh" --config "$HBASE_CONF_DIR" start master
fi
# A host that can't be reached keeps nothing from being started on the others.
code=0
if [[ ${HBASE_MANAGES_ZK:-true} == true ]]; then
  "$BIN/hbase-daemons.sh" --config "$HBASE_CONF_DIR" start zookeeper || code=1
fi
"$BIN/hbase-daemon.sh" --config "$HBASE_CONF_DIR" start master || code=1
"$BIN/hbase-daemons.sh" --config "$HBASE_CONF_DIR" start regionserver || code=1
"$BIN/hbase-daemons.sh" --config "$HBASE_CONF_DIR" start master-backup || code=1
exit "$code"
