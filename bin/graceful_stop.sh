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

# Takes the regions off a region server, then stops or restarts it.
set -euo pipefail

BIN=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=hbase-config.sh
. "$BIN/hbase-config.sh"

usage() {
  cat <<'HELP'
Usage: graceful_stop.sh [--config DIR] [OPTION...] HOST[:PORT]

Moves all regions off the region server on HOST, stops it and, when asked, starts it again and moves
the regions back. HOST is written as the master's page writes it; PORT is needed when it is not
hbase.regionserver.port. This host's servers are stopped directly (also those that
local-regionservers.sh started), others over ssh. The balancer is off meanwhile. When regions can't
be moved off, or the server wouldn't start again with its configuration or in this machine's memory, it
is left running; that of a unit, and of a server of local-regionservers.sh, isn't looked at.

  --restart             start the server again
  --reload              and move its regions back (implies --restart)
  --systemd             the server is the unit hbase-regionserver: stop and start it by systemctl,
                        as root, or over ssh as a user who may
  --maxthreads N        regions that are moved at once (default 1)
  --movetimeout S       seconds that moving off, or back, may take (default: no bound)
  --designatedfile FILE move regions only to the servers in FILE, HOST:PORT one a line
  --noack, -n           do not wait until each region is open on its new server
  --nobalancer, -nob    leave the balancer alone
  -e                    accepted; a failed step always ends this script

Exit code: 1 when a step failed, 3 when all were done but the server had to be killed.
HELP
}

hbase_common_args "$@"
set -- ${HBASE_ARGS[@]+"${HBASE_ARGS[@]}"}
restart=
reload=
systemd=
balancer=yes
mover=()
while (($# > 0)); do
  case $1 in
    --restart) restart=yes ;;
    --reload) restart=yes reload=yes ;;
    --systemd) systemd=yes ;;
    --noack | -n) mover+=(--noack) ;;
    --nobalancer | -nob) balancer= ;;
    -e) ;;
    --maxthreads | --movetimeout | --designatedfile)
      (($# >= 2)) || hbase_usage_error "$1 needs a value"
      if [[ $1 == --designatedfile ]]; then
        [[ -r $2 ]] || hbase_usage_error "--designatedfile $2 can't be read"
      else
        [[ $2 =~ ^[1-9][0-9]*$ ]] || hbase_usage_error "$1 $2 is not a number above 0"
      fi
      mover+=("${1/movetimeout/timeout}" "$2")
      shift
      ;;
    -*) hbase_usage_error "no option '$1'" ;;
    *) break ;;
  esac
  shift
done
(($# == 1)) || hbase_usage_error 'which host? one HOST or HOST:PORT, after the options'
server=$1
host=${server%:*}
port=
[[ $server != *:* ]] || port=${server##*:}
[[ $server != *:* || $port =~ ^[0-9]+$ ]] || hbase_usage_error "'$port' in $server is not a port"

hbase_init

# The number that the server has with local-regionservers.sh, or nothing.
local_number=
if [[ -n $port ]] && hbase_is_local "$host"; then
  number=$((port - ${HBASE_RS_BASE_PORT:-16200}))
  if ((number >= 1 && number <= 99)) &&
    "$BIN/local-regionservers.sh" --config "$HBASE_CONF_DIR" status "$number" >/dev/null; then
    local_number=$number
  fi
fi

daemon() {
  if [[ -n $systemd ]]; then
    hbase_command_on "$host" systemctl "$1" hbase-regionserver
  elif [[ -n $local_number ]]; then
    "$BIN/local-regionservers.sh" --config "$HBASE_CONF_DIR" "$1" "$local_number"
  else
    hbase_on "$host" hbase-daemon.sh "$1" regionserver
  fi
}

move_regions() {
  HBASE_ROOT_LOGGER=${HBASE_ROOT_LOGGER:-ERROR,console} "$BIN/hbase" \
    org.apache.hadoop.hbase.util.RegionMover --regionserverhost "$server" --operation "$1" \
    --filename "$regions" ${mover[@]+"${mover[@]}"}
}

# Prints what the shell knows of the region servers: HOST:PORT STARTCODE, and under it figures.
region_servers() {
  hbase_shell <<<"status 'simple'" || true
}

# The master assigns nothing to a server before its first report (HBASE-25032): a region moved there
# earlier comes straight back. Until then the shell shows a heap of 0 MB. After 3 minutes go on
# anyway; moving will tell.
wait_for_report() {
  local deadline=$((SECONDS + 180)) servers
  while ((SECONDS < deadline)); do
    servers=$(region_servers 2>/dev/null)
    [[ ! $servers =~ \ $name\ [0-9]+$'\n'[^$'\n']*maxHeapMB=[1-9] ]] || return 0
    sleep 1
  done
}

name=${server,,}
if [[ -z $port ]]; then
  name=$name:$(hbase_conf_value hbase.regionserver.port)
fi
echo "asking the master for $name; without a master this takes some minutes"
servers=$(hbase_shell <<<$'status \'simple\'\nbalancer_enabled' 2>&1) || true
[[ $servers =~ [0-9]+\ live\ servers ]] || hbase_no_master "$servers"
[[ $servers =~ \ $name\ [0-9]+$'\n' ]] || hbase_die "there is no region server $name;" \
  "there are: $(sed -n 's/^ *\([^ ]*:[0-9]*\) [0-9]*$/\1/p' <<<"$servers" | paste -s -d ' ')"

[[ -z $systemd ]] || hbase_command_on "$host" systemctl --quiet is-active hbase-regionserver ||
  hbase_die "systemd runs no unit hbase-regionserver on $host; leave out --systemd"

# Not under /tmp, where RegionMover would put it.
mkdir -p "$HBASE_PID_DIR"
regions=$(mktemp "$HBASE_PID_DIR/regions-of-$host.XXXXXX")
balancer_was=
finish() {
  local code=$?
  trap - EXIT
  trap '' INT TERM HUP
  if [[ $balancer_was == true ]]; then
    (hbase_switch_balancer true) ||
      hbase_warn "the balancer may be off; switch it on in the shell with: balance_switch true"
  fi
  if [[ $code -ne 0 && $code -ne $hbase_killed && -s $regions ]]; then
    hbase_warn "the regions that were moved off are listed in $regions"
  else
    rm -f "$regions"
  fi
  exit "$code"
}
trap finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# What would keep the server from starting isn't to end one that serves. A check that failed itself
# is no reason not to restart. A unit has an environment and a user of its own, and a server of
# local-regionservers.sh keys of its own: these are looked at when they start.
if [[ -n $restart && -z $systemd && -z $local_number ]]; then
  refused=0
  hbase_on "$host" hbase config check --role regionserver >/dev/null || refused=$?
  ((refused == 1 || refused == 2)) ||
    hbase_preset_fits hbase_on "$host" hbase jvm --role regionserver --flags || refused=1
  ((refused != 1 && refused != 2)) ||
    hbase_die "$server wouldn't start; it is left running"
fi

if [[ -n $balancer ]]; then
  echo 'switching the balancer off'
  # Known before, since this may be interrupted when it is off, and nothing says yet what it was.
  [[ ! $servers =~ $'\n'true($|$'\n') ]] || balancer_was=true
  hbase_switch_balancer false
fi
echo "moving regions off $server"
move_regions unload || hbase_die "not all regions could be moved off $server; it is left running"
daemon stop || hbase_note "$?"
if ((hbase_code == 1)); then
  exit 1
fi
if [[ -n $restart ]]; then
  daemon start
fi
if [[ -n $reload ]]; then
  wait_for_report
  echo "moving regions back to $server"
  move_regions load || hbase_die "not all regions could be moved back to $server"
fi
((hbase_code == 0)) || exit "$hbase_code"
