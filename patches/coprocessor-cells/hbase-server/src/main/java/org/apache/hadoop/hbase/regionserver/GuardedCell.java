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
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A cell that throws IllegalStateException when it is read after its {@link CellGuard} was
 * released. Its sequence id isn't guarded: the write-ahead log sets it.
 */
@InterfaceAudience.Private
final class GuardedCell extends ByteBufferKeyValue {
  private final CellGuard guard;

  GuardedCell(ByteBuffer buffer, long sequenceId, CellGuard guard) {
    super(buffer, 0, buffer.capacity(), sequenceId);
    this.guard = guard;
  }

  @Override
  public byte[] getRowArray() {
    guard.check();
    return super.getRowArray();
  }

  @Override
  public short getRowLength() {
    guard.check();
    return super.getRowLength();
  }

  @Override
  public byte[] getFamilyArray() {
    guard.check();
    return super.getFamilyArray();
  }

  @Override
  public byte getFamilyLength() {
    guard.check();
    return super.getFamilyLength();
  }

  @Override
  public byte[] getQualifierArray() {
    guard.check();
    return super.getQualifierArray();
  }

  @Override
  public int getQualifierLength() {
    guard.check();
    return super.getQualifierLength();
  }

  @Override
  public long getTimestamp() {
    guard.check();
    return super.getTimestamp();
  }

  @Override
  public byte getTypeByte() {
    guard.check();
    return super.getTypeByte();
  }

  @Override
  public byte[] getValueArray() {
    guard.check();
    return super.getValueArray();
  }

  @Override
  public int getValueLength() {
    guard.check();
    return super.getValueLength();
  }

  @Override
  public byte[] getTagsArray() {
    guard.check();
    return super.getTagsArray();
  }

  @Override
  public int getTagsLength() {
    guard.check();
    return super.getTagsLength();
  }

  @Override
  public ByteBuffer getRowByteBuffer() {
    guard.check();
    return super.getRowByteBuffer();
  }

  @Override
  public ByteBuffer getFamilyByteBuffer() {
    guard.check();
    return super.getFamilyByteBuffer();
  }

  @Override
  public ByteBuffer getQualifierByteBuffer() {
    guard.check();
    return super.getQualifierByteBuffer();
  }

  @Override
  public ByteBuffer getValueByteBuffer() {
    guard.check();
    return super.getValueByteBuffer();
  }

  @Override
  public ByteBuffer getTagsByteBuffer() {
    guard.check();
    return super.getTagsByteBuffer();
  }

  @Override
  public int write(OutputStream out, boolean withTags) throws IOException {
    guard.check();
    return super.write(out, withTags);
  }

  @Override
  public void write(ByteBuffer target, int targetOffset) {
    guard.check();
    super.write(target, targetOffset);
  }

  @Override
  public void setTimestamp(long timestamp) throws IOException {
    guard.check();
    super.setTimestamp(timestamp);
  }

  @Override
  public void setTimestamp(byte[] timestamp) throws IOException {
    guard.check();
    super.setTimestamp(timestamp);
  }

  @Override
  public ExtendedCell deepClone() {
    guard.check();
    return super.deepClone();
  }
}
