<#-- Every bundled third-party jar, one a line: file name, licences, project. -->
Third-party jars of this distribution, with the licences that their projects declare.

<#list dependencyMap as entry>
${entry.getKey().artifactId}-${entry.getKey().version}.jar: <#list entry.getValue() as licence>${licence}<#sep>; </#list><#if entry.getKey().url??> (${entry.getKey().url})</#if>
</#list>
