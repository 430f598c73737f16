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

# Runs each command of the shell at least once, and prints a line for each: ok, absent or FAILED.
# Run by `hbase shell -n` on a cluster of two region servers, with the AccessController, the
# VisibilityController, quotas, and buffers of slow calls and of the balancer's decisions. Stops the
# cluster's second region server, then its master.

conf.echo = false
results = Hash.new { |hash, name| hash[name] = [] }

# Runs a line, which begins with the name of a command. Returns what the command does.
define_singleton_method(:try) do |line|
  begin
    value = instance_eval(line)
    results[line[/\A\w+/]] << 'ok'
    puts "RESULT ok #{line}"
    value
  rescue StandardError, ScriptError, java.lang.Throwable => e
    results[line[/\A\w+/]] << 'FAILED'
    puts "RESULT FAILED #{line}: #{e.class}: #{e.message.to_s.lines.first}"
  end
end

# Runs a line whose command must say that it isn't there.
define_singleton_method(:absent) do |line|
  begin
    instance_eval(line)
    outcome = 'FAILED to refuse'
  rescue StandardError, ScriptError, java.lang.Throwable => e
    outcome = e.message.to_s.include?("isn't in this distribution") ? 'absent' : 'FAILED'
  end
  results[line[/\A\w+/]] << outcome
  puts "RESULT #{outcome} #{line}: #{e}"
end

admin = @shell.admin.instance_variable_get(:@admin)
user = org.apache.hadoop.hbase.security.User.getCurrent.getShortName
servers = @shell.admin.getRegionServers.map(&:to_s).sort_by { |name| name.split(',')[1].to_i }
first, second = servers
regions = lambda do |table|
  admin.getRegions(TableName.valueOf(table)).map(&:getEncodedName)
end
# Waits for what the cluster does in the background; the shell has no command for that.
wait_for = lambda do |what, &condition|
  deadline = Time.now + 300
  until condition.call
    raise "waited for #{what} in vain" if Time.now > deadline
    sleep 0.2
  end
end

# general
try 'status'
%w[simple summary detailed replication].each { |format| try "status '#{format}'" }
try "status 'replication', 'source'"
try 'version'
try 'table_help'
try 'whoami'
try 'processlist'
try "processlist 'all'"
try "processlist 'rpc', '#{first}'"

# ddl and dml
try "create 't', 'f', SPLITS => ['m']"
try "create 'u', {NAME => 'f', VERSIONS => 2, BLOOMFILTER => 'ROWCOL', COMPRESSION => 'SNAPPY'," \
  " DATA_BLOCK_ENCODING => 'ROW_INDEX_V1', TTL => 86400, IN_MEMORY => true," \
  " BLOCKSIZE => '32768', PREFETCH_BLOCKS_ON_OPEN => true, CACHE_DATA_ON_WRITE => true," \
  " CONFIGURATION => {'hbase.hstore.blockingStoreFiles' => '20'}}, {NUMREGIONS => 3," \
  " SPLITALGO => 'HexStringSplit'}"
try 'list'
try "describe 't'"
try "desc 't'"
try "exists 't'"
try "put 't', 'a', 'f:q', 'value'"
try "put 't', 'z', 'f:q', 'value', 1, {ATTRIBUTES => {'k' => 'v'}}"
try "incr 't', 'a', 'f:n', 3"
try "get_counter 't', 'a', 'f:n'"
try "append 't', 'a', 'f:q', 's'"
try "get 't', 'a'"
try "get 't', 'a', {COLUMN => 'f:q', VERSIONS => 2}"
try "count 't'"
try "scan 't'"
try "scan 't', {COLUMNS => ['f:q'], LIMIT => 1, FILTER => \"PrefixFilter('a')\"}"
try "scan 'hbase:meta', {LIMIT => 1}"
try "delete 't', 'a', 'f:q'"
try "deleteall 't', 'a'"
try "get_splits 't'"
try "get_table('t').count"
try "locate_region 't', 'a'"
try "list_regions 't'"
try 'show_filters'
try "clone_table_schema 't', 't2'"
try "alter 't', {NAME => 'f', VERSIONS => 3}, {NAME => 'g'}, {MAX_FILESIZE => '1073741824'," \
  " METADATA => {'k' => 'v'}, CONFIGURATION => {'hbase.hregion.majorcompaction' => '0'}}"
try "alter 't', {METHOD => 'table_conf_unset', NAME => 'hbase.hregion.majorcompaction'}," \
  " {METHOD => 'table_att_unset', NAME => 'MAX_FILESIZE'}, {'delete' => 'g'}"
# The shell doesn't know the attribute.
try "alter_async 't', {NAME => 'f', METADATA => {'COMPRESSION_COMPACT_MAJOR' => 'ZSTD'}}"
unless admin.getDescriptor(TableName.valueOf('t')).getColumnFamily('f'.to_java_bytes)
            .getMajorCompactionCompressionType.to_s == 'ZSTD'
  raise 'METADATA set no attribute'
end
try "alter_status 't'"
try "disable 't2'"
try "is_disabled 't2'"
try "enable 't2'"
try "is_enabled 't2'"
# These ask whether they may.
try "disable_all 't2'"
try "enable_all 't2'"
try "disable_all 't2'"
try "drop_all 't2'"
try "create 't3', 'f'"
try "disable 't3'"
try "drop 't3'"
try "truncate 'u'"
try "truncate_preserve 'u'"

# namespace
try "create_namespace 'n', {'k' => 'v'}"
try "alter_namespace 'n', {METHOD => 'set', 'k' => 'w'}"
try "describe_namespace 'n'"
try 'list_namespace'
try "create 'n:t', 'f'"
try "list_namespace_tables 'n'"

# tools
try "put 't', 'b', 'f:q', 'value'"
try "flush 't'"
try "compact 't'"
try "major_compact 't', 'f'"
try "compaction_state 't'"
try "compact_rs '#{first}'"
try "compaction_switch true, '#{first}'"
try "clear_compaction_queues '#{first}'"
try "clear_block_cache 't'"
try 'balancer'
try 'balance_switch false'
try 'balancer_enabled'
try 'get_balancer_decisions LIMIT => 1'
try 'get_balancer_rejections LIMIT => 1'
try 'normalize'
try "normalize TABLE_NAME => 't'"
try 'normalizer_switch false'
try 'normalizer_enabled'
try 'is_in_maintenance_mode'
try "get_slowlog_responses '*'"
try "get_largelog_responses '*', {'LIMIT' => 1}"
try 'clear_slowlog_responses'
region = regions.call('t').first
try "regioninfo '#{region}'"
try "unassign '#{region}'"
try "assign '#{region}'"
try "move '#{region}', '#{second}'"
try "move '#{region}', '#{first}'"
try "close_region '#{region}'"
try 'rit'
try "split 't', 'g'"
wait_for.call('the split') { regions.call('t').size == 3 }
try "splitormerge_switch 'MERGE', true"
try "splitormerge_enabled 'MERGE'"
wait_for.call('the daughters') do
  open = servers.sum do |server|
    name = org.apache.hadoop.hbase.ServerName.valueOf(server)
    admin.getRegions(name).count { |region| region.getTable.to_s == 't' }
  end
  open == 3 && admin.getClusterMetrics.getRegionStatesInTransition.empty?
end
try 'catalogjanitor_run'
try "merge_region '#{regions.call('t')[1]}', '#{regions.call('t')[2]}', true"
try 'catalogjanitor_switch true'
try 'catalogjanitor_enabled'
try 'cleaner_chore_run'
try 'cleaner_chore_switch true'
try 'cleaner_chore_enabled'
try 'hbck_chore_run'
try "wal_roll '#{first}'"
try "hlog_roll '#{first}'"
try 'snapshot_cleanup_switch true'
try 'snapshot_cleanup_enabled'
try 'list_liveservers'
try 'list_deadservers'
try 'clear_deadservers'
try "decommission_regionservers '#{second}', false"
try 'list_decommissioned_regionservers'
try "recommission_regionserver '#{second}', ['#{region}']"
try 'zk_dump'
try 'trace'

# what has no command
admin.flushMasterStore
admin.truncateRegion(admin.getRegions(TableName.valueOf('u')).first.getRegionName)

# replication
endpoint = 'org.apache.hadoop.hbase.replication.regionserver.RegionReplicaReplicationEndpoint'
key = org.apache.hadoop.hbase.zookeeper.ZKConfig.getZooKeeperClusterKey(@hbase.configuration)
# Doesn't connect to the cluster before it has something to send there.
try "add_peer '1', CLUSTER_KEY => '#{key}', ENDPOINT_CLASSNAME => '#{endpoint}'," \
  " STATE => 'DISABLED'"
try 'list_peers'
try "enable_peer '1'"
try "disable_peer '1'"
try "set_peer_exclude_namespaces '1', ['n']"
try "append_peer_exclude_namespaces '1', ['default']"
try "remove_peer_exclude_namespaces '1', ['n', 'default']"
try "set_peer_exclude_tableCFs '1', {'t' => []}"
try "append_peer_exclude_tableCFs '1', {'u' => ['f']}"
try "remove_peer_exclude_tableCFs '1', {'t' => [], 'u' => ['f']}"
try "set_peer_replicate_all '1', false"
try "set_peer_namespaces '1', ['n']"
try "append_peer_namespaces '1', ['default']"
try "remove_peer_namespaces '1', ['default']"
try "set_peer_tableCFs '1', {'t' => ['f']}"
try "append_peer_tableCFs '1', {'u' => []}"
try "show_peer_tableCFs '1'"
try "remove_peer_tableCFs '1', {'u' => []}"
try "set_peer_bandwidth '1', 1048576"
try "set_peer_serial '1', true"
try "get_peer_config '1'"
try 'list_peer_configs'
try "update_peer_config '1', CONFIG => {'k' => 'v'}, DATA => {'d' => 'w'}"
try "remove_peer '1'"
try "add_peer '2', ENDPOINT_CLASSNAME => '#{endpoint}', STATE => 'DISABLED'"
try "enable_table_replication 'u'"
try 'list_replicated_tables'
try "status 'replication'"
try "disable_table_replication 'u'"
try "remove_peer '2'"

# snapshots
try "snapshot 't', 's1'"
try "snapshot 't', 's2', {TTL => 86400, SKIP_FLUSH => true}"
try 'list_snapshots'
try "list_table_snapshots 't'"
try "clone_snapshot 's1', 'n:clone', {RESTORE_ACL => true}"
try "disable 't'"
try "restore_snapshot 's1'"
try "enable 't'"
try "snapshot 'u', 's3'"
try "snapshot 'n:t', 's4'"
try "delete_snapshot 's2'"
try "delete_all_snapshot 's3'"
try "delete_table_snapshots 'n:t'"

# configuration
try "update_config '#{first}'"
try 'update_all_config'

# quotas
try "set_quota TYPE => THROTTLE, USER => 'bob', LIMIT => '1000req/sec'"
try "set_quota TYPE => THROTTLE, THROTTLE_TYPE => READ, TABLE => 't', LIMIT => '10M/sec'"
try "set_quota TYPE => THROTTLE, REGIONSERVER => 'all', LIMIT => '30000req/sec'"
try "set_quota TYPE => SPACE, TABLE => 't', LIMIT => '1G', POLICY => NO_INSERTS"
try 'list_quotas'
try 'list_quota_table_sizes'
try 'list_quota_snapshots'
try "list_quota_snapshots TABLE => 't', REGIONSERVER => '#{first}'"
try 'list_snapshot_sizes'
try 'disable_rpc_throttle'
try 'enable_rpc_throttle'
try 'enable_exceed_throttle_quota'
try 'disable_exceed_throttle_quota'
try "set_quota TYPE => THROTTLE, REGIONSERVER => 'all', LIMIT => NONE"
try "set_quota TYPE => THROTTLE, USER => 'bob', LIMIT => NONE"
try "set_quota TYPE => SPACE, TABLE => 't', LIMIT => NONE"

# security
try 'list_security_capabilities'
try "grant 'bob', 'RW', 't', 'f'"
try "grant 'bob', 'R', '@n'"
try "grant 'bob', 'C'"
try "user_permission 't'"
try "user_permission '@n'"
try "user_permission '.*'"
try "revoke 'bob', 't', 'f'"
try "revoke 'bob', '@n'"
try "revoke 'bob'"

# procedures
try 'list_procedures'
try 'list_locks'

# visibility labels
try "add_labels ['SECRET', 'PRIVATE']"
try 'list_labels'
# The servers hear of labels by ZooKeeper.
wait_for.call('the labels') do
  org.apache.hadoop.hbase.security.visibility.VisibilityClient
    .setAuths(admin.getConnection, ['SECRET', 'PRIVATE'].to_java(:string), user)
    .getResultList.none?(&:hasException)
end
try "set_auths '#{user}', ['SECRET', 'PRIVATE']"
try "get_auths '#{user}'"
try "put 't', 'c', 'f:q', 'value', {VISIBILITY => 'SECRET'}"
try "set_visibility 't', 'SECRET|PRIVATE', {COLUMNS => 'f'}"
try "scan 't', {AUTHORIZATIONS => ['SECRET']}"
try "clear_auths '#{user}', ['PRIVATE']"

# rsgroup
address = first.split(',')[0, 2].join(':')
absent 'list_rsgroups'
absent "get_rsgroup 'default'"
absent "add_rsgroup 'g'"
absent "balance_rsgroup 'g'"
absent "move_servers_rsgroup 'g', ['#{address}']"
absent "move_tables_rsgroup 'g', ['t']"
absent "move_namespaces_rsgroup 'g', ['n']"
absent "move_servers_tables_rsgroup 'g', ['#{address}'], ['t']"
absent "move_servers_namespaces_rsgroup 'g', ['#{address}'], ['n']"
absent "get_server_rsgroup '#{address}'"
absent "get_table_rsgroup 't'"
try "get_namespace_rsgroup 'n'"
absent "remove_servers_rsgroup ['#{address}']"
absent "rename_rsgroup 'g', 'h'"
absent "alter_rsgroup_config 'g', {METHOD => 'set', 'k' => 'v'}"
absent "show_rsgroup_config 'g'"
absent "remove_rsgroup 'g'"

# The end.
try "disable 'n:clone'"
try "drop 'n:clone'"
try "disable 'n:t'"
try "drop 'n:t'"
try "drop_namespace 'n'"
try "help"
Shell.command_groups.each_key { |group| try "help '#{group}'" }
try 'tools'
try "stop_regionserver '#{second.split(',')[0, 2].join(':')}'"
try 'stop_master'

missed = Shell.commands.keys - results.keys
missed.each { |name| puts "RESULT FAILED #{name}: not run" }
failed = results.values.flatten.select { |outcome| outcome.start_with?('FAILED') }
puts "#{results.size} commands, #{results.values.flatten.size} lines, #{failed.size} failed"
exit(failed.empty? && missed.empty? ? 0 : 1)
