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
package org.apache.hadoop.hbase.util;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives threads that work in the background a lower priority than those that serve calls, if this
 * process may. Off until {@link #configure} is called. Thread-safe.
 */
/*
 * On Linux a JVM makes nice values of Java's priorities only if it is told to. To lower a thread
 * needs no privilege. To raise one again takes CAP_SYS_NICE or RLIMIT_NICE; otherwise the thread
 * says that it has its former priority, and hasn't. So what is possible is tried with a thread, not
 * read from the JVM's options. A thread that goes on to other work is lowered only if it can be
 * raised; one that never does is lowered either way.
 *
 * A new thread has the nice value of the thread that creates it, even if it sets a priority. Those
 * that are shared should exist before.
 *
 * A low thread still runs: at nice 10 it gets a tenth of a processor that a thread of nice 0 wants,
 * too; at 19 a 69th. That matters where others wait for a low thread: for a lock, a block that it
 * reads, or a safepoint, for which the JVM's other threads let it run, but not other processes.
 */
@InterfaceAudience.Private
public final class BackgroundThreads {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundThreads.class);

  private static final int LOW = Thread.MIN_PRIORITY;
  private static final Path STAT = Paths.get("/proc/thread-self/stat");
  /** Where the nice value is, behind the name in parentheses. */
  private static final int NICE_FIELD = 16;

  private static volatile boolean lowers;
  private static volatile boolean raises;

  /** What a thread that was lowered and raised has seen. */
  private static final class Trial extends Thread {
    private int before;
    private int lowered;
    private int raised;
    private IOException failure;

    Trial() {
      super("BackgroundThreadsTrial");
      setDaemon(true);
      setPriority(NORM_PRIORITY);
    }

    @Override
    public void run() {
      try {
        before = readNice();
        setPriority(LOW);
        lowered = readNice();
        setPriority(NORM_PRIORITY);
        raised = readNice();
      } catch (IOException e) {
        failure = e;
      }
    }
  }

  private BackgroundThreads() {
  }

  /** Returns the nice value of the current thread. */
  static int readNice() throws IOException {
    String stat = new String(Files.readAllBytes(STAT), StandardCharsets.UTF_8);
    try {
      return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[NICE_FIELD]);
    } catch (RuntimeException e) {
      throw new IOException("No nice value in " + STAT + ": " + stat, e);
    }
  }

  /** Has threads be lowered, as far as a trial shows that it works, or leaves all alone. */
  public static void configure(boolean enabled) {
    if (!enabled) {
      set(false, false);
      return;
    }
    Trial trial = new Trial();
    trial.start();
    try {
      trial.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      set(false, false);
      return;
    }
    boolean works = trial.failure == null && trial.lowered > trial.before;
    set(works, works && trial.raised <= trial.before);
    if (trial.failure != null) {
      LOG.warn("Whether threads get nice values isn't known, so none is lowered", trial.failure);
    } else if (!works) {
      LOG.warn("No thread is lowered: with the lowest priority one goes from nice {} to {}. Start "
        + "the JVM with -XX:ThreadPriorityPolicy=1 -XX:JavaPriority1_To_OSPriority=10, or a value "
        + "above the server's own", trial.before, trial.lowered);
    } else if (!raises) {
      LOG.info("Threads that only work in the background are lowered from nice {} to {}. Handlers "
        + "aren't, since none could be raised again: that takes CAP_SYS_NICE, or LimitNICE=20",
        trial.before, trial.lowered);
    } else {
      LOG.info("Threads that work in the background are lowered from nice {} to {}", trial.before,
        trial.lowered);
    }
  }

  /**
   * Has threads be lowered.
   * @param raised whether they can be raised again
   */
  public static void set(boolean lowered, boolean raised) {
    lowers = lowered;
    raises = raised;
  }

  /** Lowers the current thread, which never does anything else. */
  public static void lower() {
    if (lowers) {
      setPriority(LOW);
    }
  }

  /** Returns what lowers its thread, which never does anything else, before it runs. */
  public static Runnable lowering(Runnable task) {
    return () -> {
      lower();
      task.run();
    };
  }

  /**
   * Lowers the current thread until {@link #restore}, if that is possible.
   * @return what to restore
   */
  public static int lowerForNow() {
    int priority = Thread.currentThread().getPriority();
    if (lowers && raises) {
      setPriority(LOW);
    }
    return priority;
  }

  /** Gives the current thread a priority that it had, unless it has it. */
  public static void restore(int priority) {
    if (raises) {
      setPriority(priority);
    }
  }

  private static void setPriority(int priority) {
    Thread thread = Thread.currentThread();
    if (thread.getPriority() != priority) {
      thread.setPriority(priority);
    }
  }
}
