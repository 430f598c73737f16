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

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Run by bin/hbase: sends requests with random damage to the region server of a table of its own,
 * from several connections. The damages that each of these does follow from a number.
 */
public final class RpcFuzzer extends Fuzzer {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] PREAMBLE = { 'H', 'B', 'a', 's', 0, 80 };
  /** For answers; not much longer than a busy server takes, since some requests have none. */
  private static final int ANSWER_MILLIS = 300;
  /** Where the server waits for what isn't sent. */
  private static final int NO_ANSWER_MILLIS = 30;
  static final String TABLE = "fuzzed";
  private static final int CONNECTIONS = 8;
  private static final int CELLS = 2;
  private static final long LONG_MILLIS = TimeUnit.DAYS.toMillis(1);
  private static final Cell TAGGED = new KeyValue(FAMILY, FAMILY, FAMILY,
    HConstants.LATEST_TIMESTAMP, FAMILY, List.of(new ArrayBackedTag((byte) 'f', FAMILY)));
  /** What is there isn't made longer by it, as by an Append. */
  private static final Cell ONE_MORE =
    new KeyValue(FAMILY, FAMILY, Bytes.toBytes("count"), Bytes.toBytes(1L));

  private final List<byte[]> seeds;
  /** Of connections whose cells have no tags, and of those whose cells may have. */
  private final byte[][] headers =
    { header(KeyValueCodec.class), header(KeyValueCodecWithTags.class) };

  private RpcFuzzer(InetSocketAddress server, List<byte[]> seeds, int inputs) {
    super(server, inputs, CONNECTIONS);
    this.seeds = seeds;
  }

  private static byte[] header(Class<? extends Codec> codec) {
    return framed(RPCProtos.ConnectionHeader.newBuilder()
      .setUserInfo(RPCProtos.UserInformation.newBuilder().setEffectiveUser("fuzzer"))
      .setServiceName("ClientService").setCellBlockCodecClass(codec.getName())
      .build().toByteArray());
  }

  /** {@code INPUTS SEED RESULT_FILE}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Configuration conf = HBaseConfiguration.create();
    TableName table = TableName.valueOf(TABLE);
    try (Connection connection = ConnectionFactory.createConnection(conf);
      Admin admin = connection.getAdmin()) {
      admin.createTable(TableDescriptorBuilder.newBuilder(table)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)).build());
      try (RegionLocator locator = connection.getRegionLocator(table)) {
        HRegionLocation location = locator.getRegionLocation(Bytes.toBytes("r"));
        RpcFuzzer fuzzer = new RpcFuzzer(
          new InetSocketAddress(location.getHostname(), location.getPort()),
          seeds(location.getRegion().getRegionName()), Integer.parseInt(args[0]));
        fuzzer.run(Long.parseLong(args[1]));
        fuzzer.write(Path.of(args[2]));
      }
    }
  }

  private static List<byte[]> seeds(byte[] region) throws IOException {
    List<byte[]> seeds = new ArrayList<>();
    seeds.add(request("Get", RequestConverter.buildGetRequest(region, new Get(FAMILY)), null));
    seeds.add(request("Mutate", RequestConverter.buildMutateRequest(region,
      new Put(FAMILY).addColumn(FAMILY, FAMILY, new byte[MOST_BYTES])), null));
    seeds.add(request("Scan",
      RequestConverter.buildScanRequest(region, new Scan(), 10, true), null));
    seeds.add(request("Multi", gets(region), null));
    // A TTL is one more tag of each cell, that the region adds.
    seeds.add(request("Multi", mutations(region, MutationType.PUT,
      new Put(FAMILY).add(TAGGED).setTTL(LONG_MILLIS)), cellBlock(TAGGED)));
    seeds.add(request("Multi", mutations(region, MutationType.INCREMENT,
      new Increment(FAMILY).add(ONE_MORE).setTTL(LONG_MILLIS)), cellBlock(ONE_MORE)));
    return seeds;
  }

  /** Some of the same, whose cells are beside the message. */
  private static ClientProtos.MultiRequest mutations(byte[] region, MutationType type,
    Mutation mutation) throws IOException {
    ClientProtos.RegionAction.Builder action = region(region);
    for (int i = 0; i < CELLS; i++) {
      action.addAction(ClientProtos.Action.newBuilder().setIndex(i)
        .setMutation(ProtobufUtil.toMutationNoData(type, mutation)));
    }
    return ClientProtos.MultiRequest.newBuilder().addRegionAction(action).build();
  }

  private static ClientProtos.MultiRequest gets(byte[] region) throws IOException {
    ClientProtos.RegionAction.Builder action = region(region);
    for (int i = 0; i < 8; i++) {
      action.addAction(ClientProtos.Action.newBuilder().setIndex(i)
        .setGet(ProtobufUtil.toGet(new Get(Bytes.toBytes("row-" + i)))));
    }
    return ClientProtos.MultiRequest.newBuilder().addRegionAction(action).build();
  }

  private static ClientProtos.RegionAction.Builder region(byte[] region) {
    return ClientProtos.RegionAction.newBuilder().setRegion(RequestConverter
      .buildRegionSpecifier(
        org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier
          .RegionSpecifierType.REGION_NAME,
        region));
  }

  private static byte[] cellBlock(Cell cell) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Codec.Encoder encoder = new KeyValueCodecWithTags().getEncoder(bytes);
    for (int i = 0; i < CELLS; i++) {
      encoder.write(cell);
    }
    encoder.flush();
    return bytes.toByteArray();
  }

  /** A request without its length. */
  private static byte[] request(String method, Message param, byte[] cells) throws IOException {
    RPCProtos.RequestHeader.Builder header = RPCProtos.RequestHeader.newBuilder().setCallId(1)
      .setMethodName(method).setRequestParam(true);
    if (cells != null) {
      header.setCellBlockMeta(RPCProtos.CellBlockMeta.newBuilder().setLength(cells.length));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    header.build().writeDelimitedTo(bytes);
    param.writeDelimitedTo(bytes);
    if (cells != null) {
      bytes.write(cells);
    }
    return bytes.toByteArray();
  }

  @Override
  void send(Socket socket, SplittableRandom random) throws IOException {
    OutputStream out = socket.getOutputStream();
    DataInputStream in = new DataInputStream(socket.getInputStream());
    boolean badStart = random.nextInt(50) == 0;
    out.write(badStart && random.nextBoolean() ? damaged(PREAMBLE, random) : PREAMBLE);
    byte[] header = headers[random.nextInt(headers.length)];
    out.write(badStart ? damaged(header, random) : header);
    while (takeInput()) {
      awaitAnswer(socket, in, out, badStart, random);
      answered();
    }
  }

  private void awaitAnswer(Socket socket, DataInputStream in, OutputStream out,
    boolean badStart, SplittableRandom random) throws IOException {
    byte[] seed = seeds.get(random.nextInt(seeds.size()));
    byte[] input = framed(damaged(seed, random));
    boolean badLength = random.nextInt(20) == 0;
    socket.setSoTimeout(badStart || badLength ? NO_ANSWER_MILLIS : ANSWER_MILLIS);
    if (badLength) {
      ByteBuffer.wrap(input).putInt(0, EXTREMES[random.nextInt(EXTREMES.length)]);
    }
    out.write(input);
    int length = in.readInt();
    in.skipNBytes(length);
  }
}
