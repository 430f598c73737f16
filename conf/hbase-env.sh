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
# run can differ: HBASE_HEAPSIZE=2g bin/start-hbase.sh. Source A is Chen Xu's article on the
# throughput of HBase (2020), D that of Zhenyun Zhuang and Cuong Tran on long pauses (LinkedIn,
# 2016).

# ---- Java ----------------------------------------------------------------------------------------

# The JDK or JRE to run on; unset: the java on the PATH. 8 to 23, with the hadoop-3.5 tarball 17 to
# 25.
# export JAVA_HOME=/usr/lib/jvm/java-17-openjdk-amd64

# ---- Memory and garbage collection ----------------------------------------------------------------

# A preset of conf/jvm: the JVM options of each server that holds regions, computed at its start from
# the machine, the JDK and hbase-site.xml. `bin/hbase jvm` prints them with their reasons, `bin/hbase
# jvm --list` the presets. Empty: the JVM's own choices, as upstream, but for G1 and a GC log, and
# hbase-site.xml's defaults of 64 MB in place of shares of the memory.
export HBASE_JVM_PRESET="${HBASE_JVM_PRESET-g1}"

# Where `bin/hbase jvm train` puts an archive of classes and, on JDK 25, of method profiles, from which
# the JVM of a server with a preset starts warm, while it fits (docs/warm-start.md). Empty: none is
# used. Whoever may write here decides what servers run.
export HBASE_JVM_ARCHIVE_DIR="${HBASE_JVM_ARCHIVE_DIR-$HBASE_HOME/data/jvm-archive}"

# Heap and direct memory: megabytes, or a number with k, m, g or t behind it. Unset, with a preset:
# one eighth of the machine's memory, or of the container's, for the heap, 31 GB at most, up to which
# the JVM's object pointers take 4 bytes; and off-heap what hbase-site.xml puts there, or, where that
# is the shares further down, one eighth, too. Modest, since all roles and a client may share the
# machine. On a machine that only serves regions give it more. Source A ran each server with a heap
# of 32 GB and 64 GB off-heap:
# export HBASE_HEAPSIZE=31g
# export HBASE_OFFHEAPSIZE=64g

# hbase-site.xml reads these; unset, with a preset, they are 8 and 3 of 12 parts of the off-heap memory
# (source A: 40 and 15 of 64 GB), once a 16th is left to the network and the file system's
# client, and a quarter of the memstore, 128 MB at most. The last part is the buffer pool's. The flush
# size is in bytes.
# export HBASE_BUCKETCACHE_MB=
# export HBASE_OFFHEAP_MEMSTORE_MB=
# export HBASE_MEMSTORE_FLUSH_SIZE=

# ---- JVM options ---------------------------------------------------------------------------------

# For every process, and after it for one role; the later of two contrary options wins, and all win
# over the preset's. Servers get G1 unless a collector is named here or in the preset, and end on
# OutOfMemoryError.
export HBASE_OPTS="${HBASE_OPTS:-}"
export HBASE_MASTER_OPTS="${HBASE_MASTER_OPTS:-}"
export HBASE_REGIONSERVER_OPTS="${HBASE_REGIONSERVER_OPTS:-}"
# Nice values by thread, for hbase.regionserver.background.low.priority.enabled of hbase-site.xml:
# compactions, prefetches and long scans then get less of the processors than gets do
# (patches/background-threads/README.md).
# export HBASE_REGIONSERVER_OPTS="$HBASE_REGIONSERVER_OPTS -XX:ThreadPriorityPolicy=1 \
#   -XX:JavaPriority1_To_OSPriority=10"
# A heap dump before that end, for whoever looks for a leak: the server stands still for it, with a
# heap of 31 GB for minutes, and needs as much disk. A preset puts it among the logs.
# export HBASE_REGIONSERVER_OPTS="$HBASE_REGIONSERVER_OPTS -XX:+HeapDumpOnOutOfMemoryError"
# export HBASE_ZOOKEEPER_OPTS="-Xmx512m"
# export HBASE_SHELL_OPTS=

# The GC log of servers, in place of theirs, which is <log name>.gc.log with ten files of 20 MB.
# <FILE-PATH> stands for its path. On a busy disk put the logs elsewhere: pauses of seconds came from
# writing this log to a disk that was busy (source D).
# export SERVER_GC_OPTS="-Xlog:gc*:file=<FILE-PATH>:time,uptime:filecount=5,filesize=50m"
# Before JDK 17 a preset has the log written to a folder in memory, 50 MB at most, and new lines
# copied to the disk every 5 seconds. The tmpfs that it is made in:
# export HBASE_GC_LOG_TMPFS=/dev/shm

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
