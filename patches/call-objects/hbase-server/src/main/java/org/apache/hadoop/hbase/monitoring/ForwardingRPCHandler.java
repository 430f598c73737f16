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
package org.apache.hadoop.hbase.monitoring;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * What the thread of a handler has of its status. {@link TaskMonitor} has the status itself, and by
 * a weak reference this, so that it can tell whether the thread is still there. Thread-safe as the
 * status is.
 */
@InterfaceAudience.Private
final class ForwardingRPCHandler implements MonitoredRPCHandler {
  private final MonitoredRPCHandler status;

  ForwardingRPCHandler(MonitoredRPCHandler status) {
    this.status = status;
  }

  @Override
  public String getRPC() {
    return status.getRPC();
  }

  @Override
  public String getRPC(boolean withParams) {
    return status.getRPC(withParams);
  }

  @Override
  public long getRPCPacketLength() {
    return status.getRPCPacketLength();
  }

  @Override
  public String getClient() {
    return status.getClient();
  }

  @Override
  public long getRPCStartTime() {
    return status.getRPCStartTime();
  }

  @Override
  public long getRPCQueueTime() {
    return status.getRPCQueueTime();
  }

  @Override
  public boolean isRPCRunning() {
    return status.isRPCRunning();
  }

  @Override
  public boolean isOperationRunning() {
    return status.isOperationRunning();
  }

  @Override
  public void setRPC(String methodName, Object[] params, long queueTime) {
    status.setRPC(methodName, params, queueTime);
  }

  @Override
  public void setRPCPacket(Message param) {
    status.setRPCPacket(param);
  }

  @Override
  public void setConnection(String clientAddress, int remotePort) {
    status.setConnection(clientAddress, remotePort);
  }

  @Override
  public long getStartTime() {
    return status.getStartTime();
  }

  @Override
  public String getDescription() {
    return status.getDescription();
  }

  @Override
  public String getStatus() {
    return status.getStatus();
  }

  @Override
  public long getStatusTime() {
    return status.getStatusTime();
  }

  @Override
  public State getState() {
    return status.getState();
  }

  @Override
  public long getStateTime() {
    return status.getStateTime();
  }

  @Override
  public long getCompletionTimestamp() {
    return status.getCompletionTimestamp();
  }

  @Override
  public long getWarnTime() {
    return status.getWarnTime();
  }

  @Override
  public void markComplete(String message) {
    status.markComplete(message);
  }

  @Override
  public void pause(String message) {
    status.pause(message);
  }

  @Override
  public void resume(String message) {
    status.resume(message);
  }

  @Override
  public void abort(String message) {
    status.abort(message);
  }

  @Override
  public void expireNow() {
    status.expireNow();
  }

  @Override
  public void setStatus(String text) {
    status.setStatus(text);
  }

  @Override
  public void setDescription(String description) {
    status.setDescription(description);
  }

  @Override
  public void setWarnTime(long time) {
    status.setWarnTime(time);
  }

  @Override
  public List<StatusJournalEntry> getStatusJournal() {
    return status.getStatusJournal();
  }

  @Override
  public String prettyPrintJournal() {
    return status.prettyPrintJournal();
  }

  @Override
  public void cleanup() {
    status.cleanup();
  }

  @Override
  public MonitoredTask clone() {
    return status.clone();
  }

  @Override
  public Map<String, Object> toMap() throws IOException {
    return status.toMap();
  }

  @Override
  public String toJSON() throws IOException {
    return status.toJSON();
  }

  @Override
  public String toString() {
    return status.toString();
  }
}
