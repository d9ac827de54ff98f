//! Prints the Makefile and CMakeLists.txt that come with the code.

use creo_codegen::{Framework, Input, Module, Writer};

/// `sources` are the generated source files and, if the framework is emitted, those of the framework; relative, with `/`.
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
    match input.framework {
        Framework::Emit => w.line("INCLUDES = -Iinclude"),
        Framework::Omit => {
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
    if input.framework == Framework::Omit {
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
