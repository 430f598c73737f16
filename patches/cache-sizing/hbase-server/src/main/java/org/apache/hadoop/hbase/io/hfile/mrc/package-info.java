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
 * Miss-ratio curves (MRC) of the block cache: what it would serve at other sizes.
 * {@link BlockReferences} samples the references to blocks, {@link CacheSizing} counts them by
 * {@link StackDistances}, {@link CacheModel} says what a cache of a size would have served, and
 * {@link CacheSizingReport} is what pages and {@link CacheSizingTool} show of it.
 */
package org.apache.hadoop.hbase.io.hfile.mrc;
