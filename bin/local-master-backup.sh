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

# Further masters on this host, as backups.
set -euo pipefail

link=$0
while [[ -L $link ]]; do
  next=$(readlink "$link")
  [[ $next == /* ]] || next=${link%/*}/$next
  link=$next
done
BIN=$(cd "$(dirname "$link")" && pwd)
# shellcheck source-path=SCRIPTDIR source=hbase-config.sh
. "$BIN/hbase-config.sh"

usage() {
  cat <<'HELP'
Usage: local-master-backup.sh [--config DIR] start|stop|status N...

Starts or stops further masters on this host, for trying things out. The one numbered N, from 1
to 99, listens on 16000+N, its web page on 16010+N, and has its own pid and log files.
  local-master-backup.sh start 1 2

Environment: HBASE_MASTER_BASE_PORT and HBASE_MASTER_INFO_BASE_PORT (other ports to add N to).
HELP
}

hbase_common_args "$@"
set -- ${HBASE_ARGS[@]+"${HBASE_ARGS[@]}"}
(($# >= 2)) || hbase_usage_error 'start, stop or status, and which numbers?'
action=$1
shift
case $action in
  start | stop | status) ;;
  *) hbase_usage_error "no action '$action'" ;;
esac
for number in "$@"; do
  [[ $number =~ ^[1-9][0-9]?$ ]] || hbase_usage_error "'$number' is not a number from 1 to 99"
done

hbase_init
ident=$HBASE_IDENT_STRING
code=0
for number in "$@"; do
  arguments=()
  if [[ $action == start ]]; then
    arguments=(-D "hbase.master.port=$((${HBASE_MASTER_BASE_PORT:-16000} + number))"
      -D "hbase.master.info.port=$((${HBASE_MASTER_INFO_BASE_PORT:-16010} + number))"
      --backup)
  fi
  HBASE_IDENT_STRING=$ident-$number "$BIN/hbase-daemon.sh" --config "$HBASE_CONF_DIR" \
    "$action" master ${arguments[@]+"${arguments[@]}"} || code=1
done
exit "$code"
