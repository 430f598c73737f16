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

# Starts, stops or looks after one HBase server on this host.
set -euo pipefail

BIN=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
# shellcheck source-path=SCRIPTDIR source=hbase-config.sh
. "$BIN/hbase-config.sh"

usage() {
  cat <<'HELP'
Usage: hbase-daemon.sh [--config DIR] start|restart [--wait [SECONDS]] ROLE [ARGUMENT...]
       hbase-daemon.sh [--config DIR] stop|status|foreground_start ROLE [ARGUMENT...]

ROLE is master, regionserver or zookeeper. ARGUMENTs go to the server, for example
-D hbase.regionserver.port=16120.

  start             start it in the background; fails when it ends within a few seconds
                    With --wait: returns when it serves, fails when it doesn't within SECONDS
                    (default 300). A region server serves when the master has taken it in, a master
                    when it is initialized or waits as a backup, ZooKeeper when it listens. A new
                    cluster's master is initialized once a region server is up: start that first, or
                    without waiting for the master. It is read from the log, which must be at INFO.
  stop              ask it to end and wait; after HBASE_STOP_TIMEOUT seconds kill it
  restart           stop, then start; one that wouldn't start again, with its configuration or in this
                    machine's memory, is left running
  status            exit 0 when it is running, 1 when it is not
  foreground_start  start it and stay until it ends (systemd, containers)

Exit code: 0 done; 1 it failed, or the server ended; 2 wrong use; 3 the server had to be killed (stop,
restart); 4 it runs and doesn't serve yet (--wait).

Environment (set it in conf/hbase-env.sh):
  HBASE_PID_DIR       pid files (default $HBASE_HOME/run; upstream: /tmp)
  HBASE_LOG_DIR       logs, what the server prints (.out) and the GC log (default $HBASE_HOME/logs)
  HBASE_LOGFILE       the log's name (default hbase-IDENT-ROLE-HOST.log)
  HBASE_IDENT_STRING  tells several servers of a role on one host apart (default the user's name)
  HBASE_NICENESS      scheduling priority (default 0)
  HBASE_STOP_TIMEOUT  seconds (default 1200)
HELP
}

roles='master regionserver zookeeper'

hbase_common_args "$@"
set -- ${HBASE_ARGS[@]+"${HBASE_ARGS[@]}"}
(($# >= 1)) || hbase_usage_error 'what to do, and with which role?'
action=$1
shift
case $action in
  start | stop | restart | status | foreground_start | internal_start) ;;
  *) hbase_usage_error "no action '$action'" ;;
esac
wait_seconds=
# take_wait ARGUMENT...: sets wait_seconds, and taken to the number of arguments that said it.
take_wait() {
  taken=0
  [[ ${1:-} == --wait ]] || return 0
  [[ $action == start || $action == restart ]] || hbase_usage_error "--wait goes with start and restart"
  wait_seconds=300 taken=1
  if [[ ${2:-} =~ ^[0-9] ]]; then
    [[ $2 =~ ^[1-9][0-9]{0,5}$ ]] || hbase_usage_error "--wait $2 is not a number of seconds"
    wait_seconds=$2 taken=2
  fi
}
take_wait "$@"
shift "$taken"
(($# >= 1)) || hbase_usage_error "$action which role? ($roles)"
role=$1
[[ $taken != 1 || " $roles " == *" $role "* ]] ||
  hbase_usage_error "--wait $role: give a number of seconds, or a role ($roles)"
shift
take_wait "$@"
shift "$taken"
[[ " $roles " == *" $role "* ]] || hbase_usage_error "no role '$role' ($roles)"

hbase_init
stop_timeout=${HBASE_STOP_TIMEOUT:-1200}
[[ $stop_timeout =~ ^[0-9]+$ ]] ||
  hbase_die "HBASE_STOP_TIMEOUT=$stop_timeout is not a number of seconds"
host=$(uname -n)
name=hbase-$HBASE_IDENT_STRING-$role
pid_file=$HBASE_PID_DIR/$name.pid
# Beside the process id: when that process was started.
start_file=$HBASE_PID_DIR/$name.start
out_file=$HBASE_LOG_DIR/$name-$host.out
export HBASE_LOGFILE=${HBASE_LOGFILE:-$name-$host.log}
log_file=$HBASE_LOG_DIR/$HBASE_LOGFILE
gc_log=$HBASE_LOG_DIR/$name-$host.gc.log

# Only one start or stop at a time looks at the pid file and changes it. Where there is no flock,
# that is the caller's to see to. File descriptor 9 holds the lock until unlock, here and in a
# supervisor that was started meanwhile.
lock() {
  exec 9<"$HBASE_PID_DIR"
  if command -v flock >/dev/null; then
    flock 9
  fi
}

unlock() {
  exec 9<&-
}

# True when the pid file names a live server of this role and identity; sets pid, and started to when it
# was started. The number may have gone to another process since, so the start must be the noted one.
# Scripts of before wrote no note: then it must be a JVM of this installation; sets other_home when it
# is another one's.
is_running() {
  local line
  pid='' started='' other_home=''
  [[ ! -d $HBASE_PID_DIR || -x $HBASE_PID_DIR ]] ||
    hbase_die "HBASE_PID_DIR=$HBASE_PID_DIR can't be read by $(id -un); ask as its owner"
  [[ -f $pid_file ]] || return 1
  [[ -r $pid_file ]] || hbase_die "$pid_file can't be read by $(id -un); ask as its owner"
  read -r pid <"$pid_file" || true
  [[ $pid =~ ^[0-9]+$ ]] || return 1
  started=$(hbase_start_of "$pid") || return 1
  if [[ -e $start_file ]]; then
    [[ $started == "$(<"$start_file")" ]] || return 1
  fi
  line=" $(hbase_command_line "$pid") "
  if [[ $line == '  ' ]]; then
    # Caught on the way from one program to the next.
    sleep 0.1
    line=" $(hbase_command_line "$pid") "
  fi
  if [[ $line == *" -Dproc_"* ]]; then
    [[ $line == *" -Dproc_$role "* && $line == *" -Dhbase.id.str=$HBASE_IDENT_STRING "* ]] || return 1
    if [[ ! -e $start_file && $line != *" -Dhbase.home.dir=$HBASE_HOME "* ]]; then
      other_home=${line#* -Dhbase.home.dir=}
      other_home=${other_home%% -D*}
      return 1
    fi
  else
    [[ -e $start_file && $line =~ /hbase(-daemon\.sh)?\ (.*\ )?$role\  ]]
  fi
}

# Whether the server that is_running found is still that process; asked right before each signal.
is_same() {
  [[ $(hbase_start_of "$server") == "$server_started" ]]
}

# In a directory that others may write to, a link could lead our output into any file of ours.
check_own_file() {
  [[ ! -L $1 ]] || hbase_die "$1 is a symbolic link; remove it, or set HBASE_PID_DIR and" \
    "HBASE_LOG_DIR to directories that only this user may write to"
  [[ ! -e $1 || -O $1 ]] || hbase_die "$1 belongs to another user; remove it, or set" \
    "HBASE_PID_DIR and HBASE_LOG_DIR to other directories"
}

make_directory() {
  if ! mkdir -p "$2" 2>/dev/null || [[ ! -w $2 ]]; then
    hbase_die "$1=$2 can't be written to by $(id -un); make it so, or set $1 to another directory"
  fi
}

# Ends here what would end the server by itself, seconds later. What it says is on stderr. A check
# that failed itself is no reason not to start.
check_configuration() {
  local code=0
  [[ $role != zookeeper ]] || return 0
  "$BIN/hbase" --config "$HBASE_CONF_DIR" config check --role "$role" \
    --server-options "$@" >/dev/null || code=$?
  ((code != 1 && code != 2)) || exit 1
}

# What bin/hbase ends a start with when the preset's sizes don't fit, such as those of a bigger machine.
check_preset() {
  [[ -n ${HBASE_JVM_PRESET:-} ]] || return 0
  hbase_preset_fits "$BIN/hbase" --config "$HBASE_CONF_DIR" jvm --role "$role" --flags || exit 1
}

# A port that is in use is named here, with its key; the server says it later and without them.
check_ports() {
  HBASE_ROOT_LOGGER=ERROR,console "$BIN/hbase" --config "$HBASE_CONF_DIR" \
    org.hbasestrata.jvm.PortCheck "$role" "$@" 9<&- || exit 1
}

check_own_files() {
  local file
  # JDK 8 has a number and .current behind the name of its GC log, and begins with 0.
  for file in "$pid_file" "$start_file" "$out_file" "$log_file" "$gc_log" "$gc_log".*.current; do
    check_own_file "$file"
  done
}

# prepare ARGUMENT...: of the server that will be started.
prepare() {
  umask 027
  make_directory HBASE_PID_DIR "$HBASE_PID_DIR"
  make_directory HBASE_LOG_DIR "$HBASE_LOG_DIR"
  lock
  check_own_files
  if is_running; then
    hbase_die "$role is running as process $pid; stop it first"
  fi
  if [[ -e $pid_file ]]; then
    echo "removing the stale pid file $pid_file"
    rm -f "$pid_file" "$start_file"
  fi
  check_ports "$@"
}

# Keeps the last five: .out.1 is the newest.
rotate() {
  local number
  [[ -f $1 ]] || return 0
  for number in 4 3 2 1; do
    [[ ! -f $1.$number ]] || mv -f "$1.$number" "$1.$((number + 1))"
  done
  mv -f "$1" "$1.1"
}

# Removes the node in ZooKeeper that the server's file names. HMaster's own `clear` only knows that
# of a master.
clear_znode() {
  local command=(master clear)
  if [[ $role == regionserver ]]; then
    command=(zkcli delete "$(<"$HBASE_ZNODE_FILE")")
  fi
  HBASE_ROOT_LOGGER=WARN,console "$BIN/hbase" --config "$HBASE_CONF_DIR" "${command[@]}"
}

# Runs the server until it ends, having unlocked when its pid file is there, then removes what says
# that it lives: its pid file and, when it did not end in order, its node in ZooKeeper, so that the
# master need not wait for the session to expire.
run_server() {
  local child code
  export HBASE_ROOT_LOGGER=${HBASE_ROOT_LOGGER:-INFO,RFA}
  export HBASE_SECURITY_LOGGER=${HBASE_SECURITY_LOGGER:-INFO,RFAS}
  export HBASE_ZNODE_FILE=$HBASE_PID_DIR/$name.znode
  check_own_file "$HBASE_ZNODE_FILE"
  rm -f "$HBASE_ZNODE_FILE"
  {
    ulimit -a
    echo "$(date) starting $role on $host"
  } >>"$log_file" 2>&1
  HBASE_GC_LOG=$gc_log nice -n "${HBASE_NICENESS:-0}" \
    "$BIN/hbase" --config "$HBASE_CONF_DIR" "$role" "$@" start 9<&- &
  child=$!
  trap 'kill -TERM "$child" 2>/dev/null || true' TERM INT
  (
    umask 077
    hbase_start_of "$child" >"$start_file" || true
    echo "$child" >"$pid_file"
  )
  unlock
  code=0
  wait "$child" || code=$?
  # A signal ends wait before it ends the server.
  while kill -0 "$child" 2>/dev/null; do
    code=0
    wait "$child" || code=$?
  done
  if [[ -f $HBASE_ZNODE_FILE ]]; then
    clear_znode >>"$log_file" 2>&1 || true
  fi
  # Unless the next one was started meanwhile.
  if [[ -f $pid_file && $(<"$pid_file") == "$child" ]]; then
    rm -f "$HBASE_ZNODE_FILE" "$pid_file" "$start_file"
  fi
  return "$code"
}

# Whether the log $1 says, behind its first $2 bytes, that the server serves.
serves() {
  local lines
  case $role in
    master) lines='Master has completed initialization|Another master is the active master' ;;
    regionserver) lines='Serving as .*, RpcServer on ' ;;
    zookeeper) lines='binding to port ' ;;
  esac
  [[ -f $1 ]] || return 1
  if (($(wc -c <"$1") < $2)); then
    set -- "$1" 0 # a new file was begun
  fi
  tail -c "+$(($2 + 1))" "$1" | grep -cE "$lines" >/dev/null
}

start_server() {
  local supervisor deadline log_bytes=0
  if [[ -n $wait_seconds && ${HBASE_ROOT_LOGGER:-INFO} =~ ^(WARN|ERROR|FATAL|OFF) ]]; then
    hbase_die "--wait reads from the log whether the $role serves, but HBASE_ROOT_LOGGER is" \
      "$HBASE_ROOT_LOGGER; set it to INFO,RFA, or leave out --wait"
  fi
  prepare "$@"
  rotate "$out_file"
  if [[ -f $log_file ]]; then
    log_bytes=$(wc -c <"$log_file")
  fi
  echo "starting $role, logging to $log_file"
  # Kept by a process of its own, so that this one may end.
  nohup "$BIN/hbase-daemon.sh" --config "$HBASE_CONF_DIR" internal_start "$role" "$@" \
    </dev/null >"$out_file" 2>&1 &
  supervisor=$!
  unlock
  # What is wrong with a configuration mostly shows in the first seconds.
  deadline=$((SECONDS + ${wait_seconds:-3}))
  # Until its pid file is there, which takes longer on a busy machine, stop wouldn't find it.
  while ((SECONDS < deadline)) || { [[ ! -e $pid_file ]] && ((SECONDS < deadline + 60)); }; do
    sleep 0.2
    kill -0 "$supervisor" 2>/dev/null || break
    if [[ -n $wait_seconds ]] && serves "$log_file" "$log_bytes"; then
      # One that ends right then doesn't serve.
      kill -0 "$supervisor" 2>/dev/null || break
      echo "$role serves"
      return
    fi
  done
  if ! kill -0 "$supervisor" 2>/dev/null; then
    hbase_warn "$role ended while it was starting"
    hbase_end_of_log "$log_file" "$out_file" >&2
    exit 1
  fi
  if [[ -n $wait_seconds ]]; then
    hbase_warn "$role did not say within $wait_seconds s that it serves, and is left running; see" \
      "$log_file, which must be at INFO for it to say so$([[ $role != master ]] ||
        echo "; a new cluster's master serves once a region server is up")"
    hbase_end_of_log "$log_file" "$out_file" >&2
    exit "$hbase_not_serving"
  fi
}

parent_of() {
  if [[ -r /proc/$1/status ]]; then
    sed -n 's/^PPid:[[:space:]]*//p' "/proc/$1/status"
  else
    ps -o ppid= -p "$1"
  fi
}

# True while the process $1 is the hbase-daemon.sh that keeps the server.
is_supervisor() {
  [[ $(hbase_command_line "$1") == *hbase-daemon.sh*_start* ]]
}

wait_for_end() {
  local deadline=$((SECONDS + $1)) dot=$SECONDS
  while is_same; do
    ((SECONDS < deadline)) || return 1
    sleep 0.2
    if ((SECONDS > dot)); then
      printf '.'
      dot=$SECONDS
    fi
  done
}

stop_server() {
  local server server_started supervisor deadline
  if [[ ! -d $HBASE_PID_DIR ]]; then
    echo "no $role to stop: there is no $pid_file"
    return 0
  fi
  hbase_check_may_stop
  lock
  if ! is_running; then
    if [[ -n $other_home ]]; then
      hbase_die "process $pid of $pid_file is a $role of another installation, $other_home;" \
        "stop it by bin/hbase-daemon.sh there"
    elif [[ -e $pid_file ]]; then
      echo "no $role to stop: $pid_file is stale and was removed"
      rm -f "$pid_file" "$start_file"
    else
      echo "no $role to stop: there is no $pid_file"
    fi
    unlock
    return 0
  fi
  unlock
  server=$pid server_started=$started
  supervisor=$(parent_of "$server")
  if is_same && ! kill -TERM "$server" 2>/dev/null && is_same; then
    hbase_die "$role is process $server, which $(id -un) may not stop; stop it as its own user"
  fi
  printf 'stopping %s (process %s)' "$role" "$server"
  if ! wait_for_end "$stop_timeout"; then
    printf '\n'
    hbase_warn "$role (process $server) did not end within HBASE_STOP_TIMEOUT=$stop_timeout s;" \
      "killing it"
    if is_same; then
      kill -KILL "$server" 2>/dev/null || true
      killed=yes
    fi
    wait_for_end 30 || hbase_die "process $server can't be killed; it hangs in the kernel"
  fi
  printf '\n'
  # The supervisor tidies up after the server; a start must not come in between.
  deadline=$((SECONDS + 60))
  while is_supervisor "$supervisor" && ((SECONDS < deadline)); do
    sleep 0.1
  done
  if [[ -f $pid_file && $(<"$pid_file") == "$server" ]]; then
    rm -f "$pid_file" "$start_file"
  fi
}

killed=
case $action in
  start)
    check_configuration "$@"
    start_server "$@"
    ;;
  stop) stop_server ;;
  restart)
    check_configuration "$@"
    # What would keep it from starting isn't to end one that serves.
    check_preset
    check_own_files
    stop_server
    start_server "$@"
    ;;
  status)
    if is_running; then
      echo "$role is running as process $pid"
    elif [[ -n $other_home ]]; then
      echo "$role is not running; $pid_file is stale: process $pid is one of $other_home"
      exit 1
    elif [[ -e $pid_file ]]; then
      echo "$role is not running; $pid_file is stale"
      exit 1
    else
      echo "$role is not running"
      exit 1
    fi
    ;;
  foreground_start)
    check_configuration "$@"
    prepare "$@"
    run_server "$@"
    ;;
  internal_start)
    umask 027
    run_server "$@"
    ;;
esac
[[ -z $killed ]] || exit "$hbase_killed"
