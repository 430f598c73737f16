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
package org.hbasestrata.janusgraph;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.hbasestrata.ycsb.Latencies;
import org.hbasestrata.ycsb.OperationType;
import org.hbasestrata.ycsb.SliceTable;
import org.janusgraph.core.JanusGraphFactory;
import org.janusgraph.core.JanusGraphTransaction;
import org.janusgraph.core.schema.JanusGraphManagement;
import org.janusgraph.graphdb.database.StandardJanusGraph;

/**
 * A table of JanusGraph that has a {@link Model}'s graph. An operation is a query: what do some
 * hops from a random vertex reach? An answer that is wrong has failed.
 */
final class GraphTable implements SliceTable {
  private static final String EDGE = "knows";
  private static final String NUMBER = "number";
  private static final int VERTICES_A_COMMIT = 1_000;

  private final String table;
  private final StandardJanusGraph graph;
  private final Model model;
  private final int hops;
  private final Latencies latencies = new Latencies(false);
  /** By the number of the thread. */
  private final List<Random> randoms = new ArrayList<>();

  /**
   * Connects to the cluster of the configuration in the class path, and makes the table if it isn't
   * there.
   * @param threads the most that will be at work
   */
  GraphTable(String table, Model model, int hops, int threads) {
    this.table = table;
    this.model = model;
    this.hops = hops;
    for (int i = 0; i < threads; i++) {
      randoms.add(new Random(i));
    }
    graph = (StandardJanusGraph) JanusGraphFactory.build().set("storage.backend", "hbase")
      .set("storage.hbase.table", table).set("graph.set-vertex-id", true)
      .set("schema.default", "none").open();
  }

  /** Writes the graph. */
  void load(PrintStream out) {
    JanusGraphManagement schema = graph.openManagement();
    schema.makeEdgeLabel(EDGE).make();
    schema.makePropertyKey(NUMBER).dataType(Long.class).make();
    schema.commit();
    for (boolean edges : new boolean[] { false, true }) {
      for (int first = 0; first < model.vertices(); first += VERTICES_A_COMMIT) {
        JanusGraphTransaction transaction =
          graph.buildTransaction().enableBatchLoading().start();
        for (int i = first; i < Math.min(first + VERTICES_A_COMMIT, model.vertices()); i++) {
          if (edges) {
            addEdges(transaction, i);
          } else {
            transaction.addVertex(T.id, id(i), NUMBER, Model.number(i));
          }
        }
        transaction.commit();
        out.println("load: " + (edges ? "edges" : "vertices") + " "
          + 100L * first / model.vertices() + " %, of " + model.vertices() + " vertices");
      }
    }
  }

  private void addEdges(JanusGraphTransaction transaction, int from) {
    Vertex vertex = transaction.getVertex(id(from));
    for (int to : model.edges(from)) {
      vertex.addEdge(EDGE, transaction.getVertex(id(to)));
    }
  }

  /** JanusGraph's own id of a vertex. */
  private long id(int vertex) {
    return graph.getIDManager().toVertexId(vertex + 1L);
  }

  @Override
  public void operate(int thread) {
    int start = randoms.get(thread).nextInt(model.vertices());
    Model.Answer right = model.answer(start, hops);
    long begin = System.nanoTime();
    try {
      long sum = query(start);
      long end = System.nanoTime();
      if (sum != right.sum()) {
        throw new IllegalStateException("wrong answer: " + hops + " hops from vertex " + start
          + " give " + sum + ", not " + right.sum());
      }
      latencies.succeeded(OperationType.READ, right.reads(), begin, begin, end);
    } catch (RuntimeException e) {
      latencies.failed(OperationType.READ, right.reads(), begin, System.nanoTime(), e);
    }
  }

  private long query(int start) {
    JanusGraphTransaction transaction = graph.buildTransaction().readOnly().start();
    try {
      GraphTraversal<Vertex, Vertex> reached = transaction.traversal().V(id(start));
      for (int hop = 0; hop < hops; hop++) {
        reached = reached.out(EDGE).dedup();
      }
      GraphTraversal<Vertex, Long> numbers = reached.values(NUMBER);
      return numbers.sum().tryNext().map(Number::longValue).orElse(0L);
    } finally {
      transaction.rollback();
    }
  }

  @Override
  public Latencies latencies() {
    return latencies;
  }

  @Override
  public List<String> servers() {
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
      RegionLocator regions = connection.getRegionLocator(TableName.valueOf(table))) {
      return regions.getAllRegionLocations().stream()
        .map(location -> location.getServerName().getServerName()).distinct().sorted().toList();
    } catch (IOException e) {
      throw new IllegalStateException("the regions of " + table + " can't be found: " + e, e);
    }
  }

  @Override
  public void close() {
    graph.close();
  }
}
