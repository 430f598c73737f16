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
package org.hbasestrata.seams;

import java.util.List;

/**
 * Text that goes into an upstream source file.
 * @param patch   the patch that it belongs to: a JIRA number
 * @param name    how messages call it: seam file and number in it
 * @param why     what it is for, in a sentence
 * @param anchor  where it goes
 * @param imports what the text needs imported, e.g. {@code java.util.Map} or
 *                {@code static java.util.Map.entry}
 * @param text    what is inserted
 */
public record Seam(String patch, String name, String why, Anchor anchor, List<String> imports,
  String text) {
}
