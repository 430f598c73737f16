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
package org.apache.hadoop.hbase.io.hfile.mrc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** Estimates what a tier would serve at other sizes. Stateless. */
@InterfaceAudience.Private
final class CacheCurve {
  private static final int STEPS_PER_DOUBLING = 4;
  private static final int LEAST_DOUBLINGS = -2;
  private static final int MOST_DOUBLINGS = 3;
  /** The biggest size as a multiple of the present one. */
  static final int MAX_FACTOR = 1 << MOST_DOUBLINGS;

  private CacheCurve() {
  }

  /**
   * Returns what a tier would serve with a quarter to eight times its size, and sizes between.
   * @param first true for L1, false for L2
   */
  static List<CurvePoint> of(CacheModel model, SampledReferences references, boolean first) {
    List<CurvePoint> points = new ArrayList<>();
    for (
      int step = LEAST_DOUBLINGS * STEPS_PER_DOUBLING; step <= MOST_DOUBLINGS * STEPS_PER_DOUBLING;
      step++
    ) {
      points
        .add(point(model, references, first, Math.pow(2, step / (double) STEPS_PER_DOUBLING)));
    }
    return Collections.unmodifiableList(points);
  }

  /** Returns what a tier would serve at a multiple of its size. */
  static CurvePoint point(CacheModel model, SampledReferences references, boolean first,
    double factor) {
    long capacity = (first ? model.getL1() : model.getL2()).getCapacity();
    double l1 = first ? capacity * factor : model.getL1().getCapacity();
    double l2 = first ? 0 : capacity * factor;
    double metadataHits = model.metadataHits(references, l1, l2);
    double dataHits = model.dataHits(references, l1, l2);
    double ofMetadata = references.metadata().base(references.countOfMetadata());
    double ofData = references.data().base(references.countOfData());
    return new CurvePoint(round(factor), Math.round(capacity * factor),
      percent(metadataHits + dataHits, ofMetadata + ofData), percent(metadataHits, ofMetadata),
      percent(dataHits, ofData));
  }

  private static double round(double factor) {
    return Math.round(factor * 1000) / 1000.0;
  }

  /** Returns a percentage with two decimals; -1 of nothing. */
  static double percent(double part, double all) {
    return all > 0 ? Math.round(part / all * 10_000) / 100.0 : -1;
  }
}
