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
package org.hbasestrata.kdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosTicket;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Java's own client logs in with what the server has written. */
public class LocalKdcTest {
  private static final String CONF_PROPERTY = "java.security.krb5.conf";
  private static final String MODULE = "com.sun.security.auth.module.Krb5LoginModule";

  @Rule
  public final TemporaryFolder temporary = new TemporaryFolder();

  private Path folder;
  private int port;
  private LocalKdc kdc;

  @Before
  public void start() throws Exception {
    folder = temporary.getRoot().toPath();
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    kdc = new LocalKdc(folder, port);
    kdc.start(List.of("service/localhost", "alice"));
    System.setProperty(CONF_PROPERTY, folder.resolve("krb5.conf").toString());
  }

  @After
  public void stop() throws Exception {
    System.clearProperty(CONF_PROPERTY);
    kdc.stop();
  }

  private static Subject logIn(Map<String, String> options) throws LoginException {
    LoginContext context = new LoginContext("test", new Subject(), null, new Configuration() {
      @Override
      public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
        return new AppConfigurationEntry[] { new AppConfigurationEntry(MODULE,
          AppConfigurationEntry.LoginModuleControlFlag.REQUIRED, options) };
      }
    });
    context.login();
    return context.getSubject();
  }

  private Subject logInByKeytab(String principal, String name) throws LoginException {
    return logIn(Map.of("principal", principal, "useKeyTab", "true", "doNotPrompt", "true",
      "refreshKrb5Config", "true", "keyTab",
      folder.resolve("keytabs/" + name + ".keytab").toString()));
  }

  @Test
  public void principalsLogInByTheirKeytabs() throws Exception {
    for (String principal : List.of("service/localhost", "alice")) {
      Subject subject = logInByKeytab(principal, principal.split("/")[0]);
      assertThat(subject.getPrincipals()).extracting(Object::toString)
        .containsExactly(principal + "@" + LocalKdc.REALM);
      assertThat(subject.getPrivateCredentials(KerberosTicket.class)).isNotEmpty();
    }
  }

  @Test
  public void nobodyLogsInByAnothersKeytab() {
    assertThatThrownBy(() -> logInByKeytab("alice", "service"))
      .isInstanceOf(LoginException.class);
  }

  @Test
  public void ticketsAreOfTheirPrincipals() throws Exception {
    Subject subject = logIn(Map.of("useTicketCache", "true", "doNotPrompt", "true",
      "refreshKrb5Config", "true", "ticketCache", folder.resolve("tickets/alice").toString()));
    assertThat(subject.getPrincipals()).extracting(Object::toString)
      .containsExactly("alice@" + LocalKdc.REALM);
  }

  @Test
  public void keysAndTicketsAreTheirOwnersOnly() throws Exception {
    for (String name : List.of("keytabs", "tickets")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(
        folder.resolve(name)))).isEqualTo("rwx------");
    }
  }

  @Test
  public void itListensOnLoopbackOnly() throws Exception {
    new Socket(InetAddress.getLoopbackAddress(), port).close();
    for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      for (InetAddress address : Collections.list(each.getInetAddresses())) {
        if (!address.isLoopbackAddress() && !address.isLinkLocalAddress()) {
          assertThatThrownBy(() -> connect(address)).isInstanceOf(ConnectException.class);
        }
      }
    }
  }

  private void connect(InetAddress address) throws IOException {
    new Socket(address, port).close();
  }
}
