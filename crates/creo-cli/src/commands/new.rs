//! `creo new`

use crate::args::NewArgs;
use crate::failure::{Failure, Outcome};
use crate::output::{Content, Folder, Rules, write_whole};
use crate::project::{Project, project};
use crate::terminal::Terminal;
use creo_codegen::Needs;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Creates a project in a new folder, which must not exist: it appears completely or not at all.
pub fn run(args: &NewArgs, terminal: &Terminal) -> Result<Outcome, Failure> {
    let languages: Vec<&str> = args.target.iter().map(|name| name.trim()).collect();
    let Project { own, generated } = project(&args.name, &languages)?;
    let place = Path::new(&args.name);
    if fs::symlink_metadata(place).is_ok() {
        return Err(Failure::new(format!("{} already exists", args.name))
            .help("creo new overwrites nothing: choose another name"));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".creo-new-");
    #[cfg(unix)]
    let all = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    #[cfg(unix)]
    builder.permissions(all);
    let folder = builder.tempdir_in(".").map_err(|e| Failure::file("make the folder", place, &e))?;
    for (path, text) in own.iter() {
        let path = folder.path().join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|e| Failure::file("make the folder", parent, &e))?;
        }
        write_whole(&path, text.as_bytes(), None)?;
    }
    for (target, files, needs) in generated {
        let content = Content { files, needs, others: Needs::none().clone() };
        Folder::open(&folder.path().join("generated"), target, &[&args.name], BTreeSet::new())?.write(
            &content,
            Rules { force: false, prune: false },
            || (),
        )?;
    }
    fs::rename(folder.path(), place).map_err(|e| Failure::file("make the folder", place, &e))?;
    // The folder was renamed: there is nothing left to remove.
    let _ = folder.keep();
    terminal.note(&format!("Created {0}/. See {0}/README.md", args.name));
    Ok(Outcome::Done)
}
