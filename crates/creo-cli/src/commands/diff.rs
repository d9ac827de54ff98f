//! `creo diff`

use crate::args::{Args, DiffArgs, DiffFormat};
use crate::commands::count;
use crate::failure::{Failure, Outcome};
use crate::git::Commit;
use crate::input;
use crate::terminal::{Paint, Terminal};
use clap::CommandFactory;
use clap::error::ErrorKind;
use creo_check::CheckedModel;
use creo_diag::escape_controls;
use creo_diff::{Breaks, Change};
use serde_json::{Value, json};
use std::path::Path;

/// The max number of methods listed for a change; `--format json` lists all.
const SHOWN: usize = 20;

/// Reports the changes from one description to another, and which users each breaks. Both are checked, even if the first has errors.
pub fn run(args: &DiffArgs, terminal: &Terminal) -> Result<Outcome, Failure> {
    let (Some(old), Some(new)) = models(args, terminal)? else { return Ok(Outcome::Findings) };
    let changes = creo_diff::diff(&old, &new);
    let breaking = changes.iter().filter(|change| change.breaks()).count();
    let text = match args.format {
        DiffFormat::Text => text(&changes, breaking, terminal),
        DiffFormat::Json => {
            let changes: Vec<Value> = changes.iter().map(to_json).collect();
            escape_controls(&format!("{:#}\n", json!({ "breaking": breaking, "changes": changes })))
        }
    };
    terminal.result(&text)?;
    Ok(Outcome::found(breaking > 0))
}

/// The old and the new model.
fn models(
    args: &DiffArgs,
    terminal: &Terminal,
) -> Result<(Option<CheckedModel>, Option<CheckedModel>), Failure> {
    let files: Vec<&Path> = args.files.iter().map(AsRef::as_ref).collect();
    if let Some(name) = &args.against {
        // A missing file is reported as such, before Git is asked for its folder.
        let new = input::model(&files, terminal)?;
        let commit = Commit::find(name, &files)?;
        return Ok((input::model_in(&commit, &files, terminal)?, new));
    }
    let [old, new] = files[..] else { wrong_count(files.len()) };
    let old = input::model(&[old], terminal)?;
    Ok((old, input::model(&[new], terminal)?))
}

/// Exits as for wrong usage.
fn wrong_count(files: usize) -> ! {
    let given = if files == 1 { "1 was given" } else { "more were given" };
    let mut command = Args::command();
    command.build();
    let diff = command.find_subcommand_mut("diff").expect("this command");
    diff.error(
        ErrorKind::WrongNumberOfValues,
        format!("two descriptions are compared, OLD and NEW, and {given}; with --against, any number"),
    )
    .exit()
}

fn text(changes: &[Change], breaking: usize, terminal: &Terminal) -> String {
    let mut out = String::new();
    for change in changes {
        let (paint, word) =
            if change.breaks() { (Paint::Red, "breaking") } else { (Paint::Green, "compatible") };
        out.push_str(&format!(
            "{}: {} {}\n",
            terminal.paint(paint, word),
            change.word(),
            terminal.paint(Paint::Bold, &change.place)
        ));
        // Names are plain; a text may contain a namespace, which is not.
        out.push_str(&format!("    {}\n", escape_controls(&change.text.replace('\n', "\\n"))));
        for (wires, breaks) in [("binary wire", change.binary), ("text wires", change.named)] {
            if let Some(whom) = whom(breaks) {
                out.push_str(&format!("    on the {wires} it breaks {whom}\n"));
            }
        }
        if change.unnoticed {
            out.push_str("    method ids do not show it: values are misread instead of refused\n");
        }
        if !change.methods.is_empty() {
            let shown = &change.methods[..change.methods.len().min(SHOWN)];
            let more = change.methods.len() - shown.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            out.push_str(&format!("    in {}{more}\n", shown.join(", ")));
        }
    }
    if changes.is_empty() {
        return "no changes\n".to_owned();
    }
    out.push_str(&format!(
        "{}, {} compatible\n",
        count(breaking, "breaking change"),
        changes.len() - breaking
    ));
    out
}

fn whom(breaks: Breaks) -> Option<&'static str> {
    match (breaks.old_clients, breaks.new_clients) {
        (false, false) => None,
        (true, false) => Some("old clients of the new service"),
        (false, true) => Some("new clients of the old service"),
        (true, true) => Some("old clients of the new service and new clients of the old one"),
    }
}

fn to_json(change: &Change) -> Value {
    let breaks =
        |breaks: Breaks| json!({ "oldClients": breaks.old_clients, "newClients": breaks.new_clients });
    json!({
        "code": change.word(),
        "place": change.place,
        "text": change.text,
        "breaks": change.breaks(),
        "binary": breaks(change.binary),
        "named": breaks(change.named),
        "unnoticed": change.unnoticed,
        "methods": change.methods.iter().map(AsRef::as_ref).collect::<Vec<&str>>(),
    })
}
