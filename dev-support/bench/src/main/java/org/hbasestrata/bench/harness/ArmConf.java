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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.hbasestrata.tools.Folders;
import org.hbasestrata.tools.ToolException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/** Makes the configuration that an arm's region server runs with. */
final class ArmConf {
  /** How old a metric may be: HBase works them out so often, and Hadoop keeps them so long. */
  static final int METRICS_PERIOD_SECONDS = 1;

  private static final String METRICS = "hadoop-metrics2-hbase.properties";
  private static final String SITE = "hbase-site.xml";
  private static final Pattern PERIOD = Pattern.compile("\\s*(\\*|hbase)\\.period\\b.*");

  private ArmConf() {
  }

  /**
   * Copies an arm's configuration, and has metrics worked out every second; they are up to 15
   * seconds old else, and a run's counters must not hold what was before it.
   * @param shipped  where the configuration of metrics comes from when the arm has none
   * @param settings keys of hbase-site.xml to set besides
   */
  static void write(ArmSpec arm, Path shipped, Map<String, String> settings, Path to) {
    try {
      Folders.copy(arm.conf(), to);
      Path metrics = to.resolve(METRICS);
      if (!Files.exists(metrics)) {
        Files.copy(shipped.resolve(METRICS), metrics);
      }
      List<String> lines = new ArrayList<>(Files.readAllLines(metrics));
      // Of a key that is there twice Hadoop takes the first.
      lines.removeIf(line -> PERIOD.matcher(line).matches());
      lines.addAll(List.of("", "# Set by bench, for all arms.", "*.period="
        + METRICS_PERIOD_SECONDS));
      Files.write(metrics, lines);
      Map<String, String> site = new TreeMap<>(settings);
      site.put("hbase.regionserver.metrics.period",
        Integer.toString(METRICS_PERIOD_SECONDS * 1_000));
      set(to.resolve(SITE), site);
    } catch (IOException | ParserConfigurationException | SAXException
      | TransformerException e) {
      throw ToolException.failed("the configuration of " + arm.name() + ", " + arm.conf()
        + ", can't be copied: " + ToolException.oneLine(e), e);
    }
  }

  /** Refuses a configuration that HBase couldn't read either. */
  static void check(ArmSpec arm) {
    Path site = arm.conf().resolve(SITE);
    try {
      read(site);
    } catch (IOException | ParserConfigurationException e) {
      throw ToolException.usage(site + " can't be read: " + ToolException.oneLine(e), e);
    } catch (SAXException e) {
      throw ToolException.usage(site + " isn't XML: " + e.getMessage(), e);
    }
  }

  private static Document read(Path site)
    throws IOException, ParserConfigurationException, SAXException {
    DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    builder.setErrorHandler(null);
    if (Files.exists(site)) {
      return builder.parse(site.toFile());
    }
    Document document = builder.newDocument();
    document.appendChild(document.createElement("configuration"));
    return document;
  }

  /** Adds properties to a site file, which win over those that are there. */
  private static void set(Path site, Map<String, String> properties)
    throws IOException, ParserConfigurationException, SAXException, TransformerException {
    Document document = read(site);
    Element root = document.getDocumentElement();
    root.appendChild(document.createComment(" Set by bench, for all arms. "));
    properties.forEach((key, value) -> {
      Element property = document.createElement("property");
      for (Map.Entry<String, String> part : Map.of("name", key, "value", value).entrySet()) {
        property.appendChild(document.createElement(part.getKey()))
          .setTextContent(part.getValue());
      }
      root.appendChild(property);
    });
    TransformerFactory factory = TransformerFactory.newInstance();
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    factory.newTransformer().transform(new DOMSource(document), new StreamResult(site.toFile()));
  }
}
