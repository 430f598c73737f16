/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.net.InetAddress;
import org.apache.commons.lang3.StringUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.DNS;
import org.apache.yetus.audience.InterfaceAudience;

/** The name of a server's host, as the server will have it once it has an RPC server. */
@InterfaceAudience.Private
final class ServerHostName {
  private ServerHostName() {
  }

  /** Returns the name that the configuration gives it, or else that of the network interface. */
  static String of(Configuration conf, boolean isMaster) throws IOException {
    String given = conf.get(isMaster ? DNS.MASTER_HOSTNAME_KEY : DNS.UNSAFE_RS_HOSTNAME_KEY);
    if (!StringUtils.isBlank(given)) {
      return given;
    }
    String name =
      DNS.getHostname(conf, isMaster ? DNS.ServerType.MASTER : DNS.ServerType.REGIONSERVER);
    boolean ofInterface = !isMaster
      && conf.getBoolean(HRegionServer.UNSAFE_RS_HOSTNAME_DISABLE_MASTER_REVERSEDNS_KEY, false);
    boolean isAddress = !ofInterface && conf.getBoolean(HConstants.HBASE_SERVER_USEIP_ENABLED_KEY,
      HConstants.HBASE_SERVER_USEIP_ENABLED_DEFAULT);
    return of(name, isAddress);
  }

  /** Returns the name or address as a socket address of that name gives it. */
  static String of(String name, boolean isAddress) throws IOException {
    InetAddress address = InetAddress.getByName(name);
    return isAddress ? address.getHostAddress() : address.getHostName();
  }
}
