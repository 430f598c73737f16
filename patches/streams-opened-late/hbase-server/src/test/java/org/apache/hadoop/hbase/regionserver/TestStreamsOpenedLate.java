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
package org.apache.hadoop.hbase.regionserver;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.io.LateInputStreamWrapper;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** A scanner with a stream of its own asks the file system for it when a block is read from it. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestStreamsOpenedLate {
  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestStreamsOpenedLate.class);

  private static final int ROWS = 1000;
  private static final int BLOCK_SIZE = 1024;

  /** Counts what it is asked. */
  private static final class CountingFileSystem extends FilterFileSystem {
    private final AtomicInteger asked = new AtomicInteger();
    private final Set<Integer> open = Collections.synchronizedSet(new TreeSet<>());
    private volatile boolean failing;

    CountingFileSystem(FileSystem local) {
      super(local);
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
      int number = asked.incrementAndGet();
      if (failing) {
        throw new IOException("No stream today");
      }
      FSDataInputStream opened = super.open(path, bufferSize);
      open.add(number);
      return new FSDataInputStream(opened) {
        @Override
        public void close() throws IOException {
          open.remove(number);
          super.close();
        }
      };
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
      asked.incrementAndGet();
      return super.getFileStatus(path);
    }
  }

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = HBaseConfiguration.create();
  private CountingFileSystem counting;
  private FileSystem fs;
  private Path table;
  private Path path;
  private HStoreFile file;
  /** Null for none. */
  private BlockCache cache;

  @Before
  public void write() throws Exception {
    counting = new CountingFileSystem(FileSystem.getLocal(conf));
    fs = new HFileSystem(counting) {
      @Override
      public boolean useHBaseChecksum() {
        return true; // As on HDFS: a stream is opened in place of the first.
      }
    };
    table = new Path(folder.newFolder("table").toURI());
    StoreFileWriter writer = new StoreFileWriter.Builder(conf, new CacheConfig(conf), fs)
      .withOutputDir(new Path(table, "parent/f"))
      .withFileContext(new HFileContextBuilder().withBlockSize(BLOCK_SIZE).build()).build();
    for (int i = 0; i < ROWS; i++) {
      writer.append(cell(i));
    }
    writer.close();
    path = writer.getPath();
  }

  private static KeyValue cell(int row) {
    return new KeyValue(Bytes.toBytes(row), Bytes.toBytes("f"), null, 1L, new byte[10]);
  }

  private void open(Path at, Reference reference, HFileLink link, boolean isPrimary)
    throws IOException {
    StoreFileInfo info = new StoreFileInfo(conf, fs, 0, at, 0, reference, link, isPrimary);
    file = new HStoreFile(info, BloomType.NONE, new CacheConfig(conf, cache));
    file.initReader();
  }

  private void openCached() throws IOException {
    cache = new LruBlockCache(1 << 24, BLOCK_SIZE);
    open(path, null, null, true);
    StoreFileScanner reads = file.getPreadScanner(true, Long.MAX_VALUE, 0, false);
    assertEquals(ROWS, count(reads, 0));
    reads.close();
  }

  private void openUncached() throws IOException {
    open(path, null, null, true);
  }

  @After
  public void close() throws Exception {
    if (file != null) {
      file.closeStoreFile(false);
    }
    if (cache != null) {
      cache.shutdown();
    }
    assertEquals("open streams", Collections.emptySet(), counting.open);
  }

  private StoreFileScanner stream(boolean isCompaction) throws IOException {
    return file.getStreamScanner(isCompaction, true, isCompaction, Long.MAX_VALUE, 0, false);
  }

  private StoreFileScanner streamUnopened() throws IOException {
    int before = counting.asked.get();
    StoreFileScanner scanner = stream(false);
    assertEquals(before, counting.asked.get());
    return scanner;
  }

  /** Expects all cells from a row on, and returns how many. */
  private static int count(StoreFileScanner scanner, int from) throws IOException {
    int row = from;
    scanner.seek(KeyValueUtil.createFirstOnRow(Bytes.toBytes(from)));
    for (Cell cell; (cell = scanner.next()) != null;) {
      assertEquals(cell(row++), cell);
    }
    return row - from;
  }

  @Test
  public void asksForNothingIfAllBlocksAreInTheCache() throws Exception {
    openCached();
    int before = counting.asked.get();
    StoreFileScanner scanner = stream(false);
    assertEquals(ROWS, count(scanner, 0));
    assertEquals(300, count(scanner, ROWS - 300));
    assertEquals(path, scanner.getReader().getHFileReader().getPath());
    scanner.close();
    assertEquals(before, counting.asked.get());
  }

  @Test
  public void opensOneStreamWhenABlockIsRead() throws Exception {
    openUncached();
    int before = counting.asked.get();
    int open = counting.open.size();
    StoreFileScanner scanner = streamUnopened();
    assertEquals(ROWS, count(scanner, 0));
    int asked = counting.asked.get();
    assertTrue(asked > before);
    assertEquals(open + 1, counting.open.size());
    assertEquals(300, count(scanner, ROWS - 300));
    assertEquals("opened once", asked, counting.asked.get());
    scanner.close();
    assertEquals(open, counting.open.size());
  }

  @Test
  public void aScanFailsWhereItsStreamCannotBeOpenedAndMayTryAgain() throws Exception {
    openUncached();
    StoreFileScanner scanner = stream(false);
    counting.failing = true;
    IOException e = assertThrows(IOException.class, () -> count(scanner, 0));
    assertTrue(e.toString(), String.valueOf(e.getCause()).contains("No stream today"));
    counting.failing = false;
    assertEquals(ROWS, count(scanner, 0));
    scanner.close();
  }

  @Test
  public void aReaderThatWasClosedOpensNone() throws Exception {
    openUncached();
    StoreFileScanner scanner = stream(false);
    StoreFileReader reader = scanner.getReader();
    reader.close(false);
    int before = counting.asked.get();
    assertThrows(IOException.class, () -> count(scanner, 0));
    assertEquals(before, counting.asked.get());
    scanner.close();
  }

  @Test
  public void compactionsOpenTheirsAtOnce() throws Exception {
    openCached();
    int open = counting.open.size();
    StoreFileScanner scanner = stream(true);
    assertEquals(open + 1, counting.open.size());
    assertEquals(ROWS, count(scanner, 0));
    scanner.close();
  }

  @Test
  public void aFileThatIsGoneIsTold() throws Exception {
    openUncached();
    StoreFileScanner scanner = stream(false);
    assertTrue(fs.delete(path, false));
    IOException e = assertThrows(IOException.class, () -> count(scanner, 0));
    assertFalse("the client wouldn't try again", e instanceof FileNotFoundException);
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    assertTrue(cause.toString(), cause instanceof FileNotFoundException);
    scanner.close();
  }

  @Test
  public void aLinkIsFollowedWhereItsFileIsThen() throws Exception {
    Path archive = new Path(new Path(folder.newFolder("archive").toURI()), path.getName());
    open(path, null, new HFileLink(path, null, null, archive), true);
    StoreFileScanner scanner = streamUnopened();
    assertTrue(fs.rename(path, archive));
    assertEquals(ROWS, count(scanner, 0));
    scanner.close();
  }

  @Test
  public void halvesOfAFileReadTheirs() throws Exception {
    Reference top = Reference.createTopReference(Bytes.toBytes(600));
    Path reference = new Path(table, "daughter/f/" + path.getName() + ".parent");
    top.write(fs, reference);
    open(reference, top, null, true);
    StoreFileScanner scanner = streamUnopened();
    assertEquals(ROWS - 600, count(scanner, 600));
    scanner.close();
  }

  /** The primary may have moved the file away by the time that a block is read. */
  @Test
  public void secondaryReplicasOpenTheirsAtOnce() throws Exception {
    open(path, null, null, false);
    int open = counting.open.size();
    StoreFileScanner scanner = stream(false);
    assertEquals(open + 1, counting.open.size());
    assertEquals(ROWS, count(scanner, 0));
    scanner.close();
  }

  @Test
  public void whoAsksForTheStreamGetsTheOneOfAnUnpreparedFile() throws Exception {
    FSDataInputStreamWrapper early = new LateInputStreamWrapper((HFileSystem) fs, path,
      () -> new FSDataInputStreamWrapper(fs, path));
    assertFalse(early.shouldUseHBaseChecksum());
    FSDataInputStream first = early.getStream(false);
    assertEquals(path, early.getReaderPath());
    early.prepareForBlockReader(false);
    assertTrue(early.shouldUseHBaseChecksum());
    assertNotSame(first, early.getStream(true));
    early.close();
  }

  @SuppressWarnings("deprecation") // The hook is.
  @Test
  public void coprocessorsWithAHookSeeAnOpenStream() {
    assertFalse(ReaderObservers.observeReaders(null));
    assertFalse(ReaderObservers.observes(new RegionCoprocessor() {
    }));
    assertFalse(ReaderObservers.observes(of(new RegionObserver() {
    })));
    assertTrue(ReaderObservers.observes(of(new RegionObserver() {
      @Override
      public StoreFileReader postStoreFileReaderOpen(
        ObserverContext<RegionCoprocessorEnvironment> c, FileSystem from, Path p,
        FSDataInputStreamWrapper in, long size, CacheConfig cacheConf, Reference r,
        StoreFileReader reader) {
        return reader;
      }
    })));
  }

  private static RegionCoprocessor of(RegionObserver observer) {
    return new RegionCoprocessor() {
      @Override
      public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(observer);
      }
    };
  }
}
