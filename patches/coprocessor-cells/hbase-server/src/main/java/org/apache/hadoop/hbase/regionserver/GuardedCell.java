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
 * A cell that throws IllegalStateException when it is read after its {@code CellGuard} was
 * released. Its sequence id isn't guarded: the write-ahead log sets it.
 */
@InterfaceAudience.Private
final class GuardedCell extends ByteBufferKeyValue {
  private final Runnable guard;

  /** @param guard throws IllegalStateException once the cell is released */
  GuardedCell(ByteBuffer buffer, long sequenceId, Runnable guard) {
    super(buffer, 0, buffer.capacity(), sequenceId);
    this.guard = guard;
  }

  @Override
  public byte[] getRowArray() {
    guard.run();
    return super.getRowArray();
  }

  @Override
  public short getRowLength() {
    guard.run();
    return super.getRowLength();
  }

  @Override
  public byte[] getFamilyArray() {
    guard.run();
    return super.getFamilyArray();
  }

  @Override
  public byte getFamilyLength() {
    guard.run();
    return super.getFamilyLength();
  }

  @Override
  public byte[] getQualifierArray() {
    guard.run();
    return super.getQualifierArray();
  }

  @Override
  public int getQualifierLength() {
    guard.run();
    return super.getQualifierLength();
  }

  @Override
  public long getTimestamp() {
    guard.run();
    return super.getTimestamp();
  }

  @Override
  public byte getTypeByte() {
    guard.run();
    return super.getTypeByte();
  }

  @Override
  public byte[] getValueArray() {
    guard.run();
    return super.getValueArray();
  }

  @Override
  public int getValueLength() {
    guard.run();
    return super.getValueLength();
  }

  @Override
  public byte[] getTagsArray() {
    guard.run();
    return super.getTagsArray();
  }

  @Override
  public int getTagsLength() {
    guard.run();
    return super.getTagsLength();
  }

  @Override
  public ByteBuffer getRowByteBuffer() {
    guard.run();
    return super.getRowByteBuffer();
  }

  @Override
  public ByteBuffer getFamilyByteBuffer() {
    guard.run();
    return super.getFamilyByteBuffer();
  }

  @Override
  public ByteBuffer getQualifierByteBuffer() {
    guard.run();
    return super.getQualifierByteBuffer();
  }

  @Override
  public ByteBuffer getValueByteBuffer() {
    guard.run();
    return super.getValueByteBuffer();
  }

  @Override
  public ByteBuffer getTagsByteBuffer() {
    guard.run();
    return super.getTagsByteBuffer();
  }

  @Override
  public int write(OutputStream out, boolean withTags) throws IOException {
    guard.run();
    return super.write(out, withTags);
  }

  @Override
  public void write(ByteBuffer target, int targetOffset) {
    guard.run();
    super.write(target, targetOffset);
  }

  @Override
  public void setTimestamp(long timestamp) throws IOException {
    guard.run();
    super.setTimestamp(timestamp);
  }

  @Override
  public void setTimestamp(byte[] timestamp) throws IOException {
    guard.run();
    super.setTimestamp(timestamp);
  }

  @Override
  public ExtendedCell deepClone() {
    guard.run();
    return super.deepClone();
  }
}
