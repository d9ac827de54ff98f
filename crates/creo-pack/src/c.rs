//! A source archive for C: the generated files and the runtime, with files for Make, CMake and pkg-config.

use crate::archive::{Entries, tar_gz};
use crate::c_rename;
use crate::identity::{Artifact, Identity, LICENCE, RuntimeOf};
use creo_codegen::{Files, Writer};

/// The archive. `own` are the generated files of the description, `all` those with the runtime.
pub fn source_archive(identity: &Identity, own: &Files, all: &Files) -> Artifact {
    let mut entries = Entries::new();
    let files = match identity.runtime {
        RuntimeOf::Inside => all,
        RuntimeOf::Package(_) => own,
    };
    let prefix =
        (identity.runtime == RuntimeOf::Inside).then(|| c_rename::free_prefix(own, &identity.name.word()));
    for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".h") || path.ends_with(".c")) {
        let (path, text) = match &prefix {
            Some(prefix) => (c_rename::path(path, prefix), c_rename::source(text, prefix)),
            None => (path.to_owned(), text.to_owned()),
        };
        entries.insert(path, text.into_bytes());
    }
    let library = Library {
        name: format!("creo_{}", identity.name.word()),
        sources: entries.keys().filter(|path| path.ends_with(".c")).cloned().collect(),
        headers: entries.keys().filter(|path| path.starts_with("include/")).cloned().collect(),
        identity,
    };
    let usage = library.usage(prefix.as_deref());
    for (path, text) in [
        ("Makefile".to_owned(), library.makefile()),
        ("CMakeLists.txt".to_owned(), library.cmake()),
        (format!("{}.pc.in", library.name), library.pkg_config()),
        (format!("{}-config.cmake", library.name), library.cmake_config()),
        ("README.md".to_owned(), identity.readme(&usage)),
    ] {
        entries.insert(path, text.into_bytes());
    }
    entries.extend(identity.licence().map(|text| (LICENCE.to_owned(), text.as_bytes().to_vec())));
    let root = format!("{}-{}", identity.name.as_str(), identity.version);
    Artifact { name: format!("{root}.tar.gz"), bytes: tar_gz(&root, &entries) }
}

struct Library<'a> {
    /// The name of the library, its header folder, its pkg-config module and its CMake package.
    name: String,
    sources: Vec<String>,
    headers: Vec<String>,
    identity: &'a Identity,
}

impl Library<'_> {
    fn needs_runtime(&self) -> bool {
        match self.identity.runtime {
            RuntimeOf::Inside => false,
            RuntimeOf::Package(_) => true,
        }
    }

    fn makefile(&self) -> String {
        let name = &self.name;
        let mut w = Writer::new("\t");
        w.line(format!("# make                          builds build/lib{name}.a"));
        w.line("# make install PREFIX=/opt/x    installs it with its headers and a file for pkg-config; DESTDIR= stages it elsewhere");
        w.line("# make clean");
        w.line("CC ?= cc");
        w.line("AR ?= ar");
        w.line("INSTALL ?= install");
        w.line("CFLAGS ?= -O3");
        w.line("WARNINGS ?= -Wall -Wextra -Wpedantic");
        w.line("PREFIX ?= /usr/local");
        w.line("LIBDIR ?= $(PREFIX)/lib");
        w.line(format!("INCLUDEDIR ?= $(PREFIX)/include/{name}"));
        if self.needs_runtime() {
            w.line("# Where the headers of the runtime are, if the compiler does not find them by itself.");
            w.line("CREO_INCLUDE ?=");
            w.line("INCLUDES = -Iinclude $(CREO_INCLUDE:%=-I%)");
        } else {
            w.line("INCLUDES = -Iinclude");
        }
        w.blank();
        list(&mut w, "HEADERS", &self.headers);
        list(&mut w, "SOURCES", &self.sources);
        w.line("OBJECTS = $(SOURCES:src/%.c=build/%.o)");
        w.blank();
        w.line(format!("all: build/lib{name}.a build/{name}.pc"));
        w.blank();
        w.line(format!("build/lib{name}.a: $(OBJECTS)"));
        w.indented(|w| {
            w.line("rm -f $@");
            w.line("$(AR) rcs $@ $(OBJECTS)");
        });
        w.blank();
        w.line("# What links the library into a shared one does not hand on its symbols.");
        w.line("build/%.o: src/%.c");
        w.indented(|w| {
            w.line("@mkdir -p $(@D)");
            w.line("$(CC) -std=c11 -fPIC -fvisibility=hidden $(CFLAGS) $(WARNINGS) $(INCLUDES) -MMD -MP -c $< -o $@");
        });
        w.blank();
        w.line(format!("build/{name}.pc: {name}.pc.in FORCE"));
        w.indented(|w| {
            w.line("@mkdir -p $(@D)");
            w.line("sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' $< > $@");
        });
        w.blank();
        w.line("install: all");
        w.indented(|w| {
            w.line(format!("$(INSTALL) -d '$(DESTDIR)$(LIBDIR)/pkgconfig' '$(DESTDIR)$(LIBDIR)/cmake/{name}'"));
            w.line(format!("$(INSTALL) -m 644 build/lib{name}.a '$(DESTDIR)$(LIBDIR)/lib{name}.a'"));
            w.line(format!("$(INSTALL) -m 644 build/{name}.pc '$(DESTDIR)$(LIBDIR)/pkgconfig/{name}.pc'"));
            w.line("for header in $(HEADERS:include/%=%); do \\");
            w.indented(|w| {
                w.line("$(INSTALL) -d \"$(DESTDIR)$(INCLUDEDIR)/$$(dirname $$header)\" && \\");
                w.line("$(INSTALL) -m 644 \"include/$$header\" \"$(DESTDIR)$(INCLUDEDIR)/$$header\" || exit 1; \\");
            });
            w.line("done");
        });
        w.blank();
        w.line("-include $(OBJECTS:.o=.d)");
        w.blank();
        w.line("FORCE:");
        w.blank();
        w.line(".PHONY: all install clean FORCE");
        w.line("clean:");
        w.indented(|w| w.line("rm -rf build"));
        w.finish()
    }

    fn cmake(&self) -> String {
        let name = &self.name;
        let mut w = Writer::new("    ");
        w.line(format!("# add_subdirectory, or install and find_package({name}); then target_link_libraries(yours PRIVATE {name}::{name})"));
        w.line("cmake_minimum_required(VERSION 3.14)");
        w.line(format!("project({name} VERSION {} LANGUAGES C)", self.identity.version.release()));
        w.line("include(GNUInstallDirs)");
        w.blank();
        w.line("if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)");
        w.indented(|w| w.line("set(CMAKE_BUILD_TYPE Release)"));
        w.line("endif()");
        w.blank();
        w.block(format!("add_library({name} STATIC"), ")", |w| {
            self.sources.iter().for_each(|source| w.line(source))
        });
        w.line(format!("add_library({name}::{name} ALIAS {name})"));
        w.block(format!("set_target_properties({name} PROPERTIES"), ")", |w| {
            w.line("C_EXTENSIONS OFF");
            w.line("C_VISIBILITY_PRESET hidden");
            w.line("POSITION_INDEPENDENT_CODE ON");
        });
        w.line(format!("target_compile_features({name} PUBLIC c_std_11)"));
        w.block(format!("target_include_directories({name} PUBLIC"), ")", |w| {
            w.line("$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>");
            w.line(format!("$<INSTALL_INTERFACE:${{CMAKE_INSTALL_INCLUDEDIR}}/{name}>"));
        });
        if self.needs_runtime() {
            w.line("# CREO_INCLUDE is where the headers of the runtime are, if the compiler does not find them by itself.");
            w.line(format!("target_include_directories({name} PUBLIC $<BUILD_INTERFACE:${{CREO_INCLUDE}}>)"));
        } else {
            w.line(format!("target_link_libraries({name} PUBLIC $<$<PLATFORM_ID:Windows>:ws2_32>)"));
        }
        w.blank();
        w.line(format!(
            "install(TARGETS {name} EXPORT {name}-targets ARCHIVE DESTINATION ${{CMAKE_INSTALL_LIBDIR}})"
        ));
        w.line(format!("install(DIRECTORY include/ DESTINATION ${{CMAKE_INSTALL_INCLUDEDIR}}/{name})"));
        let place = format!("DESTINATION ${{CMAKE_INSTALL_LIBDIR}}/cmake/{name}");
        w.line(format!("install(EXPORT {name}-targets NAMESPACE {name}:: {place})"));
        w.line(format!("install(FILES {name}-config.cmake {place})"));
        w.blank();
        w.line("set(PREFIX ${CMAKE_INSTALL_PREFIX})");
        w.line("set(LIBDIR ${CMAKE_INSTALL_FULL_LIBDIR})");
        w.line(format!("set(INCLUDEDIR ${{CMAKE_INSTALL_FULL_INCLUDEDIR}}/{name})"));
        w.line(format!("configure_file({name}.pc.in {name}.pc @ONLY)"));
        w.line(format!("install(FILES ${{CMAKE_CURRENT_BINARY_DIR}}/{name}.pc DESTINATION ${{CMAKE_INSTALL_LIBDIR}}/pkgconfig)"));
        w.finish()
    }

    fn cmake_config(&self) -> String {
        format!("include(\"${{CMAKE_CURRENT_LIST_DIR}}/{}-targets.cmake\")\n", self.name)
    }

    fn pkg_config(&self) -> String {
        let name = &self.name;
        let mut w = Writer::new("");
        w.line("prefix=@PREFIX@");
        w.line("libdir=@LIBDIR@");
        w.line("includedir=@INCLUDEDIR@");
        w.blank();
        w.line(format!("Name: {name}"));
        w.line(format!("Description: {}", self.identity.summary()));
        w.line(format!("Version: {}", self.identity.version.pkg_config()));
        if let RuntimeOf::Package(Some(module)) = &self.identity.runtime {
            w.line(format!("Requires: {module}"));
        }
        w.line(format!("Libs: -L${{libdir}} -l{name}"));
        w.line("Cflags: -I${includedir}");
        w.finish()
    }

    fn usage(&self, prefix: Option<&str>) -> String {
        let name = &self.name;
        let names = match prefix {
            Some(prefix) => format!(
                "\n\nNames of the runtime begin with `{prefix}` here, where its documentation says `creo_`, so that other packages can have a runtime of their own."
            ),
            None => String::new(),
        };
        format!(
            "```sh\nmake && make install PREFIX=/usr/local\ncc program.c $(pkg-config --cflags --libs {name})\n```\n\nOr with CMake: `find_package({name})`, then `target_link_libraries(program PRIVATE {name}::{name})`.{names}"
        )
    }
}

fn list(w: &mut Writer, variable: &str, paths: &[String]) {
    w.line(format!("{variable} = \\"));
    for (index, path) in paths.iter().enumerate() {
        w.indented(|w| w.line(format!("{path}{}", if index + 1 == paths.len() { "" } else { " \\" })));
    }
}
