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

# Runs one command on every host of conf/regionservers.
set -euo pipefail

BIN=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=hbase-config.sh
. "$BIN/hbase-config.sh"

usage() {
  cat <<'HELP'
Usage: regionservers.sh [--config DIR] SCRIPT [ARGUMENT...]

Runs SCRIPT, one of this folder, with its ARGUMENTs on every host that conf/regionservers names, on
all hosts at once: over ssh, on this host directly. Fails when it failed on any.

  regionservers.sh hbase-daemon.sh status regionserver

Environment: HBASE_REGIONSERVERS (another file of hosts), HBASE_SSH_OPTS (options for ssh),
HBASE_SLAVE_SLEEP (seconds between two hosts; then one after the other).
HELP
}

hbase_common_args "$@"
set -- ${HBASE_ARGS[@]+"${HBASE_ARGS[@]}"}
(($# >= 1)) || hbase_usage_error 'which script?'
[[ $1 != */* && -x $BIN/$1 ]] || hbase_usage_error "no script '$1' in $BIN"
hbase_init
[[ -f $HBASE_REGIONSERVERS ]] ||
  hbase_die "$HBASE_REGIONSERVERS does not exist; list the region servers' hosts in it, one a line"
hbase_on_all "$(hbase_hosts "$HBASE_REGIONSERVERS")" "$@"
