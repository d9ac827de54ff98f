//! JARs of classes, sources and documentation.

use crate::archive::{Entries, xml, zip};
use crate::identity::{Artifact, Identity, LICENCE, RuntimeOf};
use creo_codegen::Files;
use std::collections::BTreeSet;

const MODULE_INFO: &str = "module-info.java";
const MANIFEST: &str = "META-INF/MANIFEST.MF";

/// The max line length of a manifest in bytes, without the line end.
const MANIFEST_LINE: usize = 70;

/// The input of the Java compiler.
#[derive(Clone, Debug)]
pub struct JavaSources {
    /// Files for the JAR. Those of the description are documented.
    pub shipped: Files,
    /// The runtime, if the code depends on one in another package.
    pub beside: Files,
    /// The paths that are documented.
    pub documented: BTreeSet<String>,
    /// The Maven group and, if any, the module name: the pack's package.
    pub package: String,
}

/// The sources of a JAR. `own` are the files of the description, `all` those with the runtime, `package` is the pack's.
pub fn java_sources(identity: &Identity, own: &Files, all: &Files, package: &str) -> JavaSources {
    let runtime = || all.iter().filter(|(path, _)| own.get(path).is_none());
    let inside = identity.runtime == RuntimeOf::Inside;
    let mut shipped = Files::new();
    let mut beside = Files::new();
    let java = |path: &str| path.ends_with(".java");
    own.iter().filter(|(path, _)| java(path)).for_each(|(path, text)| shipped.add(path, text));
    for (path, text) in runtime().filter(|(path, _)| java(path)) {
        if inside { shipped.add(path, text) } else { beside.add(path, text) }
    }
    let documented = own.iter().map(|(path, _)| path.to_owned()).filter(|path| java(path)).collect();
    if inside {
        // The runtime's internal packages are not exported; a description's package may have such a name.
        let within = |path: &str| own.get(path).is_none() && path.contains("/internal/");
        let packages: BTreeSet<String> = shipped
            .iter()
            .filter(|(path, _)| !within(path))
            .filter_map(|(path, _)| path.rsplit_once('/'))
            .map(|(folder, _)| folder.replace('/', "."))
            .collect();
        shipped.add(MODULE_INFO, module_info(identity, package, &packages));
    }
    JavaSources { shipped, beside, documented, package: package.to_owned() }
}

fn module_info(identity: &Identity, package: &str, packages: &BTreeSet<String>) -> String {
    let exports: String = packages.iter().map(|package| format!("    exports {package};\n")).collect();
    format!("/** {}. */\nmodule {package} {{\n{exports}}}\n", identity.summary())
}

/// The JARs of compiled classes, of sources, and of documentation if any.
pub fn jars(identity: &Identity, sources: &JavaSources, classes: Entries, docs: Entries) -> Vec<Artifact> {
    let artifact = |kind: &str, mut entries: Entries, more: &[(&str, String)]| {
        entries
            .extend(identity.licence().map(|text| (format!("META-INF/{LICENCE}"), text.as_bytes().to_vec())));
        entries.insert(MANIFEST.to_owned(), manifest(identity, more).into_bytes());
        let name = format!("{}-{}{kind}.jar", identity.name.as_str(), identity.version);
        // Stream readers expect the manifest at the start.
        Artifact { name, bytes: zip(&entries, &[MANIFEST]) }
    };
    let mut main = classes;
    let folder = format!("META-INF/maven/{}/{}", sources.package, identity.name.as_str());
    main.insert(format!("{folder}/pom.xml"), pom(identity, &sources.package).into_bytes());
    // A module is named by module-info; with the runtime elsewhere there is none, and the manifest names it.
    let module = match identity.runtime {
        RuntimeOf::Inside => Vec::new(),
        RuntimeOf::Package(_) => vec![("Automatic-Module-Name", sources.package.clone())],
    };
    let text = |(path, text): (&str, &str)| (path.to_owned(), text.as_bytes().to_vec());
    let mut all = vec![
        artifact("", main, &module),
        artifact("-sources", sources.shipped.iter().map(text).collect(), &[]),
    ];
    if !docs.is_empty() {
        all.push(artifact("-javadoc", docs, &[]));
    }
    all
}

fn manifest(identity: &Identity, more: &[(&str, String)]) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        let mut rest = format!("{name}: {value}");
        // Names and values are ASCII, so a line can be broken at any byte.
        while rest.len() > MANIFEST_LINE {
            let tail = rest.split_off(MANIFEST_LINE);
            text.push_str(&format!("{rest}\r\n"));
            rest = format!(" {tail}");
        }
        text.push_str(&format!("{rest}\r\n"));
    };
    line("Manifest-Version", "1.0");
    line("Created-By", &format!("creo {}", env!("CARGO_PKG_VERSION")));
    line("Implementation-Title", identity.name.as_str());
    line("Implementation-Version", &identity.version.to_string());
    more.iter().for_each(|(name, value)| line(name, value));
    text + "\r\n"
}

/// The coordinates for `mvn install:install-file` and repositories.
fn pom(identity: &Identity, group: &str) -> String {
    let dependency = match &identity.runtime {
        RuntimeOf::Package(Some(coordinates)) => {
            let mut parts = coordinates.split(':').map(xml);
            let mut next = || parts.next().unwrap_or_default();
            format!(
                "  <dependencies>\n    <dependency>\n      <groupId>{}</groupId>\n      <artifactId>{}</artifactId>\n      <version>{}</version>\n    </dependency>\n  </dependencies>\n",
                next(),
                next(),
                next()
            )
        }
        RuntimeOf::Package(None) | RuntimeOf::Inside => String::new(),
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<project xmlns=\"http://maven.apache.org/POM/4.0.0\">\n  <modelVersion>4.0.0</modelVersion>\n  <groupId>{}</groupId>\n  <artifactId>{}</artifactId>\n  <version>{}</version>\n  <description>{}</description>\n{dependency}</project>\n",
        xml(group),
        xml(identity.name.as_str()),
        identity.version,
        xml(&identity.summary()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::Name;
    use crate::version::Version;

    fn identity(runtime: RuntimeOf) -> Identity {
        Identity {
            name: Name::parse("lab").expect("a name"),
            version: Version::parse("1.4.0").expect("a version"),
            sources: Vec::new(),
            interfaces: Vec::new(),
            runtime,
        }
    }

    #[test]
    fn what_the_runtime_keeps_to_itself_is_not_exported() {
        let mut own = Files::new();
        own.add("org/lab/Lab.java", "");
        own.add("org/lab/internal/Lab.java", "");
        let mut all = own.clone();
        for path in ["Server", "codegen/Reader", "internal/json/JsonReader"] {
            all.add(format!("org/lab/creo/{path}.java"), "");
        }
        let sources = java_sources(&identity(RuntimeOf::Inside), &own, &all, "org.lab");
        let module = sources.shipped.get(MODULE_INFO).expect("a module");
        let exported: Vec<&str> =
            module.lines().filter_map(|line| line.strip_prefix("    exports ")).collect();
        assert_eq!(exported, ["org.lab;", "org.lab.creo;", "org.lab.creo.codegen;", "org.lab.internal;"]);
    }

    #[test]
    fn lines_of_a_manifest_are_short() {
        let identity = identity(RuntimeOf::Package(None));
        let text = manifest(&identity, &[("Automatic-Module-Name", "x".repeat(200))]);
        assert!(text.split("\r\n").all(|line| line.len() <= MANIFEST_LINE), "{text}");
        assert!(text.replace("\r\n ", "").contains(&"x".repeat(200)), "{text}");
        assert!(text.ends_with("\r\n\r\n"), "{text}");
    }
}
