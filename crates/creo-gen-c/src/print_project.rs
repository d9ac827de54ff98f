//! Prints the files of a unit, and the Makefile and CMakeLists.txt that come with the code.

use crate::lang::{Definition, Unit};
use crate::print_shared::{guard, header_name};
use crate::{print_binary, print_binary_composites, print_calls, print_types};
use creo_codegen::{Input, Module, Runtime, Writer};

/// The version of the generated code, which the runtime compares with what it serves: major * 10000 + minor * 100 + patch.
const GENERATED_VERSION: u32 = 10000;

/// The header of a package whose types stand in another's, since the two need each other.
pub fn forward(header: &str, stem: &str, to: &str) -> String {
    let mut w = Writer::new("    ");
    w.line(format!("/* {header} */"));
    w.line(format!("#ifndef {}", guard(stem)));
    w.line(format!("#define {}", guard(stem)));
    w.blank();
    w.line(format!("#include \"{}\"", header_name(to)));
    w.blank();
    w.line("#endif");
    w.finish()
}

pub fn header(header: &str, unit: &Unit) -> String {
    let mut w = Writer::new("    ");
    w.line(format!("/* {header} */"));
    w.line(format!("#ifndef {}", guard(&unit.stem)));
    w.line(format!("#define {}", guard(&unit.stem)));
    w.blank();
    w.line("#include <creo/creo.h>");
    w.blank();
    w.line(format!(
        "#if CREO_RUNTIME_VERSION < {GENERATED_VERSION} || CREO_RUNTIME_OLDEST > {GENERATED_VERSION}"
    ));
    w.line("#error \"This code was generated for another version of the Creo runtime: generate it again, or use the runtime that came with it.\"");
    w.line("#endif");
    w.blank();
    if !unit.includes.is_empty() {
        unit.includes.iter().for_each(|stem| w.line(format!("#include \"{}\"", header_name(stem))));
        w.blank();
    }
    w.line("#ifdef __cplusplus");
    w.line("extern \"C\" {");
    w.line("#endif");
    w.blank();
    print_types::declare(&mut w, unit);
    unit.services.iter().for_each(|service| print_calls::declare(&mut w, service));
    w.line("#ifdef __cplusplus");
    w.line("}");
    w.line("#endif");
    w.blank();
    w.line("#endif");
    w.finish()
}

pub fn source(header: &str, unit: &Unit) -> String {
    let mut w = Writer::new("    ");
    w.line(format!("/* {header} */"));
    w.line(format!("#include \"{}\"", header_name(&unit.stem)));
    w.blank();
    unit.enums.iter().for_each(|item| print_binary::enumeration(&mut w, item));
    for definition in &unit.definitions {
        match definition {
            Definition::Record(item) => print_binary::record(&mut w, item),
            Definition::Union(item) => print_binary::union(&mut w, item),
            Definition::Array(item) => print_binary_composites::array(&mut w, item),
            Definition::Map(item) => print_binary_composites::map(&mut w, item),
            Definition::Optional(item) => print_binary_composites::optional(&mut w, item),
        }
    }
    unit.services.iter().for_each(|service| print_calls::define(&mut w, service));
    w.finish()
}

/// `sources` are the generated source files and, if the runtime is copied, those of the runtime; relative, with `/`.
pub fn makefile(header: &str, sources: &[String], input: &Input) -> String {
    let packages = packages(input);
    let mut w = Writer::new("\t");
    w.line(format!("# {header}"));
    w.line("#");
    w.line("# make          builds build/libcreo_generated.a, to be linked with -Lbuild -lcreo_generated");
    w.line("# make clean");
    w.line("CC ?= cc");
    w.line("AR ?= ar");
    w.line("CFLAGS ?= -O3");
    w.line("WARNINGS ?= -Wall -Wextra -Wpedantic -Wconversion");
    match input.runtime {
        Runtime::Copy => w.line("INCLUDES = -Iinclude"),
        Runtime::Package => {
            w.line("# Where the runtime's headers are, if the compiler does not find them by itself.");
            w.line("CREO_INCLUDE ?= .");
            w.line("INCLUDES = -Iinclude -I$(CREO_INCLUDE)");
        }
    }
    if !packages.is_empty() {
        w.line("PKG_CONFIG ?= pkg-config");
        w.line(format!("# What links the library needs `$(PKG_CONFIG) --libs {packages}` as well."));
        w.line(format!("INCLUDES += $(shell $(PKG_CONFIG) --cflags {packages})"));
    }
    w.blank();
    w.line("SOURCES = \\");
    let last = sources.len() - 1;
    for (index, source) in sources.iter().enumerate() {
        w.indented(|w| w.line(format!("{source}{}", if index == last { "" } else { " \\" })));
    }
    w.line("OBJECTS = $(SOURCES:src/%.c=build/%.o)");
    w.blank();
    w.line("build/libcreo_generated.a: $(OBJECTS)");
    w.indented(|w| {
        w.line("rm -f $@");
        w.line("$(AR) rcs $@ $(OBJECTS)");
    });
    w.blank();
    w.line("build/%.o: src/%.c");
    w.indented(|w| {
        w.line("@mkdir -p $(@D)");
        w.line("$(CC) -std=c11 $(CFLAGS) $(WARNINGS) $(INCLUDES) -MMD -MP -c $< -o $@");
    });
    w.blank();
    w.line("-include $(OBJECTS:.o=.d)");
    w.blank();
    w.line(".PHONY: clean");
    w.line("clean:");
    w.indented(|w| w.line("rm -rf build"));
    w.finish()
}

pub fn cmake(header: &str, sources: &[String], input: &Input) -> String {
    let mut w = Writer::new("    ");
    w.line(format!("# {header}"));
    w.line("#");
    w.line("# add_subdirectory(c) and target_link_libraries(yours PRIVATE creo_generated)");
    w.line("cmake_minimum_required(VERSION 3.13)");
    w.line("project(creo_generated LANGUAGES C)");
    w.blank();
    w.line("if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)");
    w.indented(|w| w.line("set(CMAKE_BUILD_TYPE Release)"));
    w.line("endif()");
    w.blank();
    w.block("add_library(creo_generated STATIC", ")", |w| sources.iter().for_each(|source| w.line(source)));
    w.line("target_include_directories(creo_generated PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/include)");
    if input.runtime == Runtime::Package {
        w.line("target_include_directories(creo_generated PUBLIC ${CREO_INCLUDE})");
    }
    w.line("target_compile_features(creo_generated PUBLIC c_std_11)");
    let packages = packages(input);
    if !packages.is_empty() {
        w.blank();
        w.line("find_package(PkgConfig REQUIRED)");
        w.line(format!("pkg_check_modules(CREO_MODULES REQUIRED {packages})"));
        // Not the target that pkg-config could make of it: Debian's package names a folder that is not there, which CMake then refuses.
        w.line("target_include_directories(creo_generated PRIVATE ${CREO_MODULES_INCLUDE_DIRS})");
        w.line("target_link_libraries(creo_generated PUBLIC ${CREO_MODULES_LINK_LIBRARIES})");
    }
    w.finish()
}

/// The packages, as pkg-config knows them, that the modules need.
fn packages(input: &Input) -> String {
    let names = input.with.iter().map(|module| match module {
        Module::Jms => "libqpid-proton",
    });
    names.collect::<Vec<_>>().join(" ")
}
