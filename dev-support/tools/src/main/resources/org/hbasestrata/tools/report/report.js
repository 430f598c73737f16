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

/* Draws the charts, in the colours of the style sheet, and again when the colour scheme changes. */
(() => {
  'use strict';

  const data = JSON.parse(document.getElementById('data').textContent);
  const { arms } = data;
  // A page of levels has charts for each.
  const chartsOf = ({ level }) => (level === undefined ? data.charts : data.levels[level]);

  // Besides its colour each arm has its own line, symbol and pattern.
  const LINES = ['solid', 'dashed', 'dotted', [10, 4, 2, 4]];
  const SYMBOLS = ['circle', 'triangle', 'diamond', 'rect'];
  const PATTERNS = [
    { symbol: 'none' },
    { symbol: 'rect', symbolSize: 1, dashArrayX: [1, 0], dashArrayY: [3, 4], rotation: -0.8 },
    { symbol: 'circle', symbolSize: 0.7, dashArrayX: [[7, 7], [0, 7, 7, 0]], dashArrayY: [7, 0] },
    { symbol: 'rect', symbolSize: 1, dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: 0.8 },
  ];
  const COLORS = 6;
  // Of the symbols in a legend.
  const WIDE = 44;
  const NARROW = 14;
  const LINES_ONLY = { itemStyle: { opacity: 0 } };
  const LARGEST_SHARE_OF_A_LINEAR_AXIS = 20;
  const ARMS_IN_A_LINE = 4;

  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const index = (arm) => arms.indexOf(arm);
  const armColor = (arm) => color(`--arm-${(index(arm) % COLORS) + 1}`);
  const of = (list, arm) => list[index(arm) % list.length];

  const number = (value) => (Math.abs(value) >= 100 || Number.isInteger(value)
    ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3))));
  const scaled = (steps) => (value) => {
    const [factor, unit] = steps.find(([size]) => Math.abs(value) >= size)
      || steps[steps.length - 1];
    return `${number(value / factor)} ${unit}`;
  };
  const micros = scaled([[1e6, 's'], [1e3, 'ms'], [1, 'µs']]);
  const millis = (value) => micros(value * 1e3);
  const BYTES = [[2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [2 ** 10, 'KiB'], [1, 'B']];
  const percentile = (x) => {
    const digits = Math.max(0, Math.ceil(Math.log10(x) - 2 - 1e-9));
    return `${(100 - 100 / x).toFixed(digits)} %`;
  };

  const entries = (byArm) => arms.filter((arm) => byArm[arm]).map((arm) => [arm, byArm[arm]]);
  const ys = (byArm) => entries(byArm).flatMap(([, points]) => points.map(([, y]) => y))
    .filter((y) => y > 0);
  const extent = (values) => values.reduce(([low, high], v) => [Math.min(low, v),
    Math.max(high, v)], [Infinity, -Infinity]);

  const axis = (name, more) => ({
    name,
    nameLocation: 'middle',
    nameTextStyle: { color: color('--quiet'), fontSize: 13 },
    axisLabel: { color: color('--text'), fontSize: 12, hideOverlap: true, ...more.axisLabel },
    axisLine: { show: true, lineStyle: { color: color('--quiet') } },
    axisTick: { show: true, lineStyle: { color: color('--quiet') } },
    splitLine: { show: true, lineStyle: { color: color('--line') } },
    nameGap: more.nameGap || 30,
    ...Object.fromEntries(Object.entries(more).filter(([key]) => key !== 'axisLabel'
      && key !== 'nameGap')),
  });

  // The next 1, 2 or 5 times a power of ten.
  const rounded = (value, round) => {
    const power = 10 ** Math.floor(Math.log10(value));
    return power * (round === Math.floor ? [5, 2, 1].find((n) => n * power <= value)
      : [1, 2, 5, 10].find((n) => n * power >= value));
  };
  // Logarithmic where values spread far.
  const spreadAxis = (name, values, format) => {
    const [low, high] = extent(values);
    const label = { axisLabel: { formatter: format }, nameGap: 62 };
    if (!(high / low > LARGEST_SHARE_OF_A_LINEAR_AXIS)) {
      return axis(name, { type: 'value', min: 0, ...label });
    }
    return axis(name, {
      type: 'log',
      min: rounded(low, Math.floor),
      max: rounded(high, Math.ceil),
      minorTick: { show: true, splitNumber: 10 },
      minorSplitLine: { show: true, lineStyle: { color: color('--line'), opacity: 0.4 } },
      ...label,
    });
  };

  const legend = (byArm, itemWidth, more) => ({
    data: entries(byArm).map(([arm]) => ({ name: arm })),
    top: 4,
    itemWidth,
    itemHeight: 12,
    textStyle: { color: color('--text'), fontSize: 13 },
    ...more,
  });
  // Not as HTML: names come from outside.
  const tooltip = (more) => ({
    renderMode: 'richText',
    confine: true,
    backgroundColor: color('--page'),
    borderColor: color('--quiet'),
    textStyle: { color: color('--text'), fontSize: 12 },
    ...more,
  });
  const grid = (more) => ({ left: 84, right: 46, top: 44, bottom: 52, ...more });
  // A legend of many arms has two lines.
  const legendRoom = (byArm) => (entries(byArm).length > ARMS_IN_A_LINE ? { top: 68 } : {});
  const base = (byArm, itemWidth, legendMore) => ({
    animation: false, legend: legend(byArm, itemWidth, legendMore), grid: grid(legendRoom(byArm)),
  });

  const line = (arm, data, more) => ({
    name: arm,
    type: 'line',
    data,
    symbol: 'none',
    itemStyle: { color: armColor(arm) },
    lineStyle: { color: armColor(arm), width: 2.5, type: of(LINES, arm) },
    ...more,
  });

  const bar = (arm, data) => ({
    name: arm,
    type: 'bar',
    data,
    itemStyle: {
      color: armColor(arm),
      decal: { color: color('--panel'), ...of(PATTERNS, arm) },
    },
  });

  // A bar for each row and arm.
  const bytes = (rows, name, fullName) => {
    const most = Math.max(...rows.flatMap((row) => Object.values(row.bytes_per_operation)));
    const [size, unit] = BYTES.find(([factor]) => most >= factor) || [1, 'B'];
    const present = Object.fromEntries(arms.filter((arm) => rows.some(
      (row) => row.bytes_per_operation[arm] !== undefined)).map((arm) => [arm, true]));
    return {
      ...base(present, WIDE),
      grid: grid({ left: 12, containLabel: true, bottom: 36 }),
      tooltip: tooltip({
        trigger: 'axis',
        axisPointer: { type: 'shadow' },
        formatter: (points) => [fullName(rows[points[0].dataIndex]),
          ...points.map((p) => `${p.seriesName}: ${number(p.value)} ${unit}`)].join('\n'),
      }),
      xAxis: axis(`${unit} per operation`, { type: 'value', axisLabel: { formatter: number } }),
      yAxis: axis('', {
        type: 'category',
        data: rows.map(name),
        inverse: true,
        axisLabel: { width: 320, overflow: 'truncate', hideOverlap: false, interval: 0 },
      }),
      series: entries(present).map(([arm]) => bar(arm,
        rows.map((row) => (row.bytes_per_operation[arm] || 0) / size))),
    };
  };

  const draw = {
    latency(charts, i) {
      const byArm = charts.latencies[i].arms;
      return {
        ...base(byArm, WIDE, LINES_ONLY),
        tooltip: tooltip({
          trigger: 'axis',
          formatter: (points) => [percentile(points[0].value[0]),
            ...points.map((p) => `${p.seriesName}: ${micros(p.value[1])}`)].join('\n'),
        }),
        xAxis: axis('percentile', {
          type: 'log', min: 1, axisLabel: { formatter: percentile },
        }),
        // The few fastest would take a decade of it.
        yAxis: spreadAxis('latency', ys(Object.fromEntries(entries(byArm).map(
          ([arm, points]) => [arm, points.filter(([x]) => x >= 1.1)]))), micros),
        series: entries(byArm).map(([arm, points]) => line(arm, points)),
      };
    },

    throughput(charts) {
      const byArm = charts.throughput;
      const [, end] = extent(entries(byArm).flatMap(([, { median }]) => median.map(([x]) => x)));
      return {
        ...base(byArm, WIDE, LINES_ONLY),
        tooltip: tooltip({
          trigger: 'axis',
          formatter: (points) => [`${number(points[0].value[0])} s`,
            ...points.map((p) => `${p.seriesName}: ${number(p.value[1])} ops/s`)].join('\n'),
        }),
        xAxis: axis('seconds since the start', { type: 'value', min: 0, max: Math.ceil(end) }),
        yAxis: axis('operations a second', {
          type: 'value', min: 0, nameGap: 62, axisLabel: { formatter: number },
        }),
        series: entries(byArm).flatMap(([arm, { rounds, median }]) => [
          line(arm, median, { z: 5 }),
          ...Object.values(rounds).map((points) => line(arm, points, {
            silent: true,
            lineStyle: { color: armColor(arm), width: 1, opacity: 0.35 },
            tooltip: { show: false },
          }))]),
      };
    },

    lines(charts, i) {
      const { unit, arms: byArm } = charts.lines[i];
      const format = unit === 'bytes' ? scaled(BYTES) : number;
      return {
        ...base(byArm, WIDE, LINES_ONLY),
        tooltip: tooltip({
          trigger: 'axis',
          formatter: (points) => [`${number(points[0].value[0])} s`,
            ...points.map((p) => `${p.seriesName}: ${format(p.value[1])}`)].join('\n'),
        }),
        xAxis: axis('seconds since the start', { type: 'value', min: 0 }),
        yAxis: axis('', { type: 'value', min: 0, axisLabel: { formatter: format } }),
        series: entries(byArm).map(([arm, points]) => line(arm, points)),
      };
    },

    pauses(charts) {
      const byArm = charts.pauses;
      return {
        ...base(byArm, NARROW),
        tooltip: tooltip({
          formatter: (p) => `${p.seriesName}: ${millis(p.value[1])} at ${number(p.value[0])} s`,
        }),
        xAxis: axis('seconds since the measured part began', { type: 'value', min: 0 }),
        yAxis: spreadAxis('pause', ys(byArm), millis),
        series: entries(byArm).map(([arm, points]) => ({
          name: arm,
          type: 'scatter',
          data: points,
          symbol: of(SYMBOLS, arm),
          symbolSize: 7,
          itemStyle: { color: armColor(arm), opacity: 0.75 },
        })),
      };
    },

    pauseHistogram(charts) {
      const { bars, per_minute: byArm } = charts.pause_histogram;
      return {
        ...base(byArm, WIDE),
        grid: grid({ ...legendRoom(byArm), bottom: 66 }),
        tooltip: tooltip({
          trigger: 'axis',
          axisPointer: { type: 'shadow' },
          formatter: (points) => [`${points[0].name} ms`,
            ...points.map((p) => `${p.seriesName}: ${number(p.value)} a minute`)].join('\n'),
        }),
        xAxis: axis('length of the pause, ms', {
          type: 'category',
          data: bars,
          nameGap: 44,
          axisLabel: { interval: 0, hideOverlap: false, fontSize: 11, rotate: 30 },
        }),
        yAxis: axis('pauses a minute', {
          type: 'value', nameGap: 62, axisLabel: { formatter: number },
        }),
        series: entries(byArm).map(([arm, values]) => bar(arm, values)),
      };
    },

    allocations(charts) {
      return bytes(charts.allocations, (site) => site.site, (site) => site.full_name);
    },

    paths(charts) {
      return bytes(charts.paths, (path) => path.path, (path) => path.what);
    },
  };

  const elements = [...document.querySelectorAll('.chart')];
  const drawAll = () => elements.forEach((element) => {
    echarts.dispose(element);
    echarts.init(element).setOption(
      draw[element.dataset.chart](chartsOf(element.dataset), element.dataset.index));
  });
  const resize = new ResizeObserver((changes) => changes.forEach(({ target }) => {
    const chart = echarts.getInstanceByDom(target);
    if (chart) {
      chart.resize();
    }
  }));

  drawAll();
  elements.forEach((element) => resize.observe(element));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
})();
