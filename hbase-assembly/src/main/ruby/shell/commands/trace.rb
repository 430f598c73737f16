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

module Shell
  module Commands
    # Stands in for the command of HBase 2.4, which starts HTrace spans. HBase 2.5 and later trace
    # with OpenTelemetry, whose agent is attached when the JVM starts.
    class Trace < Command
      def help
        <<-EOF
Says whether this shell is traced, true or false. Tracing can't be started or stopped from inside
the shell: HBase traces with OpenTelemetry, whose Java agent comes with the JVM, for example by
HBASE_OPTS="-javaagent:/path/to/opentelemetry-javaagent.jar" in conf/hbase-env.sh.

  hbase> trace
  hbase> trace 'status'
EOF
      end

      def command(action = 'status', *)
        unless action == 'status'
          raise ArgumentError, "Can't #{action} tracing from the shell; help 'trace' says what to do"
        end

        agent = java.lang.management.ManagementFactory.getRuntimeMXBean.getInputArguments.any? do |arg|
          arg.start_with?('-javaagent:') && arg.include?('opentelemetry')
        end
        puts agent
        agent
      end
    end
  end
end
