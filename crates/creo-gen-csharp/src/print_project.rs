//! The project file that comes with generated code.

use crate::lang::Output;
use creo_codegen::{Runtime, Writer};

pub fn print(output: &Output, runtime: Runtime) -> String {
    let mut w = Writer::new("  ");
    w.line(format!("<!-- {} -->", output.header.replace("--", "__")));
    w.block("<Project Sdk=\"Microsoft.NET.Sdk\">", "</Project>", |w| {
        w.block("<PropertyGroup>", "</PropertyGroup>", |w| {
            w.line("<TargetFramework>net8.0</TargetFramework>");
            w.line("<LangVersion>12</LangVersion>");
            w.line("<Nullable>enable</Nullable>");
            w.line("<ImplicitUsings>disable</ImplicitUsings>");
            w.line("<GenerateDocumentationFile>true</GenerateDocumentationFile>");
            w.line("<!-- What the description does not document has no documentation here. -->");
            w.line("<NoWarn>$(NoWarn);CS1591</NoWarn>");
            w.line(format!("<AssemblyName>{}</AssemblyName>", output.project));
            w.line(format!("<RootNamespace>{}</RootNamespace>", output.project));
        });
        w.block("<ItemGroup>", "</ItemGroup>", |w| match runtime {
            Runtime::Copy => {
                w.line("<!-- The runtime is a project of its own. -->");
                w.line("<Compile Remove=\"Creo/**\" />");
                w.line("<ProjectReference Include=\"Creo/Creo.csproj\" />");
            }
            Runtime::Package => {
                w.line("<!-- CreoRuntime is the path of the runtime's project, as in dotnet build -p:CreoRuntime=... -->");
                w.line("<ProjectReference Include=\"$(CreoRuntime)\" Condition=\"'$(CreoRuntime)' != ''\" />");
            }
        });
    });
    w.finish()
}
