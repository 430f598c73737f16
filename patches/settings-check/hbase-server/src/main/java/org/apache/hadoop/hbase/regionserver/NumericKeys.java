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

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCacheSettings;
import org.apache.hadoop.hbase.io.hfile.segment.SegmentCacheSettings;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.yetus.audience.InterfaceAudience;

/** The keys of HBase whose value must be a number for a server to start and serve. */
/*
 * The keys were found by trial. Each key that HBase 2.6.4 reads as a number until it serves was set
 * to a value that isn't a number, and a region server and a master were started with it. The keys
 * are those with which one of them stopped, or a region couldn't be opened, written to, flushed,
 * compacted or read. Servers tolerate such a value of other keys, for some time or for ever, so
 * those aren't checked. Values are parsed as the server parses them.
 */
@InterfaceAudience.Private
final class NumericKeys {

  /** How a number is parsed, and what is allowed. */
  private enum Kind {
    INT("Give a whole number, 2147483647 at most.", (conf, key) -> conf.getInt(key, 0)),
    LONG("Give a whole number.", (conf, key) -> conf.getLong(key, 0)),
    FLOAT("Give a number.", (conf, key) -> conf.getDouble(key, 0)),
    BYTES("Give bytes, or " + Setting.SIZE_WITH_UNIT + ".",
      (conf, key) -> conf.getLongBytes(key, 0)),
    TIME("Give a whole number, or one with ms, s, m, h or d behind it.",
      (conf, key) -> conf.getTimeDuration(key, 0, TimeUnit.MILLISECONDS));

    private final String allowed;
    private final BiConsumer<Configuration, String> reader;

    Kind(String allowed, BiConsumer<Configuration, String> reader) {
      this.allowed = allowed;
      this.reader = reader;
    }
  }

  private static final Map<String, Kind> OF_REGIONS = new LinkedHashMap<>();
  private static final Map<String, Kind> OF_MASTERS = new LinkedHashMap<>();
  private static final Map<String, Kind> OF_ALL = new LinkedHashMap<>();
  private static final Map<String, Kind> OF_BUCKET_CACHES = new LinkedHashMap<>();
  /** Keys for which tiers have keys of their own. */
  private static final Map<String, Kind> OF_SINGLE_BUCKET_CACHE = new LinkedHashMap<>();
  /** Prefixes of keys that a server reads only under a condition. */
  private static final Map<String, Predicate<Configuration>> READ_IF = new LinkedHashMap<>();
  static {
    READ_IF.put("hbase.server.allocator.",
      conf -> conf.getBoolean(ByteBuffAllocator.ALLOCATOR_POOL_ENABLED_KEY, true));
    READ_IF.put("hbase.hregion.memstore.mslab.", MemStoreLAB::isEnabled);
    READ_IF.put("hbase.hregion.memstore.chunkpool.", MemStoreLAB::isEnabled);
    READ_IF.put("hbase.lru.", NumericKeys::hasLruCache);
    READ_IF.put("hbase.blockcache.", NumericKeys::hasBlockCache);
    READ_IF.put("hfile.block.cache.size.", NumericKeys::hasBlockCache);
    READ_IF.put("hbase.regionserver.global.memstore.size.", NumericKeys::hasBlockCache);
    READ_IF.put("hbase.regionserver.heapmemory.", NumericKeys::hasBlockCache);
    READ_IF.put("hbase.heap.occupancy.", NumericKeys::hasBlockCache);
    for (String ofWal : Arrays.asList("hlog.", "wal.", "async.wal.", "logroll.", "maxlogs",
      "walroll.", "waltrailer.")) {
      READ_IF.put("hbase.regionserver." + ofWal, NumericKeys::isWalWritten);
    }
    READ_IF.put("hbase.wal.", NumericKeys::isWalWritten);
    put(OF_REGIONS, Kind.INT,
      "hbase.block.max.size.uncompressed", "hbase.blockcache.minblocksize",
      "hbase.busy.wait.multiplier.max", "hbase.client.bootstrap.node.limit",
      "hbase.client.ipc.pool.size", "hbase.client.log.detail.period.ms",
      "hbase.client.max.perregion.tasks", "hbase.client.max.perserver.tasks",
      "hbase.client.max.total.tasks", "hbase.client.perserver.requests.threshold",
      "hbase.client.primaryCallTimeout.multiget", "hbase.client.threshold.log.details",
      "hbase.client.threshold.log.region.details", "hbase.flush.procedure.region.pool.threads",
      "hbase.hfile.compaction.discharger.interval",
      "hbase.hfile.compaction.discharger.thread.count", "hbase.hfile.thread.prefetch",
      "hbase.hlog.open.timeout", "hbase.hregion.memstore.block.multiplier",
      "hbase.hregion.memstore.mslab.chunksize", "hbase.hregion.memstore.mslab.max.allocation",
      "hbase.hstore.blockingStoreFiles", "hbase.hstore.blockingWaitTime",
      "hbase.hstore.bytes.per.checksum", "hbase.hstore.compaction.date.tiered.incoming.window.min",
      "hbase.hstore.compaction.keep.seqId.period", "hbase.hstore.compaction.kv.max",
      "hbase.hstore.compaction.max", "hbase.hstore.compaction.min",
      "hbase.hstore.compaction.throughput.tune.period", "hbase.hstore.compactionThreshold",
      "hbase.hstore.flush.retries.number", "hbase.hstore.flusher.count",
      "hbase.hstore.open.and.close.threads.max", "hbase.ipc.client.connect.max.retries",
      "hbase.ipc.client.connection.minIdleTimeBeforeClose",
      "hbase.ipc.client.failed.servers.expiry", "hbase.ipc.client.socket.timeout.connect",
      "hbase.ipc.client.socket.timeout.read", "hbase.ipc.client.socket.timeout.write",
      "hbase.log.replay.retries.number", "hbase.log.replay.rpc.timeout",
      "hbase.master.mob.cleaner.period", "hbase.mob.file.cache.size", "hbase.offpeak.end.hour",
      "hbase.offpeak.start.hour", "hbase.region.broken.storefilecleaner.delay",
      "hbase.region.broken.storefilecleaner.period",
      "hbase.region.store.parallel.prepare.put.multiplier", "hbase.region.store.parallel.put.limit",
      "hbase.region.store.parallel.put.limit.min.column.count",
      "hbase.region.store.parallel.put.print.threshold",
      "hbase.regionserver.async.wal.max.exclude.datanode.count",
      "hbase.regionserver.async.wal.min.slow.detect.count",
      "hbase.regionserver.compactionChecker.majorCompactPriority",
      "hbase.regionserver.executor.claim.replication.queue.threads",
      "hbase.regionserver.executor.closemeta.threads",
      "hbase.regionserver.executor.closeregion.threads",
      "hbase.regionserver.executor.flush.operations.threads",
      "hbase.regionserver.executor.openmeta.threads",
      "hbase.regionserver.executor.openpriorityregion.threads",
      "hbase.regionserver.executor.openregion.threads",
      "hbase.regionserver.executor.refresh.peer.threads",
      "hbase.regionserver.executor.refresh.quotas.threads",
      "hbase.regionserver.executor.snapshot.operations.threads",
      "hbase.regionserver.executor.switch.rpc.throttle.threads",
      "hbase.regionserver.heapmemory.autotuner.ignored.periods",
      "hbase.regionserver.heapmemory.autotuner.lookup.periods",
      "hbase.regionserver.heapmemory.tuner.period", "hbase.regionserver.hlog.replication",
      "hbase.regionserver.hlog.slowsync.ms", "hbase.regionserver.logroll.retries",
      "hbase.regionserver.maxlogs", "hbase.regionserver.meta.storefile.refresh.period",
      "hbase.regionserver.minibatch.size", "hbase.regionserver.optionalcacheflushinterval",
      "hbase.regionserver.periodicmemstoreflusher.rangeofdelayseconds", "hbase.regionserver.port",
      "hbase.regionserver.region.replica.flusher.threads", "hbase.regionserver.regionSplitLimit",
      "hbase.regionserver.storefile.refresh.period", "hbase.regionserver.thread.compaction.large",
      "hbase.regionserver.thread.compaction.small", "hbase.regionserver.thread.split",
      "hbase.regionserver.wal.disruptor.event.count", "hbase.regionserver.wal.max.splitters",
      "hbase.regionserver.wal.roll.on.sync.ms", "hbase.regionserver.wal.slowsync.ms",
      "hbase.regionserver.wal.slowsync.roll.interval.ms",
      "hbase.regionserver.wal.slowsync.roll.threshold",
      "hbase.regionserver.walroll.archive.retries", "hbase.regionserver.waltrailer.warn.size",
      "hbase.rowlock.wait.duration", "hbase.security.relogin.maxbackoff",
      "hbase.server.allocator.max.buffer.count", "hbase.server.allocator.minimal.allocate.size",
      "hbase.server.compactchecker.interval.multiplier", "hbase.server.pause",
      "hbase.snapshot.region.pool.threads", "hbase.wal.async.wait.on.shutdown.seconds",
      "hfile.index.block.max.size", "hfile.index.block.min.entries", "replication.executor.workers",
      "replication.sink.client.ops.timeout", "replication.sink.client.retries.number",
      "replication.stats.thread.period.seconds");
    put(OF_REGIONS, Kind.LONG,
      "hbase.busy.wait.duration", "hbase.cells.scanned.per.heartbeat.check",
      "hbase.client.master.state.cache.timeout.sec", "hbase.client.max.perrequest.heapsize",
      "hbase.client.max.perrequest.rows", "hbase.client.max.submit.heapsize",
      "hbase.flush.procedure.region.timeout", "hbase.fs.reader.warn.time.ms",
      "hbase.hregion.keyvalue.timestamp.slop.millisecs", "hbase.hregion.majorcompaction",
      "hbase.hregion.max.filesize", "hbase.hregion.memstore.flush.size",
      "hbase.hregion.preclose.flush.size", "hbase.hregion.row.processor.timeout",
      "hbase.hstore.compaction.date.tiered.hot.window.age.millis",
      "hbase.hstore.compaction.date.tiered.max.storefile.age.millis",
      "hbase.hstore.compaction.date.tiered.warm.window.age.millis",
      "hbase.hstore.compaction.max.size", "hbase.hstore.compaction.max.size.offpeak",
      "hbase.hstore.compaction.min.size", "hbase.hstore.compaction.scanner.size.limit",
      "hbase.hstore.compaction.throughput.control.check.interval",
      "hbase.hstore.compaction.throughput.higher.bound",
      "hbase.hstore.compaction.throughput.lower.bound",
      "hbase.hstore.compaction.throughput.offpeak", "hbase.hstore.time.to.purge.deletes",
      "hbase.increasing.policy.initial.size", "hbase.ipc.client.call.purge.timeout",
      "hbase.ipc.slow.metric.time", "hbase.lru.max.block.size", "hbase.mob.cache.evict.period",
      "hbase.region.broken.storefilecleaner.ttl",
      "hbase.regionserver.async.wal.datanode.slow.check.speed.packet.data.length.min",
      "hbase.regionserver.async.wal.datanode.slow.packet.process.time.millis",
      "hbase.regionserver.async.wal.exclude.datanode.info.ttl.hour",
      "hbase.regionserver.async.wal.slow.detect.data.ttl.ms",
      "hbase.regionserver.close.wait.interval.ms", "hbase.regionserver.flush.per.changes",
      "hbase.regionserver.hlog.blocksize", "hbase.regionserver.hlog.check.lowreplication.interval",
      "hbase.regionserver.hlog.sync.timeout", "hbase.regionserver.logroll.period",
      "hbase.regionserver.logroll.wait.timeout.ms", "hbase.regionserver.metrics.period",
      "hbase.regionserver.thread.compaction.throttle", "hbase.regionserver.wal.sync.timeout",
      "hbase.rs.cachecompactedblocksonwrite.threshold",
      "hbase.server.bootstrap.request_master_interval.secs",
      "hbase.server.bootstrap.request_master_min_interval.secs",
      "hbase.server.bootstrap.request_regionserver_interval.secs", "hbase.server.keyvalue.maxsize",
      "hbase.snapshot.region.timeout", "hbase.storescanner.pread.max.bytes",
      "hbase.table.max.rowsize", "hbase.wal.batch.size", "hbase.wal.shutdown.wait.timeout.ms",
      "hfile.onheap.block.cache.fixed.size", "replication.sleep.before.failover",
      "replication.total.buffer.quota");
    put(OF_REGIONS, Kind.FLOAT,
      "hbase.heap.occupancy.low_water_mark", "hbase.hregion.majorcompaction.jitter",
      "hbase.hregion.max.filesize.jitter", "hbase.hregion.memstore.chunkpool.initialsize",
      "hbase.hregion.memstore.chunkpool.maxsize",
      "hbase.hregion.memstore.mslab.indexchunksize.percent", "hbase.hstore.compaction.ratio",
      "hbase.hstore.compaction.ratio.offpeak", "hbase.hstore.min.locality.to.skip.major.compact",
      "hbase.lru.blockcache.acceptable.factor", "hbase.lru.blockcache.hard.capacity.limit.factor",
      "hbase.lru.blockcache.memory.percentage", "hbase.lru.blockcache.min.factor",
      "hbase.lru.blockcache.multi.percentage", "hbase.lru.blockcache.single.percentage",
      "hbase.mob.cache.evict.remain.ratio", "hbase.region.broken.storefilecleaner.delay.jitter",
      "hbase.regionserver.async.wal.datanode.slow.packet.speed.min.kbs",
      "hbase.regionserver.global.memstore.size.max.range",
      "hbase.regionserver.global.memstore.size.min.range",
      "hbase.regionserver.heapmemory.autotuner.step.max",
      "hbase.regionserver.heapmemory.autotuner.step.min",
      "hbase.regionserver.heapmemory.autotuner.sufficient.memory.level",
      "hbase.regionserver.logroll.multiplier", "hbase.writer.unified.encoded.blocksize.ratio",
      "hfile.block.cache.size.max.range", "hfile.block.cache.size.min.range");
    put(OF_ALL, Kind.INT,
      "hbase.choreservice.initial.pool.size", "hbase.client.keyvalue.maxsize",
      "hbase.client.meta.operation.timeout", "hbase.client.meta.read.rpc.timeout",
      "hbase.client.meta.replica.scan.timeout", "hbase.client.meta.scanner.timeout.period",
      "hbase.client.operation.timeout", "hbase.client.primaryCallTimeout.get",
      "hbase.client.replicaCallTimeout.scan", "hbase.client.retries.number",
      "hbase.client.scanner.caching", "hbase.client.scanner.timeout.period",
      "hbase.client.serverside.retries.multiplier", "hbase.client.start.log.errors.counter",
      "hbase.client.write.buffer.maxmutations", "hbase.ipc.cellblock.building.initial.buffersize",
      "hbase.ipc.cellblock.decompression.buffersize.multiplier", "hbase.ipc.max.request.size",
      "hbase.ipc.min.client.request.timeout", "hbase.ipc.server.bulkload.max.callqueue.length",
      "hbase.ipc.server.max.callqueue.length", "hbase.ipc.server.priority.max.callqueue.length",
      "hbase.ipc.server.replication.max.callqueue.length", "hbase.ipc.warn.response.size",
      "hbase.ipc.warn.response.size.scan", "hbase.ipc.warn.response.time",
      "hbase.ipc.warn.response.time.scan", "hbase.master.meta.transition.handler.count",
      "hbase.netty.eventloop.rpcserver.thread.count", "hbase.netty.worker.count",
      "hbase.regionserver.bulkload.handler.count", "hbase.regionserver.compaction.check.period",
      "hbase.regionserver.flush.check.period", "hbase.regionserver.handler.count",
      "hbase.regionserver.info.port", "hbase.regionserver.metahandler.count",
      "hbase.regionserver.msginterval", "hbase.regionserver.replication.handler.count",
      "hbase.rpc.read.timeout", "hbase.rpc.rows.warning.threshold",
      "hbase.rpc.shortoperation.timeout", "hbase.rpc.timeout", "hbase.rpc.write.timeout",
      "hbase.server.allocator.buffer.size", "hbase.server.hashNonce.gracePeriod",
      "hbase.server.netty.writable.watermark.fatal", "hbase.server.netty.writable.watermark.high",
      "hbase.server.netty.writable.watermark.low", "hbase.server.thread.wakefrequency",
      "hbase.zookeeper.property.clientPort", "hfile.format.version", "zookeeper.multi.max.size",
      "zookeeper.recovery.retry", "zookeeper.recovery.retry.intervalmill",
      "zookeeper.recovery.retry.maxsleeptime", "zookeeper.session.timeout");
    put(OF_ALL, Kind.LONG,
      "hbase.client.pause", "hbase.client.pause.cqtbe", "hbase.client.pause.server.overloaded",
      "hbase.client.scanner.max.result.size", "hbase.client.write.buffer",
      "hbase.client.write.buffer.periodicflush.timeout.ms",
      "hbase.client.write.buffer.periodicflush.timertick.ms", "hbase.ipc.server.max.callqueue.size",
      "hbase.region.server.rpc.minimum.scan.time.limit.delta",
      "hbase.regionserver.offheap.global.memstore.size",
      "hbase.rpc.shortoperation.retry.pause.time", "hbase.server.scanner.max.result.size",
      "hbase.snapshot-manifest.cache.expired.sec", "hbase.snapshot-manifest.cache.max.size",
      "hbase.zookeeper.sync.timeout.millis");
    put(OF_ALL, Kind.FLOAT,
      "hbase.ipc.server.callqueue.handler.factor", "hbase.ipc.server.callqueue.read.ratio",
      "hbase.ipc.server.callqueue.scan.ratio", "hbase.ipc.server.metacallqueue.read.ratio",
      "hbase.ipc.server.metacallqueue.scan.ratio",
      "hbase.ipc.server.scan.vtime.weight", "hbase.regionserver.global.memstore.size",
      "hbase.regionserver.global.memstore.upperLimit",
      "hbase.regionserver.handler.abort.on.error.percent", "hfile.block.cache.size");
    put(OF_MASTERS, Kind.INT,
      "hbase.balancer.max.balancing", "hbase.balancer.period", "hbase.master.info.port",
      "hbase.master.info.port.orig", "hbase.master.port");
    put(OF_MASTERS, Kind.LONG,
      "hbase.master.buffer.for.rs.fatals");
    put(OF_MASTERS, Kind.FLOAT,
      "hbase.master.balancer.maxRitPercent");
    put(OF_BUCKET_CACHES, Kind.INT, "hbase.blockcache.stats.period.minutes",
      "hbase.blockcache.stats.periods", "hbase.bucketcache.ioengine.errors.tolerated.duration");
    put(OF_BUCKET_CACHES, Kind.LONG, "hbase.bucketcache.block.orphan.evictgraceperiod.seconds",
      "hbase.bucketcache.persist.intervalinmillis", "hbase.bucketcache.persistence.chunksize",
      "hbase.bucketcache.queue.addition.waittime");
    put(OF_SINGLE_BUCKET_CACHE, Kind.INT, "hbase.bucketcache.writer.queuelength",
      "hbase.bucketcache.writer.threads");
    put(OF_SINGLE_BUCKET_CACHE, Kind.FLOAT, "hbase.bucketcache.acceptfactor",
      "hbase.bucketcache.extrafreefactor", "hbase.bucketcache.memory.factor",
      "hbase.bucketcache.minfactor", "hbase.bucketcache.multi.factor",
      "hbase.bucketcache.single.factor");
    OF_REGIONS.putAll(OF_ALL);
    OF_MASTERS.putAll(OF_ALL);
  }

  private NumericKeys() {
  }

  private static void put(Map<String, Kind> kinds, Kind kind, String... keys) {
    for (String key : keys) {
      kinds.put(key, kind);
    }
  }

  /** Returns true if a region server writes a WAL. */
  static boolean isWalWritten(Configuration conf) {
    return conf.getBoolean(WALFactory.WAL_ENABLED, true);
  }

  private static boolean hasBlockCache(Configuration conf) {
    return CompositeBucketCacheSettings.isEnabled(conf) || SegmentCacheSettings.hasHeapCache(conf);
  }

  private static boolean hasLruCache(Configuration conf) {
    String policy = conf.get(BlockCacheFactory.BLOCKCACHE_POLICY_KEY,
      BlockCacheFactory.BLOCKCACHE_POLICY_DEFAULT);
    return policy.toUpperCase(Locale.ROOT).endsWith("LRU")
      && !CompositeBucketCacheSettings.isEnabled(conf) && SegmentCacheSettings.hasHeapCache(conf);
  }

  /** Returns false if a server never reads a key. */
  static boolean isRead(Configuration conf, String key) {
    return READ_IF.entrySet().stream()
      .allMatch(entry -> !key.startsWith(entry.getKey()) || entry.getValue().test(conf));
  }

  /** Returns the names of the keys. */
  static Iterable<String> names(boolean master) {
    return Collections.unmodifiableSet((master ? OF_MASTERS : OF_REGIONS).keySet());
  }

  /**
   * Refuses values that aren't numbers.
   * @param conf refused values are removed from it
   */
  static void check(Configuration conf, boolean master, Refusals refusals) {
    check(conf, master ? OF_MASTERS : OF_REGIONS, refusals);
  }

  /** Refuses values that aren't numbers, of the keys that each BucketCache reads. */
  static void checkBucketCache(Configuration conf, Refusals refusals) {
    check(conf, OF_BUCKET_CACHES, refusals);
  }

  /** Refuses values that aren't numbers, of further keys of a BucketCache that isn't a tier. */
  static void checkSingleBucketCache(Configuration conf, Refusals refusals) {
    check(conf, OF_SINGLE_BUCKET_CACHE, refusals);
  }

  private static void check(Configuration conf, Map<String, Kind> kinds, Refusals refusals) {
    kinds.forEach((key, kind) -> check(conf, key, kind, refusals));
  }

  private static void check(Configuration conf, String key, Kind kind, Refusals refusals) {
    String value = conf.get(key);
    if (value == null) {
      return;
    }
    try {
      kind.reader.accept(conf, key);
    } catch (IllegalArgumentException e) {
      if (isRead(conf, key)) {
        refusals.add(key, value, kind.allowed);
      }
      conf.unset(key);
    }
  }
}
