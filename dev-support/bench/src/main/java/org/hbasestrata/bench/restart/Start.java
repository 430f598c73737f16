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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hbasestrata.tools.ToolException;

/**
 * What a region server's start took under a load of a set rate. Times are in seconds, CPU per get
 * in microseconds.
 * @param toFirstGet    from the process's start to its first answer
 * @param cpuBefore     CPU seconds until then
 * @param cpuPerGet     of the first {@link #WINDOWS} seconds after it, in their order
 * @param steadyPerGet  of the last seconds
 * @param backlogGone   from the first answer until as many gets were answered as were due
 */
public record Start(double toFirstGet, double cpuBefore, List<Double> cpuPerGet,
  double steadyPerGet, double backlogGone) {
  public static final List<Integer> WINDOWS = List.of(2, 5, 15, 60);
  /** The longest of them. */
  public static final int LONGEST = WINDOWS.get(WINDOWS.size() - 1);
  /** What may be under way when there is no backlog: gets of so many seconds. */
  private static final double UNDER_WAY = 0.05;
  private static final double MILLIS = 1e3;

  /**
   * @param file          has the samples of the start, and of what was before
   * @param pid           the process that was started, and has answered
   * @param steadySeconds how long the end is that counts as the steady state
   */
  public static Start of(Path file, long pid, int steadySeconds) {
    return of(samples(file, pid), steadySeconds);
  }

  /** Whether a process has answered a get. */
  public static boolean hasAnswered(Path file, long pid) {
    List<StartSample> samples = samples(file, pid);
    return !samples.isEmpty() && first(samples) < samples.size();
  }

  private static List<StartSample> samples(Path file, long pid) {
    try {
      // The last line may be half written.
      String text = Files.readString(file);
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().map(StartSample::parse)
        .filter(sample -> sample.pid() == pid).toList();
    } catch (IOException e) {
      throw ToolException.failed(file + " can't be read: " + ToolException.oneLine(e), e);
    }
  }

  /** Returns the first one with an answer; the number of samples if there is none. */
  private static int first(List<StartSample> samples) {
    int first = 0;
    while (first < samples.size() && samples.get(first).answered() == samples.get(0).answered()) {
      first++;
    }
    return first;
  }

  /** @param samples of the process that was started */
  static Start of(List<StartSample> samples, int steadySeconds) {
    StartSample exec = samples.get(0);
    int first = first(samples);
    if (first == samples.size()) {
      throw ToolException.failed("the region server that was started answered no get");
    }
    // The last one without an answer: what comes behind it is after the first get.
    StartSample begin = samples.get(first - 1);
    StartSample end = samples.get(samples.size() - 1);
    List<Double> windows = WINDOWS.stream()
      .map(seconds -> perGet(begin, at(samples, begin.millis() + seconds * (long) MILLIS)))
      .toList();
    double rate = (end.due() - begin.due()) / (double) (end.millis() - begin.millis()) * MILLIS;
    double gone = samples.stream().skip(first)
      .filter(sample -> sample.due() - sample.answered() <= rate * UNDER_WAY).findFirst()
      .map(sample -> (sample.millis() - begin.millis()) / MILLIS).orElse(Double.NaN);
    return new Start((begin.millis() - exec.millis()) / MILLIS, begin.cpuSeconds(), windows,
      perGet(at(samples, end.millis() - steadySeconds * (long) MILLIS), end), gone);
  }

  private static StartSample at(List<StartSample> samples, long millis) {
    return samples.stream().filter(sample -> sample.millis() >= millis).findFirst()
      .orElse(samples.get(samples.size() - 1));
  }

  private static double perGet(StartSample from, StartSample to) {
    return (to.cpuSeconds() - from.cpuSeconds()) / (to.answered() - from.answered()) * 1e6;
  }

  /** CPU per get of a window by the steady one. */
  public double factor(int window) {
    return cpuPerGet.get(window) / steadyPerGet;
  }
}
