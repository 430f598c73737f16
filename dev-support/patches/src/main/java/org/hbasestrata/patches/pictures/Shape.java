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

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** A part of a picture. Which one is told by its fields. */
@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
@JsonSubTypes({ @JsonSubTypes.Type(TextBox.class), @JsonSubTypes.Type(Space.class),
  @JsonSubTypes.Type(Row.class), @JsonSubTypes.Type(Column.class),
  @JsonSubTypes.Type(ByteFields.class), @JsonSubTypes.Type(StackedBar.class),
  @JsonSubTypes.Type(Sequence.class) })
interface Shape {
  /** Between the edge of a box and its text. */
  int PADDING = 8;
  /** Between two shapes, unless it is given. */
  int GAP = 12;

  /** Returns the pixels that it needs if it has this width. */
  int height(int width);

  /** @param area at least as high as it needs */
  void draw(Area area, Canvas canvas);
}
