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
package org.hbasestrata.patches;

import java.util.List;

/**
 * What a patch's file says of it, besides its seams.
 * @param name     of its folder
 * @param id       JIRA number, e.g. HBASE-23296; STRATA-n for what has none
 * @param title    of the commit, behind the number
 * @param why      text of the commit message, in paragraphs
 * @param requires patches that have to be applied before it
 * @param upstream where the JIRA stands, as far as it is known; null if it is never meant to go
 * @param fix      defect of the base release that it mends; null if it mends none
 */
record Manifest(String name, String id, String title, String why, List<String> requires,
  String upstream, Fix fix) {

  /**
   * A defect that the patch mends.
   * @param release of Apache that is the first without it; {@link #NO_RELEASE} if there is none yet
   * @param defect  what an operator or a client sees of it
   */
  record Fix(String release, String defect) {
    static final String NO_RELEASE = "none";
  }

  boolean isForUpstream() {
    return upstream != null;
  }

  boolean hasJira() {
    return isJira(id);
  }

  static boolean isJira(String id) {
    return id.startsWith("HBASE-");
  }

  /** First line of the commit message; who files the JIRA fills its number in. */
  String subject() {
    return (hasJira() ? id : "HBASE-XXXXX") + " " + title;
  }
}
