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
/**
 * What the commands of dev-support/bin share. Each begins at a {@link org.hbasestrata.tools.Tool};
 * what goes wrong is a {@link org.hbasestrata.tools.ToolException}. Programs are run to their end
 * by {@link org.hbasestrata.tools.Program}, beside this one by {@link org.hbasestrata.tools.Child},
 * and git by {@link org.hbasestrata.tools.Git}.
 */
package org.hbasestrata.tools;
