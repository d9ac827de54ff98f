//! The service under test: the Java peer in `service` mode, and the one over JMS with its broker.

use crate::languages::{Language, jms};
use crate::process::Running;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// A service on a local port, running until it is dropped.
#[derive(Debug)]
pub struct Service {
    running: Running,
    pub port: u16,
    /// The port that accepts only the binary wire.
    pub tcp_only: Option<u16>,
    /// The TLS port, if the service has keys.
    pub tls_port: Option<u16>,
    /// The HTTP port.
    pub http: Option<u16>,
    /// The HTTPS port, if the service has keys.
    pub https: Option<u16>,
}

impl Service {
    pub fn start() -> Result<Service, String> {
        Service::start_with(None)
    }

    /// With a PKCS #12 file of keys, the service has a second port with TLS.
    pub fn start_with(keys: Option<&Path>) -> Result<Service, String> {
        let program = Language::Java.ready().and_then(|()| Language::Java.conformance_peer())?;
        let mut running = program.arg("service").args(keys).start()?;
        let line = running
            .line(Duration::from_secs(180))
            .map_err(|why| format!("the service does not start: {why}"))?;
        let said: Value = serde_json::from_str(&line).unwrap_or_default();
        let port = |name: &str| said[name].as_u64().and_then(|p| u16::try_from(p).ok());
        match port("port") {
            Some(plain) => Ok(Service {
                running,
                port: plain,
                tcp_only: port("tcp"),
                tls_port: port("tls"),
                http: port("http"),
                https: port("https"),
            }),
            None => Err(format!("the service said {line:?} instead of its port")),
        }
    }

    pub fn is_alive(&mut self) -> bool {
        self.running.is_alive()
    }

    /// The output to standard error.
    pub fn complaint(&self) -> String {
        self.running.complaint()
    }

    /// Stops the service and waits for its end.
    pub fn stop(self) -> Result<(), String> {
        self.running.finish(Duration::from_secs(120)).map_err(|why| format!("the service {why}"))
    }
}

/// The service over JMS and its embedded broker in one process, running until it is dropped.
#[derive(Debug)]
pub struct JmsService {
    running: Running,
    /// The port of the broker.
    pub broker: u16,
}

impl JmsService {
    pub fn start() -> Result<JmsService, String> {
        let program = Language::Java.ready().and_then(|()| jms::peer(Language::Java))?;
        let mut running = program.arg("service-jms").start()?;
        let line = running
            .line(Duration::from_secs(180))
            .map_err(|why| format!("the service over JMS does not start: {why}"))?;
        let said: Value = serde_json::from_str(&line).unwrap_or_default();
        match said["broker"].as_u64().and_then(|p| u16::try_from(p).ok()) {
            Some(broker) => Ok(JmsService { running, broker }),
            None => Err(format!("the service over JMS said {line:?} instead of its broker's port")),
        }
    }

    pub fn is_alive(&mut self) -> bool {
        self.running.is_alive()
    }

    /// The output to standard error.
    pub fn complaint(&self) -> String {
        self.running.complaint()
    }

    /// Stops the service and waits for its end.
    pub fn stop(self) -> Result<(), String> {
        self.running.finish(Duration::from_secs(120)).map_err(|why| format!("the service over JMS {why}"))
    }
}
