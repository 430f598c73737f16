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
Usage: start-hbase.sh [--config DIR] [--wait [SECONDS]]

With hbase.cluster.distributed false (as shipped) starts a master on this host whose process also
holds the region server and ZooKeeper. With true starts ZooKeeper (unless HBASE_MANAGES_ZK=false),
the master on this host, the region servers of conf/regionservers and the backup masters of
conf/backup-masters.

  --wait [SECONDS]  return when all of them serve, as hbase-daemon.sh does (default 300)

Exit code: 1 when anything could not be started, 4 when not all serve within SECONDS.
HELP
}

hbase_common_args "$@"
wait_for=()
if [[ ${HBASE_ARGS[0]:-} == --wait ]]; then
  wait_for=("${HBASE_ARGS[@]}")
  if ((${#wait_for[@]} > 2)) || [[ ! ${wait_for[1]:-1} =~ ^[1-9][0-9]{0,5}$ ]]; then
    hbase_usage_error '--wait takes a number of seconds'
  fi
elif ((${#HBASE_ARGS[@]} > 0)); then
  hbase_usage_error "no argument '${HBASE_ARGS[0]}'"
fi
hbase_init
distributed=$(hbase_conf_value hbase.cluster.distributed)
if [[ $distributed != true ]]; then
  exec "$BIN/hbase-daemon.sh" --config "$HBASE_CONF_DIR" start master \
    ${wait_for[@]+"${wait_for[@]}"}
fi
# A host that can't be reached keeps nothing from being started on the others.
if [[ ${HBASE_MANAGES_ZK:-true} == true ]]; then
  "$BIN/hbase-daemons.sh" --config "$HBASE_CONF_DIR" start zookeeper \
    ${wait_for[@]+"${wait_for[@]}"} || hbase_note "$?"
fi
# A master serves when it has region servers, and they do when they have a master.
"$BIN/hbase-daemon.sh" --config "$HBASE_CONF_DIR" start master \
  ${wait_for[@]+"${wait_for[@]}"} &
master=$!
if ((${#wait_for[@]} == 0)); then
  wait "$master" || hbase_note "$?"
fi
for role in regionserver master-backup; do
  "$BIN/hbase-daemons.sh" --config "$HBASE_CONF_DIR" start "$role" \
    ${wait_for[@]+"${wait_for[@]}"} || hbase_note "$?"
done
if ((${#wait_for[@]} > 0)); then
  wait "$master" || hbase_note "$?"
fi
exit "$hbase_code"
