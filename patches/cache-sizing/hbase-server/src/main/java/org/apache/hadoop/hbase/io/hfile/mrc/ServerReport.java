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
package org.apache.hadoop.hbase.io.hfile.mrc;

import java.lang.reflect.Type;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.io.hfile.CacheWarmupMXBean;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.hbase.thirdparty.com.google.gson.reflect.TypeToken;

/** What a server's JMX says of its block cache. Immutable. */
@InterfaceAudience.Private
final class ServerReport {
  /** The beans that are read. */
  static final String BEANS = "Hadoop:service=HBase,name=RegionServer,sub=Cache*";

  private static final String REPORT = "sub=CacheSizingReport";
  private static final String WARM_UPS = "sub=CacheWarmupProgress";
  private static final Gson GSON = new Gson();

  private final String server;
  private final CacheSizingReport report;
  private final List<CacheWarmupMXBean.Progress> warmUps;

  ServerReport(String server, CacheSizingReport report,
    List<CacheWarmupMXBean.Progress> warmUps) {
    this.server = server;
    this.report = report;
    this.warmUps = Collections.unmodifiableList(warmUps);
  }

  /**
   * Reads what {@code /jmx} answers to a query for {@link #BEANS}.
   * @throws UnreadableReportException if it isn't that, or the server makes no estimates
   */
  static ServerReport parse(String server, String json) throws UnreadableReportException {
    try {
      JsonArray beans = JsonParser.parseString(json).getAsJsonObject().getAsJsonArray("beans");
      JsonObject report = find(beans, REPORT);
      if (report == null) {
        throw new UnreadableReportException("the server makes no estimates; set "
          + CacheSizingSettings.ENABLED.key() + " to true in its hbase-site.xml, and restart it");
      }
      JsonObject warmUps = find(beans, WARM_UPS);
      return new ServerReport(server,
        new CacheSizingReport(member(report, "Advice").getAsString(),
          member(report, "State").getAsString(), list(report, "Tiers", TierSizing.class),
          member(report, "MetadataReferences").getAsLong(),
          member(report, "DataReferences").getAsLong(),
          list(report, "Tables", TableSizing.class), list(report, "Held", HeldBytes.class),
          list(report, "Minutes", CacheMinute.class),
          GSON.fromJson(member(report, "Sample"), SampleQuality.class)),
        warmUps == null
          ? Collections.emptyList()
          : list(warmUps, "Regions", CacheWarmupMXBean.Progress.class));
    } catch (JsonParseException | IllegalStateException | UnsupportedOperationException
      | ClassCastException | NumberFormatException | NullPointerException e) {
      throw new UnreadableReportException("it answers no JSON of JMX beans: "
        + String.valueOf(e.getMessage()).replaceAll("(?s)\n.*", ""));
    }
  }

  /** Returns the bean whose name ends so, or null. */
  private static JsonObject find(JsonArray beans, String ending) {
    for (JsonElement bean : beans) {
      if (member(bean.getAsJsonObject(), "name").getAsString().endsWith(ending)) {
        return bean.getAsJsonObject();
      }
    }
    return null;
  }

  private static JsonElement member(JsonObject bean, String name) {
    JsonElement member = bean.get(name);
    if (member == null || member.isJsonNull()) {
      throw new JsonParseException("there is no " + name + "; is the server of another version?");
    }
    return member;
  }

  private static <T> List<T> list(JsonObject bean, String name, Class<T> element) {
    Type type = TypeToken.getParameterized(List.class, element).getType();
    return GSON.fromJson(member(bean, name), type);
  }

  /** Returns how the server is called. */
  String getServer() {
    return server;
  }

  CacheSizingReport getReport() {
    return report;
  }

  /** Returns the progress of warm-ups by region. */
  List<CacheWarmupMXBean.Progress> getWarmUps() {
    return warmUps;
  }

  /** Returns whether what the curves say can be trusted. */
  boolean isKnown() {
    return CacheAdvice.State.KNOWN.name().equals(report.getState());
  }

  /** Returns the references that its curves are parts of. */
  long getReferences() {
    return report.getMetadataReferences() + report.getDataReferences();
  }

  /** Returns the object that the page {@code /cache-sizing?format=json} has. */
  JsonObject toJson() {
    JsonObject object = new JsonObject();
    object.addProperty("server", server);
    GSON.toJsonTree(report).getAsJsonObject().entrySet()
      .forEach(entry -> object.add(entry.getKey(), entry.getValue()));
    object.add("warmUps", GSON.toJsonTree(warmUps));
    return object;
  }
}
