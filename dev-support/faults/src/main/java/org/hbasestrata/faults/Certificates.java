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

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** Certificates of a cluster with TLS, by their serial numbers. */
final class Certificates {
  private static final int TIMEOUT_MILLIS = 10_000;

  private final Path folder;
  private final char[] password;

  private Certificates(Path folder, char[] password) {
    this.folder = folder;
    this.password = password;
  }

  /** @param secure the folder of that name of `cluster up` */
  static Certificates of(Path secure) throws IOException {
    return new Certificates(secure.resolve("tls"),
      Files.readString(secure.resolve("password")).strip().toCharArray());
  }

  /** Of the certificate that servers should show. */
  BigInteger server() throws IOException {
    try {
      return ((X509Certificate) store("server").getCertificate("server")).getSerialNumber();
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  /** Of the certificate that a server shows to a client that has one of its own. */
  BigInteger shown(int port) throws IOException {
    try (SSLSocket socket = (SSLSocket) context().getSocketFactory().createSocket("localhost",
      port)) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.startHandshake();
      return ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSerialNumber();
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private SSLContext context() throws IOException, GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(store("client"), password);
    TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
    trusted.init(store("trust"));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
    return context;
  }

  private KeyStore store(String name) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(folder.resolve(name + ".p12"))) {
      store.load(in, password);
    }
    return store;
  }
}
