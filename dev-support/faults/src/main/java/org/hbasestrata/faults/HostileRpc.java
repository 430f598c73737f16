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
package org.hbasestrata.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Requests with damage are sent to the RPC port, while others read. */
final class HostileRpc {
  private HostileRpc() {
  }

  static void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    scene.load();
    Path result = scene.folder().resolve(outcome.name() + ".json");
    new Hostility(scene, outcome).run(scene.amounts().beside(), RpcFuzzer.class, result,
      Integer.toString(scene.amounts().inputs()), Long.toString(scene.amounts().seed()),
      result.toString());
    outcome.expect(outcome.count("answers") > 0, "no request was answered");
    outcome.expect(outcome.count("connections closed") > 0, "no connection was closed");
    readLogsBack(scene, outcome);
  }

  /** What the requests had servers write must not keep their regions from being opened again. */
  private static void readLogsBack(Scene scene, Outcome outcome)
    throws IOException, InterruptedException {
    for (int server = 1; server <= scene.regionServers().size(); server++) {
      scene.cluster("kill", "regionserver", Integer.toString(server));
      scene.restartRegionServer(server, Map.of());
      // Moving the region of the other table would flush it, and leave its server's log unread.
      scene.spread(Scene.TABLE);
    }
    scene.spread(Scene.TABLE, RpcFuzzer.TABLE);
    Path result = scene.folder().resolve("raw-scan.json");
    int code = scene.start(RawScan.class, scene.folder().resolve("raw-scan.log"),
      RpcFuzzer.TABLE, result.toString()).await();
    outcome.expect(code == 0, "what the requests wrote can't be read; see raw-scan.log");
    Hostility.tell(result, outcome);
    outcome.expect(outcome.count(RawScan.CELLS) > 0, "the requests wrote nothing");
    scene.startLoad(scene.amounts().beside()).end(outcome);
  }
}
