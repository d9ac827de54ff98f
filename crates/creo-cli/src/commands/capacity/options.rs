//! The options, with errors that have a code and name the option (COST-59).

use super::file::WRONG;
use crate::args::CapacityArgs;
use crate::commands::estimate::options::methods;
use crate::failure::Failure;
use creo_cost::{Binding, MethodId, Sizes, Transport};
use creo_queue::{Arrivals, Duration, MAX_RATE, MIN_RATE, Run, Sharing};

/// The default number of simulated calls.
const SAMPLE: usize = 50_000;
const SEED: u64 = 1;
/// The default threads of a host that takes calls from a queue: the sessions of JMS hosts in all runtimes.
const SESSIONS: u32 = 4;

/// A scenario without its messages.
#[derive(Debug)]
pub struct Request {
    pub calls: Vec<Called>,
    pub overhead: f64,
    pub arrivals: Arrivals,
    pub hosts: u32,
    pub cores: u32,
    threads: Option<u32>,
    sharing: Option<Sharing>,
    pub broker: f64,
    pub goal: Option<f64>,
    pub run: Run,
}

/// A method of the mix.
#[derive(Debug)]
pub struct Called {
    pub method: MethodId,
    /// Per second.
    pub rate: f64,
    pub work: Duration,
    pub wait: Duration,
}

impl Request {
    /// COST-53: over JMS hosts share a queue; otherwise each has one.
    pub fn sharing(&self, binding: Binding) -> Sharing {
        self.sharing.unwrap_or(match binding.transport {
            Transport::Jms => Sharing::Queue,
            Transport::Tcp | Transport::Http => Sharing::RoundRobin,
        })
    }

    pub fn threads(&self, sharing: Sharing) -> Option<u32> {
        self.threads.or((sharing == Sharing::Queue).then_some(SESSIONS))
    }
}

pub fn request(args: &CapacityArgs, sizes: &Sizes<'_>) -> Result<Request, Failure> {
    let mut calls: Vec<Called> = Vec::new();
    for said in &args.call {
        let (method, text) = of_method("--call", said, sizes)?;
        let rate = rate(text).map_err(|why| wrong("--call", said, &why))?;
        match calls.iter_mut().find(|call| call.method == method) {
            Some(call) => call.rate = rate,
            None => calls.push(Called { method, rate, work: Duration::ZERO, wait: Duration::ZERO }),
        }
    }
    if calls.is_empty() {
        return Err(Failure::coded(WRONG, "nothing is called")
            .help("say what is, and how often: --call retrieveData=500/s"));
    }
    for (option, all) in [("--work", &args.work), ("--wait", &args.wait)] {
        for said in all {
            let (method, text) = of_method(option, said, sizes)?;
            let time = Duration::parse(text).map_err(|why| wrong(option, said, &why))?;
            let Some(call) = calls.iter_mut().find(|call| call.method == method) else {
                return Err(wrong(option, said, "the method is not called: there is no --call for it"));
            };
            if option == "--work" { call.work = time } else { call.wait = time }
        }
    }
    let time =
        |option: &str, said: &Option<String>| match said.as_deref().map(|said| (said, Duration::parse(said)))
        {
            None => Ok(None),
            Some((_, Ok(Duration::Fixed(time)))) => Ok(Some(time)),
            Some((said, Ok(_))) => {
                Err(wrong(option, said, "it is the same for all calls: write a time, such as 40us"))
            }
            Some((said, Err(why))) => Err(wrong(option, said, &why)),
        };
    let goal = time("--goal", &args.goal)?;
    if let (Some(said), Some(0.0)) = (&args.goal, goal) {
        return Err(wrong("--goal", said, "no call takes no time"));
    }
    let arrivals = args.arrivals.as_deref().unwrap_or("poisson");
    let sharing = |said: &String| {
        Sharing::ALL.into_iter().find(|sharing| sharing.word() == said.trim()).ok_or_else(|| {
            let all = Sharing::ALL.map(Sharing::word).join(", ");
            Failure::coded(WRONG, format!("--balance {said}: calls are not shared so"))
                .help(format!("there are {all}"))
        })
    };
    Ok(Request {
        calls,
        overhead: time("--overhead", &args.overhead)?.unwrap_or(0.0),
        arrivals: Arrivals::parse(arrivals).map_err(|why| wrong("--arrivals", arrivals, &why))?,
        hosts: args.hosts.unwrap_or(1),
        cores: args.cores.unwrap_or(1),
        threads: args.threads,
        sharing: args.balance.as_ref().map(sharing).transpose()?,
        broker: time("--broker", &args.broker)?.unwrap_or(0.0),
        goal,
        run: Run { calls: args.sample.unwrap_or(SAMPLE), seed: args.seed.unwrap_or(SEED) },
    })
}

fn of_method<'t>(option: &str, said: &'t str, sizes: &Sizes<'_>) -> Result<(MethodId, &'t str), Failure> {
    let Some((name, text)) = said.split_once('=') else { return Err(wrong(option, said, "it has no `=`")) };
    let found = methods(&[name.trim().to_owned()], sizes).map_err(|failure| match failure {
        Failure::Message { message, help, .. } => Failure::Message {
            message: format!("{option} {said}: {message}"),
            help,
            code: Some("unknown-method"),
        },
        Failure::PipeClosed => Failure::PipeClosed,
    })?;
    match found[..] {
        [method] => Ok((method, text)),
        _ => Err(wrong(option, said, "it is not one method")),
    }
}

fn wrong(option: &str, said: &str, why: &str) -> Failure {
    Failure::coded(WRONG, format!("{option} {said}: {why}"))
}

/// `500/s`, `30/min`, `100/h`, or calls per second.
fn rate(text: &str) -> Result<f64, String> {
    let (number, seconds) = match text.split_once('/') {
        None => (text, 1.0),
        Some((number, unit)) => match unit.trim() {
            "s" => (number, 1.0),
            "min" => (number, 60.0),
            "h" => (number, 3600.0),
            other => return Err(format!("{other:?} is no unit of rates: there are s, min and h")),
        },
    };
    let number = number
        .trim()
        .parse::<f64>()
        .ok()
        .map(|number| number / seconds)
        .filter(|rate| (MIN_RATE..=MAX_RATE).contains(rate));
    number.ok_or_else(|| format!("a rate lies between {MIN_RATE} and {MAX_RATE} calls a second"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates() {
        assert_eq!(["500/s", "30/min", "7200 / h", "2.5"].map(rate), [Ok(500.0), Ok(0.5), Ok(2.0), Ok(2.5)]);
        for wrong in ["", "/s", "5/ms", "-1/s", "0", "nan", "inf", "1e10", "1/h/h", "0.0001"] {
            assert!(rate(wrong).is_err(), "{wrong}");
        }
    }
}
