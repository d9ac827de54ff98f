//! Generated code in a folder, and the helpers that compiling it needs in every language.

use crate::process::Program;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// Generated code in a folder.
#[derive(Debug)]
pub struct Sources {
    pub folder: PathBuf,
    /// Relative paths, sorted.
    pub paths: Vec<String>,
}

/// Generated code to compile by itself, and the folder for what becomes of it.
#[derive(Debug)]
pub struct Unit {
    pub sources: Sources,
    pub work: PathBuf,
}

/// What of the runtime is among generated code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copied {
    Whole,
    /// Only the parts for some wires and sides.
    Parts,
}

impl Sources {
    /// The files with an extension, as full paths.
    pub fn with_extension(&self, extension: &str) -> Vec<PathBuf> {
        self.paths
            .iter()
            .map(|p| self.folder.join(p))
            .filter(|p| p.extension().is_some_and(|e| e == extension))
            .collect()
    }

    pub fn all(&self) -> Vec<PathBuf> {
        self.paths.iter().map(|p| self.folder.join(p)).collect()
    }
}

/// The max time of a compiler run over files: ten minutes, and one more for each megabyte, which is far more than needed even on a busy machine.
pub fn compile_limit<'f>(files: impl IntoIterator<Item = &'f PathBuf>) -> Duration {
    let bytes: u64 =
        files.into_iter().filter_map(|file| file.metadata().ok()).map(|metadata| metadata.len()).sum();
    Duration::from_secs(60 * (10 + (bytes >> 20)))
}

/// The results of work on each item, in their order, on as many threads as there are processors; or one of the errors.
pub fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R, String> + Sync,
) -> Result<Vec<R>, String> {
    let next = AtomicUsize::new(0);
    let some = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            match items.get(at) {
                Some(item) => done.push((at, work(item))),
                None => return done,
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(items.len());
    let mut done: Vec<(usize, Result<R, String>)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(some)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Fails if a program cannot be started.
pub fn runs(program: &str, argument: &str) -> Result<(), String> {
    Program::new(program).arg(argument).output(Duration::from_secs(60)).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_parallel_work_are_in_order() {
        let items: Vec<usize> = (0..100).collect();
        assert_eq!(in_parallel(&items, |i| Ok(i * 2)), Ok(items.iter().map(|i| i * 2).collect()));
        assert_eq!(in_parallel::<usize, usize>(&[], |_| Err("never".to_owned())), Ok(Vec::new()));
        let odd = |i: &usize| if *i == 7 { Err("seven".to_owned()) } else { Ok(*i) };
        assert_eq!(in_parallel(&items, odd), Err("seven".to_owned()));
    }
}
