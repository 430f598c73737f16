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

# Runs hbase-daemon.sh on every host that has a role.
set -euo pipefail

BIN=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=hbase-config.sh
. "$BIN/hbase-config.sh"

usage() {
  cat <<'HELP'
Usage: hbase-daemons.sh [--config DIR] start|stop|restart|status ROLE [ARGUMENT...]

Runs hbase-daemon.sh with these arguments on every host of the ROLE, over ssh or, on this host,
directly:
  regionserver   the hosts of conf/regionservers
  master-backup  the hosts of conf/backup-masters, as backup masters
  zookeeper      the hosts of hbase.zookeeper.quorum

Environment: HBASE_REGIONSERVERS, HBASE_BACKUP_MASTERS (other files of hosts), HBASE_SSH_OPTS,
HBASE_SLAVE_SLEEP (seconds between two hosts; then one after the other).
HELP
}

hbase_common_args "$@"
set -- ${HBASE_ARGS[@]+"${HBASE_ARGS[@]}"}
(($# >= 2)) || hbase_usage_error 'what to do, and with which role?'
action=$1
role=$2
shift 2
hbase_init
case $role in
  regionserver) hosts=$(hbase_hosts "$HBASE_REGIONSERVERS") ;;
  master-backup)
    hosts=$(hbase_hosts "$HBASE_BACKUP_MASTERS")
    role=master
    set -- "$@" --backup
    ;;
  zookeeper)
    hosts=$("$BIN/hbase" org.apache.hadoop.hbase.zookeeper.ZKServerTool | sed -n 's/^ZK host: *//p')
    ;;
  *) hbase_usage_error "no role '$role' (regionserver master-backup zookeeper)" ;;
esac
hbase_on_all "$hosts" hbase-daemon.sh "$action" "$role" "$@"
