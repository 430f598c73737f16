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
anything could not be stopped, else 3 when a server had to be killed.
HELP
}

hbase_common_args "$@"
[[ ${#HBASE_ARGS[@]} -eq 0 ]] || hbase_usage_error "no argument '${HBASE_ARGS[0]}'"
hbase_init
hbase_check_may_stop
distributed=$(hbase_conf_value hbase.cluster.distributed)

# Prints what hbase-daemon.sh knows of the master on this host.
master_status() {
  "$BIN/hbase-daemon.sh" --config "$HBASE_CONF_DIR" status master || true
}

# wait_while SECONDS STATUS: waits as long as master_status says so.
wait_while() {
  local deadline=$((SECONDS + $1))
  while ((SECONDS < deadline)) && [[ $(master_status) == *"$2"* ]]; do
    sleep 0.5
  done
}

# stop ROLE: on all of its hosts; a server that has ended in order needs no word.
stop() {
  local nothing_to_stop='^$'
  if [[ -n $in_order ]]; then
    nothing_to_stop=': no [a-z]* to stop: '
  fi
  "$BIN/hbase-daemons.sh" --config "$HBASE_CONF_DIR" stop "$1" | sed "/$nothing_to_stop/d"
}

in_order=
if [[ $(master_status) == *' is running as '* ]]; then
  # In order: region servers flush and close before the master ends.
  echo 'asking HBase to shut down'
  if HBASE_ROOT_LOGGER=${HBASE_ROOT_LOGGER:-ERROR,console} "$BIN/hbase" \
    --config "$HBASE_CONF_DIR" master stop --shutDownCluster; then
    in_order=yes
    wait_while "${HBASE_STOP_TIMEOUT:-1200}" ' is running as '
    # What kept it tidies up after it; a start must not come in between.
    wait_while 60 ' is stale'
  else
    hbase_warn 'the master did not take the request; stopping the processes one by one'
  fi
fi
# A host that can't be reached keeps nothing from being stopped on the others.
if [[ $distributed == true ]]; then
  stop master-backup || hbase_note "$?"
  stop regionserver || hbase_note "$?"
fi
if [[ -z $in_order || $(master_status) != 'master is not running' ]]; then
  "$BIN/hbase-daemon.sh" --config "$HBASE_CONF_DIR" stop master || hbase_note "$?"
fi
if [[ $distributed == true && ${HBASE_MANAGES_ZK:-true} == true ]]; then
  stop zookeeper || hbase_note "$?"
fi
if [[ -n $in_order && $hbase_code == 0 ]]; then
  echo 'HBase is stopped.'
fi
exit "$hbase_code"
