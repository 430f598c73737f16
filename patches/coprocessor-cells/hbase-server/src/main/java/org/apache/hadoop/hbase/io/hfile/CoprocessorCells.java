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
package org.apache.hadoop.hbase.io.hfile;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Keeps cells that coprocessors' scanners gave back valid, also when a scanner is closed. Each
 * thread has its own state; all methods are about the calling thread.
 */
/*
 * Cells are views of the blocks, or of the memstore's chunks, that a scanner read. When the scanner
 * is closed their memory may be another's at once. RSRpcServices closes its own scanners when a
 * call has been answered, but coprocessors close theirs, and those that they wrap, earlier, and go
 * on with the cells.
 *
 * A scanner of a region with coprocessors that is closed during a call therefore leaves what it has
 * read to the call's HeldCells, by another reference. Nothing else of the scanner is kept. The
 * reference of the call ends with its answer. Each edit that the call appends to the write-ahead
 * log has one, too, since it may be written after the answer.
 *
 * What is held is bounded by copying blocks to the heap, where the garbage collector keeps them
 * valid. That is decided for each block when a scanner moves to it, by all that the call holds and
 * will hold. It only concerns scanners of coprocessors: a scanner that RSRpcServices opens holds
 * its blocks anyway. A thread without a call has nothing that ends, so all blocks are copied; and
 * so are cells of the memstore.
 *
 * A coprocessor that wraps a client's scanner may go on with cells in a later call of that: with
 * those of the scanner, which are given back when a call has been answered, and with those of
 * scanners that it has closed. Nothing says when it needs them no more. So all that scanners of its
 * region read in such calls is copied, too.
 *
 * A call is what CallRunner runs. RpcServer's current call isn't that: a connection of a server to
 * itself hides it, and helpers of a handler have it. For helpers, RSRpcServices closes its scanners
 * when the call has been answered; what coprocessors open there is copied.
 */
@InterfaceAudience.Private
public final class CoprocessorCells {
  private static final ThreadLocal<CoprocessorCells> OF_THREAD =
    ThreadLocal.withInitial(CoprocessorCells::new);

  /** False until a region with coprocessors is read, so that servers without them do nothing. */
  private static volatile boolean used;
  /** Threads that are in scanners whose cells of the memstore are copied. */
  private static final AtomicInteger copyingThreads = new AtomicInteger();

  private boolean inCall;
  /** Whether the call is one of those that a client's scanner may be kept for. */
  private boolean scans;
  private boolean answered;
  /** Whether the call has read a region with coprocessors. */
  private boolean hasRead;
  /** Null until there is something to hold. */
  private HeldCells held;
  /** The scan that RSRpcServices opens a scanner for. */
  private Object scanOfServer;
  /** The scanner that the thread is in, or null. */
  private Reader reader;
  private boolean closing;

  private CoprocessorCells() {
  }

  /** What a scanner of a region with coprocessors has read. Not thread-safe, as the scanner. */
  public static class Reader {
    private final CoprocessorCellsSettings settings;
    /** Whether RSRpcServices opened the scanner. */
    private final boolean ofServer;
    /** Whether a coprocessor of the region may use cells in a later call of a client's scanner. */
    private final boolean wrapped;
    /** Of the call whose bytes these are; null for none. */
    private HeldCells owner;
    private long bytesOfCall;
    private long bytesOfEarlierCalls;
    /** Whether cells were given back that aren't copies. */
    private boolean gaveViews;

    /**
     * Makes what belongs to the scanner that the thread is opening for a scan.
     * @param wrapped whether a coprocessor of the region may wrap clients' scanners
     */
    protected Reader(CoprocessorCellsSettings settings, Object scan, boolean wrapped) {
      this.settings = settings;
      this.wrapped = wrapped;
      used = true;
      CoprocessorCells cells = OF_THREAD.get();
      ofServer = scan == cells.scanOfServer;
      cells.scanOfServer = null;
    }

    /** Returns true if the thread is in this scanner. */
    public final boolean isEntered() {
      return OF_THREAD.get().reader == this;
    }

    /** Returns true if the thread closes this scanner. */
    public final boolean isClosing() {
      return isEntered() && OF_THREAD.get().closing;
    }

    /** Returns the scanner that the thread was in before, or null, for {@link #leave}. */
    protected final Reader enter(boolean forClose) {
      CoprocessorCells cells = OF_THREAD.get();
      Reader outer = cells.reader;
      cells.reader = this;
      cells.hasRead = true;
      cells.closing = forClose;
      if (copiesAll(cells)) {
        copyingThreads.incrementAndGet();
      } else if (!forClose) {
        gaveViews = true;
      }
      return outer;
    }

    protected final void leave(Reader outer) {
      CoprocessorCells cells = OF_THREAD.get();
      if (copiesAll(cells)) {
        copyingThreads.decrementAndGet();
      }
      cells.reader = outer;
      cells.closing = false;
      if (outer == null && !cells.inCall) {
        cells.hasRead = false;
      }
    }

    private boolean copiesAll(CoprocessorCells cells) {
      return settings.isHeld() && (wrapped && cells.scans
        || !cells.inCall && !(ofServer && RpcServer.isInRpcCallContext()));
    }

    private boolean copies(HFileBlock block, CoprocessorCells cells) {
      if (!settings.isHeld() || !block.isSharedMem()) {
        return false;
      }
      if (copiesAll(cells)) {
        return true;
      }
      if (ofServer || !cells.inCall) {
        return false;
      }
      HeldCells held = cells.hold();
      if (owner != held) {
        owner = held;
        bytesOfEarlierCalls += bytesOfCall;
        bytesOfCall = 0;
      }
      long size = HeldCells.bytesOf(block);
      if (bytesOfEarlierCalls + held.getBytes() + size > settings.getMaxBytes()) {
        return true;
      }
      bytesOfCall += size;
      held.addOpenBytes(size);
      return false;
    }

    /**
     * Takes note that the scanner is being closed.
     * @return what it leaves its blocks to; null if nothing holds them
     */
    protected final HeldCells beginClose() {
      if (owner != null) {
        owner.addOpenBytes(-bytesOfCall);
        owner = null;
      }
      bytesOfCall = 0;
      return settings.isHeld() ? OF_THREAD.get().holdForClosed() : null;
    }

    /** Returns true if all cells that the scanner gave back are valid for ever. */
    protected final boolean isCopied() {
      return !gaveViews;
    }

    /**
     * Takes note that the cells that were given back are in a response.
     * @return what has blocks of theirs for edits that aren't written; null if nothing has
     */
    protected final HeldCells onResponse() {
      bytesOfEarlierCalls = 0;
      CoprocessorCells cells = OF_THREAD.get();
      return settings.isHeld() && cells.answered ? cells.held : null;
    }
  }

  /** A call begins on this thread. */
  public static void callBegins() {
    if (used) {
      CoprocessorCells cells = OF_THREAD.get();
      cells.end();
      cells.inCall = true;
    }
  }

  /** The call that has begun is one of a client's scanner. */
  public static void callScans() {
    OF_THREAD.get().scans = true;
  }

  /** The call's response has been built. Its scanners are closed next, and nothing is held. */
  public static void callIsAnswered() {
    if (used) {
      CoprocessorCells cells = OF_THREAD.get();
      cells.answered = true;
      if (cells.held != null && !cells.held.isBeingWritten()) {
        cells.held.release();
        cells.held = null;
      }
    }
  }

  /** The call has ended on this thread, in whatever way. */
  public static void callEnds() {
    if (used) {
      OF_THREAD.get().end();
    }
  }

  private void end() {
    HeldCells ended = held;
    held = null;
    inCall = false;
    scans = false;
    answered = false;
    hasRead = false;
    scanOfServer = null;
    if (ended != null) {
      ended.release();
    }
  }

  private HeldCells hold() {
    if (held == null) {
      held = new HeldCells();
    }
    return held;
  }

  /** Returns what a scanner that is closed now leaves its blocks to, or null. */
  private HeldCells holdForClosed() {
    return !inCall ? null : answered ? held : hold();
  }

  /**
   * Returns what scanners of files and segments leave what they read to, or null. They are closed
   * with the scanner that the thread is in, or when it was read to their end and has been answered.
   */
  private HeldCells holdForClosedSources() {
    boolean closesSources = reader != null && (closing || answered) && reader.settings.isHeld();
    return closesSources ? holdForClosed() : null;
  }

  /** The thread opens a scanner for this scan, and closes it when its call has been answered. */
  public static void serverOpens(Object scan) {
    if (used) {
      OF_THREAD.get().scanOfServer = scan;
    }
  }

  /** Returns true if the thread is in a scanner of a region with coprocessors. */
  public static boolean isReading() {
    return used && OF_THREAD.get().reader != null;
  }

  /**
   * Returns what a scanner is to read in place of a block that it moves to: the block, or a copy on
   * the heap. Releases the block if it was copied.
   */
  public static HFileBlock onBlock(HFileBlock block) {
    if (!used) {
      return block;
    }
    CoprocessorCells cells = OF_THREAD.get();
    if (cells.reader == null || !cells.reader.copies(block, cells)) {
      return block;
    }
    HFileBlock copy = HFileBlock.deepCloneOnHeap(block);
    block.release();
    MetricsCoprocessorCells.copied(HeldCells.bytesOf(copy));
    return copy;
  }

  /**
   * Holds the blocks of a scanner of a file that is being closed, if the call needs them.
   * @param current may be null
   */
  static void onClose(List<HFileBlock> previous, HFileBlock current) {
    if (!used) {
      return;
    }
    HeldCells held = OF_THREAD.get().holdForClosedSources();
    if (held != null) {
      previous.forEach(held::add);
      if (current != null && current.isSharedMem()) {
        held.add(current);
      }
    }
  }

  /** Holds blocks of an open scanner that it has read, while the call's edits are written. */
  static void onShipped(List<HFileBlock> previous) {
    if (!used || previous.isEmpty()) {
      return;
    }
    CoprocessorCells cells = OF_THREAD.get();
    if (cells.answered && cells.held != null) {
      previous.forEach(cells.held::add);
    }
  }

  /**
   * Returns true if the call needs what a scanner of the memstore that is being closed has read,
   * and doesn't hold it.
   * @param segment told from others by identity
   * @param release run when the call doesn't need it any more
   */
  public static boolean holds(Object segment, Runnable release) {
    if (!used) {
      return false;
    }
    HeldCells held = OF_THREAD.get().holdForClosedSources();
    return held != null && held.add(segment, release);
  }

  /** Returns the cell of the memstore that a scanner is to give back: the cell, or a copy. */
  public static Cell onMemStoreCell(Cell cell) {
    if (copyingThreads.get() == 0) {
      return cell;
    }
    CoprocessorCells cells = OF_THREAD.get();
    return cells.reader != null && cells.reader.copiesAll(cells)
      ? CellUtil.cloneIfNecessary(cell)
      : cell;
  }

  /**
   * Takes a reference for an edit that the thread appends to the write-ahead log.
   * @return null if the edit has no cells of scanners; otherwise to be released once
   */
  public static HeldCells onAppend() {
    if (!used) {
      return null;
    }
    CoprocessorCells cells = OF_THREAD.get();
    if (!cells.inCall || !cells.hasRead) {
      return null;
    }
    HeldCells held = cells.hold();
    held.retain();
    return held;
  }
}
