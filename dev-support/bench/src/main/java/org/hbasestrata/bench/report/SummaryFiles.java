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
package org.hbasestrata.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hbasestrata.tools.Json;
import org.hbasestrata.tools.ToolException;

/** The files of a report that has no page of its own: one for a commit, and one for programs. */
public final class SummaryFiles {
  private SummaryFiles() {
  }

  /**
   * Writes both.
   * @param report what programs read, as JSON
   * @param lines  what people read
   * @return the latter file
   */
  public static Path write(Path folder, Object report, List<String> lines) {
    try {
      Path files = Files.createDirectories(folder.resolve("report"));
      Json.MAPPER.writeValue(files.resolve("report.json").toFile(), report);
      return Files.write(files.resolve("summary.md"), lines);
    } catch (IOException e) {
      throw ToolException.failed("the report can't be written to " + folder + ": "
        + ToolException.oneLine(e), e);
    }
  }
}
