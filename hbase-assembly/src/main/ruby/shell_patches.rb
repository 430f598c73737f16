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

# Puts right the shell's exit code, its start-up file, its errors for a missing script, for region
# server groups and without a Kerberos ticket, and user_permission. Required before it starts:
#
#   org.jruby.Main -X+O -r uri:classloader:shell_patches.rb uri:classloader:jar-bootstrap.rb ...

include Java
require 'hbase_constants'
require 'hbase_shell'
require 'irb/hirb'

module ShellPatches
  # "exit N" in commands that come from standard input is an exit, not a failed command.
  module ExitCode
    def exception_handler(hide_traceback)
      code = nil
      super(hide_traceback) do
        begin
          yield
        rescue SystemExit => e
          code = e.status
        end
      end
      exit code unless code.nil?
    end
  end

  # The search through the load path ends in a NullPointerException when it finds nothing.
  module ScriptFile
    def file_for_load(filename)
      super
    rescue java.lang.NullPointerException
      raise LoadError, "no such script: #{filename}"
    end
  end

  # IRB would also run a start-up file of the current folder, which may be another user's.
  module StartFile
    def rc_file_generators
      named = ENV['IRBRC']
      home = java.lang.System.get_property('user.home')
      # That of a user whom this machine doesn't know is "?", a folder in the current one.
      home = '/nonexistent' unless home.start_with?('/')
      yield(proc { |name| named ? named + name.sub(/\Arc\z/, '') : "#{home}/.irb#{name}" })
    end
  end

  # JRuby 9.3 has no java_kind_of?, which user_permission calls.
  module Permissions
    def isTablePermission?(permission)
      permission.is_a?(org.apache.hadoop.hbase.security.access.TablePermission)
    end
  end

  # Else the error is that a class can't be loaded.
  module RegionServerGroups
    def rsgroup_admin
      raise ArgumentError, "There are no region server groups: hbase-rsgroup isn't in this " \
        'distribution'
    end
  end
end

# Without a ticket each command would try for minutes, and end in stack traces.
unless ARGV.any? { |word| ['-h', '--help'].include?(word) }
  provider = org.apache.hadoop.hbase.security.UserProvider.instantiate(
    org.apache.hadoop.hbase.HBaseConfiguration.create
  )
  if provider.isHBaseSecurityEnabled && !provider.shouldLoginFromKeytab
    user = provider.getCurrent.getUGI
    unless user.hasKerberosCredentials || !user.getTokens.isEmpty
      warn 'shell: no Kerberos ticket, which this cluster asks for: run kinit, or set ' \
        'hbase.client.keytab.file and hbase.client.keytab.principal'
      exit 1
    end
  end
end

Shell::Shell.singleton_class.prepend(ShellPatches::ExitCode)
IRB.singleton_class.prepend(ShellPatches::StartFile)
IRB::HBaseLoader.singleton_class.prepend(ShellPatches::ScriptFile)
Hbase::Hbase.prepend(ShellPatches::RegionServerGroups)
Hbase::SecurityAdmin.prepend(ShellPatches::Permissions)
