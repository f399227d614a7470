//! Makes `apiserver/data/columns.bin` out of the tables of a real API server.
//!
//! `cargo run -p kube-codegen-apiserver --example columns_data -- TABLES apiserver/data/columns.bin`. TABLES is a folder of tables, one for each
//! resource that can be listed, as `group%version%plural.json` (`v1%pods.json`, `apps%v1%deployments.json`): what the server answers to
//! `Accept: application/json;as=Table;v=v1;g=meta.k8s.io`. Needed only when Kubernetes moves on.

use std::{collections::BTreeMap, error::Error, fs, io::Write};

use flate2::{Compression, write::DeflateEncoder};
use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Table {
    column_definitions: Box<RawValue>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err("usage: columns_data TABLES OUTPUT".into());
    };
    let mut all = BTreeMap::new();
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().replace('%', "/");
        let table: Table = serde_json::from_slice(&fs::read(&path)?)?;
        all.insert(name, table.column_definitions);
    }
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    serde_json::to_writer(&mut encoder, &all)?;
    let packed = encoder.finish()?;
    writeln!(std::io::stdout(), "{} resources, packed {}", all.len(), packed.len())?;
    fs::write(output, packed)?;
    Ok(())
}
