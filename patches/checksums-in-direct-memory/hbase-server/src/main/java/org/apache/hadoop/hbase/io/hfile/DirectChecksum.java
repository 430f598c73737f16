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

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.Checksum;
import org.apache.hadoop.hbase.io.util.JdkCrc32c;
import org.apache.hadoop.util.DataChecksum;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Verifies the checksums of a block in direct memory without copying it (HBASE-21917). Thread-safe.
 */
/*
 * Hadoop verifies with native code if its library is installed. Otherwise it copies each chunk into
 * an array of bytesPerChecksum, 16 KB, which it allocates for each block. The JDK's checksums take
 * a direct buffer, and are compiled to the processor's instructions. The JDK has CRC32C from Java 9
 * on.
 */
@InterfaceAudience.Private
final class DirectChecksum {
  private DirectChecksum() {
  }

  /** Returns true if {@link #verify} supports this type and buffer. */
  static boolean canVerify(DataChecksum.Type type, ByteBuffer data) {
    return data.isDirect() && (type == DataChecksum.Type.CRC32
      || type == DataChecksum.Type.CRC32C && JdkCrc32c.isAvailable());
  }

  /**
   * Returns true if all chunks match their checksums. The positions of the buffers are undefined
   * afterwards.
   * @param bytesPerChecksum bytes of a chunk; the last one may be shorter
   * @param data             direct, from position to limit
   * @param checksums        4 bytes for each chunk, from its position on
   */
  static boolean verify(DataChecksum.Type type, int bytesPerChecksum, ByteBuffer data,
    ByteBuffer checksums) {
    Checksum sum = type == DataChecksum.Type.CRC32 ? new CRC32() : JdkCrc32c.create();
    int end = data.limit();
    while (data.position() < end) {
      data.limit(data.position() + Math.min(bytesPerChecksum, end - data.position()));
      sum.reset();
      update(sum, data);
      if ((int) sum.getValue() != checksums.getInt()) {
        return false;
      }
    }
    return true;
  }

  private static void update(Checksum sum, ByteBuffer chunk) {
    if (sum instanceof CRC32) {
      ((CRC32) sum).update(chunk);
    } else {
      JdkCrc32c.update(sum, chunk);
    }
  }
}
