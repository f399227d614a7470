Dear diary, today I wrote no Rust.
