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
package org.hbasestrata.patches;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.IdGenerator;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomBlock;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SourceSpan;
import org.commonmark.node.Text;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;

/** What a page in Markdown, as GitHub shows it, consists of. */
final class MarkdownPage {
  private static final Parser PARSER =
    Parser.builder().extensions(List.of(TablesExtension.create()))
      .includeSourceSpans(IncludeSourceSpans.BLOCKS_AND_INLINES).build();

  /** An attribute with one link or, as {@code srcset}, several, each before what it is for. */
  private static final Pattern HTML_LINK =
    Pattern.compile("\\b(?:href|src|srcset)\\s*=\\s*\"([^\"]*)\"");

  /** What is behind the text of a link. */
  private static final Pattern TARGET = Pattern.compile("\\]\\([^)]*\\)");

  private final List<String> lines;
  private final List<Title> titles = new ArrayList<>();
  private final Set<String> anchors = new HashSet<>();
  private final List<Reference> references = new ArrayList<>();
  private final List<Snippet> snippets = new ArrayList<>();
  private final Set<Integer> linesThatAreNoProse = new HashSet<>();

  /**
   * A heading.
   * @param level 1 to 6
   */
  record Title(int level, String text) {
  }

  /**
   * A link or an image.
   * @param line its number, from 1 on
   */
  record Reference(int line, String target) {
  }

  /**
   * Code within text, or a line of a block of code.
   * @param line its number, from 1 on
   */
  record Snippet(int line, String text) {
  }

  MarkdownPage(String text) {
    lines = text.lines().toList();
    PARSER.parse(text).accept(new Reader());
  }

  int lineCount() {
    return lines.size();
  }

  List<Title> titles() {
    return titles;
  }

  /** What links to this page may have behind their #. */
  Set<String> anchors() {
    return anchors;
  }

  List<Reference> references() {
    return references;
  }

  List<Snippet> snippets() {
    return snippets;
  }

  /**
   * Numbers of the lines that are longer than this. Those of tables, code and HTML don't count, nor
   * do the targets of links, which can't be broken.
   */
  List<Integer> longLines(int length) {
    return IntStream.rangeClosed(1, lines.size()).boxed()
      .filter(line -> !linesThatAreNoProse.contains(line))
      .filter(line -> TARGET.matcher(lines.get(line - 1)).replaceAll("]").length() > length)
      .toList();
  }

  /** Number of a node's first line; that of what it is in, if the parser doesn't tell. */
  private static int line(Node node) {
    for (Node each = node; each != null; each = each.getParent()) {
      if (!each.getSourceSpans().isEmpty()) {
        return each.getSourceSpans().get(0).getLineIndex() + 1;
      }
    }
    return 1;
  }

  private static String text(Heading heading) {
    StringBuilder text = new StringBuilder();
    heading.accept(new AbstractVisitor() {
      @Override
      public void visit(Text node) {
        text.append(node.getLiteral());
      }

      @Override
      public void visit(Code node) {
        text.append(node.getLiteral());
      }
    });
    return text.toString();
  }

  /** Goes through a page, once. */
  private final class Reader extends AbstractVisitor {
    private final IdGenerator ids = IdGenerator.builder().build();

    @Override
    public void visit(Heading node) {
      String text = text(node);
      titles.add(new Title(node.getLevel(), text));
      anchors.add(ids.generateId(text));
      visitChildren(node);
    }

    @Override
    public void visit(Link node) {
      references.add(new Reference(line(node), node.getDestination()));
      visitChildren(node);
    }

    @Override
    public void visit(Image node) {
      references.add(new Reference(line(node), node.getDestination()));
      visitChildren(node);
    }

    @Override
    public void visit(HtmlBlock node) {
      isNoProse(node);
      addLinks(node, node.getLiteral());
    }

    @Override
    public void visit(HtmlInline node) {
      addLinks(node, node.getLiteral());
    }

    @Override
    public void visit(Code node) {
      snippets.add(new Snippet(line(node), node.getLiteral()));
    }

    @Override
    public void visit(FencedCodeBlock node) {
      isNoProse(node);
      // The first line is the fence.
      addLines(line(node) + 1, node.getLiteral());
    }

    @Override
    public void visit(IndentedCodeBlock node) {
      isNoProse(node);
      addLines(line(node), node.getLiteral());
    }

    @Override
    public void visit(CustomBlock node) {
      if (node instanceof TableBlock) {
        isNoProse(node);
      }
      visitChildren(node);
    }

    private void addLines(int first, String code) {
      int line = first;
      for (String text : code.lines().toList()) {
        snippets.add(new Snippet(line++, text));
      }
    }

    private void isNoProse(Node node) {
      for (SourceSpan span : node.getSourceSpans()) {
        linesThatAreNoProse.add(span.getLineIndex() + 1);
      }
    }

    private void addLinks(Node node, String html) {
      Matcher link = HTML_LINK.matcher(html);
      while (link.find()) {
        int line = line(node) + (int) html.substring(0, link.start()).chars()
          .filter(c -> c == '\n').count();
        for (String target : link.group(1).split(",")) {
          references.add(new Reference(line, target.strip().split("\\s")[0]));
        }
      }
    }
  }
}
