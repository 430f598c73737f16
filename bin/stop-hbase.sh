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

# Stops HBase: the one process, or the whole cluster.
set -euo pipefail

BIN=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=hbase-config.sh
. "$BIN/hbase-config.sh"

usage() {
  cat <<'HELP'
Usage: stop-hbase.sh [--config DIR]

Asks the cluster to shut down and waits until the master on this host has ended (HBASE_STOP_TIMEOUT
seconds at most), then stops what may be left: backup masters, region servers that did not hear it
and, unless HBASE_MANAGES_ZK=false, ZooKeeper. Run it where the master was started. Exit code 1 when
anything could not be stopped.
HELP
}

hbase_common_args "$@"
[[ ${#HBASE_ARGS[@]} -eq 0 ]] || hbase_usage_error "no argument '${HBASE_ARGS[0]}'"
hbase_init
distributed=$(hbase_conf_value hbase.cluster.distributed)
if "$BIN/hbase-daemon.sh" --config "$HBASE_CONF_DIR" status master >/dev/null; then
  # In order: region servers flush and close before the master ends.
  echo 'asking HBase to shut down'
  if HBASE_ROOT_LOGGER=${HBASE_ROOT_LOGGER:-ERROR,console} "$BIN/hbase" \
    --config "$HBASE_CONF_DIR" master stop --shutDownCluster; then
    deadline=$((SECONDS + ${HBASE_STOP_TIMEOUT:-1200}))
    while ((SECONDS < deadline)) &&
      "$BIN/hbase-daemon.sh" --config "$HBASE_CONF_DIR" status master >/dev/null; do
      sleep 0.5
    done
  else
    hbase_warn 'the master did not take the request; stopping the processes one by one'
  fi
fi
# A host that can't be reached keeps nothing from being stopped on the others.
code=0
if [[ $distributed == true ]]; then
  "$BIN/hbase-daemons.sh" --config "$HBASE_CONF_DIR" stop master-backup || code=1
  "$BIN/hbase-daemons.sh" --config "$HBASE_CONF_DIR" stop regionserver || code=1
fi
"$BIN/hbase-daemon.sh" --config "$HBASE_CONF_DIR" stop master || code=1
if [[ $distributed == true && ${HBASE_MANAGES_ZK:-true} == true ]]; then
  "$BIN/hbase-daemons.sh" --config "$HBASE_CONF_DIR" stop zookeeper || code=1
fi
exit "$code"
