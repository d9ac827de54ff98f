//! Random descriptions and values from a seed.

mod messages;
mod numbers;
mod schema;
mod value;

pub use messages::Messages;
pub use numbers::Random;
pub use schema::description;
pub use value::{Values, mutate};
