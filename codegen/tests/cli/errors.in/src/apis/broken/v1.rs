// +groupName=broken.example.com

//! No Rust.

pub struct {
