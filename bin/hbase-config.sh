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

# What the scripts of this folder share. Sourced, never run. The sourcing script sets BIN to the
# folder it is in (symlinks resolved) and calls hbase_init.
#
# After hbase_init: HBASE_HOME, HBASE_CONF_DIR, HBASE_LOG_DIR, HBASE_PID_DIR, HBASE_IDENT_STRING
# and HBASE_REGIONSERVERS are set and exported, and conf/hbase-env.sh has been read.

# shellcheck disable=SC2034 # variables are for the sourcing script
hbase_script=${0##*/}

# Says on stderr what is wrong, in one line, and exits 1.
hbase_die() {
  printf '%s: %s\n' "$hbase_script" "$*" >&2
  exit 1
}

hbase_warn() {
  printf '%s: %s\n' "$hbase_script" "$*" >&2
}

# The exit codes for what was done, but not in order: a server had to be killed, or doesn't serve yet.
hbase_killed=3
hbase_not_serving=4

# hbase_note CODE: for a script that acts on several servers: sets hbase_code, which it exits with, to
# 1 when anything failed, else to the first one's code.
hbase_code=0
hbase_note() {
  if (($1 != 0 && $1 != hbase_killed && $1 != hbase_not_serving)); then
    hbase_code=1
  elif ((hbase_code == 0)); then
    hbase_code=$1
  fi
}

# Wrong use of a script: what is wrong, where to read on, exit 2.
hbase_usage_error() {
  printf '%s: %s (see %s --help)\n' "$hbase_script" "$*" "$hbase_script" >&2
  exit 2
}

# Takes `--config DIR` off the front of the arguments and answers --help for a script whose
# usage() prints its help. Leaves the rest in the array HBASE_ARGS.
hbase_common_args() {
  while (($# > 0)); do
    case $1 in
      --config)
        [[ $# -ge 2 ]] || hbase_usage_error '--config needs a directory'
        HBASE_CONF_DIR=$2
        shift 2
        ;;
      --config=*)
        HBASE_CONF_DIR=${1#--config=}
        shift
        ;;
      -h | --help | -help)
        usage
        exit 0
        ;;
      *) break ;;
    esac
  done
  HBASE_ARGS=("$@")
}

# True when the process $1 is alive, whoever owns it.
hbase_is_alive() {
  [[ $1 =~ ^[0-9]+$ ]] && { kill -0 "$1" 2>/dev/null || ps -p "$1" >/dev/null 2>&1; }
}

# Prints when the process $1 was started, as the system counts; with the number it names one process
# for good. Fails when it has ended, even if nobody has asked for its exit code yet.
hbase_start_of() {
  local line
  if [[ -r /proc/self/stat ]]; then
    { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
    # Behind the name, which may have blanks and brackets in it: the state, and 19 on the start.
    read -r -a line <<<"${line##*) }"
    [[ ${line[0]} != Z ]] || return 1
    echo "${line[19]}"
  else
    ps -o lstart= -p "$1" 2>/dev/null
  fi
}

# Stops with one line when this user may not stop what runs with HBASE_PID_DIR.
hbase_check_may_stop() {
  [[ ! -d $HBASE_PID_DIR || -w $HBASE_PID_DIR ]] ||
    hbase_die "HBASE_PID_DIR=$HBASE_PID_DIR can't be written to by $(id -un); stop HBase as the user" \
      "whom it belongs to, $(stat -c %U "$HBASE_PID_DIR")"
}

# Prints the command line of process $1, its arguments parted by blanks; nothing when it has ended.
hbase_command_line() {
  if [[ -r /proc/$1/cmdline ]]; then
    { tr '\0' ' ' <"/proc/$1/cmdline"; } 2>/dev/null || true
  else
    ps -ww -o args= -p "$1" 2>/dev/null || true
  fi
}

# Finds the distribution: HBASE_HOME, else the folder above bin/, else, in a source checkout, the
# distribution that was unpacked last under target/; unpacks it when none was yet.
hbase_find_home() {
  local lib checkout
  if [[ -n ${HBASE_HOME:-} ]]; then
    [[ -d $HBASE_HOME/lib ]] ||
      hbase_die "HBASE_HOME=$HBASE_HOME has no lib/; unset it, or set it to an unpacked HBase"
    HBASE_HOME=$(cd "$HBASE_HOME" && pwd)
  elif [[ -d $BIN/../lib ]]; then
    HBASE_HOME=$(cd "$BIN/.." && pwd)
  else
    checkout=$(cd "$BIN/.." && pwd)
    for lib in "$checkout"/target/hbase-strata-*/lib; do
      [[ -d $lib ]] || continue
      if [[ -z ${HBASE_HOME:-} || -n $(find "$lib" -prune -cnewer "$HBASE_HOME/lib") ]]; then
        HBASE_HOME=${lib%/lib}
      fi
    done
    if [[ -z ${HBASE_HOME:-} ]]; then
      hbase_unpack "$checkout"
    elif [[ $checkout/hbase-assembly/target/${HBASE_HOME##*/}-bin.tar.gz -nt $HBASE_HOME/.unpacked ]]; then
      hbase_warn "$HBASE_HOME is older than what was built since, which bin/quickstart or" \
        "dev-support/bin/cluster up would unpack"
    fi
    hbase_find_cluster_conf "${HBASE_STRATA_CLUSTER_DIR:-$checkout/target/cluster}"
  fi
  export HBASE_HOME
}

# In the checkout $1: unpacks what `mvn package` made, and sets HBASE_HOME to it.
hbase_unpack() {
  local tarball dist
  # shellcheck source=/dev/null # which sources this file
  . "$BIN/local-functions.sh"
  hbase_find_java
  tarball=$(find_tarball "$1")
  [[ -n $tarball ]] || hbase_die "nothing is built for Java $JAVA_MAJOR in $1 yet; run" \
    "mvn -B -DskipTests package there (Java 24 and later: with -Phadoop-3.5), or bin/quickstart"
  lock_checkout "$1"
  unpack "$1" "$tarball"
  unlock_checkout
  HBASE_HOME=$dist
}

# In a checkout: while the cluster of dev-support/bin/cluster is up, its client conf is the default.
hbase_find_cluster_conf() {
  local pid_file pid
  [[ -z ${HBASE_CONF_DIR:-} && -d $1/conf ]] || return 0
  for pid_file in "$1"/pids/*.pid; do
    [[ -f $pid_file ]] || continue
    pid=$(<"$pid_file")
    if hbase_is_alive "$pid"; then
      HBASE_CONF_DIR=$1/conf
      return 0
    fi
  done
}

hbase_init() {
  hbase_find_home
  HBASE_CONF_DIR=${HBASE_CONF_DIR:-$HBASE_HOME/conf}
  [[ -d $HBASE_CONF_DIR ]] || hbase_die "configuration directory $HBASE_CONF_DIR does not exist;" \
    "name another with --config DIR or HBASE_CONF_DIR"
  HBASE_CONF_DIR=$(cd "$HBASE_CONF_DIR" && pwd)
  export HBASE_CONF_DIR

  # Scripts call one another; what hbase-env.sh appends to HBASE_OPTS must be appended once.
  if [[ ${HBASE_ENV_INIT:-} != "$HBASE_CONF_DIR" && -f $HBASE_CONF_DIR/hbase-env.sh ]]; then
    "$BASH" -n "$HBASE_CONF_DIR/hbase-env.sh" ||
      hbase_die "$HBASE_CONF_DIR/hbase-env.sh can't be read by bash; mend the line named above"
    set +eu
    # shellcheck disable=SC1091 # the operator's file
    . "$HBASE_CONF_DIR/hbase-env.sh"
    set -eu
  fi
  export HBASE_ENV_INIT=$HBASE_CONF_DIR
  # The JVM preset and hbase-site.xml read these from the environment; those that are unset stay so.
  export HBASE_JVM_PRESET HBASE_JVM_ARCHIVE_DIR HBASE_HEAPSIZE HBASE_OFFHEAPSIZE \
    HBASE_GC_LOG_TMPFS HBASE_BUCKETCACHE_MB HBASE_OFFHEAP_MEMSTORE_MB HBASE_MEMSTORE_FLUSH_SIZE

  export HBASE_IDENT_STRING=${HBASE_IDENT_STRING:-${USER:-$(id -un)}}
  export HBASE_LOG_DIR=${HBASE_LOG_DIR:-$HBASE_HOME/logs}
  # Not /tmp as upstream: what is in a directory that others may write to can't be trusted.
  export HBASE_PID_DIR=${HBASE_PID_DIR:-$HBASE_HOME/run}
  export HBASE_REGIONSERVERS=${HBASE_REGIONSERVERS:-$HBASE_CONF_DIR/regionservers}
  export HBASE_BACKUP_MASTERS=${HBASE_BACKUP_MASTERS:-$HBASE_CONF_DIR/backup-masters}
}

# Sets HADOOP_VERSION to the version of the Hadoop in lib/.
hbase_find_hadoop_version() {
  local jar
  HADOOP_VERSION=
  for jar in "$HBASE_HOME"/lib/hadoop-common-[0-9]*.jar; do
    [[ -f $jar && $jar != *-tests.jar ]] || continue
    HADOOP_VERSION=${jar##*/hadoop-common-}
    HADOOP_VERSION=${HADOOP_VERSION%.jar}
  done
  [[ -n $HADOOP_VERSION ]] ||
    hbase_die "no hadoop-common jar in $HBASE_HOME/lib; unpack the distribution again"
}

# Sets JAVA to the java to run and JAVA_MAJOR to its feature version (8, 11, 17, ...).
hbase_find_java() {
  local home line version
  if [[ -n ${JAVA_HOME:-} ]]; then
    JAVA=$JAVA_HOME/bin/java
    [[ -x $JAVA ]] || hbase_die "JAVA_HOME=$JAVA_HOME has no bin/java that can be run;" \
      "set JAVA_HOME to the folder of a JDK or JRE 17 or 21"
  else
    JAVA=$(command -v java) || hbase_die "no java found: JAVA_HOME is not set and" \
      "there is none on the PATH; install a JDK 17 or 21 (Debian, Ubuntu: apt-get install" \
      "openjdk-17-jdk-headless)"
  fi
  home=$(dirname "$(readlink -f "$JAVA")")/..

  # The release file spares the start of a JVM; a JRE inside a JDK 8 has none.
  version=
  if [[ -r $home/release ]]; then
    while IFS= read -r line || [[ -n $line ]]; do
      if [[ $line =~ ^JAVA_VERSION=\"?([0-9][^\"]*) ]]; then
        version=${BASH_REMATCH[1]}
      fi
    done <"$home/release"
  fi
  if [[ -z $version ]]; then
    line=$("$JAVA" -version 2>&1) || hbase_die "$JAVA does not run: ${line%%$'\n'*};" \
      "set JAVA_HOME to the folder of a JDK or JRE 17 or 21"
    [[ $line =~ version\ \"([0-9][^\"]*)\" ]] ||
      hbase_die "$JAVA does not say which version it is: ${line%%$'\n'*}"
    version=${BASH_REMATCH[1]}
  fi
  version=${version#1.}
  JAVA_MAJOR=${version%%[^0-9]*}
}

# Stops with one line when this Java can't run what is in lib/.
hbase_check_java() {
  local install='set JAVA_HOME to a JDK 17 or 21'
  hbase_find_java
  hbase_find_hadoop_version
  if [[ $HADOOP_VERSION =~ ^(3\.[0-4]\.|2\.) ]]; then
    ((JAVA_MAJOR >= 8)) || hbase_die "$JAVA is Java $JAVA_MAJOR, but HBase needs 8 or later;" \
      "$install (Debian, Ubuntu: apt-get install openjdk-17-jdk-headless)"
    ((JAVA_MAJOR <= 23)) || hbase_die "$JAVA is Java $JAVA_MAJOR, on which this distribution's" \
      "Hadoop $HADOOP_VERSION can't run (8 to 23 it can); $install, or take HBase Strata's" \
      "hadoop-3.5 tarball"
  else
    ((JAVA_MAJOR >= 17)) || hbase_die "$JAVA is Java $JAVA_MAJOR, but this distribution's Hadoop" \
      "$HADOOP_VERSION needs 17 or later; $install, or take HBase Strata's tarball without" \
      "hadoop-3.5 in its name"
  fi
  ((JAVA_MAJOR <= 25)) ||
    hbase_warn "$JAVA is Java $JAVA_MAJOR; the newest that HBase Strata was tried on is 25"
}

# Sets the array JAVA_MODULE_FLAGS to what HBase, Hadoop and netty need from this Java.
hbase_find_module_flags() {
  local package
  JAVA_MODULE_FLAGS=()
  ((JAVA_MAJOR >= 9)) || return 0
  JAVA_MODULE_FLAGS+=(-Dorg.apache.hbase.thirdparty.io.netty.tryReflectionSetAccessible=true)
  for package in java.io java.lang java.lang.ref java.lang.reflect java.math java.net java.nio \
    java.security java.text java.time java.util java.util.concurrent \
    java.util.concurrent.atomic java.util.regex java.util.zip jdk.internal.misc \
    jdk.internal.ref sun.net.dns sun.nio.ch sun.nio.cs sun.security.action sun.security.util; do
    # Java 25 has no sun.security.action, of which it would warn at each start.
    if [[ $package != sun.security.action ]] || ((JAVA_MAJOR <= 24)); then
      JAVA_MODULE_FLAGS+=("--add-opens=java.base/$package=ALL-UNNAMED")
    fi
  done
  JAVA_MODULE_FLAGS+=(--add-opens=java.security.jgss/sun.security.krb5=ALL-UNNAMED
    --add-exports=java.base/sun.net.util=ALL-UNNAMED)
  # Hadoop 3.4 asks for Subject.getSubject, which 23 refuses unless a security manager is allowed.
  if ((JAVA_MAJOR >= 18 && JAVA_MAJOR <= 23)); then
    JAVA_MODULE_FLAGS+=(-Djava.security.manager=allow)
  fi
  if ((JAVA_MAJOR >= 24)); then
    JAVA_MODULE_FLAGS+=(--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow)
  fi
}

# Under LC_ALL=C a JVM can't have a path with letters beyond ASCII. Where the installation's, its
# configuration or one of the arguments has one, what is started gets a locale that can.
hbase_check_locale() {
  local name=${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} letter=$'\xc3\xa9' told=$* file
  ((${#letter} == 2)) || return 0
  case $name in
    C | POSIX | *.[uU][tT][fF]*8) ;; # the last isn't installed
    *) return 0 ;;                   # another charset, which paths may be in
  esac
  told+=$HBASE_HOME$HBASE_CONF_DIR$HBASE_LOG_DIR$PWD
  for file in "$HBASE_CONF_DIR"/*-site.xml; do
    if [[ -r $file ]]; then
      told+=$(<"$file")
    fi
  done
  [[ $told == *[^[:ascii:]]* ]] || return 0
  export LC_ALL=C.UTF-8
  letter=$'\xc3\xa9'
  ((${#letter} == 1)) ||
    hbase_die "a path or a value has letters beyond ASCII, which a JVM can't read in the locale" \
      "'$name': set LC_ALL to a locale of UTF-8 (locale -a lists them)"
}

# Prints the value of a configuration key, "null" when it has none.
hbase_conf_value() {
  HBASE_ROOT_LOGGER=ERROR,console "$BIN/hbase" org.apache.hadoop.hbase.util.HBaseConfTool "$1" |
    tail -n 1
}

# Prints the hosts named in file $1: one a line, # starts a comment.
hbase_hosts() {
  [[ -f $1 ]] || return 0
  sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$1"
}

hbase_is_local() {
  case $1 in
    localhost | 127.0.0.1 | ::1) return 0 ;;
  esac
  local name
  name=$(uname -n)
  # hostname(1) alone knows the name with its domain, and isn't everywhere.
  [[ $1 == "$name" || $1 == "${name%%.*}" || $1 == "$(hostname -f 2>/dev/null)" ]]
}

# hbase_command_on HOST COMMAND ARG...: runs it directly on this host, else over ssh.
hbase_command_on() {
  local host=$1 command
  shift
  if hbase_is_local "$host"; then
    "$@"
  else
    printf -v command '%q ' "$@"
    # shellcheck disable=SC2086,SC2029 # several options in one variable; expanded here on purpose
    ssh ${HBASE_SSH_OPTS:--o BatchMode=yes -o ConnectTimeout=10} "$host" "$command" </dev/null
  fi
}

# hbase_on HOST SCRIPT ARG...: runs a script of bin/ there, elsewhere with the same HBASE_HOME and
# HBASE_CONF_DIR.
hbase_on() {
  local host=$1 script=$2 bin=$HBASE_HOME/bin
  shift 2
  if hbase_is_local "$host"; then
    bin=$BIN
  fi
  hbase_command_on "$host" "$bin/$script" --config "$HBASE_CONF_DIR" "$@"
}

# hbase_preset_fits COMMAND...: whether a server would start with its preset's sizes; COMMAND runs
# `bin/hbase jvm` for it, here or on its host. Says what that said when it wouldn't. Without a preset
# (exit code 2) a start asks nothing, and a question that wasn't answered is no reason not to start.
hbase_preset_fits() {
  local said code=0
  said=$("$@" 2>&1 >/dev/null) || code=$?
  ((code == 1)) || return 0
  printf '%s\n' "$said" >&2
  return 1
}

# hbase_local_servers ROLE ARGUMENT...: what the scripts do that run further servers of a ROLE on
# this host. The ARGUMENTs are what the script was given after --config: an action and numbers. The
# script's server_arguments sets the array arguments to what the server number $1 is started with.
hbase_local_servers() {
  local role=$1 action number ident
  local arguments
  shift
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
  for number in "$@"; do
    arguments=()
    if [[ $action == start ]]; then
      server_arguments "$number"
    fi
    HBASE_IDENT_STRING=$ident-$number "$BIN/hbase-daemon.sh" --config "$HBASE_CONF_DIR" \
      "$action" "$role" ${arguments[@]+"${arguments[@]}"} 2>&1 | hbase_prefix "$role $number: " ||
      hbase_note "$?"
  done
  return "$hbase_code"
}

hbase_prefix() {
  local line
  while IFS= read -r line || [[ -n $line ]]; do
    printf '%s%s\n' "$1" "$line"
  done
}

# hbase_on_all HOSTS SCRIPT ARG...: hbase_on every one of the HOSTS (one a line), all at once, or
# HBASE_SLAVE_SLEEP seconds after one another. Each line of output says its host. Returns
# hbase_code.
hbase_on_all() {
  local hosts=$1 host pids=() pid
  shift
  for host in $hosts; do
    hbase_on "$host" "$@" 2>&1 | hbase_prefix "$host: " &
    if [[ -n ${HBASE_SLAVE_SLEEP:-} ]]; then
      wait "$!" || hbase_note "$?"
      sleep "$HBASE_SLAVE_SLEEP"
    else
      pids+=("$!")
    fi
  done
  for pid in ${pids[@]+"${pids[@]}"}; do
    wait "$pid" || hbase_note "$?"
  done
  return "$hbase_code"
}

# Runs shell commands from stdin, noninteractively, and prints what they print.
hbase_shell() {
  HBASE_ROOT_LOGGER=ERROR,console "$BIN/hbase" shell -n
}

# hbase_no_master OUTPUT: ends this script, since the shell had no answer from a master but OUTPUT.
hbase_no_master() {
  local line
  while IFS= read -r line; do
    [[ $line != *'run kinit'* ]] || hbase_die "${line#*: }"
  done <<<"$1"
  hbase_die 'no master answers; is the cluster up?'
}

# Switches the balancer to $1 (true or false) and sets balancer_was to what it was before.
hbase_switch_balancer() {
  local output
  output=$(hbase_shell <<<"balance_switch $1") ||
    hbase_die "the balancer can't be switched; is the cluster up? ${output##*$'\n'}"
  [[ $output =~ [Pp]revious\ balancer\ state\ *:\ *(true|false) ]] ||
    hbase_die "the shell did not say what state the balancer was in: $output"
  balancer_was=${BASH_REMATCH[1]}
}

# hbase_end_of_log FILE...: prints what went wrong: of each file that holds anything since the server's
# last start, the last lines without stack frames and what is logged at INFO or below. When nothing is
# left of any, the last lines as they are.
hbase_end_of_log() {
  local all file lines shown=
  for all in 0 1; do
    for file; do
      [[ -s $file ]] || continue
      lines=$(tail -n 2000 "$file" | awk -v all="$all" '
        BEGIN { kept = 1 }
        / starting (master|regionserver|zookeeper|namenode|datanode) on / { lines = ""; next }
        /^[0-9]+-[0-9]+-[0-9]+T[0-9:,.]+ +[A-Z]+ / { kept = $2 ~ /^(WARN|ERROR|FATAL)$/ }
        all || kept && !/^[ \t]+(at |\.\.\. [0-9]+ )/ { lines = lines $0 "\n" }
        END { printf "%s", lines }' | tail -n 10)
      if [[ -n $lines ]]; then
        shown=yes
        echo "  end of $file:"
        cut -c 1-300 <<<"$lines" | hbase_prefix '    '
      fi
    done
    [[ -z $shown ]] || return 0
  done
}
