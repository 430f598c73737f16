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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.regionserver.wal.CompressionContext;
import org.apache.hadoop.hbase.util.BloomFilterFactory;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.AsyncFSWALProvider;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.apache.hadoop.hbase.wal.WALStreamReader;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;

/**
 * Writes an HFile of each compression and encoding, a WAL of each compression, and one as region
 * servers do by default, or reads all of them and compares each cell, with the jars and the
 * configuration of its class path. It prints a line for each file.
 */
public class FileFormats {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] REGION = Bytes.toBytes("region");
  private static final int CELLS = 3000;
  private static final int CELLS_OF_EDIT = 10;
  private static final String ASYNC_WAL = "async.wal";

  private final Configuration conf = HBaseConfiguration.create();
  private final FileSystem fs;
  private final Path folder;
  private final CacheConfig cache;

  private FileFormats(String folder) throws Exception {
    this.folder = new Path(folder);
    fs = this.folder.getFileSystem(conf);
    cache = new CacheConfig(conf, null, null, ByteBuffAllocator.create(conf, true));
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    conf.setBoolean("hbase.regionserver.wal.enablecompression", true);
    conf.setBoolean(CompressionContext.ENABLE_WAL_VALUE_COMPRESSION, true);
  }

  /** @param arguments write or read, and the folder of the files */
  public static void main(String[] arguments) throws Exception {
    FileFormats formats = new FileFormats(arguments[1]);
    if (arguments[0].equals("write")) {
      formats.write();
    } else {
      formats.read();
    }
    System.exit(0);
  }

  private interface Action {
    void run() throws Exception;
  }

  private static boolean tried(String name, Action action) {
    try {
      action.run();
      System.out.println("file " + name + " ok");
      return true;
    } catch (Exception | LinkageError e) {
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      System.out.println("file " + name + " fails: " + cause);
      return false;
    }
  }

  private void write() throws Exception {
    for (Compression.Algorithm compression : Compression.Algorithm.values()) {
      for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
        Path file = new Path(folder, compression + "-" + encoding + ".hfile");
        if (!tried(file.getName(), () -> writeHFile(file, compression, encoding))) {
          fs.delete(file, false);
        }
      }
      Path file = new Path(folder, compression + ".wal");
      if (!tried(file.getName(), () -> writeWal(file, compression))) {
        fs.delete(file, false);
      }
    }
    Path file = new Path(folder, ASYNC_WAL);
    tried(ASYNC_WAL, () -> writeAsyncWal(file));
  }

  private void writeHFile(Path file, Compression.Algorithm compression, DataBlockEncoding encoding)
    throws Exception {
    StoreFileWriter writer =
      new StoreFileWriter.Builder(conf, cache, fs).withFilePath(file).withBloomType(BloomType.ROW)
        .withMaxKeyCount(CELLS).withFileContext(new HFileContextBuilder().withBlockSize(16 * 1024)
          .withCompression(compression).withDataBlockEncoding(encoding).build())
        .build();
    for (int i = 0; i < CELLS; i++) {
      writer.append(cell(i));
    }
    writer.appendMetadata(CELLS, false);
    writer.close();
  }

  private void writeWal(Path file, Compression.Algorithm compression) throws Exception {
    conf.set(CompressionContext.WAL_VALUE_COMPRESSION_TYPE, compression.getName());
    try (WALProvider.Writer writer = WALFactory.createWALWriter(fs, file, conf)) {
      for (int i = 0; i < CELLS; i += CELLS_OF_EDIT) {
        writer.append(new WAL.Entry(
          new WALKeyImpl(REGION, TableName.valueOf("t"), i, 1, new UUID(1, 2)), edit(i)));
      }
    }
  }

  /** As a region server does by default, where most edits are no other cluster's. */
  private void writeAsyncWal(Path file) throws Exception {
    Configuration uncompressed = new Configuration(conf);
    uncompressed.setBoolean("hbase.regionserver.wal.enablecompression", false);
    EventLoopGroup loops = new NioEventLoopGroup(1);
    try (WALProvider.AsyncWriter writer = AsyncFSWALProvider.createAsyncWriter(uncompressed, fs,
      file, false, loops, NioSocketChannel.class)) {
      for (int i = 0; i < CELLS; i += CELLS_OF_EDIT) {
        writer.append(new WAL.Entry(new WALKeyImpl(REGION, TableName.valueOf("t"), i, 1,
          new ArrayList<>(), i % 3, i, null), edit(i)));
      }
      writer.sync(false).get();
    } finally {
      loops.shutdownGracefully();
    }
  }

  private static WALEdit edit(int first) {
    WALEdit edit = new WALEdit();
    for (int n = first; n < first + CELLS_OF_EDIT; n++) {
      edit.add(cell(n));
    }
    return edit;
  }

  private void read() throws Exception {
    FileStatus[] files = fs.listStatus(folder, path -> path.getName().matches("[^.].*(hfile|wal)"));
    Arrays.sort(files);
    for (FileStatus file : files) {
      String name = file.getPath().getName();
      tried(name, () -> {
        if (name.endsWith("wal")) {
          readWal(file.getPath());
        } else {
          readHFile(file.getPath(), true);
          readHFile(file.getPath(), false);
        }
      });
    }
  }

  private void readHFile(Path path, boolean pread) throws Exception {
    try (HFile.Reader reader = HFile.createReader(fs, path, cache, true, conf)) {
      BloomFilterFactory.createFromMeta(reader.getGeneralBloomFilterMetadata(), reader);
      HFileScanner scanner = reader.getScanner(conf, false, pread);
      boolean more = scanner.seekTo();
      for (int i = 0; i < CELLS; i++) {
        check(more, i, more ? scanner.getCell() : null);
        more = scanner.next();
      }
    }
  }

  private void readWal(Path path) throws Exception {
    int i = 0;
    try (WALStreamReader reader = WALFactory.createStreamReader(fs, path, conf)) {
      for (WAL.Entry entry = reader.next(); entry != null; entry = reader.next()) {
        for (Cell cell : entry.getEdit().getCells()) {
          check(true, i, cell);
          i++;
        }
      }
    }
    check(i == CELLS, i, null);
  }

  private static void check(boolean there, int i, Cell cell) {
    if (!there || cell != null && !(CellUtil.equals(cell, cell(i))
      && CellUtil.matchingValue(cell, cell(i)))) {
      throw new IllegalStateException("cell " + i + " is " + cell);
    }
  }

  /** Most are short; some are empty, and some larger than codecs' buffers. */
  private static KeyValue cell(int i) {
    Random random = new Random(i);
    byte[] value = new byte[i % 1000 == 7 ? 700_000 : random.nextInt(200)];
    if (random.nextBoolean()) {
      random.nextBytes(value);
    } else {
      Arrays.fill(value, (byte) random.nextInt());
    }
    return new KeyValue(Bytes.toBytes(String.format("row %08d", i)), FAMILY, Bytes.toBytes("q"), i,
      i % 50 == 3 ? new byte[0] : value);
  }
}
