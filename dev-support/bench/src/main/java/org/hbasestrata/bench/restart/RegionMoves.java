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
package org.hbasestrata.bench.restart;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hbasestrata.tools.ToolException;

/** What moves of regions take, by the logs of region servers. */
public final class RegionMoves {
  private static final DateTimeFormatter TIME =
    DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss,SSS");
  private static final int TIME_LENGTH = "2026-01-01T00:00:00,000".length();

  /** What a log says of a region, in the order of a move. */
  private enum Event {
    CLOSES("HRegion: Closing region \\S*\\.(\\w{32})\\."),
    CLOSED("HRegionServer: Adding (\\w{32}) move to "),
    OPENS("AssignRegionHandler: Open \\S*\\.(\\w{32})\\."),
    OPENED("AssignRegionHandler: Opened \\S*\\.(\\w{32})\\.");

    private final Pattern line;

    Event(String line) {
      this.line = Pattern.compile(line);
    }
  }

  private record Line(long millis, Event event, String region) {
  }

  /** A part of a move, in milliseconds. */
  public record Part(String name, long moves, double p50Millis, double p90Millis,
    double maxMillis) {
    private static Part of(String name, List<Map<Event, Long>> moves, Event from, Event to) {
      double[] millis =
        moves.stream().mapToDouble(move -> move.get(to) - move.get(from)).sorted().toArray();
      return new Part(name, millis.length, at(millis, 0.5), at(millis, 0.9), at(millis, 1));
    }

    private static double at(double[] sorted, double share) {
      return sorted.length == 0 ? 0 : sorted[(int) Math.round((sorted.length - 1) * share)];
    }
  }

  private RegionMoves() {
  }

  /**
   * Returns the parts of moves, and the whole time in which a region is on no server.
   * @param logs of region servers
   * @param from moves that began earlier don't count, in milliseconds since the epoch
   */
  public static List<Part> of(List<Path> logs, long from) {
    List<Line> lines = new ArrayList<>();
    for (Path log : logs) {
      try {
        // A line may be cut within a character.
        new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1).lines()
          .forEach(line -> read(line, lines));
      } catch (IOException e) {
        throw ToolException.failed(log + " can't be read: " + ToolException.oneLine(e), e);
      }
    }
    lines.removeIf(line -> line.millis < from);
    lines.sort(Comparator.comparingLong(Line::millis));
    List<Map<Event, Long>> moves = new ArrayList<>();
    Map<String, Map<Event, Long>> open = new HashMap<>();
    for (Line line : lines) {
      if (line.event == Event.CLOSES) {
        open.put(line.region, new EnumMap<>(Event.class));
      }
      Map<Event, Long> move = open.get(line.region);
      if (move != null) {
        move.putIfAbsent(line.event, line.millis);
        if (line.event == Event.OPENED) {
          open.remove(line.region);
          if (move.size() == Event.values().length) {
            moves.add(move);
          }
        }
      }
    }
    return List.of(Part.of("closing", moves, Event.CLOSES, Event.CLOSED),
      Part.of("between servers", moves, Event.CLOSED, Event.OPENS),
      Part.of("opening", moves, Event.OPENS, Event.OPENED),
      Part.of("on no server", moves, Event.CLOSES, Event.OPENED));
  }

  private static void read(String line, List<Line> lines) {
    for (Event event : Event.values()) {
      Matcher matcher = event.line.matcher(line);
      if (matcher.find()) {
        LocalDateTime time = LocalDateTime.parse(line.substring(0, TIME_LENGTH), TIME);
        lines.add(new Line(time.atZone(ZoneId.systemDefault()).toInstant().toEpochMilli(), event,
          matcher.group(1)));
      }
    }
  }
}
