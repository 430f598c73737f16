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
package org.hbasestrata.gclab;

import java.util.Locale;
import java.util.Map;

/**
 * The most that a figure may be.
 * @param limit   in the figure's unit, or in percent of the first candidate's
 * @param percent which of the two
 */
record Goal(Figure figure, double limit, boolean percent) {

  /**
   * Why a candidate doesn't meet it, for people; null if it does.
   * @param candidate its figures
   * @param first     the first candidate's
   */
  String unmet(Map<Figure, Double> candidate, Map<Figure, Double> first) {
    Double value = candidate.get(figure);
    Double base = percent ? first.get(figure) : Double.valueOf(0);
    if (value == null) {
      return figure.label() + " not known";
    }
    if (base == null) {
      return figure.label() + " of the first candidate not known";
    }
    double most = percent ? base * limit / 100 : limit;
    return value <= most ? null : String.format(Locale.ROOT, "%s %s, at most %s %s",
      figure.label(), Numbers.format(value), Numbers.format(most), figure.unit());
  }

  @Override
  public String toString() {
    return figure.label() + " <= " + Numbers.format(limit) + ' ' + (percent ? "%" : figure.unit());
  }
}
