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
package org.hbasestrata.seams;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.inject.Inject;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.apache.maven.project.MavenProject;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.RepositorySystemSession;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;

/**
 * Makes the module's classes folder what the patched jar will hold: upstream's jar without the
 * classes that seams touch, these compiled anew from the patched sources, and the module's own
 * classes. Runs before resources are copied, because it starts from an empty folder.
 */
@Mojo(name = "patch", defaultPhase = LifecyclePhase.GENERATE_SOURCES,
    requiresDependencyResolution = ResolutionScope.COMPILE, threadSafe = true)
public final class PatchMojo extends AbstractMojo {
  @Parameter(defaultValue = "${project}", readonly = true)
  private MavenProject project;

  @Parameter(defaultValue = "${repositorySystemSession}", readonly = true)
  private RepositorySystemSession session;

  /** The version of Java that the build is made with as a rule. */
  static final int ERROR_PRONE_JDK = 17;

  /** Version of the upstream module of the same group and name. */
  @Parameter(property = "hbase.version", required = true)
  private String upstreamVersion;

  /** SHA-256 of upstream's jars, in the format of {@code sha256sum}. */
  @Parameter(
    defaultValue = "${maven.multiModuleProjectDirectory}/dev-support/seams/upstream.sha256")
  private File pins;

  /** Has a folder for each patch, with its classes and tests by module. */
  @Parameter(defaultValue = "${maven.multiModuleProjectDirectory}/patches")
  private File patchFolders;

  @Parameter(property = "maven.compiler.release", required = true)
  private String release;

  /** What the compiler warns of, as its option {@code -Xlint} takes it. */
  @Parameter(property = "compiler.lint", required = true)
  private String lint;

  /** Whether Error Prone looks at what is compiled. */
  @Parameter(property = "error-prone", defaultValue = "true")
  private boolean errorProne;

  @Parameter(defaultValue = "${plugin.artifacts}", readonly = true)
  private List<org.apache.maven.artifact.Artifact> pluginArtifacts;

  private final RepositorySystem repositories;

  @Inject
  public PatchMojo(RepositorySystem repositories) {
    this.repositories = repositories;
  }

  @Override
  public void execute() throws MojoExecutionException {
    Path target = Path.of(project.getBuild().getDirectory());
    Path classes = Path.of(project.getBuild().getOutputDirectory());
    Path patched = target.resolve("generated-sources/seams");
    try {
      List<PatchFile> files = PatchFile.readAll(patchFolders.toPath());
      checkModules(files);
      List<Patch> patches = SeamFiles.read(files, project.getArtifactId());
      addSourceRoots(files);
      PatchedModule module = new PatchedModule(upstream("sources"), patches);
      delete(patched);
      module.writeSources(patched);
      module.writeDiff(target.resolve("seams.diff"),
        project.getArtifactId() + "/src/main/java/");
      delete(classes);
      upstream("").unpack(classes,
        entry -> !entry.matches("META-INF/(MANIFEST.MF|maven/.*)") && !module.replaces(entry));
      module.compile(patched, newClasses(), classes, dependencies(), release, lint,
        errorProne());
      new PatchLevelFile(project.getArtifactId(), project.getVersion(), upstreamVersion, patches)
        .write(classes);
      getLog().info("Patches of " + upstreamVersion + ": "
        + patches.stream().map(p -> p.id() + " " + p.title() + " (" + p.seams().size() + " seams)")
          .collect(Collectors.joining(", ")));
    } catch (SeamException e) {
      throw new MojoExecutionException(e.getMessage(), e);
    } catch (IOException e) {
      throw new MojoExecutionException("can't build " + project.getArtifactId() + ": " + e, e);
    }
  }

  /** Error Prone works with the compilers that it knows, if the JVM's options let it in. */
  private List<String> errorProne() {
    boolean possible = Runtime.version().feature() == ERROR_PRONE_JDK
      && ModuleLayer.boot().findModule("jdk.compiler").stream()
        .anyMatch(compiler -> compiler.isExported("com.sun.tools.javac.util",
          getClass().getModule()));
    if (errorProne && !possible) {
      getLog().info("Error Prone doesn't look at the classes: it needs JDK " + ERROR_PRONE_JDK
        + ", and the options of .mvn/jvm.config");
    }
    return errorProne && possible
      ? pluginArtifacts.stream().map(artifact -> artifact.getFile().getPath()).toList()
      : List.of();
  }

  /** Seams of a module that isn't there would be left out without a word. */
  private void checkModules(List<PatchFile> files) throws SeamException {
    for (PatchFile file : files) {
      if (file.content().get("seams") instanceof Map<?, ?> modules) {
        for (Object module : modules.keySet()) {
          if (!new File(patchFolders.getParentFile(), module + "/pom.xml").exists()) {
            throw new SeamException(file.name() + "/" + PatchFile.NAME + ": seams of '" + module
              + "', which is no module of the project");
          }
        }
      }
    }
  }

  /** Classes and tests of the patches, for the compiler of tests and for IDEs. */
  private void addSourceRoots(List<PatchFile> files) {
    for (PatchFile file : files) {
      Path sources = file.folder().resolve(project.getArtifactId()).resolve("src");
      if (Files.isDirectory(sources.resolve("main/java"))) {
        project.addCompileSourceRoot(sources.resolve("main/java").toString());
      }
      if (Files.isDirectory(sources.resolve("test/java"))) {
        project.addTestCompileSourceRoot(sources.resolve("test/java").toString());
      }
    }
  }

  private List<Path> newClasses() {
    return project.getCompileSourceRoots().stream().map(Path::of).toList();
  }

  private UpstreamJar upstream(String classifier)
    throws IOException, SeamException, MojoExecutionException {
    Artifact artifact = new DefaultArtifact(project.getGroupId(), project.getArtifactId(),
      classifier,
      "jar", upstreamVersion);
    ArtifactRequest request =
      new ArtifactRequest(artifact, project.getRemoteProjectRepositories(), null);
    try {
      File file = repositories.resolveArtifact(session, request).getArtifact().getFile();
      return new UpstreamJar(file.toPath(), pins.toPath());
    } catch (ArtifactResolutionException e) {
      throw new MojoExecutionException("can't get upstream's jar: " + e.getMessage(), e);
    }
  }

  private List<String> dependencies() {
    List<String> files = new ArrayList<>();
    for (org.apache.maven.artifact.Artifact artifact : project.getArtifacts()) {
      if (artifact.getArtifactHandler().isAddedToClasspath()) {
        files.add(artifact.getFile().getPath());
      }
    }
    return files;
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> content;
    try (Stream<Path> walk = Files.walk(folder)) {
      content = walk.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
    }
    for (Path file : content) {
      Files.delete(file);
    }
  }
}
