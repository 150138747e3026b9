//! L13: the model's order. Each rule of the projection as a scenario with the bytes that come out, and the check.

mod check;
mod fillers;
mod order;
mod random;
mod rows;
mod vendors;
