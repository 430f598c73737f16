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

import org.hbasestrata.tools.ToolException;
import org.junit.Rule;
import org.junit.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

public class RestartCommandTest {
  @Rule
  public final CheckoutFolder folder = new CheckoutFolder()
    .with("gets", "recordcount=1000\nreadproportion=1\nupdateproportion=0\n")
    .with("writes", "updateproportion=1\n");

  private RestartRequest request(String... arguments) {
    RestartCommand command = new RestartCommand();
    new CommandLine(command).parseArgs(arguments);
    return command.request(folder.checkout());
  }

  @Test
  public void theFirstArmTellsTheRateUnlessItIsGiven() {
    RestartRequest restart = request("gets", "--rolling");
    assertThat(restart.request().arms()).extracting(ArmSpec::name).containsExactly("stock",
      "strata");
    assertThat(restart.servers()).isEqualTo(3);
    assertThat(restart.target()).isNull();
    assertThat(restart.share()).isEqualTo(0.6);
    assertThat(request("gets", "--rolling", "--target", "1500").target()).isEqualTo(1500);
  }

  @Test
  public void serversAreRestartedOrOneIsKilled() {
    assertThat(request("gets", "--rolling").kill()).isFalse();
    assertThat(request("gets", "--kill").kill()).isTrue();
    assertThatThrownBy(() -> request("gets")).isInstanceOf(ParameterException.class)
      .hasMessageContaining("--kill");
    assertThatThrownBy(() -> request("gets", "--rolling", "--kill"))
      .isInstanceOf(ParameterException.class).hasMessageContaining("--kill");
  }

  @Test
  public void whatCannotBeIsRefused() {
    assertThatThrownBy(() -> request("writes", "--rolling")).isInstanceOf(ToolException.class)
      .hasMessageContaining("writes");
    assertThatThrownBy(() -> request("gets", "--rolling", "--servers", "1"))
      .isInstanceOf(ToolException.class).hasMessageContaining("2 to 16");
    assertThatThrownBy(() -> request("gets", "--rolling", "--target", "0"))
      .isInstanceOf(ToolException.class).hasMessageContaining("--target");
  }
}
