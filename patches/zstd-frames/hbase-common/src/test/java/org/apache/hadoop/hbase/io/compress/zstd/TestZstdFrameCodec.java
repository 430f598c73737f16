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
package org.apache.hadoop.hbase.io.compress.zstd;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdDictTrainer;
import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.commons.io.IOUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.compress.ByteBuffDecompressor;
import org.apache.hadoop.hbase.io.compress.CanReinit;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.hbase.testclassification.MiscTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionOutputStream;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** Frames are written, frames and blocks are read, and what is neither is refused. */
@Category({ MiscTests.class, SmallTests.class })
public class TestZstdFrameCodec {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestZstdFrameCodec.class);

  private static final byte[] MAGIC = Bytes.fromHex("28b52ffd");
  private static final int BUFFER_BYTES = ZstdCodec.ZSTD_BUFFER_SIZE_DEFAULT;
  private static final int[] LENGTHS = { 0, 1, 2, 100, 4096, 32 * 1024, 65536, 128 * 1024,
    BUFFER_BYTES - 1, BUFFER_BYTES, BUFFER_BYTES + 1, 3 * BUFFER_BYTES, 1_000_001 };

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final ZstdFrameCodec codec = new ZstdFrameCodec();
  private final ZstdCodec blockCodec = new ZstdCodec();
  private final Decompressor decompressor = codec.createDecompressor();
  private final ByteBuffDecompressor buffers = codec.createByteBuffDecompressor();

  @Before
  public void sayHowToRepeat() {
    System.out.println("To repeat it: -Dtest=TestZstdFrameCodec -Dtest.seed=" + seed);
  }

  @Test
  public void whatIsWrittenIsOneFrameThatEachReaderOfZstdReads() throws Exception {
    for (int length : LENGTHS) {
      for (byte[] content : contents(length)) {
        byte[] written = compress(codec, content);
        assertArrayEquals(MAGIC, Arrays.copyOf(written, MAGIC.length));
        assertIsOneFrame(written, length);
        try (InputStream in = new ZstdInputStream(new ByteArrayInputStream(written))) {
          assertArrayEquals(content, IOUtils.toByteArray(in));
        }
      }
    }
  }

  private static void assertIsOneFrame(byte[] written, int length) {
    ByteBuffer in = ByteBuffer.allocateDirect(written.length);
    in.put(written).flip();
    ByteBuffer out = ByteBuffer.allocateDirect(length);
    try (ZstdDecompressCtx context = new ZstdDecompressCtx()) {
      assertTrue(context.decompressDirectByteBufferStream(out, in));
    }
    assertEquals(0, in.remaining());
    assertEquals(0, out.remaining());
  }

  @Test
  public void framesAndBlocksAreReadWhoeverWroteThem() throws Exception {
    for (int length : LENGTHS) {
      for (byte[] content : contents(length)) {
        for (byte[] written : Arrays.asList(compress(codec, content),
          compress(blockCodec, content), hadoopsFrame(content, false),
          hadoopsFrame(content, true))) {
          assertArrayEquals(content, decompress(new ByteArrayInputStream(written)));
          assertArrayEquals(content, decompressBuffers(written, length));
        }
      }
    }
  }

  @Test
  public void aStreamThatGivesFewBytesAtATimeIsReadToo() throws Exception {
    byte[] content = contents(20_000)[0];
    byte[] mixed = Bytes.add(compress(codec, content), compress(blockCodec, content),
      Bytes.add(compress(codec, new byte[0]), compress(blockCodec, new byte[0]),
        compress(codec, content)));
    for (int most = 1; most < 9; most++) {
      assertArrayEquals(Bytes.add(content, content, content), decompress(slow(mixed, most)));
    }
  }

  /** As the reader of a WAL reads a value: its bytes, and not whether there are more. */
  @Test
  public void theEndOfAFrameIsTakenWithItsContent() throws Exception {
    byte[] content = new byte[32 * 1024 - 9];
    InputStream below = new ByteArrayInputStream(frameOfAPieceAndAnEnd(content));
    byte[] read = new byte[content.length];
    IOUtils.readFully(codec.createInputStream(below, decompressor), read);
    assertArrayEquals(content, read);
    assertEquals(0, below.available());
  }

  /** As of a WAL that is being written: the value's length is known before its bytes are there. */
  @Test
  public void anEndOfAFrameThatIsNotThereYetIsAnEndOfFile() throws Exception {
    byte[] content = new byte[32 * 1024 - 9];
    byte[] frame = frameOfAPieceAndAnEnd(content);
    for (int lacking = 1; lacking <= 3; lacking++) {
      int more = lacking;
      InputStream below = new ByteArrayInputStream(frame, 0, frame.length - lacking) {
        @Override
        public synchronized int available() {
          return super.available() + more;
        }
      };
      decompressor.reset();
      InputStream in = codec.createInputStream(below, decompressor);
      assertThrows(EOFException.class, () -> IOUtils.readFully(in, new byte[content.length]));
    }
  }

  /** Puts noise into the content. */
  private byte[] frameOfAPieceAndAnEnd(byte[] content) {
    random.nextBytes(content);
    ByteBuffer frame = ByteBuffer.allocate(32 * 1024 + 3).order(ByteOrder.LITTLE_ENDIAN).put(MAGIC)
      .put(new byte[] { 0, 0x58 });
    frame.putShort((short) (content.length << 3)).put((byte) (content.length >> 13)).put(content);
    return frame.put(new byte[] { 1, 0, 0 }).array();
  }

  @Test
  public void oneAfterAnotherIsWrittenAndReadByPooledCompressors() throws Exception {
    Compressor compressor = codec.createCompressor();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CompressionOutputStream out = codec.createOutputStream(bytes, compressor);
    for (int i = 0; i < 100; i++) {
      byte[] content = contents(random.nextInt(300_000))[i & 1];
      bytes.reset();
      out.resetState();
      if (i % 7 == 0) {
        out.write(content);
        compressor.reset();
        bytes.reset();
      }
      out.write(content, 0, content.length / 2);
      out.write(content, content.length / 2, content.length - content.length / 2);
      out.finish();
      if (i % 5 == 0) {
        InputStream half =
          codec.createInputStream(new ByteArrayInputStream(bytes.toByteArray()), decompressor);
        half.read(new byte[content.length / 2]);
      }
      decompressor.reset();
      assertArrayEquals(content, IOUtils.toByteArray(
        codec.createInputStream(new ByteArrayInputStream(bytes.toByteArray()), decompressor)));
    }
  }

  @Test
  public void afterAnErrorADecompressorReadsWhatIsSound() throws Exception {
    byte[] content = contents(100_000)[0];
    byte[] written = compress(codec, content);
    for (int i = 0; i < 20; i++) {
      byte[] corrupt = written.clone();
      Arrays.fill(corrupt, corrupt.length / 2, corrupt.length, (byte) 0xff);
      InputStream in = codec.createInputStream(new ByteArrayInputStream(corrupt), decompressor);
      assertThrows(IOException.class, () -> IOUtils.toByteArray(in));
      decompressor.reset();
      assertArrayEquals(content, IOUtils
        .toByteArray(codec.createInputStream(new ByteArrayInputStream(written), decompressor)));
      decompressor.reset();
    }
  }

  @Test
  public void whatIsCorruptIsAnIOException() throws Exception {
    byte[] content = contents(5_000)[0];
    for (byte[] written : Arrays.asList(compress(codec, content), compress(blockCodec, content))) {
      for (int i = 0; i < 500; i++) {
        byte[] corrupt = Arrays.copyOf(written,
          random.nextBoolean() ? written.length : random.nextInt(written.length));
        for (int n = random.nextInt(4); n >= 0 && corrupt.length > 0; n--) {
          int before = random.nextBoolean() ? corrupt.length : Math.min(12, corrupt.length);
          corrupt[random.nextInt(before)] = (byte) random.nextInt();
        }
        try {
          decompress(new ByteArrayInputStream(corrupt));
        } catch (IOException e) {
          // As it should be; where a literal is another one it can't be noticed.
        }
        try {
          decompressBuffers(corrupt, content.length);
        } catch (IOException e) {
          // Likewise.
        }
      }
    }
  }

  @Test
  public void lengthsThatAreNotTrueAreNamed() throws Exception {
    byte[] frame = compress(codec, contents(1000)[0]);
    assertRefused("more content", lengths(999, frame.length), frame);
    assertRefused("hasn't the length", lengths(1000, frame.length - 1), frame);
    assertRefused("a frame of -2147483648 bytes", lengths(1000, Integer.MIN_VALUE), frame);
    assertRefused("neither a frame nor", lengths(-1, 0), frame);
    assertThrows(IOException.class, () -> decompressBuffers(
      Bytes.add(lengths(Integer.MAX_VALUE, Integer.MAX_VALUE), frame), 1000));
    assertThrows(EOFException.class, () -> decompress(
      new ByteArrayInputStream(Bytes.add(lengths(1001, frame.length), frame))));
    assertThrows(IOException.class, () -> decompressBuffers(frame, 1001));
    assertThrows(IOException.class, () -> decompressBuffers(frame, 999));
  }

  private void assertRefused(String message, byte[] lengths, byte[] frame) {
    byte[] block = Bytes.add(lengths, frame);
    IOException e =
      assertThrows(IOException.class, () -> decompress(new ByteArrayInputStream(block)));
    assertTrue(e.getMessage(), e.getMessage().contains(message));
    assertThrows(IOException.class, () -> decompressBuffers(block, 1000));
  }

  @Test
  public void theLevelIsHadoopsUnlessThereIsOneOfHBase() throws Exception {
    byte[] content = contents(200_000)[0];
    Configuration conf = new Configuration(false);
    int atThree = compress(codec(conf), content).length;
    conf.setInt("io.compression.codec.zstd.level", 19);
    int atNineteen = compress(codec(conf), content).length;
    assertTrue(atNineteen + " is less than " + atThree, atNineteen < atThree);
    conf.setInt(ZstdCodec.ZSTD_LEVEL_KEY, 3);
    assertEquals(atThree, compress(codec(conf), content).length);

    Compressor pooled = codec(conf).createCompressor();
    conf.setInt(ZstdCodec.ZSTD_LEVEL_KEY, 19);
    ((CanReinit) pooled).reinit(conf);
    assertEquals(atNineteen, compress(codec, pooled, content).length);
  }

  @Test
  public void aDictionaryIsReadWithAndNotWrittenWith() throws Exception {
    byte[][] contents = new byte[1000][];
    ZstdDictTrainer trainer = new ZstdDictTrainer(1 << 20, 1 << 14);
    for (int i = 0; i < contents.length; i++) {
      contents[i] = contents(1000)[0];
      trainer.addSample(contents[i]);
    }
    Path file = folder.newFile().toPath();
    Files.write(file, trainer.trainSamples());
    Configuration conf = new Configuration(false);
    conf.set(ZstdCodec.ZSTD_DICTIONARY_KEY, file.toUri().toString());
    blockCodec.setConf(conf);
    byte[] withDictionary = compress(blockCodec, contents[7]);

    CompressionCodec codecWithDictionary = codec(conf);
    byte[] written = compress(codecWithDictionary, contents[7]);
    assertEquals(0, Zstd.getDictIdFromFrame(written));
    assertArrayEquals(contents[7], decompress(new ByteArrayInputStream(written)));
    Decompressor pooled = codec.createDecompressor();
    for (int i = 0; i < 3; i++) {
      ((CanReinit) pooled).reinit(conf);
      assertArrayEquals(Bytes.add(contents[7], contents[7]),
        IOUtils.toByteArray(codec.createInputStream(
          new ByteArrayInputStream(Bytes.add(withDictionary, written)), pooled)));
      ((CanReinit) pooled).reinit(new Configuration(false));
      InputStream in =
        codec.createInputStream(new ByteArrayInputStream(withDictionary), pooled);
      IOException e = assertThrows(IOException.class, () -> IOUtils.toByteArray(in));
      assertTrue(e.getMessage(), e.getMessage().contains("Dictionary mismatch"));
    }

    for (byte[] bytes : Arrays.asList(withDictionary, written)) {
      buffers.reinit(codec.getDecompressionContextFromConfiguration(conf));
      ByteBuffer out = ByteBuffer.allocateDirect(1000);
      buffers.decompress(new SingleByteBuff(out), new SingleByteBuff(ByteBuffer.wrap(bytes)),
        bytes.length);
      out.flip();
      assertArrayEquals(contents[7], Bytes.getBytes(out));
    }
  }

  @Test
  public void itsKindsOfCompressorsAreItsOwnInThePool() {
    assertSame(codec.createCompressor().getClass(), codec.getCompressorType());
    assertSame(codec.createDecompressor().getClass(), codec.getDecompressorType());
    assertSame(codec.createByteBuffDecompressor().getClass(),
      codec.getByteBuffDecompressorType());
  }

  private static ZstdFrameCodec codec(Configuration conf) {
    ZstdFrameCodec codec = new ZstdFrameCodec();
    codec.setConf(conf);
    return codec;
  }

  /** Content that can be compressed, and such that can't. */
  private byte[][] contents(int length) {
    byte[] noise = new byte[length];
    random.nextBytes(noise);
    StringBuilder text = new StringBuilder();
    while (text.length() < length) {
      text.append("row").append(random.nextInt(1000)).append(" of the family ")
        .append((char) ('a' + random.nextInt(20)));
    }
    return new byte[][] { Arrays.copyOf(Bytes.toBytes(text.toString()), length), noise };
  }

  private static byte[] compress(CompressionCodec codec, byte[] content) throws IOException {
    return compress(codec, codec.createCompressor(), content);
  }

  private static byte[] compress(CompressionCodec codec, Compressor compressor, byte[] content)
    throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CompressionOutputStream out = codec.createOutputStream(bytes, compressor);
    out.write(content);
    out.finish();
    return bytes.toByteArray();
  }

  /** As Hadoop's codec does: by a stream, whose frame doesn't say how long the content is. */
  private static byte[] hadoopsFrame(byte[] content, boolean checksum) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZstdOutputStream out = new ZstdOutputStream(bytes)) {
      out.setChecksum(checksum);
      out.write(content, 0, content.length / 3);
      out.write(content, content.length / 3, content.length - content.length / 3);
    }
    return bytes.toByteArray();
  }

  private byte[] decompress(InputStream in) throws IOException {
    decompressor.reset();
    return IOUtils.toByteArray(codec.createInputStream(in, decompressor));
  }

  private byte[] decompressBuffers(byte[] bytes, int length) throws IOException {
    byte[] content = null;
    for (int i = 0; i < 4; i++) {
      ByteBuffer in = i % 2 == 0 ? ByteBuffer.allocateDirect(bytes.length + 10)
        : ByteBuffer.allocate(bytes.length + 10);
      in.position(3);
      in.put(bytes);
      in.position(3);
      ByteBuffer out =
        i < 2 ? ByteBuffer.allocateDirect(length + 5) : ByteBuffer.allocate(length + 5);
      out.position(5);
      SingleByteBuff output = new SingleByteBuff(out);
      SingleByteBuff input = new SingleByteBuff(in);
      assertTrue(buffers.canDecompress(output, input));
      assertEquals(length, buffers.decompress(output, input, bytes.length));
      assertEquals(3 + bytes.length, input.position());
      out.position(5);
      byte[] decompressed = Bytes.getBytes(out);
      assertTrue(content == null || Arrays.equals(content, decompressed));
      content = decompressed;
    }
    return content;
  }

  private static byte[] lengths(int content, int frame) {
    return ByteBuffer.allocate(8).putInt(content).putInt(frame).array();
  }

  private static InputStream slow(byte[] bytes, int most) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public synchronized int read(byte[] b, int off, int len) {
        return super.read(b, off, Math.min(most, len));
      }
    };
  }
}
