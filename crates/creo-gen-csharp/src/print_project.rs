//! The project file for generated code.

use crate::lang::Output;
use creo_codegen::{Files, Runtime, Writer};
use std::collections::BTreeSet;

/// Adds the project, in the folder of its namespace: two projects in one folder would each compile the files of both and mix their outputs.
pub fn add(output: &Output, runtime: Runtime, files: &mut Files) {
    let folders =
        files.iter().filter_map(|(path, _)| path.split_once('/')).map(|(folder, _)| folder.to_owned());
    let others: BTreeSet<String> = folders.filter(|folder| *folder != output.project).collect();
    files.add(format!("{0}/{0}.csproj", output.project), print(output, &others, runtime));
}

/// `folders` are those of other namespaces.
fn print(output: &Output, folders: &BTreeSet<String>, runtime: Runtime) -> String {
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
        w.block("<ItemGroup>", "</ItemGroup>", |w| {
            for folder in folders {
                w.line(format!(
                    "<Compile Include=\"../{folder}/**/*.cs\" Exclude=\"../{folder}/bin/**;../{folder}/obj/**\" />"
                ));
            }
            match runtime {
                Runtime::Copy => {
                    w.line("<!-- The runtime is a project of its own. -->");
                    w.line(format!("<ProjectReference Include=\"../{0}/{0}.csproj\" />", output.runtime));
                }
                Runtime::Package => {
                    w.line("<!-- CreoRuntime is the path of the runtime's project, as in dotnet build -p:CreoRuntime=... -->");
                    w.line("<ProjectReference Include=\"$(CreoRuntime)\" Condition=\"'$(CreoRuntime)' != ''\" />");
                }
            }
        });
    });
    w.finish()
}
