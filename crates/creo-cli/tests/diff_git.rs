//! `creo diff --against git:REF`: descriptions as they were in a commit.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod common;

use common::{DATA, Place, Ran};
use std::process::Command;

/// Git in a folder, with a configuration that says nothing.
#[track_caller]
fn git(place: &Place, folder: &str, arguments: &[&str]) {
    let output = Command::new("git")
        .current_dir(place.path(folder))
        .args(["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("HOME", place.root())
        .output()
        .expect("git runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn commit(place: &Place, folder: &str) {
    git(place, folder, &["init", "-q"]);
    git(place, folder, &["add", "."]);
    git(place, folder, &["commit", "-q", "-m", "begin"]);
}

/// A repository whose branch `main` holds `lab/data.creo`, which imports from a folder beside it.
fn repository() -> Place {
    let place = Place::new();
    place.write("types/units.creo", "@PACKAGE(\"org.example.units\")\nenum Unit { METRE, SECOND }\n");
    let package = "@PACKAGE(\"org.example.data\")\n";
    let data = DATA
        .replace(package, &format!("{package}import \"../types/units.creo\";\n"))
        .replace("double[] samples;", "double[] samples;\n    org.example.units.Unit unit;");
    place.write("lab/data.creo", data);
    commit(&place, ".");
    place
}

fn change(place: &Place, path: &str, from: &str, to: &str) {
    let text = place.read(path);
    assert!(text.contains(from), "{path}");
    place.write(path, text.replace(from, to));
}

#[test]
fn nothing_changed() {
    let place = repository();
    assert_eq!(place.creo("diff --against git:main lab/data.creo").exits(0).out, "no changes\n");
    assert_eq!(place.creo("diff --against git:HEAD ./lab/../lab/data.creo").exits(0).out, "no changes\n");
    assert_eq!(place.creo_in("lab", "diff --against git:main data.creo").exits(0).out, "no changes\n");
    let absolute = place.path("lab/data.creo").display().to_string();
    place.creo_with(&["diff", "--against", "git:main", &absolute]).exits(0).prints("no changes");
}

#[test]
fn breaking_changes_exit_with_100_and_others_with_0() {
    let place = repository();
    change(&place, "lab/data.creo", "double[] samples", "float[] samples");
    place
        .creo("diff --against git:main lab/data.creo")
        .exits(100)
        .prints("breaking: field-altered org.example.data.Data.samples");
    git(&place, ".", &["commit", "-q", "-am", "next"]);
    place.creo("diff --against git:HEAD lab/data.creo").exits(0);
    let json = place.creo("diff --against git:HEAD~1 lab/data.creo --format json").exits(100).json();
    assert_eq!(json["breaking"], 1);
    git(&place, ".", &["tag", "v1.0"]);
    git(&place, ".", &["branch", "feature/more"]);
    place.creo("diff --against git:v1.0 lab/data.creo").exits(0);
    place.creo("diff --against git:feature/more lab/data.creo").exits(0);
}

#[test]
fn imports_are_those_of_the_commit() {
    let place = repository();
    change(&place, "types/units.creo", "METRE, SECOND", "SECOND, METRE");
    place.creo("diff --against git:main lab/data.creo").exits(100).prints("org.example.units.Unit");
    // The commit still has files that the work tree lacks.
    std::fs::remove_dir_all(place.path("types")).expect("removed");
    change(&place, "lab/data.creo", "import \"../types/units.creo\";\n", "");
    change(&place, "lab/data.creo", "org.example.units.Unit unit", "int unit");
    place.creo("diff --against git:main lab/data.creo").exits(100).prints("Data.unit");
}

#[test]
fn several_descriptions_are_one_model() {
    let place = repository();
    change(&place, "types/units.creo", "SECOND", "MINUTE");
    place.creo("diff --against git:main lab/data.creo types/units.creo").exits(100).prints("Unit");
}

#[test]
fn mistakes_of_the_commit_name_it() {
    let place = repository();
    change(&place, "lab/data.creo", "double[] samples", "Nope[] samples");
    git(&place, ".", &["commit", "-q", "-am", "wrong"]);
    change(&place, "lab/data.creo", "Nope[] samples", "double[] samples");
    place
        .creo("diff --against git:main lab/data.creo")
        .exits(100)
        .says("error[unknown-type]")
        .says("git:main/lab/data.creo:");
}

#[test]
fn what_cannot_be_found_is_named() {
    let place = repository();
    place.write("lab/new.creo", "struct A { int a; }");
    place
        .creo("diff --against git:main lab/new.creo")
        .exits(1)
        .says("there is no lab/new.creo in main")
        .says("a new description breaks nothing");
    place.creo("diff --against git:main lab/nope.creo").exits(1).says("cannot read lab/nope.creo");
    place
        .creo("diff --against git:nope lab/data.creo")
        .exits(1)
        .says("there is no commit nope in")
        .says("fetch it");
    // A path is no commit, and neither is a file's content.
    place.creo("diff --against git:main:lab lab/data.creo").exits(1).says("there is no commit main:lab in");
    let outside = Place::with_data();
    let mut command = outside.command();
    command.args(["diff", "--against", "git:main", "data.creo"]).env("GIT_CEILING_DIRECTORIES", "/");
    Ran::of(command.output().expect("creo runs"), "outside").exits(1).says("not a git repository");
}

#[test]
fn files_of_two_repositories_are_not_compared() {
    let place = Place::new();
    place.write("a/a.creo", "struct A { int a; }");
    place.write("b/b.creo", "struct B { int b; }");
    commit(&place, "a");
    commit(&place, "b");
    place.creo("diff --against git:main a/a.creo b/b.creo").exits(1).says("are in different repositories");
}

#[test]
fn wrong_usage_exits_with_2() {
    let place = repository();
    for against in ["main", "git:", "git:--output=x", "git:-h", "git:ma\nin", "svn:7"] {
        place
            .creo_with(&["diff", "lab/data.creo", "--against", against])
            .exits(2)
            .says("--against <git:REF>");
    }
    assert!(!place.exists("x"));
    place.creo("diff lab/data.creo").exits(2).says("1 was given");
    place.creo("diff lab/data.creo lab/data.creo lab/data.creo").exits(2).says("more were given");
}

#[test]
fn without_git_it_says_so() {
    let place = repository();
    let mut command = place.command();
    command.args(["diff", "--against", "git:main", "lab/data.creo"]).env("PATH", place.path("nowhere"));
    Ran::of(command.output().expect("creo runs"), "without git")
        .exits(1)
        .says("there is no program git on the PATH")
        .says("creo diff OLD NEW");
}

/// Names of refs and files that mean something to a shell, to git's options or to its patterns.
#[cfg(unix)]
#[test]
fn odd_names_are_only_names() {
    let place = Place::new();
    for name in
        ["-output.creo", "a*b.creo", ":(glob)x.creo", "$(touch pwned).creo", "a b\u{e9}.creo", "[a].creo"]
    {
        place.write(name, "struct A { int a; }");
    }
    place.write("axb.creo", "struct B { int other; }");
    commit(&place, ".");
    for name in
        ["a*b.creo", ":(glob)x.creo", "$(touch pwned).creo", "a b\u{e9}.creo", "[a].creo", "./-output.creo"]
    {
        let ran = place.creo_with(&["diff", "--against", "git:main", "--", name]).exits(0);
        assert_eq!(ran.out, "no changes\n", "{name}");
    }
    std::fs::remove_file(place.path("a*b.creo")).expect("removed");
    git(&place, ".", &["commit", "-q", "-am", "without"]);
    place.write("a*b.creo", "struct A { int a; }");
    place
        .creo_with(&["diff", "--against", "git:main", "a*b.creo"])
        .exits(1)
        .says("there is no a*b.creo in main");
    place
        .creo_with(&["diff", "--against", "git:$(touch pwned)", "axb.creo"])
        .exits(1)
        .says("there is no commit $(touch pwned)");
    assert!(!place.exists("pwned"));
}

/// A commit's content is as hostile as any description.
#[cfg(unix)]
#[test]
fn imports_do_not_leave_the_commit() {
    let place = Place::new();
    place.write("outside.creo", "struct Secret { int a; }");
    place.write("repo/a.creo", "import \"../outside.creo\";\nstruct A { int a; }");
    place.write("repo/b.creo", "import \"link.creo\";\nstruct A { int a; }");
    place.write("repo/c.creo", "import \"folder.creo\";\nstruct A { int a; }");
    place.write("repo/folder.creo/x", "");
    std::os::unix::fs::symlink("../outside.creo", place.path("repo/link.creo")).expect("a link");
    commit(&place, "repo");
    for name in ["a", "b", "c"] {
        place.write(&format!("repo/{name}.creo"), "struct A { int a; }");
    }
    for (name, why) in [
        ("a", "it is outside of the repository"),
        ("b", "it is a symbolic link there"),
        ("c", "it is a folder there"),
    ] {
        place
            .creo(&format!("diff --against git:main repo/{name}.creo"))
            .exits(100)
            .says("error[import-not-found]")
            .says(why);
    }
}

#[test]
fn large_files_are_not_read_whole() {
    let place = Place::new();
    place.write("big.creo", format!("struct A {{ int a; }}\n{}", "// padding\n".repeat(1_600_000)));
    let limit = place.creo("check big.creo").exits(100);
    commit(&place, ".");
    place.write("big.creo", "struct A { int a; }");
    let ran = place.creo("diff --against git:main big.creo").exits(100);
    assert_eq!(ran.err.lines().next(), limit.err.lines().next());
}
