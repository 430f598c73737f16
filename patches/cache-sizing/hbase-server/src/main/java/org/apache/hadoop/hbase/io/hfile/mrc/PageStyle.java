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

import org.apache.yetus.audience.InterfaceAudience;

/** The style of the page of the block cache, for light and dark screens. */
@InterfaceAudience.Private
final class PageStyle {
  private static final String LIGHT = "--ground:#fff;--panel:#f6f7f9;--text:#1c2430;"
    + "--soft:#5b6675;--line:#d5dae1;--all:#0b63c4;--meta:#8a4fbf;--data:#0f7f6f;--warn:#9a5b00;";
  private static final String DARK = "--ground:#14181e;--panel:#1d232b;--text:#e6eaf0;"
    + "--soft:#9aa6b5;--line:#38414d;--all:#6fb1ff;--meta:#c79bf2;--data:#54cdb9;--warn:#f0b35a;";

  static final String CSS = ":root{color-scheme:light dark;" + LIGHT + "}"
    + "@media(prefers-color-scheme:dark){:root{" + DARK + "}}"
    + "*{box-sizing:border-box}"
    + "body{margin:0;background:var(--ground);color:var(--text);"
    + "font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}"
    + "main{max-width:1200px;margin:0 auto;padding:16px}"
    + "a{color:var(--all)}"
    + "h1{font-size:1.5rem;line-height:1.25;margin:.2em 0;overflow-wrap:anywhere}"
    + "h1 small{display:block;font-size:.9rem;font-weight:400;color:var(--soft)}"
    + "h2{font-size:1.15rem;margin:1.8em 0 .5em}h3{font-size:1rem;margin:0 0 .2em}"
    + "p{margin:.4em 0}.soft{color:var(--soft);font-size:.9rem}"
    + ".advice{background:var(--panel);border-left:4px solid var(--all);padding:10px 14px;"
    + "font-size:1.05rem}.advice.unknown{border-color:var(--warn)}"
    + ".tiers{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr));"
    + "gap:16px}"
    + "section.tier{background:var(--panel);padding:14px;border-radius:6px;min-width:0}"
    + "svg{display:block;width:100%;max-width:640px;height:auto}"
    + "svg text{fill:var(--soft);font-size:12px}"
    + ".grid{stroke:var(--line);stroke-width:1}.now{stroke:var(--soft);stroke-dasharray:3 3}"
    + "path{fill:none;stroke-width:2;stroke-linejoin:round}"
    + "path.all{stroke:var(--all);stroke-width:3}path.meta{stroke:var(--meta);"
    + "stroke-dasharray:6 4}path.data{stroke:var(--data)}"
    + "path.l1area{fill:var(--all);opacity:.75}path.l2area{fill:var(--data);opacity:.55}"
    + "circle.all{fill:var(--all)}circle.measured{fill:var(--panel);stroke:var(--text);"
    + "stroke-width:2}"
    + ".key{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:.85rem;color:var(--soft);"
    + "margin:.3em 0}"
    + ".key i{display:inline-block;width:18px;height:0;border-top:3px solid;margin:0 6px 4px 0;"
    + "vertical-align:middle}.key i.meta{border-top-style:dashed}"
    + "i.all{color:var(--all)}i.meta{color:var(--meta)}i.data{color:var(--data)}"
    + ".scroll{overflow-x:auto}"
    + "table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}"
    + "th,td{text-align:right;padding:4px 8px;border-bottom:1px solid var(--line);"
    + "white-space:nowrap}"
    + "th{color:var(--soft);font-weight:600}"
    + "th:first-child,td:first-child,.left{text-align:left}"
    + "td.name{white-space:normal;overflow-wrap:anywhere;min-width:6.5em}"
    + "tr.present td{font-weight:600}.off{color:var(--warn);font-weight:600}"
    + "@media(max-width:480px){main{padding:10px}th,td{padding:4px}"
    + "table{font-size:.8rem}svg text{font-size:13px}}";

  private PageStyle() {
  }
}
