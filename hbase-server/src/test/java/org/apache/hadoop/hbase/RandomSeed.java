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
package org.apache.hadoop.hbase;

import java.util.Random;
import java.util.SplittableRandom;
import org.junit.AssumptionViolatedException;
import org.junit.rules.TestRule;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;

/**
 * The seed of a test's random numbers: another one in each run, unless {@code -Dtest.seed} says
 * which. What a test prints, and its failure, says how to repeat it.
 */
public final class RandomSeed implements TestRule {
  private final long seed = Long.getLong("test.seed", System.nanoTime());

  /** Returns random numbers, each time the same ones. */
  public Random newRandom() {
    return new Random(seed);
  }

  /** Returns random numbers of one of several threads, each time the same ones. */
  public SplittableRandom newRandom(int thread) {
    return new SplittableRandom(seed + thread);
  }

  @Override
  public Statement apply(Statement base, Description test) {
    String repeat = "To repeat it: mvn -B test -pl hbase-server -am"
      + " -Dsurefire.failIfNoSpecifiedTests=false -Dtest=" + test.getTestClass().getSimpleName()
      + "#" + test.getMethodName().replaceAll("\\[.*", "*") + " -Dtest.seed=" + seed;
    return new Statement() {
      @Override
      public void evaluate() throws Throwable {
        System.out.println(repeat); // Also if the time runs out.
        try {
          base.evaluate();
        } catch (AssumptionViolatedException e) {
          throw e;
        } catch (Exception | AssertionError e) {
          throw new AssertionError(repeat + "\n" + e.getMessage(), e);
        }
      }
    };
  }
}
