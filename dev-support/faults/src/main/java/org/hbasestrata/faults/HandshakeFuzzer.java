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

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslClient;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Run by bin/hbase: begins connections to a secured server with random damage in what comes before
 * the first request, in TLS's hello, in SASL's tokens, or in the header behind them, each over a
 * connection of its own. Some begin and get slow, and a token has no end.
 */
public final class HandshakeFuzzer extends Fuzzer {
  static final String HALF_OPEN = "connections left half-open";
  static final String ENDED = "of them closed by the server";
  static final String ENDLESS = "bytes taken of a token without end";
  private static final byte[] MAGIC = { 'H', 'B', 'a', 's', 0 };
  private static final int KERBEROS = 81;
  /** Simple, Kerberos, a token, and none. */
  private static final int[] AUTHENTICATIONS = { 80, KERBEROS, 82, 0, 127, 255 };
  private static final byte[][] PREAMBLES = { "Registry".getBytes(StandardCharsets.UTF_8),
    "Security".getBytes(StandardCharsets.UTF_8) };
  private static final String[] PROTECTIONS = { "auth", "auth-int", "auth-conf" };
  private static final int TOKENS = 64;
  private static final int ANSWER_MILLIS = 200;
  private static final int LONGEST_ANSWER = 1 << 20;
  /** SslHandler gives a client ten seconds, the server of conf-secure twenty. */
  private static final int HANDSHAKE_SECONDS = 120;
  private static final int ENDLESS_BYTES = 64 << 20;
  private static final int PIECE_BYTES = 1 << 16;
  private static final int POLL_MILLIS = 200;

  private final UserGroupInformation user;
  private final byte[] hello;
  private final List<byte[]> tokens = new ArrayList<>();
  private final byte[] header = framed(RPCProtos.ConnectionHeader.newBuilder()
    .setUserInfo(RPCProtos.UserInformation.newBuilder().setEffectiveUser("alice"))
    .setServiceName("ClientService").build().toByteArray());
  private final LongAdder loggedIn = new LongAdder();
  private long halfOpen;
  private long ended;
  private long endless;

  private HandshakeFuzzer(InetSocketAddress server, UserGroupInformation user, int inputs,
    int connections) throws IOException, InterruptedException, GeneralSecurityException {
    super(server, inputs, connections);
    this.user = user;
    hello = hello();
    for (int i = 0; i < TOKENS; i++) {
      tokens.add(firstToken(client("auth")));
    }
  }

  /** {@code INPUTS SEED RESULT_FILE PORT HALF_OPEN CONNECTIONS}. */
  public static void main(String[] args) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    UserGroupInformation.setConfiguration(conf);
    HandshakeFuzzer fuzzer = new HandshakeFuzzer(
      new InetSocketAddress("localhost", Integer.parseInt(args[3])), UserGroupInformation
        .loginUserFromKeytabAndReturnUGI("alice", SecureTables.keytab(conf, "alice")),
      Integer.parseInt(args[0]), Integer.parseInt(args[5]));
    long seed = Long.parseLong(args[1]);
    fuzzer.endless = fuzzer.endlessToken();
    List<HalfOpen> halfOpen = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(seed);
    fuzzer.halfOpen = Integer.parseInt(args[4]);
    for (int i = 0; i < fuzzer.halfOpen; i++) {
      halfOpen.add(fuzzer.halfOpen(i, random));
    }
    fuzzer.run(seed);
    fuzzer.ended = fuzzer.awaitEnded(halfOpen);
    for (HalfOpen connection : halfOpen) {
      connection.socket.close();
    }
    fuzzer.write(Path.of(args[2]));
  }

  @Override
  Map<String, Long> counts() {
    Map<String, Long> counts = super.counts();
    counts.put("logged in", loggedIn.sum());
    counts.put(HALF_OPEN, halfOpen);
    counts.put(ENDED, ended);
    counts.put(ENDLESS, endless);
    return counts;
  }

  /** What TLS begins with. */
  private static byte[] hello() throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, null, null);
    SSLEngine engine = context.createSSLEngine("localhost", 1);
    engine.setUseClientMode(true);
    engine.beginHandshake();
    ByteBuffer bytes = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), bytes);
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  private SaslClient client(String protection) throws IOException, InterruptedException {
    return user.doAs((PrivilegedExceptionAction<SaslClient>) () -> Sasl.createSaslClient(
      new String[] { "GSSAPI" }, null, "hbase", "localhost",
      Map.of(Sasl.QOP, protection, Sasl.SERVER_AUTH, "true"), null));
  }

  private byte[] firstToken(SaslClient client) throws IOException, InterruptedException {
    return user.doAs(
      (PrivilegedExceptionAction<byte[]>) () -> client.evaluateChallenge(new byte[0]));
  }

  private static byte[] preamble(int authentication) {
    byte[] bytes = Arrays.copyOf(MAGIC, MAGIC.length + 1);
    bytes[MAGIC.length] = (byte) authentication;
    return bytes;
  }

  private static byte[] both(byte[] first, byte[] second) {
    byte[] bytes = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, bytes, first.length, second.length);
    return bytes;
  }

  /** Sends a token that says it has 1 GB, until the server has enough of it. */
  private long endlessToken() throws IOException {
    long sent = 0;
    try (Socket socket = connect()) {
      OutputStream out = socket.getOutputStream();
      out.write(both(preamble(KERBEROS), ByteBuffer.allocate(Integer.BYTES).putInt(1 << 30)
        .array()));
      byte[] piece = new byte[PIECE_BYTES];
      while (sent < ENDLESS_BYTES) {
        out.write(piece);
        sent += piece.length;
      }
    } catch (SocketException e) {
      // It is closed.
    }
    return sent;
  }

  /** A connection that begins rightly, gets slow in the midst of a message, and never ends it. */
  private static final class HalfOpen {
    private final Socket socket;
    private final byte[] begin;
    private int sent;

    HalfOpen(Socket socket, byte[] begin, int sent) throws IOException {
      this.socket = socket;
      this.begin = begin;
      this.sent = sent;
      socket.getOutputStream().write(begin, 0, sent);
    }

    /** Whether the server has closed it; else sends a byte more. */
    boolean isEnded() {
      try {
        if (sent < begin.length - 1) {
          socket.getOutputStream().write(begin[sent++]);
        }
        socket.setSoTimeout(1);
        return socket.getInputStream().read() < 0;
      } catch (SocketTimeoutException e) {
        return false;
      } catch (IOException e) {
        return true;
      }
    }
  }

  private HalfOpen halfOpen(int i, SplittableRandom random) throws IOException {
    byte[] begin = i % 2 == 0
      ? hello
      : both(preamble(KERBEROS), framed(tokens.get(i % TOKENS)));
    return new HalfOpen(connect(), begin, random.nextInt(begin.length));
  }

  /** Waits until the server has closed them, and returns how many it has closed. */
  private long awaitEnded(List<HalfOpen> connections) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANDSHAKE_SECONDS);
    long ended;
    do {
      Thread.sleep(POLL_MILLIS);
      ended = connections.stream().filter(HalfOpen::isEnded).count();
    } while (ended < connections.size() && System.nanoTime() < end);
    return ended;
  }

  @Override
  void send(Socket socket, SplittableRandom random) throws IOException, InterruptedException {
    if (takeInput()) {
      socket.setSoTimeout(ANSWER_MILLIS);
      begin(socket, random);
      answered();
    }
  }

  /** Begins a connection with damage, and reads a byte of what comes. */
  private void begin(Socket socket, SplittableRandom random)
    throws IOException, InterruptedException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    OutputStream out = socket.getOutputStream();
    switch (random.nextInt(6)) {
      case 0 -> out.write(damaged(hello, random));
      case 1 -> out.write(damaged(
        random.nextBoolean() ? preamble(KERBEROS) : PREAMBLES[random.nextInt(2)], random));
      case 2 -> out.write(both(
        preamble(AUTHENTICATIONS[random.nextInt(AUTHENTICATIONS.length)]),
        damaged(header, random)));
      case 3 -> out.write(both(preamble(KERBEROS),
        framed(damaged(token(random), random))));
      case 4 -> out.write(both(preamble(KERBEROS),
        damaged(framed(token(random)), random)));
      default -> logIn(in, out, random);
    }
    in.readByte();
  }

  private byte[] token(SplittableRandom random) {
    return tokens.get(random.nextInt(TOKENS));
  }

  /** Logs in, with damage in a later token, or in what follows. */
  private void logIn(DataInputStream in, OutputStream out, SplittableRandom random)
    throws IOException, InterruptedException {
    String protection = PROTECTIONS[random.nextInt(PROTECTIONS.length)];
    SaslClient client = client(protection);
    boolean badToken = random.nextBoolean();
    out.write(preamble(KERBEROS));
    out.write(framed(firstToken(client)));
    while (!client.isComplete()) {
      if (in.readInt() != 0) {
        throw new EOFException("refused");
      }
      byte[] challenge = new byte[Math.min(LONGEST_ANSWER, in.readInt())];
      in.readFully(challenge);
      byte[] answer = client.evaluateChallenge(challenge);
      if (answer != null) {
        out.write(framed(badToken ? damaged(answer, random) : answer));
      }
    }
    if (badToken) {
      return;
    }
    loggedIn.increment();
    byte[] damaged = damaged(header, random);
    if (protection.equals("auth")) {
      out.write(damaged);
    } else if (random.nextBoolean()) {
      out.write(framed(client.wrap(damaged, 0, damaged.length)));
    } else {
      out.write(damaged(framed(client.wrap(header, 0, header.length)), random));
    }
  }
}
