//! The files of a new project, made in memory.

use crate::args::RuntimeMode;
use crate::commands::generate::usual_wires;
use crate::config;
use crate::failure::Failure;
use creo_check::{CheckedModel, compile};
use creo_codegen::{Files, Input, Needs, Runtime};
use creo_targets::{documents, find};

/// The max length of a project's name.
const LONGEST: usize = 64;

/// A project: its own files, and the generated ones for each target.
#[derive(Debug)]
pub struct Project {
    pub own: Files,
    /// By target, in the order of the built-in ones, with the needs of the code from a runtime.
    pub generated: Vec<(&'static str, Files, Needs)>,
}

/// Makes a project with a name and languages.
pub fn project(name: &str, languages: &[&str]) -> Result<Project, Failure> {
    let fine = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    if !fine || name.len() > LONGEST {
        let help = format!(
            "it has letters, digits, `-` and `_`, begins with a letter, and is no longer than {LONGEST} characters"
        );
        return Err(Failure::new(format!("{name:?} is no name of a project")).help(help));
    }
    if let Some(unknown) = languages.iter().find(|language| find(language).is_none()) {
        return Err(Failure::new(format!("there is no project for the target {unknown:?}"))
            .help(format!("there are {}", creo_targets::names())));
    }
    let word = name.to_ascii_lowercase().replace('-', "_");
    let mut values = vec![("@NAME@", name.to_owned()), ("@WORD@", word)];
    let description = filled(include_str!("../templates/service.creo"), &values);
    let file = format!("{name}.creo");
    let model = compile(&[(&file, &description)]).map_err(|report| {
        let why = report.diagnostics().first().map(|d| d.message.clone()).unwrap_or_default();
        Failure::new(format!("{name:?} is no name of a project: {why}"))
    })?;
    let chosen: Vec<&'static str> = creo_targets::ALL
        .into_iter()
        .map(|target| target.name())
        .filter(|target| languages.contains(target))
        .collect();
    let generated: Vec<(&'static str, Files, Needs)> =
        chosen.iter().filter_map(|target| generate(target, &model)).collect();
    let quoted: Vec<String> = chosen.iter().map(|target| format!("{target:?}")).collect();
    values.push(("@TARGETS@", quoted.join(", ")));

    let mut own = Files::new();
    own.add(file, description);
    own.add(".gitignore", include_str!("../templates/gitignore"));
    own.add(config::NAME, filled(include_str!("../templates/creo.toml"), &values));
    let mut readme = filled(include_str!("../templates/README.md"), &values);
    for (target, files, _) in &generated {
        let mut values = values.clone();
        values.extend(names(target, files));
        for (path, template) in templates(target) {
            let text = filled(template, &values);
            if *path == "README.md" {
                readme.push_str(&text);
            } else {
                own.add(format!("{target}/{}", filled(path, &values)), text);
            }
        }
    }
    own.add("README.md", readme);
    Ok(Project { own, generated })
}

fn generate(target: &str, model: &CheckedModel) -> Option<(&'static str, Files, Needs)> {
    let documents = documents(model);
    let target = find(target)?;
    let input = Input::new(target, model);
    let wires = usual_wires(model, RuntimeMode::Copy, &[]);
    let input = Input { runtime: Runtime::Copy, wires, documents: &documents, ..input };
    Some((target.name(), target.generate(&input), input.needs()))
}

fn filled(template: &str, values: &[(&str, String)]) -> String {
    values.iter().fold(template.to_owned(), |text, (mark, value)| text.replace(mark, value))
}

/// The templates of a target: the path below its folder, the text. The `README.md` is a part of the project's.
fn templates(target: &str) -> &'static [(&'static str, &'static str)] {
    match target {
        "java" => &[
            ("build.gradle", include_str!("../templates/java/build.gradle")),
            ("build.xml", include_str!("../templates/java/build.xml")),
            ("pom.xml", include_str!("../templates/java/pom.xml")),
            ("settings.gradle", include_str!("../templates/java/settings.gradle")),
            ("src/main/java/@JAVA_PATH@/app/Main.java", include_str!("../templates/java/Main.java")),
            (
                "src/main/java/@JAVA_PATH@/app/MemoryStore.java",
                include_str!("../templates/java/MemoryStore.java"),
            ),
            ("src/main/java/@JAVA_PATH@/app/Client.java", include_str!("../templates/java/Client.java")),
            ("README.md", include_str!("../templates/java/README.md")),
        ],
        "python" => &[
            ("pyproject.toml", include_str!("../templates/python/pyproject.toml")),
            ("client.py", include_str!("../templates/python/client.py")),
            ("README.md", include_str!("../templates/python/README.md")),
        ],
        "c" => &[
            ("Makefile", include_str!("../templates/c/Makefile")),
            ("CMakeLists.txt", include_str!("../templates/c/CMakeLists.txt")),
            ("client.c", include_str!("../templates/c/client.c")),
            ("README.md", include_str!("../templates/c/README.md")),
        ],
        "csharp" => &[
            ("Client.csproj", include_str!("../templates/csharp/Client.csproj")),
            ("Program.cs", include_str!("../templates/csharp/Program.cs")),
            ("README.md", include_str!("../templates/csharp/README.md")),
        ],
        _ => &[],
    }
}

/// The package's name in a target, with escaped reserved words, taken from the names of the generated files.
fn names(target: &str, files: &Files) -> Vec<(&'static str, String)> {
    let folder_of = |file: &str| {
        let ending = format!("/{file}");
        files.iter().find_map(|(path, _)| path.strip_suffix(&ending)).unwrap_or_default().to_owned()
    };
    let ending = |ending: &str| {
        files
            .iter()
            .map(|(path, _)| path)
            .find(|path| path.ends_with(ending) && !path.contains("/creo/"))
            .unwrap_or_default()
    };
    match target {
        "java" => {
            let path = folder_of("SeriesStore.java");
            vec![("@JAVA_PATH@", path.clone()), ("@JAVA@", path.replace('/', "."))]
        }
        "python" => vec![("@PYTHON@", folder_of("creo_types.py").replace('/', "."))],
        "c" => {
            let prefix =
                ending(".creo.h").trim_start_matches("include/").trim_end_matches(".creo.h").to_owned();
            let build_file = files.iter().map(|(path, _)| path).find(|path| path.ends_with(".mk"));
            let library = build_file.unwrap_or_default().trim_end_matches(".mk").to_owned();
            vec![("@C_UPPER@", prefix.to_ascii_uppercase()), ("@C@", prefix), ("@LIBRARY@", library)]
        }
        "csharp" => {
            let namespace = folder_of("SeriesStoreClient.cs");
            let project = files
                .iter()
                .map(|(path, _)| path)
                .find(|path| path.ends_with(".csproj") && !path.starts_with("Creo/"))
                .unwrap_or_default();
            vec![("@CSHARP@", namespace), ("@CSHARP_PROJECT@", project.to_owned())]
        }
        _ => Vec::new(),
    }
}
