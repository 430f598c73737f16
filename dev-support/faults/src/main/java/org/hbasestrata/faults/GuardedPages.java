/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hbasestrata.faults;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hadoop.security.authentication.client.KerberosAuthenticator;
import org.apache.hadoop.security.ssl.SSLFactory;

/**
 * Run by bin/hbase as a user with a ticket: asks for pages by HTTPS, without the ticket and with
 * it, and writes what their servers answered.
 */
public final class GuardedPages {
  private static final int POLL_MILLIS = 500;
  private static final int TIMEOUT_MILLIS = 60_000;

  private final SSLFactory ssl;
  private final UserGroupInformation user;

  private GuardedPages(SSLFactory ssl, UserGroupInformation user) {
    this.ssl = ssl;
    this.user = user;
  }

  /** {@code RESULT_FILE SECONDS URL...}; the seconds are what the first page may take to come. */
  public static void main(String[] args) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    UserGroupInformation.setConfiguration(conf);
    SSLFactory ssl = new SSLFactory(SSLFactory.Mode.CLIENT, conf);
    ssl.init();
    GuardedPages pages = new GuardedPages(ssl, UserGroupInformation.getLoginUser());
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[1]));
    List<String> json = new ArrayList<>();
    for (String page : Arrays.asList(args).subList(2, args.length)) {
      int without = pages.awaitAnswer(new URL(page), end);
      json.add(String.format("\"%s\":{\"without\":%d,\"with\":%d}", page, without,
        pages.withTicket(new URL(page))));
    }
    ssl.destroy();
    Files.writeString(Path.of(args[0]), "{" + String.join(",", json) + "}\n");
  }

  /** The server may be starting. */
  private int awaitAnswer(URL page, long end) throws Exception {
    while (true) {
      try {
        return withoutTicket(page);
      } catch (IOException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
        Thread.sleep(POLL_MILLIS);
      }
    }
  }

  /** Java's own connections would log in by a ticket that they find. */
  private int withoutTicket(URL page) throws Exception {
    try (Socket socket =
      ssl.createSSLSocketFactory().createSocket(page.getHost(), page.getPort())) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(("GET " + page.getPath() + " HTTP/1.0\r\nHost: "
        + page.getHost() + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      String status = new BufferedReader(
        new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine();
      if (status == null) {
        throw new EOFException("no answer");
      }
      return Integer.parseInt(status.split(" ")[1]);
    }
  }

  private int withTicket(URL page) throws IOException, InterruptedException {
    return user.doAs((PrivilegedExceptionAction<Integer>) () -> {
      KerberosAuthenticator authenticator = new KerberosAuthenticator();
      authenticator.setConnectionConfigurator(ssl);
      try {
        return new AuthenticatedURL(authenticator, ssl)
          .openConnection(page, new AuthenticatedURL.Token()).getResponseCode();
      } catch (AuthenticationException e) {
        System.out.println(page + ": " + e);
        return -1;
      }
    });
  }
}
