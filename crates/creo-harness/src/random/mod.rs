//! Random descriptions and random values of them, from a seed.

mod numbers;
mod schema;
mod value;

pub use numbers::Random;
pub use schema::description;
pub use value::{Values, mutate};
