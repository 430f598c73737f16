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
# shellcheck shell=bash
# What starts a tool of a module in this folder; sourced. launch MODULE TOOL CLASS ARGUMENT...
set -euo pipefail

checkout=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
BIN=$checkout/bin
# shellcheck source-path=SCRIPTDIR source=../bin/hbase-config.sh
. "$BIN/hbase-config.sh"

launch() {
  local target=$checkout/dev-support/$1/target options=()
  [[ -f $target/$1.jar && -d $target/lib ]] ||
    hbase_die "not built yet; in $checkout run: mvn -B -DskipTests package"
  hbase_find_java
  ((JAVA_MAJOR >= 17)) || hbase_die "$JAVA is Java $JAVA_MAJOR, but $2 needs a JDK 17 or later;" \
    "set JAVA_HOME to one"
  hbase_find_module_flags
  # Of the build's tests.
  read -r -a options <<< "${STRATA_TEST_JVM_OPTS:-}"
  # JDK 24 and later would print a warning about netty's use of Unsafe.
  exec "$JAVA" "${options[@]}" -Dio.netty.noUnsafe=true "-Dtools.checkout=$checkout" \
    "-Dpatches.test-jvm-options=${JAVA_MODULE_FLAGS[*]}" \
    -cp "$target/$1.jar:$target/lib/*" "$3" "${@:4}"
}
