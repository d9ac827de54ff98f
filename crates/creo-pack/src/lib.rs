//! Packages of generated code, one for each registry: JARs, a wheel, a C source archive, a NuGet package.
//!
//! The caller generates the code and compiles the Java; here it becomes archives in memory that do not depend on the machine or the day.

// A new kind of value or type must be handled everywhere.
#![deny(clippy::wildcard_enum_match_arm)]

mod archive;
mod c;
mod c_rename;
mod csharp;
mod identity;
mod java;
mod name;
mod places;
mod python;
mod version;

pub use archive::Entries;
pub use c::source_archive;
pub use csharp::nuget;
pub use identity::{Artifact, Identity, RuntimeOf, is_coordinates};
pub use java::{JavaSources, jars, java_sources};
pub use name::Name;
pub use places::{Placed, home_folder, place, runtime_package};
pub use python::wheel;
pub use version::Version;
