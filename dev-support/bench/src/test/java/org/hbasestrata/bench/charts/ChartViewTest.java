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
package org.hbasestrata.bench.charts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.hbasestrata.bench.charts.ChartList.Chart;
import org.hbasestrata.bench.charts.ChartList.Figure;
import org.hbasestrata.bench.charts.ChartList.Group;
import org.hbasestrata.bench.charts.ChartView.Bar;
import org.hbasestrata.bench.report.Metric.Better;
import org.junit.Test;

public class ChartViewTest {
  /** The digits that places have. */
  private static final double ROUNDED = 0.2;

  private static ChartView view(Better better, RecordedRatio... ratios) {
    List<Figure> figures = new ArrayList<>();
    for (int i = 0; i < ratios.length; i++) {
      figures.add(new Figure("figure", String.valueOf(i), better));
    }
    Group gets = new Group("Gets", "new, against old", "report.md", "new", "old", null, figures);
    return ChartView.of(new Chart("title", "subtitle", List.of(gets)),
      (group, figure) -> ratios[Integer.parseInt(figure.row())]);
  }

  private static Bar bar(Better better, RecordedRatio ratio) {
    return view(better, ratio).groups().get(0).bars().get(0);
  }

  private static double pixels(String place) {
    return Double.parseDouble(place);
  }

  @Test
  public void barsBeginAtOne() {
    ChartView view = view(Better.HIGHER, new RecordedRatio(2, 1.5, 3, 3),
      new RecordedRatio(0.5, 0.4, 0.9, 3));
    double one = pixels(view.one());
    Bar more = view.groups().get(0).bars().get(0);
    assertThat(pixels(more.x())).isEqualTo(one);
    Bar less = view.groups().get(0).bars().get(1);
    assertThat(pixels(less.x()) + pixels(less.width())).isBetween(one - ROUNDED, one + ROUNDED);
    assertThat(less.y()).isGreaterThan(more.y());
    assertThat(view.groups().get(0).to()).isBetween(less.y(), view.labels());
    assertThat(view.height()).isGreaterThan(view.legend());
  }

  @Test
  public void labelsAreBeyondTheRangeAndWithinThePicture() {
    ChartView view = view(Better.LOWER, new RecordedRatio(2, 1.5, 300, 3),
      new RecordedRatio(0.5, 0.004, 0.9, 3));
    Bar more = view.groups().get(0).bars().get(0);
    assertThat(more.anchor()).isEqualTo("start");
    assertThat(pixels(more.labelX())).isGreaterThan(pixels(more.whisker().high()))
      .isLessThan(view.width() - 50);
    Bar less = view.groups().get(0).bars().get(1);
    assertThat(less.anchor()).isEqualTo("end");
    assertThat(pixels(less.labelX())).isLessThan(pixels(less.whisker().low())).isGreaterThan(200);
  }

  @Test
  public void kindAndLabelSayWhatIsBetter() {
    Bar better = bar(Better.LOWER, new RecordedRatio(0.5, 0.4, 0.7, 3));
    assertThat(better.kind()).isEqualTo("better");
    assertThat(better.label()).isEqualTo("0.50\u00d7");
    Bar worse = bar(Better.HIGHER, new RecordedRatio(0.5, 0.4, 0.7, 3));
    assertThat(worse.kind()).isEqualTo("other");
    assertThat(worse.label()).isEqualTo("0.50\u00d7 worse");
    Bar noise = bar(Better.HIGHER, new RecordedRatio(0.5, 0.4, 0.8, 3));
    assertThat(noise.kind()).isEqualTo("other");
    assertThat(noise.label()).isEqualTo("0.50\u00d7");
  }

  @Test
  public void oneRoundHasNoRangeAndAKindOfItsOwn() {
    Bar once = bar(Better.LOWER, new RecordedRatio(0.5, 0.5, 0.5, 1));
    assertThat(once.kind()).isEqualTo("better once");
    assertThat(once.whisker()).isNull();
  }
}
