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
package org.apache.hadoop.hbase.io.hfile.mrc;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.apache.commons.io.IOUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.http.HttpConfig;
import org.apache.yetus.audience.InterfaceAudience;

/** Asks servers for their {@link ServerReport}s, by JMX over HTTP. Thread-safe. */
@InterfaceAudience.Private
final class ReportReader {
  private static final int CONNECT_MS = (int) TimeUnit.SECONDS.toMillis(5);
  private static final int READ_MS = (int) TimeUnit.SECONDS.toMillis(30);

  private final String scheme;

  ReportReader(Configuration conf) {
    scheme = new HttpConfig(conf).getSchemePrefix();
  }

  /**
   * Asks a server.
   * @param name    how it is called
   * @param address host and port of its web pages; it has none if the port isn't above 0
   * @throws UnreadableReportException if it doesn't answer, or with something else
   */
  ServerReport read(String name, String address) throws UnreadableReportException {
    if (address.endsWith(":0") || address.endsWith(":-1")) {
      throw new UnreadableReportException("it has no web pages; set "
        + HConstants.REGIONSERVER_INFO_PORT + ", and restart it");
    }
    try {
      HttpURLConnection connection = (HttpURLConnection) new URL(
        scheme + address + "/jmx?qry=" + ServerReport.BEANS).openConnection();
      connection.setConnectTimeout(CONNECT_MS);
      connection.setReadTimeout(READ_MS);
      if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
        throw new UnreadableReportException("it answers " + connection.getResponseCode() + " "
          + connection.getResponseMessage() + " to " + connection.getURL());
      }
      try (InputStream in = connection.getInputStream()) {
        return ServerReport.parse(name, IOUtils.toString(in, StandardCharsets.UTF_8));
      }
    } catch (UnreadableReportException e) {
      throw e;
    } catch (UnknownHostException e) {
      throw new UnreadableReportException("there is no such host");
    } catch (SocketTimeoutException e) {
      throw new UnreadableReportException("it doesn't answer in time: " + e.getMessage());
    } catch (IOException e) {
      throw new UnreadableReportException(e.getMessage() + (e instanceof SocketException
        ? ""
        : "; is this the port of a region server's web pages?"));
    }
  }
}
