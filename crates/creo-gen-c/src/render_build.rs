//! Prints the Makefile and CMakeLists.txt that come with the code.

use creo_codegen::{Framework, Writer};

/// `sources` are the generated source files and, if the framework is emitted, those of the framework; relative, with `/`.
pub fn makefile(header: &str, sources: &[String], framework: Framework) -> String {
    let mut w = Writer::new("\t");
    w.line(format!("# {header}"));
    w.line("#");
    w.line("# make          builds build/libcreo_generated.a, to be linked with -Lbuild -lcreo_generated");
    w.line("# make clean");
    w.line("CC ?= cc");
    w.line("AR ?= ar");
    w.line("CFLAGS ?= -O3");
    w.line("WARNINGS ?= -Wall -Wextra -Wpedantic -Wconversion");
    match framework {
        Framework::Emit => w.line("INCLUDES = -Iinclude"),
        Framework::Omit => {
            w.line("# Where the runtime's headers are, if the compiler does not find them by itself.");
            w.line("CREO_INCLUDE ?= .");
            w.line("INCLUDES = -Iinclude -I$(CREO_INCLUDE)");
        }
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

pub fn cmake(header: &str, sources: &[String], framework: Framework) -> String {
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
    if framework == Framework::Omit {
        w.line("target_include_directories(creo_generated PUBLIC ${CREO_INCLUDE})");
    }
    w.line("target_compile_features(creo_generated PUBLIC c_std_11)");
    w.finish()
}
