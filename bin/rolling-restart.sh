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

# Restarts a cluster one server at a time.
set -euo pipefail

BIN=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=hbase-config.sh
. "$BIN/hbase-config.sh"

usage() {
  cat <<'HELP'
Usage: rolling-restart.sh [--config DIR] [OPTION...]

Restarts the backup masters of conf/backup-masters, then the master on this host, then the region
servers of conf/regionservers, one after the other. Goes on to the next one when all servers are
back, no region is in transition, and the master has recovered what a server that ended left
(HBASE_STOP_TIMEOUT seconds at most).

In an upgrade the region servers come first: --rs-only --graceful, and then --master-only.

  --master-only      masters only
  --rs-only          region servers only
  --graceful         move the regions off each region server first and back afterwards, as
                     graceful_stop.sh does; without it their regions are reassigned when it stops
  --maxthreads N     with --graceful: regions that are moved at once (default 1)
  --movetimeout S    with --graceful: seconds that moving off, or back, may take
  --noack            with --graceful: do not wait until each region is open on its new server

Exit code: 1 when a step failed, which ends it; 3 when all were done but a server had to be killed.

Environment: HBASE_REGIONSERVERS, HBASE_BACKUP_MASTERS (other files of hosts), HBASE_SSH_OPTS,
HBASE_SLAVE_SLEEP (seconds between two servers).
HELP
}

hbase_common_args "$@"
set -- ${HBASE_ARGS[@]+"${HBASE_ARGS[@]}"}
masters=yes
region_servers=yes
graceful=
mover=()
while (($# > 0)); do
  case $1 in
    --master-only) region_servers= ;;
    --rs-only) masters= ;;
    --graceful) graceful=yes ;;
    --noack) mover+=(--noack) ;;
    --maxthreads | --movetimeout)
      (($# >= 2)) || hbase_usage_error "$1 needs a value"
      [[ $2 =~ ^[1-9][0-9]*$ ]] || hbase_usage_error "$1 $2 is not a number above 0"
      mover+=("$1" "$2")
      shift
      ;;
    *) hbase_usage_error "no option '$1'" ;;
  esac
  shift
done
[[ -n $masters || -n $region_servers ]] ||
  hbase_usage_error '--master-only and --rs-only leave nothing to restart'
[[ -n $graceful || ${#mover[@]} -eq 0 ]] || hbase_usage_error "${mover[0]} goes with --graceful"

hbase_init
[[ $(hbase_conf_value hbase.cluster.distributed) == true ]] || hbase_die \
  "hbase.cluster.distributed is not true in $HBASE_CONF_DIR: all servers are in one process;" \
  "use stop-hbase.sh and start-hbase.sh"
timeout=${HBASE_STOP_TIMEOUT:-1200}

# Of servers that have ended, those whose logs are still split, or whose regions aren't assigned yet.
readonly count_ended="puts JSON.parse(@shell.admin.list_procedures).count { |one|
  one['className'].end_with?('ServerCrashProcedure') &&
    !%w[SUCCESS ROLLEDBACK FAILED].include?(one['state']) }.to_s + ' ended servers'"

# Sets output to what the shell says, servers to the region servers that are up, each with the time of
# its start, live to their number, in_transition to that of regions which are not, and ended to that
# of servers whose regions the master is getting back; fails when no master answers.
look_at_cluster() {
  output=$(hbase_shell 2>&1 <<<"status 'simple'"$'\nrit\n'"$count_ended") || return 1
  [[ $output =~ ([0-9]+)\ live\ servers ]] || return 1
  live=${BASH_REMATCH[1]}
  servers=$(sed -n '/ live servers$/,/ dead servers$/s/^    \([^ ]*:[0-9]* [0-9]*\)$/\1/p' <<<"$output")
  [[ $output =~ ([0-9]+)\ row\(s\) ]] || return 1
  in_transition=${BASH_REMATCH[1]}
  [[ $output =~ ([0-9]+)\ ended\ servers ]] || return 1
  ended=${BASH_REMATCH[1]}
}

# is_other SERVERS: whether the one of these that was restarted, if any, is another one now.
is_other() {
  if [[ -n $was_down ]]; then
    grep -qvxF -e "$1" <<<"$servers"
  else
    [[ -z $1 ]] || grep -qvxF -e "$servers" <<<"$1"
  fi
}

# wait_until_whole WHAT [SERVERS]: with the servers that were up before, until one of these is gone,
# too, which may be among those that are up for a while after it was killed. Where was_down is set
# the server of that host wasn't up; then until one is that wasn't.
wait_until_whole() {
  local deadline=$((SECONDS + timeout))
  echo "waiting for $expected region servers to be up and all regions open"
  until look_at_cluster && ((live >= expected && in_transition == 0 && ended == 0)) &&
    is_other "${2:-}"; do
    ((SECONDS < deadline)) || hbase_die "after $1 was restarted not all $expected region servers" \
      "and their regions came back within HBASE_STOP_TIMEOUT=$timeout s; the rest was left alone"
    sleep 1
  done
}

# restart COMMAND...: runs it; ends this script when it failed, but not when a server had to be killed.
restart() {
  "$@" || hbase_note "$?"
  if ((hbase_code == 1)); then
    exit 1
  fi
}

was_down=
look_at_cluster || hbase_no_master "$output"
expected=$live

if [[ -n $masters ]]; then
  for host in $(hbase_hosts "$HBASE_BACKUP_MASTERS"); do
    echo "restarting the backup master on $host"
    restart hbase_on "$host" hbase-daemon.sh restart master --backup
    sleep "${HBASE_SLAVE_SLEEP:-0}"
  done
  echo 'restarting the master on this host'
  restart "$BIN/hbase-daemon.sh" --config "$HBASE_CONF_DIR" restart master
  wait_until_whole 'the master'
fi

if [[ -n $region_servers ]]; then
  for host in $(hbase_hosts "$HBASE_REGIONSERVERS"); do
    echo "restarting the region server on $host"
    before=$servers
    if [[ -n $graceful ]]; then
      restart "$BIN/graceful_stop.sh" --config "$HBASE_CONF_DIR" --reload \
        ${mover[@]+"${mover[@]}"} "$host"
    else
      was_down=
      hbase_on "$host" hbase-daemon.sh status regionserver >/dev/null || was_down=yes
      restart hbase_on "$host" hbase-daemon.sh restart regionserver
    fi
    wait_until_whole "the region server on $host" "$before"
    sleep "${HBASE_SLAVE_SLEEP:-0}"
  done
fi
echo "done: $live region servers are up, no region is in transition"
exit "$hbase_code"
