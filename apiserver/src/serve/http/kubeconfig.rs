//! The kubeconfig: how clients find a server, know it and are known to it.
//!
//! In: a URL, an authority, a token. Out: the document, and the file that holds it. A file that somebody else wrote is left alone.

use std::{
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use kube::config::{AuthInfo, Cluster, Context, Kubeconfig, NamedAuthInfo, NamedCluster, NamedContext};
use tempfile::NamedTempFile;

use super::super::files;

/// What the cluster, the user and the context are called.
const NAME: &str = "kube-codegen-apiserver";

/// A kubeconfig could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KubeconfigError {
    /// There is a file, and this server would destroy what it holds.
    #[error("{} is there already and is not the kubeconfig of such a server; name another file", .0.display())]
    NotOurs(PathBuf),
    /// The document could not be put into words.
    #[error("the kubeconfig cannot be written as YAML")]
    Yaml(#[source] serde_saphyr::ser_error::Error),
    /// The file system refused.
    #[error("cannot write the kubeconfig {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

pub(super) fn document(url: &str, authority: &str, token: &str, server_name: Option<&str>) -> Kubeconfig {
    let cluster = Cluster {
        server: Some(url.to_owned()),
        certificate_authority_data: Some(STANDARD.encode(authority)),
        tls_server_name: server_name.map(str::to_owned),
        ..Cluster::default()
    };
    let user = AuthInfo { token: Some(token.to_owned().into()), ..AuthInfo::default() };
    let context = Context {
        cluster: NAME.to_owned(),
        user: Some(NAME.to_owned()),
        namespace: Some("default".to_owned()),
        ..Context::default()
    };
    Kubeconfig {
        api_version: Some("v1".to_owned()),
        kind: Some("Config".to_owned()),
        clusters: vec![NamedCluster {
            name: NAME.to_owned(),
            cluster: Some(cluster),
            ..NamedCluster::default()
        }],
        auth_infos: vec![NamedAuthInfo {
            name: NAME.to_owned(),
            auth_info: Some(user),
            ..NamedAuthInfo::default()
        }],
        contexts: vec![NamedContext {
            name: NAME.to_owned(),
            context: Some(context),
            ..NamedContext::default()
        }],
        current_context: Some(NAME.to_owned()),
        ..Kubeconfig::default()
    }
}

/// Writes the file whole or not at all, readable for its owner alone.
pub(super) fn write(document: &Kubeconfig, path: &Path) -> Result<(), KubeconfigError> {
    let failed = |source| KubeconfigError::File { path: path.to_owned(), source };
    let place = files::place(path).map_err(failed)?;
    if is_strange(&place).map_err(failed)? {
        return Err(KubeconfigError::NotOurs(path.to_owned()));
    }
    // Long values stay in one line, for clients and scripts that read YAML by the line.
    let options = serde_saphyr::ser_options! { prefer_block_scalars: false };
    let text = serde_saphyr::to_string_with_options(document, options).map_err(KubeconfigError::Yaml)?;
    let folder = match place.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // A temporary file is made with mode 0600.
    let mut file = NamedTempFile::new_in(folder).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(&place).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Whether there is a file that no such server wrote.
fn is_strange(path: &Path) -> io::Result<bool> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(true),
        Err(error) => return Err(error),
    };
    if text.trim().is_empty() {
        return Ok(false);
    }
    let ours = |config: &Kubeconfig| {
        config.clusters.iter().map(|cluster| &cluster.name).all(|name| name == NAME)
            && config.auth_infos.iter().map(|user| &user.name).all(|name| name == NAME)
            && config.contexts.iter().map(|context| &context.name).all(|name| name == NAME)
            && config.current_context.as_deref() == Some(NAME)
    };
    Ok(!serde_saphyr::from_str::<Kubeconfig>(&text).is_ok_and(|config| ours(&config)))
}
