//! TLS: the certificate and the host's name are always verified (TCP-3).

use crate::error::CallError;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore};
use std::io::{Error, ErrorKind};
use std::sync::Arc;

/// The options of a connection with TLS, as texts in PEM.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tls {
    /// The authorities that are trusted; `None` for those of the system.
    pub authorities: Option<Vec<u8>>,
    /// The client's certificate, with those of its chain, and its key.
    pub identity: Option<(Vec<u8>, Vec<u8>)>,
}

impl Tls {
    pub(crate) fn session(&self, host: &str) -> Result<ClientConnection, CallError> {
        let builder = ClientConfig::builder().with_root_certificates(self.roots()?);
        let config = match &self.identity {
            None => builder.with_no_client_auth(),
            Some((certificates, key)) => {
                let key = PrivateKeyDer::from_pem_slice(key)
                    .map_err(|error| invalid(&format!("the key is not one in PEM: {error}")))?;
                let chain = certificates_of(certificates, "the client's certificate")?;
                builder
                    .with_client_auth_cert(chain, key)
                    .map_err(|error| invalid(&format!("the key does not fit the certificate: {error}")))?
            }
        };
        let name = ServerName::try_from(host.to_owned())
            .map_err(|_| invalid(&format!("{host:?} is no name that a certificate can have")))?;
        ClientConnection::new(Arc::new(config), name).map_err(|error| invalid(&error.to_string()))
    }

    fn roots(&self) -> Result<RootCertStore, CallError> {
        let mut roots = RootCertStore::empty();
        if let Some(own) = &self.authorities {
            for certificate in certificates_of(own, "the file of authorities")? {
                roots
                    .add(certificate)
                    .map_err(|error| invalid(&format!("a certificate of an authority is wrong: {error}")))?;
            }
            return Ok(roots);
        }
        let found = rustls_native_certs::load_native_certs();
        let (usable, _) = roots.add_parsable_certificates(found.certs);
        if usable == 0 {
            let why = found.errors.first().map_or(String::new(), |error| format!(": {error}"));
            return Err(CallError::new(
                "untrusted-peer",
                format!("this system has no certificates of authorities{why}; give a file with --cacert"),
            ));
        }
        Ok(roots)
    }
}

fn certificates_of(pem: &[u8], what: &str) -> Result<Vec<CertificateDer<'static>>, CallError> {
    let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    match all {
        Ok(all) if !all.is_empty() => Ok(all),
        Ok(_) => Err(invalid(&format!("{what} has no certificate in PEM"))),
        Err(error) => Err(invalid(&format!("{what} is not in PEM: {error}"))),
    }
}

fn invalid(message: &str) -> CallError {
    CallError::new("invalid-value", message)
}

/// The peer accepted the connection, and says nothing.
pub(crate) fn silent(address: &str) -> CallError {
    CallError::new("protocol-mismatch", format!("{address} does not answer the handshake of TLS"))
}

/// The error for a failure of TLS (ERR-9).
pub(crate) fn failed(address: &str, error: &Error) -> CallError {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
        Some(rustls::Error::InvalidCertificate(why)) => CallError::new(
            "untrusted-peer",
            format!("the certificate of {address} is not accepted: {}", said(&why.to_string())),
        ),
        Some(rustls::Error::InvalidMessage(_)) => {
            CallError::new("protocol-mismatch", format!("{address} does not speak TLS"))
        }
        Some(rustls::Error::AlertReceived(alert)) => {
            CallError::new("unavailable", format!("{address} ended TLS with the alert {alert:?}"))
        }
        Some(other) => CallError::new("protocol-mismatch", format!("no TLS with {address}: {other}")),
        None if error.kind() == ErrorKind::UnexpectedEof => {
            CallError::new("unavailable", format!("{address} closed the connection without an end of TLS"))
        }
        None => CallError::new("unavailable", format!("the connection to {address} was lost: {error}")),
    }
}

/// A reason on one line.
fn said(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}
