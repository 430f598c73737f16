<#-- Every bundled third-party jar, one a line: file name, licences, project. -->
Third-party jars of this distribution, with the licences that their projects declare.

<#-- Upstream's jars of the patched modules aren't in it, but some classes of theirs, as a jar. -->
<#list dependencyMap as entry>
<#assign artifact = entry.getKey().artifactId>
<#assign version = entry.getKey().version>
<#if ["hbase-client", "hbase-common", "hbase-server"]?seq_contains(artifact)>
<#if artifact == "hbase-server" && version?ends_with("-hadoop3")>
hbase-diagnostics-${version}.jar: Apache License, Version 2.0 (https://hbase.apache.org)
</#if>
<#elseif entry.getKey().groupId != "org.hbasestrata">
${artifact}-${version}.jar: <#list entry.getValue() as licence>${licence}<#sep>; </#list><#if entry.getKey().url??> (${entry.getKey().url})</#if>
</#if>
</#list>
