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

# What every HBase process on this host is started with. Read by bin/hbase and the other scripts.
#
# A variable that is already set in the environment wins over what this file computes, so that one
# run can differ: HBASE_HEAPSIZE=2g bin/start-hbase.sh. Sources A and D are the articles listed in
# hbase-site.xml.

# ---- Java ----------------------------------------------------------------------------------------

# The JDK or JRE to run on; unset: the java on the PATH. 8 to 23, with the hadoop-3.5 tarball 17 to
# 25. From 17 on the JVM writes its GC log from a thread of its own, so that a pause can't wait for
# the log's disk (source D).
# export JAVA_HOME=/usr/lib/jvm/java-17-openjdk-amd64

# ---- Memory --------------------------------------------------------------------------------------

# The memory of this machine, or of this container when that is less, in MB.
hbase_memory_mb=4096
if [ -r /proc/meminfo ]; then
  while read -r hbase_key hbase_value hbase_rest; do
    if [ "$hbase_key" = MemTotal: ]; then
      hbase_memory_mb=$((hbase_value / 1024))
      break
    fi
  done </proc/meminfo
elif hbase_value=$(sysctl -n hw.memsize 2>/dev/null); then
  hbase_memory_mb=$((hbase_value / 1048576))
fi
for hbase_key in /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes; do
  if [ -r "$hbase_key" ]; then
    read -r hbase_value <"$hbase_key"
    case $hbase_value in
      max | *[!0-9]*) ;;
      *)
        hbase_value=$((hbase_value / 1048576))
        if [ "$hbase_value" -lt "$hbase_memory_mb" ]; then hbase_memory_mb=$hbase_value; fi
        ;;
    esac
  fi
done

# One eighth for the heap and one eighth off-heap: modest, since all roles and a client may share
# the machine. At least 512 MB each, which a laptop of 4 GB has; a heap of at most 31 GB, up to
# which the JVM's object pointers take 4 bytes.
hbase_share_mb=$((hbase_memory_mb / 8))
if [ "$hbase_share_mb" -lt 512 ]; then hbase_share_mb=512; fi
hbase_heap_mb=$hbase_share_mb
if [ "$hbase_heap_mb" -gt 31744 ]; then hbase_heap_mb=31744; fi

# On a machine that only serves regions give it more. Source A ran each server with a heap of 32 GB
# and 64 GB off-heap:
# export HBASE_HEAPSIZE=31g
# export HBASE_OFFHEAPSIZE=64g
# -Xmx and -XX:MaxDirectMemorySize: megabytes, or a number with k, m, g or t behind it.
export HBASE_HEAPSIZE="${HBASE_HEAPSIZE:-$hbase_heap_mb}"
export HBASE_OFFHEAPSIZE="${HBASE_OFFHEAPSIZE:-$hbase_share_mb}"

# The off-heap memory has three users that must fit together: a direct buffer beyond
# HBASE_OFFHEAPSIZE is an OutOfMemoryError. One part in 16, 64 MB at least, is left to the file
# system's client and the network; the rest goes to the block cache, the memstore and the buffer
# pool as 8 : 3 : 1, which is source A's 40, 15 and 5 GB of 64. hbase-site.xml reads the first two
# from these variables; the pool takes what it needs of what they leave, and says so in the log.
case $HBASE_OFFHEAPSIZE in
  *[!0-9kKmMgGtT]* | *[!0-9]?*) hbase_offheap_mb=0 ;; # bin/hbase says what is wrong with it
  *[kK]) hbase_offheap_mb=$((${HBASE_OFFHEAPSIZE%?} / 1024)) ;;
  *[mM]) hbase_offheap_mb=${HBASE_OFFHEAPSIZE%?} ;;
  *[gG]) hbase_offheap_mb=$((${HBASE_OFFHEAPSIZE%?} * 1024)) ;;
  *[tT]) hbase_offheap_mb=$((${HBASE_OFFHEAPSIZE%?} * 1048576)) ;;
  *) hbase_offheap_mb=$HBASE_OFFHEAPSIZE ;;
esac
hbase_rest=$((hbase_offheap_mb / 16))
if [ "$hbase_rest" -lt 64 ]; then hbase_rest=64; fi
hbase_rest=$((hbase_offheap_mb - hbase_rest))
export HBASE_BUCKETCACHE_MB="${HBASE_BUCKETCACHE_MB:-$((hbase_rest * 8 / 12))}"
export HBASE_OFFHEAP_MEMSTORE_MB="${HBASE_OFFHEAP_MEMSTORE_MB:-$((hbase_rest * 3 / 12))}"
# In bytes: the size at which a region flushes, a quarter of the memstore and at most upstream's 128
# MB. With more than there is memstore no region would flush of itself: all would wait for the
# pressure on the whole memstore, which holds writers up.
hbase_value=$((HBASE_OFFHEAP_MEMSTORE_MB / 4))
if [ "$hbase_value" -lt 1 ] || [ "$hbase_value" -gt 128 ]; then hbase_value=128; fi
export HBASE_MEMSTORE_FLUSH_SIZE="${HBASE_MEMSTORE_FLUSH_SIZE:-$((hbase_value * 1048576))}"
unset hbase_memory_mb hbase_key hbase_value hbase_rest hbase_share_mb hbase_heap_mb hbase_offheap_mb

# ---- JVM options ---------------------------------------------------------------------------------

# For every process, and after it for one role; the later of two contrary options wins. Servers get
# G1 unless a collector is named here, and end on OutOfMemoryError.
export HBASE_OPTS="${HBASE_OPTS:-}"
export HBASE_MASTER_OPTS="${HBASE_MASTER_OPTS:-}"
export HBASE_REGIONSERVER_OPTS="${HBASE_REGIONSERVER_OPTS:-}"
# A heap dump before that end, for whoever looks for a leak: the server stands still for it, with a
# heap of 31 GB for minutes, and needs as much disk.
# export HBASE_REGIONSERVER_OPTS="-XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath=/var/log/hbase"
# export HBASE_ZOOKEEPER_OPTS="-Xmx512m"
# export HBASE_SHELL_OPTS=

# The GC log of servers: unset, <log name>.gc.log with ten files of 20 MB. <FILE-PATH> stands for
# its path. On a busy disk put the logs elsewhere: pauses of seconds came from writing this log to a
# disk that was busy (source D).
# export SERVER_GC_OPTS="-Xlog:gc*:file=<FILE-PATH>:time,uptime:filecount=5,filesize=50m"

# ---- Where things are ----------------------------------------------------------------------------

# Logs and GC logs; upstream's default too.
# export HBASE_LOG_DIR=/var/log/hbase
# Pid files. Not /tmp as upstream has it: there another user may put a file in our way.
# export HBASE_PID_DIR=/run/hbase
# Names the pid and log files; set it when two servers of one role run on one host.
# export HBASE_IDENT_STRING=$USER
# Level and appender; servers started by hbase-daemon.sh log at INFO,RFA (a file rolled by size).
# export HBASE_ROOT_LOGGER=INFO,RFA

# More for the class path: behind HBase's jars, and in front of even conf/.
# export HBASE_CLASSPATH=
# export HBASE_CLASSPATH_PREFIX=
# lib/ holds a whole Hadoop client. "false" adds what `hadoop classpath` prints, behind it, as
# upstream does when it finds a hadoop on the PATH: two versions of Hadoop, so only when you know
# why. To use a cluster's configuration, put its core-site.xml and hdfs-site.xml into conf/ or name
# its directory in HBASE_CLASSPATH_PREFIX.
# export HBASE_DISABLE_HADOOP_CLASSPATH_LOOKUP=false
# Native libraries of Hadoop.
# export HBASE_LIBRARY_PATH=

# ---- Running servers -----------------------------------------------------------------------------

# Whether start-hbase.sh and stop-hbase.sh also start and stop ZooKeeper, with
# hbase.cluster.distributed true. It listens on all addresses, without authentication, unless
# hbase.zookeeper.property.clientPortAddress names one; its admin server is off (hbase-site.xml).
# export HBASE_MANAGES_ZK=true
# Seconds that a server gets to close its regions before it is killed.
# export HBASE_STOP_TIMEOUT=1200
# export HBASE_NICENESS=0
# How to reach the other hosts.
# export HBASE_SSH_OPTS="-o BatchMode=yes -o ConnectTimeout=10"
# Seconds between two hosts when something is done on all of them; unset: all at once.
# export HBASE_SLAVE_SLEEP=
# Kerberos: the JAAS configuration that servers, and tools given --auth-as-server, log in with.
# export HBASE_SERVER_JAAS_OPTS=-Djava.security.auth.login.config=/etc/hbase/jaas.conf
