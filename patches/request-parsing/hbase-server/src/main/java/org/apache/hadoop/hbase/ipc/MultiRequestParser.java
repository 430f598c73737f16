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
package org.apache.hadoop.hbase.ipc;

import java.io.IOException;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;

/**
 * Parses a multi request of gets and mutations, most of which are alike but for their rows. The
 * message is the same that the generated parser makes; what it has of bytes refers to the request's
 * buffer, as there. Used by one thread.
 */
/*
 * A client writes the row of a get or mutation first; the cells of mutations are mostly beside the
 * message. If all bytes behind the row are those of the get or mutation before, then so is all that
 * they say, and both have the same messages of it. A get takes its own message, row and action
 * then, where the generated parser makes a builder for each of its parts, too. Of a get that is
 * unlike the one before, what is behind its row is parsed by the generated parser.
 *
 * Whatever isn't like that is left to the generated parser: other actions with the rest of their
 * region's, fields in another order, those that this class doesn't know, and bytes that can't be
 * parsed.
 */
@InterfaceAudience.Private
final class MultiRequestParser extends MessageReader {
  private static final int REGION_ACTION =
    MultiRequest.REGIONACTION_FIELD_NUMBER << 3 | LENGTH_DELIMITED;
  private static final int REGION = RegionAction.REGION_FIELD_NUMBER << 3 | LENGTH_DELIMITED;
  private static final int ACTION = RegionAction.ACTION_FIELD_NUMBER << 3 | LENGTH_DELIMITED;
  private static final int INDEX = Action.INDEX_FIELD_NUMBER << 3 | VARINT;
  private static final int MUTATION = Action.MUTATION_FIELD_NUMBER << 3 | LENGTH_DELIMITED;
  private static final int GET = Action.GET_FIELD_NUMBER << 3 | LENGTH_DELIMITED;
  /** Of a get and a mutation. */
  private static final int ROW = Get.ROW_FIELD_NUMBER << 3 | LENGTH_DELIMITED;

  private static final int NONE = -1;

  /** Has all but the row of the last get. */
  private Get.Builder get;
  private final Last lastGet = new Last();
  /** Has all but the row of the last mutation. */
  private MutationProto.Builder mutation;
  private final Last lastMutation = new Last();
  private Action.Builder action;

  /** Where in the request the last get or mutation is described, behind its row. */
  private final class Last {
    private int from = NONE;
    private int length;

    /** Whether the bytes up to an end are those of the last one, which they are from now on. */
    boolean isAgain(int end) {
      boolean again = from != NONE && length == end - at
        && ByteBuff.compareTo(request, from, length, request, at, length) == 0;
      from = at;
      length = end - at;
      return again;
    }

    void forget() {
      from = NONE;
    }
  }

  private MultiRequestParser(ByteBuff request) {
    super(request);
  }

  /**
   * Parses the parameter of a call, if it is a multi request of gets and mutations.
   * @param builder of the parameter's type, without any field
   * @param request what came of the call, from position 0 on
   * @param offset  of the parameter in it
   * @param length  bytes of the parameter
   * @return true if the builder has all of the parameter; false if it has nothing still, and the
   *         caller has to parse it
   */
  static boolean merge(Message.Builder builder, ByteBuff request, int offset, int length) {
    if (!(builder instanceof MultiRequest.Builder) || !has(request, offset, length)) {
      return false;
    }
    MultiRequest.Builder multi = (MultiRequest.Builder) builder;
    try {
      new MultiRequestParser(request).mergeRequest(multi, offset, offset + length);
      return true;
    } catch (IOException e) {
      multi.clear();
      return false;
    }
  }

  private void mergeRequest(MultiRequest.Builder multi, int from, int end) throws IOException {
    at = from;
    skipToFirstRow(end);
    at = from;
    get = Get.newBuilder();
    mutation = MutationProto.newBuilder();
    action = Action.newBuilder();
    while (isNext(REGION_ACTION, end)) {
      at++;
      int endOfAction = readLength(end);
      multi.addRegionAction(readOrMergeRegionAction(endOfAction));
      at = endOfAction;
    }
    if (at < end) {
      // Mostly a nonce group, of increments and appends.
      merge(multi, at, end);
    }
  }

  /** One that is atomic, has a condition or calls a service may be beside others. */
  private RegionAction readOrMergeRegionAction(int end) throws IOException {
    int from = at;
    try {
      return readRegionAction(end);
    } catch (OtherRequest e) {
      lastGet.forget();
      lastMutation.forget();
      RegionAction.Builder regionAction = RegionAction.newBuilder();
      merge(regionAction, from, end);
      return regionAction.buildPartial();
    }
  }

  /** Finds out whether the request is one of these before anything is made for it. */
  private void skipToFirstRow(int end) throws IOException {
    expect(REGION_ACTION, end);
    readLength(end);
    expect(REGION, end);
    at = readLength(end);
    expect(ACTION, end);
    readLength(end);
    expect(INDEX, end);
    readNumber(end);
    expect(isNext(GET, end) ? GET : MUTATION, end);
    readLength(end);
    expect(ROW, end);
  }

  private RegionAction readRegionAction(int end) throws IOException {
    RegionAction.Builder regionAction = RegionAction.newBuilder();
    expect(REGION, end);
    regionAction.setRegion(readRegion(readLength(end)));
    while (at < end) {
      expect(ACTION, end);
      regionAction.addAction(readAction(readLength(end)));
    }
    return regionAction.buildPartial();
  }

  private Action readAction(int end) throws IOException {
    expect(INDEX, end);
    action.clear().setIndex(readNumber(end));
    boolean isGet = isNext(GET, end);
    expect(isGet ? GET : MUTATION, end);
    if (readLength(end) != end) {
      throw OtherRequest.INSTANCE;
    }
    if (isGet) {
      action.setGet(readGet(end));
    } else {
      action.setMutation(readMutation(end));
    }
    return action.buildPartial();
  }

  private Get readGet(int end) throws IOException {
    ByteString row = readBytes(ROW, end);
    if (!lastGet.isAgain(end)) {
      merge(get.clear(), at, end);
      if (get.hasRow()) {
        throw OtherRequest.INSTANCE;
      }
    }
    at = end;
    return get.setRow(row).buildPartial();
  }

  private MutationProto readMutation(int end) throws IOException {
    ByteString row = readBytes(ROW, end);
    if (!lastMutation.isAgain(end)) {
      merge(mutation.clear(), at, end);
      if (mutation.hasRow()) {
        throw OtherRequest.INSTANCE;
      }
    }
    at = end;
    return mutation.setRow(row).buildPartial();
  }
}
