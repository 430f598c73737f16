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
package org.hbasestrata.tools;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of JSON. */
public final class Json {
  /** Snake case, times as ISO 8601; unknown fields are errors, fields that are null left out. */
  public static final JsonMapper MAPPER = JsonMapper.builder().addModule(new JavaTimeModule())
    .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
    .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
    .enable(SerializationFeature.INDENT_OUTPUT)
    .defaultPropertyInclusion(JsonInclude.Value.construct(JsonInclude.Include.NON_NULL,
      JsonInclude.Include.NON_NULL))
    .build();

  private Json() {
  }

  /** @throws ToolException that names the file and, if it isn't what it should be, the line */
  public static <T> T read(Path file, Class<T> type) {
    return read(MAPPER, file, type);
  }

  /** The same of another format. */
  public static <T> T read(ObjectMapper mapper, Path file, Class<T> type) {
    try {
      return mapper.readValue(file.toFile(), type);
    } catch (JsonProcessingException e) {
      String where = e.getLocation() == null ? "" : " (line " + e.getLocation().getLineNr() + ")";
      String what = e.getCause() instanceof IllegalArgumentException check ? check.getMessage()
        : e.getOriginalMessage();
      throw ToolException.usage(file + where + ": " + what.lines().findFirst().orElse("no JSON"),
        e);
    } catch (IOException e) {
      throw ToolException.failed(file + " can't be read: " + ToolException.oneLine(e), e);
    }
  }

  /** Whoever reads the file meanwhile sees the old one or the new one. */
  public static void write(Path file, Object value) {
    try {
      Files.createDirectories(file.getParent());
      Folders.replace(file, MAPPER.writeValueAsString(value) + '\n');
    } catch (IOException e) {
      throw ToolException.failed(file + " can't be written: " + ToolException.oneLine(e), e);
    }
  }
}
