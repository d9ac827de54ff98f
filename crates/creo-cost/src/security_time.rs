//! The time that WS-Security adds to SOAP messages (COST-39).

use crate::fit::Time;
use crate::security::Security;
use serde::{Deserialize, Serialize};

impl Security {
    /// The time that security adds to writing or reading a message of this size. `None`: it was not measured.
    pub(crate) fn time(&self, costs: Option<SecurityCosts>, serialize: bool, bytes: f64) -> Option<Time> {
        if !self.signed && !self.encrypted {
            return Some(Time::ZERO);
        }
        let costs = costs?;
        let (sign, encrypt) =
            if serialize { (costs.sign, costs.encrypt) } else { (costs.verify, costs.decrypt) };
        let of = |is: bool, cost: SecurityCost| if is { cost.ns + cost.byte * bytes } else { 0.0 };
        let ns = of(self.signed, sign) + of(self.encrypted, encrypt);
        Some(Time { ns, low: ns * (1.0 - costs.error).max(0.0), high: ns * (1.0 + costs.error) })
    }
}

/// What security costs on a machine in a target (COST-39).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SecurityCosts {
    pub sign: SecurityCost,
    pub verify: SecurityCost,
    pub encrypt: SecurityCost,
    pub decrypt: SecurityCost,
    /// The half-width of the interval, as a share of the time.
    pub error: f64,
}

/// The time of a message: most of `ns` is RSA; `byte` is parsing, canonicalization, SHA-256 or AES, and writing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SecurityCost {
    /// Nanoseconds of any message.
    pub ns: f64,
    /// Nanoseconds for each byte of the secured envelope.
    pub byte: f64,
}

impl SecurityCosts {
    /// Those of a target whose profile has none: of Java on an AMD EPYC, family 25, model 17. Other targets have no default.
    pub(crate) fn default_of(target: &str) -> Option<SecurityCosts> {
        let cost = |ns: f64, byte: f64| SecurityCost { ns, byte };
        (target == "java").then(|| SecurityCosts {
            sign: cost(1_840_000.0, 12.2),
            verify: cost(593_000.0, 17.4),
            encrypt: cost(173_000.0, 27.1),
            decrypt: cost(1_490_000.0, 27.9),
            error: 0.5,
        })
    }

    /// The numbers, for checks of a profile.
    pub(crate) fn numbers(&self) -> [f64; 9] {
        let [a, b, c, d] = [self.sign, self.verify, self.encrypt, self.decrypt];
        [a.ns, a.byte, b.ns, b.byte, c.ns, c.byte, d.ns, d.byte, self.error]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_need_costs_only_where_something_is_signed_or_encrypted() {
        let timestamp = Security { timestamp: true, ..Security::default() };
        assert_eq!(timestamp.time(None, true, 1e6), Some(Time::ZERO));
        let signed = Security { signed: true, ..Security::default() };
        assert_eq!(signed.time(None, true, 1e6), None);
        let costs = SecurityCosts::default_of("java");
        let write = signed.time(costs, true, 1e6).map_or(0.0, |time| time.ns);
        assert_eq!(write, 1_840_000.0 + 12.2e6);
        let both = Security { encrypted: true, ..signed };
        assert!(
            both.time(costs, false, 0.0)
                .is_some_and(|time| time.low < 2_083_000.0 && time.high > 2_083_000.0)
        );
        assert_eq!(SecurityCosts::default_of("c"), None);
    }
}
