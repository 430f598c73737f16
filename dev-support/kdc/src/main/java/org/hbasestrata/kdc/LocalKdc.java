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

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.client.KrbClient;
import org.apache.kerby.kerberos.kerb.server.KdcConfigKey;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;

/**
 * A Kerberos server on the loopback address; principals and keys are in memory. Its folder has
 * {@code krb5.conf}, and for each principal {@code keytabs/NAME.keytab} and the ticket cache
 * {@code tickets/NAME}; NAME is what is before its slash. They are of no use when it has ended.
 */
public final class LocalKdc {
  static final String REALM = "STRATA.LOCAL";
  private static final String HOST = "localhost";
  private static final String ENCRYPTION = "aes256-cts-hmac-sha1-96 aes128-cts-hmac-sha1-96";
  /** There once all files are. */
  private static final String READY = "ready";

  private final Path folder;
  private final int port;
  private final SimpleKdcServer server;

  LocalKdc(Path folder, int port) throws KrbException {
    this.folder = folder;
    this.port = port;
    server = new SimpleKdcServer();
  }

  /** {@code FOLDER PORT PRINCIPAL...}; runs until it is killed. */
  public static void main(String[] args) throws IOException, KrbException {
    if (args.length < 3) {
      System.err.println("Usage: LocalKdc FOLDER PORT PRINCIPAL...");
      System.exit(2);
    }
    Path folder = Path.of(args[0]);
    LocalKdc kdc = new LocalKdc(folder, Integer.parseInt(args[1]));
    kdc.start(List.of(args).subList(2, args.length));
    Files.writeString(folder.resolve(READY), "");
  }

  void start(List<String> principals) throws IOException, KrbException {
    Path work = privateFolder("kdc");
    Path keytabs = privateFolder("keytabs");
    Path tickets = privateFolder("tickets");
    server.setWorkDir(work.toFile());
    server.setKdcHost(HOST);
    server.setKdcRealm(REALM);
    server.setKdcTcpPort(port);
    server.setAllowTcp(true);
    server.setAllowUdp(false);
    server.getKdcConfig().setString(KdcConfigKey.ENCRYPTION_TYPES, ENCRYPTION);
    server.init();
    Files.write(folder.resolve("krb5.conf"), krb5Conf(), StandardCharsets.UTF_8);
    server.start();
    for (String principal : principals) {
      String name = principal.split("/")[0];
      String full = principal + "@" + REALM;
      File keytab = keytabs.resolve(name + ".keytab").toFile();
      server.createPrincipal(full);
      server.exportPrincipal(full, keytab);
      KrbClient client = server.getKrbClient();
      client.storeTicket(client.requestTgt(full, keytab), tickets.resolve(name).toFile());
    }
  }

  void stop() throws KrbException {
    server.stop();
  }

  private Path privateFolder(String name) throws IOException {
    return Files.createDirectories(folder.resolve(name),
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  private List<String> krb5Conf() {
    List<String> lines = new ArrayList<>();
    lines.add("[libdefaults]");
    lines.add("  default_realm = " + REALM);
    // Names aren't looked up, nor is this server by DNS.
    lines.add("  dns_canonicalize_hostname = false");
    lines.add("  dns_lookup_kdc = false");
    lines.add("  dns_lookup_realm = false");
    lines.add("  rdns = false");
    lines.add("  udp_preference_limit = 1");
    lines.add("[realms]");
    lines.add("  " + REALM + " = {");
    lines.add("    kdc = " + HOST + ":" + port);
    lines.add("  }");
    lines.add("[domain_realm]");
    lines.add("  " + HOST + " = " + REALM);
    return lines;
  }
}
