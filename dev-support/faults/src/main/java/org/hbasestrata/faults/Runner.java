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
package org.hbasestrata.faults;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Interrupts;
import org.hbasestrata.tools.ToolException;

/** Runs faults one after the other, on one cluster as long as they agree on its setting. */
final class Runner {
  private static final int INTERRUPTED = 130;

  private final Checkout checkout;
  private final Path folder;
  private final Amounts amounts;
  private final PrintWriter out;
  private Scene scene;
  private Interrupts interrupts;

  Runner(Checkout checkout, Path folder, Amounts amounts, PrintWriter out) {
    this.checkout = checkout;
    this.folder = folder;
    this.amounts = amounts;
    this.out = out;
  }

  /** Returns the exit code. */
  int run(List<Fault> faults) throws InterruptedException {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw ToolException.failed(folder + " can't be made: " + ToolException.oneLine(e), e);
    }
    String about = amounts + ", begun "
      + LocalDateTime.now().truncatedTo(ChronoUnit.SECONDS) + ", "
      + Runtime.getRuntime().availableProcessors() + " processors, Java "
      + System.getProperty("java.version") + ", "
      + Objects.requireNonNullElse(checkout.commit(), "no commit known");
    List<Outcome> outcomes = new ArrayList<>();
    try (Interrupts ofThisThread = new Interrupts(out::println)) {
      interrupts = ofThisThread;
      try {
        for (Fault fault : faults) {
          outcomes.add(run(fault));
          FaultsReport.write(folder, outcomes, faults.size() - outcomes.size(), about);
          if (interrupts.came()) {
            return INTERRUPTED;
          }
        }
      } catch (InterruptedException e) {
        FaultsReport.write(folder, outcomes, faults.size() - outcomes.size(), about);
        return INTERRUPTED;
      } finally {
        end();
      }
    }
    out.println(FaultsReport.heading(outcomes, 0) + ". Report: " + folder.resolve("report.html")
      + ", report.md, report.json");
    return FaultsReport.passed(outcomes, 0) ? 0 : ToolException.FAILED;
  }

  private void setTheScene(Scene.Setting setting) throws InterruptedException {
    if (scene == null || scene.setting() != setting) {
      end();
      if (interrupts.came()) {
        throw new InterruptedException();
      }
      out.println("faults: a cluster comes up in " + folder);
      scene = new Scene(checkout, folder, amounts, setting);
      long begin = System.nanoTime();
      scene.up();
      out.printf(Locale.ROOT, "faults: it is up after %.0f s%n", (System.nanoTime() - begin) / 1e9);
    }
  }

  /** Nobody interrupts it: it has to wait for what it ends. */
  private void end() {
    interrupts.undisturbed(() -> {
      if (scene != null) {
        scene.close();
        scene = null;
      }
    });
  }

  private Outcome run(Fault fault) throws InterruptedException {
    Outcome outcome = new Outcome(fault.name(), fault.about());
    long begin = System.nanoTime();
    out.println(fault.name() + ": " + fault.about());
    try {
      setTheScene(fault.setting());
      fault.run(scene, outcome);
    } catch (IOException | RuntimeException e) {
      outcome.fail(ToolException.oneLine(e));
      if (!(e instanceof ToolException)) {
        e.printStackTrace(out);
      }
    }
    outcome.judge();
    outcome.took((System.nanoTime() - begin) / 1e9);
    out.printf(Locale.ROOT, "%s: %s in %.0f s, %s%n", fault.name(), outcome.verdict(),
      outcome.seconds(), outcome.skipped() != null ? outcome.skipped() : outcome.counts());
    outcome.failures().forEach(line -> out.println("  " + line));
    if (outcome.verdict().equals(Outcome.FAILED)) {
      // It may have left the cluster in any state: the next fault has another one.
      end();
    }
    return outcome;
  }
}
