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
/**
 * The RPC server. What patches add, by feature, with the class that the entry seam of the feature
 * is in:
 * <dl>
 * <dt>HBASE-21879, pool of buffers. Entry seam: {@code RpcServer}</dt>
 * <dd>{@link BufferPool} creates the pool. {@link BufferPoolSizing} computes number and size of its
 * buffers, from {@link BufferPoolSettings} and the handlers that {@link AddedHandlers} counts.
 * {@link MetricsBufferPool} says when it is empty.</dd>
 * <dt>HBASE-23063, parallel multiget. Entry seam: {@code RSRpcServices}</dt>
 * <dd>{@link RequestReader} keeps the buffer of a request while helpers read it.</dd>
 * <dt>STRATA-10, responses to clients that have gone. Entry seam:
 * {@code NettyServerRpcConnection}</dt>
 * <dd>{@link ReleasedRpcResponse} gives the buffers of such a response back.</dd>
 * <dt>STRATA-19, the row path of gets. Entry seam: {@code RSRpcServices}</dt>
 * <dd>{@link PreparedRead} is what was read before a call ran.</dd>
 * <dt>STRATA-26, gets on the event loop. Entry seam: {@code ServerRpcConnection}</dt>
 * <dd>{@link EventLoopReads} answers calls that need no waiting.</dd>
 * <dt>STRATA-28, requests of gets. Entry seam: {@code ServerRpcConnection}</dt>
 * <dd>{@link MultiGetParser} parses those that are alike but for their rows.</dd>
 * <dt>STRATA-35, bounds of handshakes. Entry seam: {@code NettyRpcServer}</dt>
 * <dd>{@link HandshakeBounds} closes connections that don't come to their header, as
 * {@link HandshakeSettings} say.</dd>
 * </dl>
 */
package org.apache.hadoop.hbase.ipc;
