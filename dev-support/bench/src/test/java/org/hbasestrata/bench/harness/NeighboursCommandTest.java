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
package org.hbasestrata.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.hbasestrata.tools.ToolException;
import org.junit.Rule;
import org.junit.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

public class NeighboursCommandTest {
  @Rule
  public final CheckoutFolder folder =
    new CheckoutFolder().with("gets", "recordcount=1000\nreadproportion=1\nupdateproportion=0\n");

  private List<Neighbour> neighbours(String... arguments) {
    NeighboursCommand command = new NeighboursCommand();
    new CommandLine(command).parseArgs(arguments);
    command.request(folder.checkout());
    return command.neighbours();
  }

  @Test
  public void faultsOfDataNodesAreNamedOrNotMeasured() {
    assertThat(neighbours("gets")).contains(Neighbour.NOTHING, Neighbour.SNAPSHOTS)
      .noneMatch(Neighbour::isDataNode);
    assertThat(
      neighbours("gets", "--neighbours", "nothing,datanode-stopped,datanode-without-disk"))
        .containsExactly(Neighbour.NOTHING, Neighbour.DATANODE_STOPPED,
          Neighbour.DATANODE_WITHOUT_DISK);
  }

  @Test
  public void whatCannotBeIsRefused() {
    assertThatThrownBy(() -> neighbours("gets", "--neighbours", "datanode"))
      .isInstanceOfAny(ToolException.class, ParameterException.class)
      .hasMessageContaining("datanode-stopped");
  }
}
