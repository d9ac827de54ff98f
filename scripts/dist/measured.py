"""The ways of installing that measure.py measures, and the small project that each of them builds."""

from __future__ import annotations

from dataclasses import dataclass

DESCRIPTION = '@PACKAGE("org.example.lab")\n\nstruct Sample {\n    String name;\n    double[] values;\n}\n\ninterface Lab {\n    Sample find(String name);\n}\n'
LISTS = """cmake_minimum_required(VERSION 3.19)
project(client LANGUAGES C)
find_package(creo REQUIRED)
creo_generate(lab lab.creo)
add_executable(call EXCLUDE_FROM_ALL call.c)
target_link_libraries(call PRIVATE lab)
"""
# Each prints the number of values that come back for the name CO2.
PYTHON_CALL = """import sys
from org.example.lab import LabClient

with LabClient("127.0.0.1", int(sys.argv[1])) as lab:
    print(len(lab.find("CO2").values))
"""
C_CALL = """#include <stdio.h>
#include <stdlib.h>

#include "lab.creo.h"

int main(int count, char **words)
{
    creo_arena arena;
    creo_client client;
    creo_error error;
    lab_sample found;
    creo_arena_init(&arena, creo_allocator_libc());
    creo_client_init(&client, "127.0.0.1", (uint16_t)atoi(words[count - 1]), creo_allocator_libc());
    if (!lab_lab_find(&client, creo_text("CO2"), &arena, &found, &error))
        return 1;
    printf("%u\\n", (unsigned)found.values.count);
    creo_client_free(&client);
    creo_arena_free(&arena);
    return 0;
}
"""
JAVA_CALL = """import org.example.lab.LabClient;

class Call {
    public static void main(String[] words) throws Exception {
        try (LabClient lab = new LabClient("127.0.0.1", Integer.parseInt(words[0]))) {
            System.out.println(lab.find("CO2").values().length);
        }
    }
}
"""
CSHARP_CALL = """using System;
using Org.Example.Lab;

using var lab = new LabClient("127.0.0.1", int.Parse(args[0]));
Console.WriteLine(lab.Find("CO2").Values.Count);
"""
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>org.example</groupId><artifactId>client</artifactId><version>1.0</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <repositories><repository><id>dist</id><url>file://@DIST@/maven</url></repository></repositories>
  <pluginRepositories><pluginRepository><id>dist</id><url>file://@DIST@/maven</url></pluginRepository></pluginRepositories>
  <dependencies>
    <dependency><groupId>creo</groupId><artifactId>creo-runtime</artifactId><version>@VERSION@</version></dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-compiler-plugin</artifactId><version>3.14.0</version></plugin>
      <plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
      <plugin>
        <groupId>creo</groupId><artifactId>creo-maven-plugin</artifactId><version>@VERSION@</version>
        <executions><execution><goals><goal>generate</goal></goals></execution></executions>
      </plugin>
    </plugins>
  </build>
</project>
"""
# Debian's Gradle knows no Java above 12.
BUILD = """plugins { id 'creo.generate' version '@VERSION@' }
apply plugin: 'java'
repositories { maven { url '@DIST@/maven' } }
dependencies { compile 'creo:creo-runtime:@VERSION@' }
compileJava.options.compilerArgs += ['-source', '17', '-target', '17']
creo { executable = project.property('creo') }
"""
MSBUILD = "http://schemas.microsoft.com/developer/msbuild/2003"
# CoreCompile stands in for that of the SDK.
CSPROJ = f"""<Project DefaultTargets="CoreCompile" xmlns="{MSBUILD}">
  <PropertyGroup><IntermediateOutputPath>obj/</IntermediateOutputPath></PropertyGroup>
  <ItemGroup><Compile Include="Call.cs" /><CreoFile Include="lab.creo" /></ItemGroup>
  <Target Name="CoreCompile">
    <WriteLinesToFile File="arguments.txt" Lines="-out:bin/app.dll;-target:exe;-nullable;@(Compile)" Overwrite="true" />
    <Exec Command="$(DOTNET)/csc.sh @arguments.txt" />
  </Target>
  <Target Name="Clean" />
  <Import Project="packages/build/Creo.Compiler.targets" />
</Project>
"""
FILES = {
    "lab.creo": DESCRIPTION,
    "CMakeLists.txt": LISTS,
    "call.py": PYTHON_CALL,
    "call.c": C_CALL,
    "src/main/creo/lab.creo": DESCRIPTION,
    "src/main/java/Call.java": JAVA_CALL,
    "pom.xml": POM,
    "settings.gradle": "pluginManagement { repositories { maven { url '@DIST@/maven' } } }\nrootProject.name = 'client'\n",
    "build.gradle": BUILD,
    "Call.cs": CSHARP_CALL,
    "app.proj": CSPROJ,
}


@dataclass(frozen=True)
class Way:
    """A way of installing: what it downloads, as patterns of packages, the commands until code is generated, and then until a call is answered."""

    name: str
    packages: tuple[str, ...]
    commands: str
    call: str = "PYTHONPATH=generated/python $PYTHON call.py $PORT"
    # What is there before, and is not measured.
    prepare: str = ":"
    needs: tuple[str, ...] = ()


GENERATE = "generate lab.creo --target python --out generated"
MAVEN = "mvn --batch-mode --no-transfer-progress --quiet -Dmaven.repo.local=$PWD/local"
GRADLE = "GRADLE_USER_HOME=$PWD/home gradle --offline --no-daemon --quiet -Pcreo=$(echo $PWD/creo-*-linux/creo)"
WAYS = [
    Way("archive", ("creo-*-linux.tar.gz",), f"tar xzf $DIST/creo-*-linux.tar.gz && ./creo-*/creo {GENERATE}"),
    Way(
        "pip, into a new environment",
        ("python/creo_compiler-*.whl",),
        f"$PYTHON -m venv venv && venv/bin/pip install -q --no-index --find-links $DIST/python creo-compiler && venv/bin/creo {GENERATE}",
        "PYTHONPATH=generated/python venv/bin/python call.py $PORT",
    ),
    Way(
        "npm",
        ("npm/*.tgz",),
        f"echo '{{}}' >package.json && npm install --silent --offline --no-audit --cache cache $DIST/npm/*.tgz && npx --no-install creo {GENERATE}",
    ),
    Way(
        "dpkg",
        ("deb/creo_*.deb",),
        "mkdir -p root/var/lib/dpkg/updates root/var/lib/dpkg/info && touch root/var/lib/dpkg/status && "
        f"dpkg --root=$PWD/root --force-not-root --install $DIST/deb/creo_*.deb && root/usr/bin/creo {GENERATE}",
    ),
    Way(
        "CMake: archive of program and C runtime, until a library is built",
        ("creo-*-linux.tar.gz", "c/creo-c-*.tar.gz"),
        "tar xzf $DIST/creo-*-linux.tar.gz && tar xzf $DIST/c/creo-c-*.tar.gz && "
        "cmake -B build -DCMAKE_PREFIX_PATH=$(echo $PWD/creo-c-*) -DCREO_EXECUTABLE=$(echo $PWD/creo-*-linux/creo) && cmake --build build",
        "cmake --build build --target call && build/call $PORT",
    ),
    Way(
        "Maven: plugin, with program and runtime from a repository",
        tuple(f"maven/creo/{name}/*/{end}" for name in ("creo-maven-plugin", "creo-cli", "creo-runtime") for end in ("*[0-9].jar", "*.exe", "*.pom")),
        f"{MAVEN} generate-sources",
        # Maven ends with codes of a terminal on a line of their own.
        f"{MAVEN} compile && echo && java -cp target/classes:$(echo local/creo/creo-runtime/*/*[0-9].jar) Call $PORT",
        # All that others have published.
        prepare="mkdir local && for each in ~/.m2/repository/*; do [ ${each##*/} = creo ] || ln -s $each local/; done",
        needs=("mvn",),
    ),
    Way(
        "Gradle: archive of the program, plugin and runtime from a repository",
        ("creo-*-linux.tar.gz", "maven/creo/creo-gradle-plugin/*/*[0-9].jar", "maven/creo/generate/*/*/*.pom", "maven/creo/creo-runtime/*/*[0-9].jar", "maven/creo/creo-[gr]*/*/*.pom"),
        f"tar xzf $DIST/creo-*-linux.tar.gz && {GRADLE} generateCreo",
        f"{GRADLE} compileJava && java -cp build/classes/java/main:$(echo $DIST/maven/creo/creo-runtime/*/*[0-9].jar) Call $PORT",
        needs=("gradle",),
    ),
    Way(
        "NuGet: `Creo.Compiler`, unpacked by unzip, built by Mono's xbuild and the tests' compiler, without NuGet and the SDK",
        ("nuget/Creo.Compiler.*.nupkg",),
        "unzip -q $DIST/nuget/Creo.Compiler.*.nupkg -d packages && xbuild /nologo /verbosity:quiet /t:CreoGenerate app.proj",
        "xbuild /nologo /verbosity:quiet app.proj && $DOTNET/run.sh bin/app.dll $PORT",
        prepare="$DOTNET/setup.sh",
        needs=("xbuild",),
    ),
]
