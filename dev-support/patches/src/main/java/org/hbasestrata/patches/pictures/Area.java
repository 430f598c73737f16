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
package org.hbasestrata.patches.pictures;

/** A rectangle, in pixels. */
record Area(int x, int y, int width, int height) {
  int right() {
    return x + width;
  }

  int bottom() {
    return y + height;
  }

  int middle() {
    return x + width / 2;
  }

  /** Returns the area without so much at each side. */
  Area inside(int margin) {
    return new Area(x + margin, y + margin, width - 2 * margin, height - 2 * margin);
  }

  boolean contains(Area other) {
    return other.x >= x && other.right() <= right() && other.y >= y && other.bottom() <= bottom();
  }

  boolean overlaps(Area other) {
    return x < other.right() && other.x < right() && y < other.bottom() && other.y < bottom();
  }
}
