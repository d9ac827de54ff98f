//! The time that WS-Security adds to SOAP messages (COST-39).

use crate::fit::Time;
use crate::security::Security;
use serde::{Deserialize, Serialize};

impl Security {
    /// The time that security adds to writing or reading a message with so many bytes, security included, and elements. `None`: it was not measured.
    pub(crate) fn time(
        &self,
        costs: Option<SecurityCosts>,
        serialize: bool,
        bytes: f64,
        elements: f64,
    ) -> Option<Time> {
        if !self.signed && !self.encrypted {
            return Some(Time::ZERO);
        }
        let costs = costs?;
        let cost = match (self.signed, self.encrypted, serialize) {
            (true, true, true) => costs.sign_encrypt,
            (true, true, false) => costs.decrypt_verify,
            (false, _, true) => costs.encrypt,
            (false, _, false) => costs.decrypt,
            (true, false, true) => costs.sign,
            (true, false, false) => costs.verify,
        };
        let ns = cost.ns + cost.byte * bytes + cost.element * elements;
        Some(Time { ns, low: ns * (1.0 - costs.error).max(0.0), high: ns * (1.0 + costs.error) })
    }
}

/// What security costs on a machine in a target (COST-39).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SecurityCosts {
    pub sign: SecurityCost,
    pub verify: SecurityCost,
    pub encrypt: SecurityCost,
    pub decrypt: SecurityCost,
    /// Both of a message, which is less than the sum: its tree is built once.
    pub sign_encrypt: SecurityCost,
    pub decrypt_verify: SecurityCost,
    /// The half-width of the interval, as a share of the time.
    pub error: f64,
}

/// The time of a message: most of `ns` is RSA, `byte` SHA-256, AES and copying, `element` the tree and its canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SecurityCost {
    /// Nanoseconds of any message.
    pub ns: f64,
    /// Nanoseconds for each byte of the secured envelope.
    pub byte: f64,
    /// Nanoseconds for each element below that of the message.
    pub element: f64,
}

impl SecurityCosts {
    /// Those of a target whose profile has none: of Java on an AMD EPYC, family 25, model 17. Other targets have no default.
    pub(crate) fn default_of(target: &str) -> Option<SecurityCosts> {
        let cost = |ns: f64, byte: f64, element: f64| SecurityCost { ns, byte, element };
        (target == "java").then(|| SecurityCosts {
            sign: cost(1_000_000.0, 8.8, 124.0),
            verify: cost(71_000.0, 8.9, 157.0),
            encrypt: cost(38_000.0, 9.9, 99.0),
            decrypt: cost(959_000.0, 9.2, 172.0),
            sign_encrypt: cost(1_035_000.0, 13.0, 121.0),
            decrypt_verify: cost(1_047_000.0, 12.5, 234.0),
            error: 0.5,
        })
    }

    /// The numbers, for checks of a profile.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = f64> + use<> {
        let costs =
            [self.sign, self.verify, self.encrypt, self.decrypt, self.sign_encrypt, self.decrypt_verify];
        let error = self.error;
        costs.into_iter().flat_map(|cost| [cost.ns, cost.byte, cost.element]).chain([error])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_need_costs_only_where_something_is_signed_or_encrypted() {
        let timestamp = Security { timestamp: true, ..Security::default() };
        assert_eq!(timestamp.time(None, true, 1e6, 1e3), Some(Time::ZERO));
        let signed = Security { signed: true, ..Security::default() };
        assert_eq!(signed.time(None, true, 1e6, 1e3), None);
        assert_eq!(SecurityCosts::default_of("c"), None);
        assert!(SecurityCosts::default_of("java").is_some_and(|costs| costs.error == 0.5));
    }

    #[test]
    fn each_way_and_each_combination_has_its_own_cost() {
        let of = |ns: f64| SecurityCost { ns, byte: ns / 10.0, element: ns / 2.0 };
        let costs = SecurityCosts {
            sign: of(10.0),
            verify: of(20.0),
            encrypt: of(30.0),
            decrypt: of(40.0),
            sign_encrypt: of(50.0),
            decrypt_verify: of(60.0),
            error: 0.25,
        };
        let time = |signed, encrypted, serialize| {
            let security = Security { signed, encrypted, ..Security::default() };
            security.time(Some(costs), serialize, 30.0, 4.0)
        };
        // A message costs once, its thirty bytes three times and its four elements twice as much as any.
        for (signed, encrypted, serialize, ns) in [
            (true, false, true, 60.0),
            (true, false, false, 120.0),
            (false, true, true, 180.0),
            (false, true, false, 240.0),
            (true, true, true, 300.0),
            (true, true, false, 360.0),
        ] {
            let expected = Time { ns, low: ns * 0.75, high: ns * 1.25 };
            assert_eq!(time(signed, encrypted, serialize), Some(expected));
        }
        assert_eq!(costs.numbers().sum::<f64>(), 210.0 * 1.6 + 0.25);
    }
}
