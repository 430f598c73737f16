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

# What bin/quickstart and dev-support/bin/cluster share: the tarball unpacked, daemons of our own
# started and stopped by process id, their configuration, ports, and what they say over HTTP.
# Sourced, never run; BIN is set as for hbase-config.sh. Linux only: processes are looked up in
# /proc.

# shellcheck source-path=SCRIPTDIR source=hbase-config.sh
. "$BIN/hbase-config.sh"

# Seconds since the epoch.
now() {
  printf '%(%s)T' -1
}

# lock DIRECTORY: lets one of these scripts at a time work in there. Children that outlive the script
# close file descriptor 9, which holds the lock. Where there is no flock, that is the caller's to see to.
lock() {
  exec 9< "$1"
  ! command -v flock > /dev/null || flock -n 9 || hbase_die "another command is at work in $1; wait for it"
}

# lock_checkout CHECKOUT: lets one script at a time unpack there, or choose ports; waits for the others.
lock_checkout() {
  exec 8< "$1/bin"
  ! command -v flock > /dev/null || flock -w 600 8 ||
    hbase_die "another quickstart or cluster command is at work in $1; wait for it"
}

unlock_checkout() {
  exec 8<&-
}

# find_tarball CHECKOUT: prints the tarball that was built last, nothing when there is none. The
# hadoop-3.5 flavour needs Java 17, the other one doesn't run from 24 on. Needs JAVA_MAJOR.
find_tarball() {
  local tarball newest=''
  for tarball in "$1"/hbase-assembly/target/hbase-strata-*-bin.tar.gz; do
    case $tarball in
      *-hadoop-3.5-bin.tar.gz) ((JAVA_MAJOR >= 17)) || continue ;;
      *) ((JAVA_MAJOR < 24)) || continue ;;
    esac
    if [[ -f $tarball && (-z $newest || $tarball -nt $newest) ]]; then
      newest=$tarball
    fi
  done
  echo "$newest"
}

# unpack CHECKOUT TARBALL: sets dist to the unpacked tarball; unpacks it when that isn't there or
# is older.
unpack() {
  local checkout=$1 tarball=$2 name=${2##*/} fresh pid_file users=("$1/target/quickstart")
  name=${name%-bin.tar.gz}
  dist=$checkout/target/$name
  if [[ -f $dist/.unpacked && ! $tarball -nt $dist/.unpacked ]]; then
    return
  fi
  # The clusters that were brought up from it: the folders of their pid files.
  if [[ -f $dist/.clusters ]]; then
    mapfile -t -O 1 users < "$dist/.clusters"
  fi
  while read -r pid_file; do
    # A cluster's folder may have been another checkout's since.
    if [[ -f ${pid_file%/pids/*}/dist && $(< "${pid_file%/pids/*}/dist") != "$dist" ]]; then
      continue
    fi
    if daemon_pid "$pid_file" > /dev/null; then
      hbase_die "$dist is older than ${tarball##*/}, but process $(< "$pid_file") may be running" \
        "from it ($pid_file); stop it first, by bin/quickstart --stop or dev-support/bin/cluster down"
    fi
  done < <(find "${users[@]}" -maxdepth 1 -name '*.pid' 2> /dev/null)
  # Under another name until all of it is there.
  fresh=$checkout/target/unpacking
  rm -rf "$fresh"
  mkdir -p "$fresh"
  tar -xzf "$tarball" -C "$fresh" || hbase_die "$tarball can't be unpacked; build it again"
  touch -r "$tarball" "$fresh/$name/.unpacked"
  rm -rf "$dist"
  mv "$fresh/$name" "$dist"
  rmdir "$fresh"
}

# check_disk DIRECTORY MB: ends with one line when less is free there.
check_disk() {
  local free_mb
  free_mb=$(($(df -Pk "$1" | awk 'END { print $4 }') / 1024))
  ((free_mb >= $2)) || hbase_die "too little disk: $free_mb MB are free in $1, $2 MB are needed;" \
    "remove something there"
}

# interruptible FUNCTION ARGUMENT...: runs it in a child and exits as it does. The child gets SIGINT,
# SIGTERM and SIGHUP as SIGTERM; its traps tidy up. (A shell that is expanding a command substitution
# loses some of the SIGINTs that are sent to it; one that waits loses none.)
interruptible() {
  local code body='' signal_code=0
  trap 'pass_on 143' TERM
  trap '' INT HUP # the child keeps this: a Ctrl-C goes to all processes of the terminal
  "$@" &
  body=$!
  trap 'pass_on 130' INT
  trap 'pass_on 129' HUP
  if ((signal_code > 0)); then
    pass_on "$signal_code"
  fi
  while true; do
    code=0
    wait "$body" || code=$?
    kill -0 "$body" 2> /dev/null || break
  done
  exit $((code > 0 && signal_code > 0 ? signal_code : code))
}

# pass_on SIGNAL_CODE: for interruptible, whose variables these are.
pass_on() {
  signal_code=$1
  if [[ -n $body ]]; then
    kill -TERM "$body" 2> /dev/null || true
  fi
}

# launch PID_FILE OUT COMMAND...: starts a daemon in a session of its own, out of reach of the
# terminal's Ctrl-C. Its environment names the pid file, by which it is known later.
launch() {
  local pid_file=$1 out=$2
  shift 2
  HBASE_DAEMON_PID_FILE=$pid_file setsid "$@" < /dev/null > "$out" 2>&1 9<&- &
  echo $! > "$pid_file"
  disown # so that bash doesn't report its end
}

# note_launched PID_FILE: for a script that is ending, maybe in the middle of launch: makes sure that
# what was launched last is known.
note_launched() {
  if [[ ! -f $1 && -n ${!:-} ]]; then
    echo "$!" > "$1"
    sleep 0.2
  fi
}

# daemon_pid PID_FILE: prints the daemon's pid if it lives. A pid that has gone to another process
# since doesn't count.
daemon_pid() {
  local pid environment
  [[ -f $1 ]] && pid=$(< "$1") && [[ $pid =~ ^[0-9]+$ ]] || return 1
  environment=$(tr '\0' '\n' 2> /dev/null < "/proc/$pid/environ") 2> /dev/null || return 1
  [[ $'\n'$environment$'\n' == *$'\n'"HBASE_DAEMON_PID_FILE=$1"$'\n'* ]] || return 1
  echo "$pid"
}

# await_end SECONDS PID_FILE...: waits for the daemons to end; false if one is still there.
await_end() {
  local deadline=$(($(now) + $1)) pid_file
  shift
  for pid_file; do
    while daemon_pid "$pid_file" > /dev/null; do
      (($(now) < deadline)) || return 1
      sleep 0.1
    done
  done
}

# signal_daemons SIGNAL PID_FILE...: sends it to those that live.
signal_daemons() {
  local signal=$1 pid_file pid
  shift
  for pid_file; do
    if pid=$(daemon_pid "$pid_file"); then
      kill "-$signal" "$pid" 2> /dev/null || true
    fi
  done
}

# kill_daemons PID_FILE...: SIGKILL to those that live.
kill_daemons() {
  signal_daemons KILL "$@"
  await_end 60 "$@"
}

# end_daemons SECONDS PID_FILE...: SIGTERM, and SIGKILL for what is still there then.
end_daemons() {
  local seconds=$1
  shift
  signal_daemons TERM "$@"
  await_end "$seconds" "$@" || kill_daemons "$@"
}

# port_taken PORT: whether somebody listens there on this machine.
port_taken() {
  (: < "/dev/tcp/127.0.0.1/$1") 2> /dev/null
}

# free_ports COUNT: prints the first of so many free ports, up to ten, in a row.
free_ports() {
  local base port
  for ((base = 26000; base < 32000; base += 10)); do
    for ((port = base; port < base + $1; port++)); do
      if port_taken "$port"; then
        continue 2
      fi
    done
    break
  done
  echo "$base"
}

# port_owner PORT: who does, as far as we may see.
port_owner() {
  local owner=
  if command -v ss > /dev/null; then
    owner=$(ss -Hltnp "sport = :$1" |
      sed -n 's/.*users:(("\([^"]*\)",pid=\([0-9]*\).*/\1 (process \2)/p') || true
  fi
  echo "${owner:-another process}"
}

# http_jmx PORT BEAN: prints the bean as JSON; false when nobody answers within 5 seconds.
http_jmx() {
  # shellcheck disable=SC2016 # $1 and $2 are the inner shell's
  timeout 5 bash -c '
    exec 3<> "/dev/tcp/127.0.0.1/$1" || exit 1
    printf "GET /jmx?qry=%s HTTP/1.0\r\nHost: localhost\r\n\r\n" "$2" >&3
    cat <&3' http_jmx "$1" "$2" 2> /dev/null
}

# master_serves PORT: whether the master with that info port is through with its start.
master_serves() {
  local jmx
  jmx=$(http_jmx "$1" Hadoop:service=HBase,name=Master,sub=Server) &&
    [[ $jmx =~ \"masterFinishedInitializationTime\"\ *:\ *[1-9] ]]
}

xml_text() {
  sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' <<< "$1"
}

# property KEY VALUE: prints a property of a site file.
property() {
  printf '  <property><name>%s</name><value>%s</value></property>\n' "$1" "$(xml_text "$2")"
}

# write_site DIRECTORY NAME LAYER...: writes NAME.xml there, which includes NAME-LAYER.xml for each
# layer that is there, and then has the properties on standard input. Later entries win.
write_site() {
  local site=$1/$2 name=$2 layer
  shift 2
  {
    echo '<?xml version="1.0"?>'
    echo '<!-- Generated. Later entries win over earlier ones. -->'
    echo '<configuration xmlns:xi="http://www.w3.org/2001/XInclude">'
    for layer; do
      if [[ -f $site-$layer.xml ]]; then
        echo "  <xi:include href=\"$name-$layer.xml\"/>"
      fi
    done
    cat
    echo '</configuration>'
  } > "$site.xml"
}
