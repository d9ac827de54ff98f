//! Properties over all types of the conformance descriptions, with bytes that are changed at random. The seed is fixed, and printed by a failure.

mod common;

use common::model;
use creo_inspect::{Limits, Style, Subject, What, annotate, encode, render, sample};
use creo_model::Type;

const SEED: u64 = 0x5eed_c0de;

/// A small random generator (xorshift), the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }

    /// Changes, removes, inserts or cuts off some bytes; numbers near the ends of ranges come often.
    fn disturb(&mut self, bytes: &mut Vec<u8>) {
        const TELLING: [u8; 8] = [0x00, 0x01, 0x02, 0x7f, 0x80, 0x81, 0xc3, 0xff];
        for _ in 0..=self.below(3) {
            let at = self.below(bytes.len());
            let byte =
                if self.below(2) == 0 { TELLING[self.below(TELLING.len())] } else { self.below(256) as u8 };
            match self.below(5) {
                0 if !bytes.is_empty() => drop(bytes.remove(at)),
                1 => bytes.insert(at.min(bytes.len()), byte),
                2 => bytes.truncate(at),
                3 => bytes.extend([byte; 3]),
                _ => bytes.iter_mut().skip(at).take(1).for_each(|b| *b = byte),
            }
        }
    }
}

#[test]
fn disturbed_bytes_are_refused_or_come_back() {
    let model = model(include_str!("../../../conformance/schemas/values.creo"));
    let limits = Limits { max_depth: 20, ..Limits::default() };
    let mut random = Random(SEED);
    let (mut read, mut refused) = (0, 0);
    for id in model.type_ids() {
        let ty = Type::Named(id);
        let subject = Subject::Type(&ty);
        let name = model.full_name(id);
        let value = sample(&model, &subject).unwrap_or_else(|| panic!("no example of {name}"));
        let good = encode(&model, &subject, &value, &limits).unwrap_or_else(|e| panic!("{name}: {e}"));
        for round in 0..400 {
            let mut bytes = good.clone();
            random.disturb(&mut bytes);
            let about = || format!("seed {SEED:#x}, {name}, round {round}, bytes {bytes:02x?}");
            let (section, outcome) = annotate(&model, &subject, &bytes, &limits, 4);
            // Whatever happened, the items are in order and within bounds, and can be rendered.
            let mut at = 0;
            for item in section.items.iter().filter(|item| item.what != What::Group) {
                assert!(
                    item.start == at && item.end >= at && item.end <= bytes.len(),
                    "{}: {item:?}",
                    about()
                );
                at = item.end;
            }
            let _ = render(&[section], Style::Coloured);
            match outcome {
                Ok(value) => {
                    read += 1;
                    assert_eq!(at, bytes.len(), "{}", about());
                    let again = encode(&model, &subject, &value, &limits)
                        .unwrap_or_else(|e| panic!("{}: {e}", about()));
                    let (_, second) = annotate(&model, &subject, &again, &limits, 0);
                    assert_eq!(second.as_ref(), Ok(&value), "{}", about());
                }
                Err(error) => {
                    refused += 1;
                    assert!(
                        error.offset <= bytes.len() && error.place.starts_with('$'),
                        "{}: {error}",
                        about()
                    );
                }
            }
        }
    }
    // Both happen, or the test would say nothing.
    assert!(read > 500 && refused > 500, "{read} read, {refused} refused");
}
