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

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Says in a sentence for each tier what another size would gain, or why that can't be said.
 * Stateless.
 */
@InterfaceAudience.Private
final class CacheAdvice {
  /** Whether there is advice. */
  enum State {
    KNOWN, ENDED, OFF, COLD, SMALL, FEW, CHANGED
  }

  /** References to sampled blocks that are needed. */
  static final int MIN_REFERENCES = 2_000;
  /** Sampled blocks that must be read, and that the cache must have room for. */
  static final int MIN_SAMPLES = 100;
  private static final double MAX_UNKNOWN_PART = 0.1;
  /** Counted references that are needed to compare the estimate with. */
  private static final int MIN_COUNTED = 10_000;
  /** How far the hits that were counted may be from the estimate, in percent of references. */
  private static final double MAX_ERROR = 5;

  /** Hits that are too few to pay for, in percent of references. */
  private static final double NOTHING = 0.5;
  /** The part of what can be gained that a bigger size must gain. */
  private static final double WORTHWHILE = 0.8;
  private static final double ALL = 99;
  private static final double HOT = 0.9;

  private CacheAdvice() {
  }

  /**
   * Tells whether the curves can be trusted.
   * @param minutes the sum of the last minutes
   */
  static State state(CacheModel model, SampledReferences references, CacheMinute minutes) {
    if (!model.isEnabled()) {
      return State.OFF;
    }
    if (
      references.sampled() < MIN_REFERENCES || references.unknownPart() > MAX_UNKNOWN_PART
    ) {
      return State.COLD;
    }
    double samples = samplesWithin(references.metadata(), model.getCapacity())
      + samplesWithin(references.data(), model.getCapacity());
    if (samples < MIN_SAMPLES) {
      return samples < references.metadata().samples() + references.data().samples()
        ? State.SMALL
        : State.FEW;
    }
    boolean changed = minutes.getReferences() >= MIN_COUNTED
      && (isOff(estimate(model, references, true), servedPercent(minutes, true))
        || model.getL2() != null
          && isOff(estimate(model, references, false), servedPercent(minutes, false)));
    return changed ? State.CHANGED : State.KNOWN;
  }

  private static double estimate(CacheModel model, SampledReferences references, boolean first) {
    return CacheCurve.point(model, references, first, 1).getHitPercent();
  }

  private static boolean isOff(double estimate, double counted) {
    return Math.abs(estimate - counted) > MAX_ERROR;
  }

  /** Returns how many of the sampled blocks have room. */
  private static double samplesWithin(StackDistances distances, long bytes) {
    return distances.samples() * Math.min(1, bytes / Math.max(1, distances.bytes()));
  }

  /** Returns the part of references that L1, or both tiers, served. */
  static double servedPercent(CacheMinute minutes, boolean first) {
    return CacheCurve.percent(minutes.getL1Hits() + (first ? 0 : minutes.getL2Hits()),
      minutes.getReferences());
  }

  /** Returns the sentence for operators. */
  static String of(State state, CacheModel model, SampledReferences references,
    CacheMinute minutes, List<TierSizing> tiers) {
    switch (state) {
      case ENDED:
        return "Not known: sampling has ended after an error, which is in the server's log; it "
          + "begins again with a restart";
      case OFF:
        return tiers.stream().filter(tier -> !tier.isEnabled()).map(TierSizing::getName)
          .collect(Collectors.joining(" and ")) + " of the block cache is off, after errors of its "
          + "device, and serves nothing. What other sizes would serve isn't known meanwhile";
      case COLD:
        return references.sampled() < MIN_REFERENCES
          ? String.format(Locale.ROOT, "Not known yet: %,d references to sampled blocks, of %,d "
            + "that are needed", Math.round(references.sampled()), MIN_REFERENCES)
          : String.format(Locale.ROOT, "Not known yet: %.0f %% of references were the first ones "
            + "to blocks that were cached before", 100 * references.unknownPart());
      case SMALL:
        return "Not known: the cache has room for fewer than " + MIN_SAMPLES
          + " blocks of the sample";
      case FEW:
        return "Not known: fewer than " + MIN_SAMPLES + " blocks of the sample are read"
          + (model.fits(references) ? ", and the cache has room for all that is read" : "");
      case CHANGED:
        return ofChange(minutes, tiers);
      default:
        StringBuilder advice = new StringBuilder(ofL1(model, references, tiers.get(0)));
        if (tiers.size() > 1) {
          advice.append(". ").append(ofTier(tiers.get(1), false));
        }
        return advice.toString();
    }
  }

  private static String ofChange(CacheMinute minutes, List<TierSizing> tiers) {
    double ofAll = at(1, tiers.get(tiers.size() - 1)).getHitPercent();
    double servedByAll = servedPercent(minutes, tiers.size() == 1);
    boolean ofL1 = !isOff(ofAll, servedByAll);
    return String.format(Locale.ROOT, "Not known: %s served %.0f %% of the references of the last "
      + "minutes, where %.0f %% were expected of the last hour's; the load has changed, or the "
      + "cache isn't full yet", ofL1 ? "L1" : "the cache",
      ofL1 ? servedPercent(minutes, true) : servedByAll,
      ofL1 ? at(1, tiers.get(0)).getHitPercent() : ofAll);
  }

  private static String ofL1(CacheModel model, SampledReferences references, TierSizing l1) {
    if (!model.hasDataInL1()) {
      return ofMetadata(l1);
    }
    if (model.isShared()) {
      return ofTier(l1, "", "memory");
    }
    double metadata = at(1, l1).getMetadataHitPercent();
    double hot = references.data().bytesFor(HOT);
    double room = model.dataBytesInL1(references, l1.getCapacity());
    String indexes = metadata < 0 || metadata >= ALL
      ? "the indexes"
      : String.format(Locale.ROOT, "indexes for %.0f %% of their reads", metadata);
    double ofHot = hot > 0 ? 100 * Math.min(1, room / hot) : 100;
    return ofTier(l1,
      String.format(Locale.ROOT, " holds %s and %.0f %% of hot data", indexes, ofHot), "memory");
  }

  /**
   * Returns what a tier would gain.
   * @param first whether it is the first one
   */
  static String ofTier(TierSizing tier, boolean first) {
    return tier.getBlocks().equals(CacheModel.METADATA)
      ? ofMetadata(tier)
      : ofTier(tier, "", first ? "memory" : "the cache");
  }

  private static String ofMetadata(TierSizing l1) {
    return ofTier(l1, "", "reads of " + CacheModel.METADATA, "memory",
      CurvePoint::getMetadataHitPercent);
  }

  private static String ofTier(TierSizing tier, String holds, String place) {
    return ofTier(tier, holds, "reads", place, CurvePoint::getHitPercent);
  }

  /**
   * Returns what a tier would gain.
   * @param holds what it holds, to be put behind its size
   * @param reads which reads it serves
   * @param place where reads are served from
   * @param hits  the part of these that a size serves, in percent; negative if there are none
   */
  private static String ofTier(TierSizing tier, String holds, String reads, String place,
    ToDoubleFunction<CurvePoint> hits) {
    List<CurvePoint> curve = tier.getCurve();
    double now = hits.applyAsDouble(at(1, tier));
    double most = hits.applyAsDouble(curve.get(curve.size() - 1));
    String name = tier.getName() + " " + size(tier.getCapacity())
      + (holds.isEmpty() ? ":" : holds + ";");
    if (now < 0) {
      return name + " no " + reads + " yet";
    }
    if (most - now < 2 * NOTHING) {
      CurvePoint enough = firstWith(curve, hits, now - NOTHING);
      return name + String.format(Locale.ROOT, " %.0f %% of %s are served from %s, and more than "
        + "that gains nothing", now, reads, place)
        + (enough.getFactor() < WORTHWHILE
          ? "; " + size(enough.getBytes()) + " would serve as many"
          : "");
    }
    CurvePoint worthwhile = firstWith(curve, hits, now + WORTHWHILE * (most - now));
    CurvePoint enough = firstWith(curve, hits, most - NOTHING);
    return name + String.format(Locale.ROOT, " %s would serve %.0f %% of %s from %s instead of "
      + "%.0f %%", size(worthwhile.getBytes()), hits.applyAsDouble(worthwhile), reads, place, now)
      + (enough.getFactor() < CacheCurve.MAX_FACTOR
        ? "; beyond " + size(enough.getBytes()) + " nothing is gained"
        : "");
  }

  private static CurvePoint firstWith(List<CurvePoint> curve, ToDoubleFunction<CurvePoint> hits,
    double percent) {
    return curve.stream().filter(point -> hits.applyAsDouble(point) >= percent).findFirst()
      .orElse(curve.get(curve.size() - 1));
  }

  /** Returns the point of a tier's curve at a multiple of its size that the curve has. */
  static CurvePoint at(double factor, TierSizing tier) {
    return tier.getCurve().stream().filter(point -> point.getFactor() == factor).findFirst().get();
  }

  /** Returns bytes as people read them. */
  static String size(double bytes) {
    String[] units = { "B", "KB", "MB", "GB", "TB", "PB" };
    int unit = 0;
    double number = bytes;
    while (number >= 1000 && unit < units.length - 1) {
      number /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, number < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", number,
      units[unit]);
  }
}
