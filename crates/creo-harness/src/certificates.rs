//! Keys and certificates for one run, created by the JDK's `keytool`: none are stored in the repository.

use crate::process::Program;
use crate::repo;
use std::path::{Path, PathBuf};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

/// The password of the Java peer's keys. It protects nothing: the keys live as long as the run.
const PASSWORD: &str = "conformance";

/// Creates `service.p12` and `service.pem` for `localhost`, and `other.p12` and `other.pem` for the same name with other keys.
pub fn make() -> Result<PathBuf, String> {
    let folder = repo::build("certificates");
    repo::fresh(&folder)?;
    for name in ["service", "other"] {
        let store = folder.join(format!("{name}.p12"));
        keytool(&store, name)
            .args([
                "-genkeypair",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=localhost",
                "-validity",
                "2",
            ])
            .args([
                "-ext",
                "SAN=dns:localhost",
                "-ext",
                "BC:critical=ca:true",
                "-ext",
                "KU:critical=digitalSignature,keyCertSign",
            ])
            .run(LIMIT)?;
        let pem = folder.join(format!("{name}.pem"));
        keytool(&store, name).args(["-exportcert", "-rfc", "-file"]).arg(pem).run(LIMIT)?;
    }
    Ok(folder)
}

fn keytool(store: &Path, name: &str) -> Program {
    Program::new("keytool")
        .args(["-storetype", "PKCS12", "-storepass", PASSWORD, "-alias", name, "-keystore"])
        .arg(store)
}
