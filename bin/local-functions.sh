# shellcheck shell=bash
#
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
#

# What bin/quickstart and dev-support/bin/cluster share: a tarball unpacked, daemons of our own
# started and stopped by process id, ports, and what the daemons say over HTTP. To be sourced;
# Linux only, since processes are looked up in /proc.

die() {
  echo "${0##*/}: $*" >&2
  exit 1
}

# Seconds since the epoch.
now() {
  printf '%(%s)T' -1
}

# java_command: the java that bin/hbase will run.
java_command() {
  if [[ -n ${JAVA_HOME:-} ]]; then
    echo "$JAVA_HOME/bin/java"
  else
    command -v java || true
  fi
}

# java_major JAVA: 8, 11, 17, ...; nothing when JAVA isn't one.
java_major() {
  local line
  line=$("$1" -version 2>&1 | sed -n 's/.* version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p') || true
  echo "${line%%$'\n'*}"
}

# find_tarball CHECKOUT: the tarball that was built last. JDK 24 and later run on the hadoop-3.5
# flavour only. Nothing when there is none.
find_tarball() {
  local pattern='hbase-strata-*-bin.tar.gz' java major tarball newest=
  java=$(java_command)
  major=$(java_major "${java:-java}")
  if ((${major:-0} >= 24)); then
    pattern='hbase-strata-*-hadoop-3.5-bin.tar.gz'
  fi
  for tarball in "$1"/hbase-assembly/target/$pattern; do
    if [[ -f $tarball && (-z $newest || $tarball -nt $newest) ]]; then
      newest=$tarball
    fi
  done
  echo "$newest"
}

# dist_dir CHECKOUT TARBALL: where the tarball belongs when unpacked.
dist_dir() {
  local name=${2##*/}
  echo "$1/target/${name%-bin.tar.gz}"
}

# unpack CHECKOUT TARBALL: unpacks the tarball when it is newer than what is unpacked.
unpack() {
  local checkout=$1 tarball=$2 dist fresh pid_file
  dist=$(dist_dir "$checkout" "$tarball")
  if [[ -f $dist/.unpacked && ! $tarball -nt $dist/.unpacked ]]; then
    return
  fi
  for pid_file in "$checkout"/target/cluster/pids/*.pid "$checkout"/target/quickstart/*.pid; do
    if daemon_pid "$pid_file" > /dev/null; then
      die "$dist is older than ${tarball##*/}, but $(basename "$pid_file" .pid)" \
        "(pid $(< "$pid_file")) may be running from it: stop it first, by" \
        "dev-support/bin/cluster down or bin/quickstart --stop"
    fi
  done
  fresh=$checkout/target/.unpacking
  rm -rf "$fresh" "$dist"
  mkdir -p "$fresh"
  tar -xzf "$tarball" -C "$fresh" || die "$tarball can't be unpacked: build it again"
  touch -r "$tarball" "$fresh/${dist##*/}/.unpacked"
  mv "$fresh/${dist##*/}" "$dist"
  rmdir "$fresh"
}

# launch PID_FILE OUT COMMAND...: starts a daemon in a session of its own, out of reach of the
# terminal's Ctrl-C. Its environment carries the pid file's path, by which it is known later.
launch() {
  local pid_file=$1 out=$2
  shift 2
  HBASE_DAEMON_PID_FILE=$pid_file setsid "$@" < /dev/null > "$out" 2>&1 9>&- &
  echo $! > "$pid_file"
}

# daemon_pid PID_FILE: the daemon's pid if it lives; a pid that another process has got since
# doesn't count.
daemon_pid() {
  local pid environment
  [[ -f $1 ]] && pid=$(< "$1") && [[ $pid =~ ^[0-9]+$ ]] && kill -0 "$pid" 2> /dev/null || return 1
  environment=$(tr '\0' '\n' 2> /dev/null < "/proc/$pid/environ") || return 1
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

# end_daemons SECONDS PID_FILE...: SIGTERM, and SIGKILL for what is still there then.
end_daemons() {
  local seconds=$1
  shift
  signal_daemons TERM "$@"
  await_end "$seconds" "$@" || kill_daemons "$@"
}

# kill_daemons PID_FILE...: SIGKILL to those that live.
kill_daemons() {
  signal_daemons KILL "$@"
  await_end 10 "$@"
}

# port_taken PORT: whether somebody listens on this machine's PORT.
port_taken() {
  (: < "/dev/tcp/127.0.0.1/$1") 2> /dev/null
}

# port_owner PORT: who does, as far as we may see.
port_owner() {
  local owner=
  if command -v ss > /dev/null; then
    owner=$(ss -Hltnp "sport = :$1" |
      sed -n 's/.*users:(("\([^"]*\)",pid=\([0-9]*\).*/\1 (pid \2)/p') || true
  fi
  echo "${owner:-another process}"
}

# http_get PORT PATH: the body of the page, within 5 seconds; false when nobody answers.
http_get() {
  # shellcheck disable=SC2016 # $1 and $2 are the inner shell's
  timeout 5 bash -c '
    exec 3<> "/dev/tcp/127.0.0.1/$1" || exit 1
    printf "GET %s HTTP/1.0\r\nHost: localhost\r\n\r\n" "$2" >&3
    cat <&3' http_get "$1" "$2" 2> /dev/null
}

# http_jmx PORT BEAN: the bean as JSON.
http_jmx() {
  http_get "$1" "/jmx?qry=$2"
}

# master_serves INFO_PORT: whether the master is through with its start.
master_serves() {
  local jmx
  jmx=$(http_jmx "$1" Hadoop:service=HBase,name=Master,sub=Server) &&
    [[ $jmx =~ \"masterFinishedInitializationTime\"\ *:\ *[1-9] ]]
}

# end_of_log FILE...: the last lines of those that hold any, indented.
end_of_log() {
  local file
  for file; do
    if [[ -s $file ]]; then
      echo "  end of $file:"
      tail -n 15 "$file" | cut -c 1-300 | sed 's/^/    /'
    fi
  done
}
