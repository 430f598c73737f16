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

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * The region server's page of its block cache: {@code /cache-sizing}, with {@code ?format=json} as
 * JSON.
 */
@InterfaceAudience.Private
public final class CacheSizingServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  /** Adds the page to a server, if the references to its cache are sampled. */
  public static void addTo(InfoServer server, BlockCache cache) {
    if (cache != null && CacheSizing.of(cache) != null) {
      server.addUnprivilegedServlet("cache-sizing", CacheSizingPage.PATH, CacheSizingServlet.class);
    }
  }

  /**
   * Writes the advice for the server's main page, with a link to this one; nothing if the
   * references to the cache aren't sampled.
   * @param cache may be null
   */
  public static void writeAdvice(BlockCache cache, Writer writer) throws IOException {
    CacheSizing sizing = cache == null ? null : CacheSizing.of(cache);
    if (sizing != null) {
      writer.write("<p>" + LineChart.escape(sizing.getReport().getAdvice()) + ". <a href=\""
        + CacheSizingPage.PATH + "\">What other sizes would serve</a></p>");
    }
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
    throws IOException {
    HRegionServer server =
      (HRegionServer) getServletContext().getAttribute(HRegionServer.REGIONSERVER);
    CacheSizing sizing =
      server == null ? null : server.getBlockCache().map(CacheSizing::of).orElse(null);
    if (sizing == null) {
      response.sendError(HttpServletResponse.SC_NOT_FOUND, "The block cache has been shut down");
      return;
    }
    String name = server.getServerName() == null ? "" : server.getServerName().toString();
    boolean json = "json".equals(request.getParameter("format"));
    response.setContentType(json ? "application/json" : "text/html");
    response.setCharacterEncoding(StandardCharsets.UTF_8.name());
    response.getWriter()
      .write(json ? json(name, sizing) : new CacheSizingPage(name, sizing.getReport()).toString());
  }

  static String json(String server, CacheSizing sizing) {
    Gson gson = new Gson();
    JsonObject object = new JsonObject();
    object.addProperty("server", server);
    gson.toJsonTree(sizing.getReport()).getAsJsonObject().entrySet()
      .forEach(entry -> object.add(entry.getKey(), entry.getValue()));
    object.add("warmUps", gson.toJsonTree(WarmUps.ofRegions()));
    return gson.toJson(object);
  }
}
