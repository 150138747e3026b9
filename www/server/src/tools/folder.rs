//! The scratch folder: files by a name without a path.

use std::path::{Path, PathBuf};

use serde_json::json;

/// So large a file may be.
const FILE_MAX: u64 = 256 * 1024;

/// The folder.
pub(super) struct Folder {
    root: PathBuf,
}

impl Folder {
    pub(super) fn new(root: &Path) -> Result<Self, String> {
        let make = || {
            std::fs::create_dir_all(root)?;
            root.canonicalize()
        };
        make().map(|root| Self { root }).map_err(|error| format!("{}: {error}", root.display()))
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// A file in the folder itself. Errors: the name leads elsewhere, or to something that is no file.
    async fn file(&self, name: &str) -> Result<PathBuf, String> {
        let plain = name.chars().all(|char| char.is_ascii_alphanumeric() || "._- ".contains(char));
        if !plain || name.is_empty() || name.starts_with('.') || name.len() > 100 {
            return Err(format!("{name}: a file here has a name of letters, digits, dots and dashes"));
        }
        let path = self.root.join(name);
        match tokio::fs::symlink_metadata(&path).await {
            Ok(known) if !known.is_file() => Err(format!("{name} is no file")),
            Ok(_) | Err(_) => Ok(path),
        }
    }

    pub(super) async fn list(&self) -> Result<String, String> {
        let mut entries = tokio::fs::read_dir(&self.root).await.map_err(words)?;
        let mut files = Vec::new();
        while let Some(entry) = entries.next_entry().await.map_err(words)? {
            files.push(entry.file_name().to_string_lossy().into_owned());
        }
        files.sort();
        Ok(json!({ "files": files }).to_string())
    }

    pub(super) async fn read(&self, name: &str) -> Result<String, String> {
        let path = self.file(name).await?;
        let size = tokio::fs::metadata(&path).await.map_err(words)?.len();
        if size > FILE_MAX {
            return Err(format!("{name} has {size} bytes; at most {FILE_MAX} are read"));
        }
        let bytes = tokio::fs::read(&path).await.map_err(words)?;
        Ok(json!({ "text": String::from_utf8_lossy(&bytes) }).to_string())
    }

    pub(super) async fn write(&self, name: &str, text: &str) -> Result<String, String> {
        if text.len() as u64 > FILE_MAX {
            return Err(format!("at most {FILE_MAX} bytes are written"));
        }
        let path = self.file(name).await?;
        tokio::fs::write(&path, text).await.map_err(words)?;
        Ok(json!({ "written": text.len() }).to_string())
    }
}

fn words(error: std::io::Error) -> String {
    error.to_string()
}
