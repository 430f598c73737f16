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
package org.apache.hadoop.hbase.io.hfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Future;
import org.apache.hadoop.fs.Path;
import org.junit.Test;

/**
 * A change of the configuration requests a warm-up again at each step of the cancellation of that
 * warm-up. The moments between the steps are too short for threads to meet them, as those of
 * {@link WarmupRacesTest}; so here one thread does both.
 */
public class WarmupCancellationTest {
  /** A path before one of whose comparisons, as the maps of requests make them, more is done. */
  private static final class ComparedPath extends Path {
    private static final long serialVersionUID = 1L;

    private transient Runnable before;
    /** Comparisons until then, that one included. */
    private int left;

    ComparedPath(Path path) {
      super(path.toUri());
    }

    @Override
    public int compareTo(Path other) {
      if (left > 0 && --left == 0) {
        before.run();
      }
      return super.compareTo(other);
    }
  }

  private final ComparedPath path =
    new ComparedPath(WarmupRaces.path("00112233445566770011223344556677"));
  private final HFileReaderImpl reader = WarmupRaces.open(path);

  /** What a change of the configuration does to a request. */
  private void requestAgain(HFileWarmup warmup) {
    Future<?> future = PrefetchExecutor.getPrefetchFutures().remove(path);
    if (future != null) {
      future.cancel(true);
    }
    PrefetchExecutor.request(path, warmup);
  }

  @Test
  public void aRequestAtAnyStepIsCancelledToo() throws Exception {
    int steps = 0;
    while (path.left == 0) {
      // Now no other thread compares paths, nor does one begin to warm.
      WarmupRaces.awaitPool();
      WarmupRaces.setDelay(WarmupRaces.NEVER_MS);
      WarmupRaces races = new WarmupRaces(reader);
      path.before = () -> requestAgain(races.getWarmup());
      path.left = ++steps;
      races.closeFile();
      races.nobodyKnowsOfItOnceItIsClosed();
    }
    assertThat(steps).isGreaterThan(3);
  }
}
