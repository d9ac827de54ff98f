//! The bytes that WS-Security adds to SOAP messages (COST-18).

use crate::spread::Spread;

const WSSE: &str =
    " xmlns:wsse=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd\"";
const WSU: &str =
    " xmlns:wsu=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd\"";
const DS: &str = " xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\"";
/// An id with its quotes: a digit and a UUID. A reference to it has `#` before it.
const ID: &str = "\"creo-1-00000000-0000-0000-0000-000000000000\"";
const WSU_ID: u64 = (" wsu:Id=".len() + ID.len()) as u64;
const TIME: u64 = "2026-11-27T18:00:00.000Z".len() as u64;
const BLOCK: &str = "<wsse:Security soap:mustUnderstand=\"1\"></wsse:Security>";
const TIMESTAMP: &str =
    "<wsu:Timestamp><wsu:Created></wsu:Created><wsu:Expires></wsu:Expires></wsu:Timestamp>";
const TOKEN: &str = "<wsse:UsernameToken><wsse:Username></wsse:Username><wsse:Password Type=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordText\"></wsse:Password></wsse:UsernameToken>";
/// What a digest has besides, `Digest` for `Text` included.
const DIGEST: &str = "er<wsse:Nonce EncodingType=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary\"></wsse:Nonce><wsu:Created></wsu:Created>";
const CERTIFICATE: &str = "<wsse:BinarySecurityToken EncodingType=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary\" ValueType=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#X509v3\"></wsse:BinarySecurityToken>";
const SIGNATURE: &str = "<ds:Signature><ds:SignedInfo><ds:CanonicalizationMethod Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"></ds:CanonicalizationMethod><ds:SignatureMethod Algorithm=\"http://www.w3.org/2001/04/xmldsig-more#rsa-sha256\"></ds:SignatureMethod></ds:SignedInfo><ds:SignatureValue></ds:SignatureValue><ds:KeyInfo><wsse:SecurityTokenReference><wsse:Reference URI=\"#\" ValueType=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#X509v3\"></wsse:Reference></wsse:SecurityTokenReference></ds:KeyInfo></ds:Signature>";
const REFERENCE: &str = "<ds:Reference URI=\"#\"><ds:Transforms><ds:Transform Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"><ec:InclusiveNamespaces xmlns:ec=\"http://www.w3.org/2001/10/xml-exc-c14n#\" PrefixList=\"\"></ec:InclusiveNamespaces></ds:Transform></ds:Transforms><ds:DigestMethod Algorithm=\"http://www.w3.org/2001/04/xmlenc#sha256\"></ds:DigestMethod><ds:DigestValue></ds:DigestValue></ds:Reference>";
const ENCRYPTED_KEY: &str = "<xenc:EncryptedKey xmlns:xenc=\"http://www.w3.org/2001/04/xmlenc#\" Id=><xenc:EncryptionMethod Algorithm=\"http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p\"><ds:DigestMethod Algorithm=\"http://www.w3.org/2000/09/xmldsig#sha1\"></ds:DigestMethod></xenc:EncryptionMethod><ds:KeyInfo><wsse:SecurityTokenReference><ds:X509Data><ds:X509IssuerSerial><ds:X509IssuerName></ds:X509IssuerName><ds:X509SerialNumber></ds:X509SerialNumber></ds:X509IssuerSerial></ds:X509Data></wsse:SecurityTokenReference></ds:KeyInfo><xenc:CipherData><xenc:CipherValue></xenc:CipherValue></xenc:CipherData><xenc:ReferenceList><xenc:DataReference URI=\"#\"></xenc:DataReference></xenc:ReferenceList></xenc:EncryptedKey>";
const ENCRYPTED_DATA: &str = "<xenc:EncryptedData xmlns:xenc=\"http://www.w3.org/2001/04/xmlenc#\" Id= Type=\"http://www.w3.org/2001/04/xmlenc#Content\"><xenc:EncryptionMethod Algorithm=\"http://www.w3.org/2009/xmlenc11#aes256-gcm\"></xenc:EncryptionMethod><ds:KeyInfo><wsse:SecurityTokenReference xmlns:wsse11=\"http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd\" wsse11:TokenType=\"http://docs.oasis-open.org/wss/oasis-wss-soap-message-security-1.1#EncryptedKey\"><wsse:Reference URI=\"#\"></wsse:Reference></wsse:SecurityTokenReference></ds:KeyInfo><xenc:CipherData><xenc:CipherValue></xenc:CipherValue></xenc:CipherData></xenc:EncryptedData>";
/// The initial vector and the tag of AES in GCM.
const GCM: u64 = 12 + 16;
/// An RSA key of 2,048 bits: the bytes of a signature, and of an encrypted key.
const RSA: u64 = 256;
const SHA_1: u64 = 20;
const SHA_256: u64 = 32;
const NONCE: u64 = 16;

/// How C# and C differ from Java and Python, which write the same bytes: they declare `wsu`, `wsse` and `ds` less or more often; C declares `wsu`
/// once more if the client's block does, too.
const LEAST_SIGNED: u64 = 95;
const MOST_SIGNED: u64 = 117;
const MOST_ENCRYPTED: u64 = 125;

/// How a request says who calls (SOAP-50).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    Text,
    Digest,
}

/// The security of the messages of one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Security {
    pub token: Option<Token>,
    /// That of SOAP-50; a signature has one in any case.
    pub timestamp: bool,
    /// By RSA of 2,048 bits and SHA-256, over timestamp, token and body.
    pub signed: bool,
    /// The body, by AES-256-GCM, whose key is encrypted by RSA-OAEP.
    pub encrypted: bool,
    /// Bytes of the texts in the message.
    pub user: u64,
    pub password: u64,
    /// Bytes of the certificate (DER) that signs.
    pub certificate: u64,
    /// Bytes of the name of the recipient's issuer, and digits of its serial number.
    pub issuer: u64,
    pub serial: u64,
}

impl Default for Security {
    /// No security, of texts as COST-18 has them.
    fn default() -> Security {
        Security {
            token: None,
            timestamp: false,
            signed: false,
            encrypted: false,
            user: 16,
            password: 16,
            certificate: 1000,
            issuer: 48,
            serial: 48,
        }
    }
}

/// An envelope without security, in parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Envelope {
    /// All but the content of the body, with the element `Header`.
    pub around: Spread,
    pub content: Spread,
    /// Elements in the body.
    pub elements: u64,
    /// Bytes of the declarations at the envelope.
    pub declared: u64,
    /// Bytes of their prefixes, parted by blanks.
    pub prefixes: u64,
}

fn length(text: &str) -> u64 {
    text.len() as u64
}

fn base64(bytes: u64) -> u64 {
    bytes.saturating_add(2).saturating_div(3).saturating_mul(4)
}

/// The mean of a text whose bytes modulo 3 are equally likely, if they are not exact.
fn base64_of(bytes: Spread) -> Spread {
    let expected =
        if bytes.is_exact() { base64(bytes.least) as f64 } else { (bytes.expected + 1.0) * 4.0 / 3.0 };
    Spread { least: base64(bytes.least), expected, most: base64(bytes.most) }
}

impl Security {
    pub fn is_none(&self) -> bool {
        !(self.token.is_some() || self.timestamp || self.signed || self.encrypted)
    }

    /// The bytes of a secured envelope (COST-18).
    pub(crate) fn size(&self, envelope: &Envelope) -> Spread {
        let by_client = self.token.is_some() || self.timestamp;
        let signed = |bytes: u64| if self.signed { bytes } else { 0 };
        // `wsu` is declared at the block, or at each element that needs it.
        let wsu = if by_client { 0 } else { length(WSU) };
        let mut block = length(BLOCK) + length(WSSE) + length(WSU) - wsu;
        if self.timestamp || self.signed {
            block += length(TIMESTAMP) + 2 * TIME + wsu + signed(WSU_ID);
        }
        let password = match self.token {
            None => None,
            Some(Token::Text) => Some(self.password),
            Some(Token::Digest) => Some(base64(SHA_1) + length(DIGEST) + base64(NONCE) + TIME),
        };
        if let Some(password) = password {
            block = block.saturating_add(length(TOKEN) + self.user + password + signed(WSU_ID));
        }
        let mut body = 0;
        if self.signed {
            let references = 2 + u64::from(password.is_some());
            let reference = length(REFERENCE) + length(ID) - 2 + envelope.prefixes + base64(SHA_256);
            block += length(CERTIFICATE) + wsu + WSU_ID + base64(self.certificate);
            block += length(SIGNATURE) + length(DS) + length(WSSE) + length(ID) - 2 + base64(RSA);
            block += references * reference;
            body = length(WSU) + WSU_ID;
        }
        let mut content = envelope.content;
        if self.encrypted {
            block += length(ENCRYPTED_KEY) + 2 * (length(ID) - 1) + 2 * length(DS);
            block += base64(RSA) + self.issuer + self.serial;
            let declared = envelope.declared + signed(length(WSU));
            let plain = content.and(envelope.elements.saturating_mul(declared)).and(GCM);
            content = base64_of(plain)
                .and(length(ENCRYPTED_DATA) + length(DS) + length(WSSE) + 2 * (length(ID) - 1));
        }
        let written = envelope.around.plus(content).and(block).and(body);
        let encrypted = if self.encrypted { MOST_ENCRYPTED } else { 0 };
        let more = signed(MOST_SIGNED + length(WSU) - wsu) + encrypted;
        Spread {
            least: written.least - signed(LEAST_SIGNED),
            most: written.most.saturating_add(more),
            ..written
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Envelope = Envelope {
        around: Spread::exact(150),
        content: Spread::exact(100),
        elements: 1,
        declared: 60,
        prefixes: 4,
    };

    #[test]
    fn blocks_of_clients_are_exact_and_bounds_hold_the_languages() {
        let token = Security { token: Some(Token::Text), ..Security::default() };
        assert!(token.size(&PLAIN).is_exact());
        let longer = Security { user: 20, ..token };
        assert_eq!(longer.size(&PLAIN).least, token.size(&PLAIN).least + 4);
        let signed = Security { signed: true, ..Security::default() }.size(&PLAIN);
        assert_eq!((signed.expected as u64 - signed.least, signed.most - signed.expected as u64), (95, 117));
        // Three bytes of what is encrypted are four of the message.
        let encrypted = Security { encrypted: true, ..Security::default() };
        let larger = Envelope { content: Spread::exact(400), ..PLAIN };
        assert_eq!(encrypted.size(&larger).least, encrypted.size(&PLAIN).least + 400);
    }
}
