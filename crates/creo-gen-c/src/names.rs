//! C names: cased, prefixed, escaped against C, C++ and the headers used by generated code or its users, and without collisions.

use creo_codegen::Style;
use creo_model::{Model, PackageId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The word on the command line, in `@PACKAGE(c = ..)` and in `@Name(c = ..)`.
pub const TARGET: &str = "c";

/// Keywords of C11, C23 and C++20, including those that are macros in C.
const KEYWORDS: &str = "
    alignas alignof and and_eq asm atomic_cancel atomic_commit atomic_noexcept auto bitand bitor bool break case catch char char16_t
    char32_t char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue
    decltype default delete do double dynamic_cast else enum explicit export extern false final float for friend goto if import
    inline int interface long module mutable namespace new noexcept noreturn not not_eq nullptr operator or or_eq override private
    protected public reflexpr register reinterpret_cast requires restrict return short signed sizeof static static_assert
    static_cast struct switch synchronized template this thread_local throw true try typedef typeid typename typeof typeof_unqual
    union unsigned using virtual void volatile wchar_t while xor xor_eq";

/// Lower-case names that are macros or types in a common system's headers, or are predefined by compilers. Function-like macros are not
/// listed: a member's name is never followed by a parenthesis.
const SYSTEM: &str = "
    assert complex environ errno fpos_t h_addr h_errno i386 imaginary int16_t int32_t int64_t int8_t intmax_t intptr_t linux mips
    offsetof ptrdiff_t s6_addr s6_addr16 s6_addr32 s_addr s_host s_imp s_net sa_handler sa_sigaction setjmp si_addr si_band si_fd
    si_int si_overrun si_pid si_ptr si_status si_stime si_timerid si_uid si_utime si_value sig_atomic_t sigev_notify_attributes
    sigev_notify_function sigmask size_t sparc ssize_t st_atime st_ctime st_mtime stderr stdin stdout sun time_t uint16_t uint32_t
    uint64_t uint8_t uintmax_t uintptr_t unix va_list vax vms wint_t";

/// Types, functions and macros of C and POSIX that a package's prefix, a type's name and that of a constant could form together.
const LIBRARY: &str = "
    SIG_ATOMIC_MAX SIG_ATOMIC_MIN UINT_FAST16_MAX UINT_FAST32_MAX UINT_FAST64_MAX UINT_FAST8_MAX UINT_LEAST16_MAX UINT_LEAST32_MAX
    UINT_LEAST64_MAX UINT_LEAST8_MAX
    aio_cancel aio_error aio_fsync aio_read aio_return aio_suspend aio_write at_quick_exit atomic_exchange atomic_flag atomic_init
    atomic_load atomic_store bind_textdomain_codeset call_once clock_getres clock_gettime clock_nanosleep clock_settime mq_close
    mq_getattr mq_notify mq_open mq_receive mq_send mq_setattr mq_unlink mtx_init mtx_lock posix_memalign pthread_create
    pthread_join quick_exit sched_yield sem_close sem_destroy sem_init sem_open sem_post sem_wait shm_open shm_unlink thrd_create
    thrd_join timer_create timer_delete tss_create";

static MEMBER_WORDS: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| [KEYWORDS, SYSTEM].iter().flat_map(|list| list.split_ascii_whitespace()).collect());
static LIBRARY_WORDS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| LIBRARY.split_ascii_whitespace().collect());

/// Whether a name is not allowed for a member or parameter.
fn reserved_member(name: &str) -> bool {
    MEMBER_WORDS.contains(name) || implementation(name)
}

/// Whether a name looks like a macro: system headers have upper-case ones, too many to list (`NULL`, `EOF`, `INT_MAX`, `I`). Types and
/// constants have a prefix, so only members and parameters can collide.
fn like_macro(name: &str) -> bool {
    !name.ends_with('_')
        && name.contains(|c: char| c.is_ascii_uppercase())
        && !name.contains(|c: char| c.is_ascii_lowercase())
}

/// Whether a name is not allowed for a type, function or constant. POSIX reserves names in `_t`.
fn reserved_global(name: &str) -> bool {
    reserved_member(name) || LIBRARY_WORDS.contains(name) || name.ends_with("_t")
}

/// Names reserved for the implementation or for Creo.
fn implementation(name: &str) -> bool {
    let mut letters = name.chars();
    let first = letters.next();
    let second = letters.next();
    (first == Some('_') && second.is_none_or(|c| c == '_' || c.is_ascii_uppercase()))
        || name.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("creo_"))
}

/// Makes an identifier from any text: a description's names already are identifiers, others may not be.
pub fn identifier(text: &str) -> String {
    let mut name: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    name
}

/// The declared name, or that of `@Name(c = ..)`, in a style.
pub fn styled(declared: &str, own: Option<&str>, style: Style) -> String {
    match own {
        Some(name) => identifier(name),
        None => style.apply(&identifier(declared)),
    }
}

/// All external names of a generated library: types, functions, constants.
#[derive(Debug, Default)]
pub struct Globals {
    taken: BTreeSet<String>,
    /// The last number for each wanted name with these endings. Names are never released, so all smaller numbers are taken.
    numbers: BTreeMap<(String, Endings), u32>,
}

/// The suffixes that generated code appends to a name.
pub type Endings = &'static [&'static str];

impl Globals {
    /// Takes `wanted`, or the first of `wanted_2`, `wanted_3` ... for which the name is free with and without all endings.
    pub fn claim(&mut self, wanted: &str, endings: Endings) -> String {
        if self.take(wanted, endings) {
            return wanted.to_owned();
        }
        let key = (wanted.to_owned(), endings);
        let mut number = self.numbers.get(&key).copied().unwrap_or(1);
        loop {
            number += 1;
            let name = format!("{wanted}_{number}");
            if self.take(&name, endings) {
                self.numbers.insert(key, number);
                return name;
            }
        }
    }

    /// Takes a name with and without the endings, if all are free.
    fn take(&mut self, name: &str, endings: Endings) -> bool {
        let mut all = vec![name.to_owned()];
        all.extend(endings.iter().map(|ending| [name, ending].concat()));
        let free = all.iter().all(|name| !reserved_global(name) && !self.taken.contains(name));
        if free {
            self.taken.extend(all);
        }
        free
    }

    /// Whether a member or parameter with this name would hide a type or function; C++ refuses that even for members.
    fn hides(&self, name: &str) -> bool {
        self.taken.contains(name)
    }
}

/// The names of one struct, union or list of parameters.
#[derive(Debug)]
pub struct Members<'g> {
    globals: &'g Globals,
    taken: BTreeSet<String>,
}

impl<'g> Members<'g> {
    /// A scope in which generated code itself uses the names `own`.
    pub fn new(globals: &'g Globals, own: &[&str]) -> Members<'g> {
        Members { globals, taken: own.iter().map(|name| (*name).to_owned()).collect() }
    }

    fn free(&self, name: &str) -> bool {
        !reserved_member(name) && !like_macro(name) && !self.globals.hides(name) && !self.taken.contains(name)
    }

    /// Names all members, in order. For a member with a flag, `has_` and its name are both free.
    pub fn give(mut self, wanted: &[Wanted]) -> Vec<String> {
        // A name that stays as declared is never displaced by a changed one.
        let mut given: Vec<Option<String>> = vec![None; wanted.len()];
        for (slot, member) in given.iter_mut().zip(wanted) {
            if member.name == member.declared && self.fits(&member.name, member.flag) {
                self.take(&member.name, member.flag);
                *slot = Some(member.name.clone());
            }
        }
        for (slot, member) in given.iter_mut().zip(wanted) {
            if slot.is_none() {
                // A trailing underscore would not help a name with a reserved prefix.
                let own = if implementation(&member.name) {
                    format!("field_{}", member.name.trim_start_matches('_'))
                } else {
                    member.name.clone()
                };
                let mut name = own;
                while !self.fits(&name, member.flag) {
                    name.push('_');
                }
                self.take(&name, member.flag);
                *slot = Some(name);
            }
        }
        given.into_iter().flatten().collect()
    }

    fn fits(&self, name: &str, flag: bool) -> bool {
        self.free(name) && (!flag || self.free(&format!("has_{name}")))
    }

    fn take(&mut self, name: &str, flag: bool) {
        self.taken.insert(name.to_owned());
        if flag {
            self.taken.insert(format!("has_{name}"));
        }
    }
}

/// A member that wants a name.
#[derive(Debug)]
pub struct Wanted {
    pub declared: String,
    pub name: String,
    /// Whether it has a `has_` member.
    pub flag: bool,
}

/// The prefix of each package: its name for this target, else the last part of its name, preceded by further parts while it is not unique.
///
/// No `PackageScopes`, which keeps the classes of each package apart: C has one scope for all packages, [`Globals`], and a package is only the start of
/// its names there.
pub fn prefixes(model: &Model) -> Vec<String> {
    let ids = || (0..model.packages.len()).map(PackageId);
    let parts: Vec<Vec<String>> = ids()
        .map(|id| {
            let package = model.package(id);
            let own = package.targets.iter().any(|(target, _)| target == TARGET);
            let name = package.name_for(TARGET);
            let one = |text: &str| Style::Snake.apply(&identifier(text));
            if own { vec![one(name)] } else { name.split('.').map(one).collect() }
        })
        .collect();
    let mut lengths = vec![1usize; parts.len()];
    let joined = |index: usize, length: usize| {
        let all = &parts[index];
        let prefix = all[all.len().saturating_sub(length)..].join("_");
        if prefix == "creo" || prefix.starts_with("creo_") || reserved_global(&prefix) {
            format!("pkg_{prefix}")
        } else {
            prefix
        }
    };
    loop {
        let mut seen: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, &length) in lengths.iter().enumerate() {
            seen.entry(joined(index, length)).or_default().push(index);
        }
        let mut longer = false;
        for same in seen.values().filter(|same| same.len() > 1) {
            for &index in same {
                if lengths[index] < parts[index].len() {
                    lengths[index] += 1;
                    longer = true;
                }
            }
        }
        if !longer {
            break;
        }
    }
    // Packages whose parts never differ (`a.b`, `a_b`) get a number.
    let mut taken = BTreeSet::new();
    (0..parts.len())
        .map(|index| {
            let wanted = joined(index, lengths[index]);
            let mut name = wanted.clone();
            let mut number = 1;
            while !taken.insert(name.clone()) {
                number += 1;
                name = format!("{wanted}_{number}");
            }
            name
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted() {
        for list in [KEYWORDS, SYSTEM, LIBRARY] {
            let words: Vec<&str> = list.split_ascii_whitespace().collect();
            assert!(words.is_sorted() && words.len() > 10, "{words:?}");
        }
    }

    #[test]
    fn reserved_names() {
        for name in [
            "errno",
            "unix",
            "linux",
            "class",
            "bool",
            "static_assert",
            "stdin",
            "_X",
            "__x",
            "_",
            "creo_x",
            "CREO_X",
            "and",
        ] {
            assert!(reserved_member(name), "{name}");
        }
        for name in ["data", "null", "x", "_x", "result", "value"] {
            assert!(!reserved_member(name), "{name}");
        }
        assert!(reserved_global("pthread_mutex_t"));
        assert!(reserved_global("clock_gettime"));
    }

    #[test]
    fn identifiers_are_made_of_anything() {
        assert_eq!(identifier("a-b.c"), "a_b_c");
        assert_eq!(identifier("1x"), "_1x");
        assert_eq!(identifier(""), "_");
        assert_eq!(identifier("é\"\n"), "___");
    }

    #[test]
    fn globals_keep_their_endings_free() {
        let mut globals = Globals::default();
        assert_eq!(globals.claim("p_a", &["_init", "_encode"]), "p_a");
        assert_eq!(globals.claim("p_a_init", &["_init"]), "p_a_init_2");
        assert_eq!(globals.claim("clock_t", &[]), "clock_t_2");
        assert_eq!(globals.claim("clock_t", &[]), "clock_t_3");
        assert_eq!(globals.claim("p_a_3_init", &[]), "p_a_3_init");
        assert_eq!(globals.claim("p_a", &["_init"]), "p_a_2");
        assert_eq!(globals.claim("p_a", &["_init"]), "p_a_4");
        assert_eq!(globals.claim("p_a", &[]), "p_a_3");
    }

    #[test]
    fn members_never_displace_plain_names() {
        let globals = Globals::default();
        let want = |declared: &str, name: &str, flag| Wanted {
            declared: declared.to_owned(),
            name: name.to_owned(),
            flag,
        };
        let names = Members::new(&globals, &["creo_empty"]).give(&[
            want("aB", "a_b", false),
            want("a_b", "a_b", false),
            want("errno", "errno", false),
            want("x", "x", true),
            want("has_x", "has_x", false),
            want("_", "_", false),
            want("__", "__", false),
            want("__y", "_Y", false),
            want("NULL", "NULL", true),
            want("Eof", "Eof", false),
        ]);
        assert_eq!(
            names,
            ["a_b_", "a_b", "errno_", "x", "has_x_", "field_", "field__", "field_Y", "NULL_", "Eof"]
        );
    }
}
