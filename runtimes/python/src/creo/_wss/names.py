"""Namespaces and URIs of WS-Security, XML Signature and XML Encryption."""

from __future__ import annotations

from typing import Final

_OASIS: Final = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-"
_OASIS_11: Final = "http://docs.oasis-open.org/wss/oasis-wss-"
_MESSAGE: Final = f"{_OASIS}soap-message-security-1.0#"
_MESSAGE_11: Final = f"{_OASIS_11}soap-message-security-1.1#"
_X509: Final = f"{_OASIS}x509-token-profile-1.0#"

XML: Final = "http://www.w3.org/XML/1998/namespace"
XMLNS: Final = "http://www.w3.org/2000/xmlns/"
XSI: Final = "http://www.w3.org/2001/XMLSchema-instance"
WSSE: Final = f"{_OASIS}wssecurity-secext-1.0.xsd"
WSSE_11: Final = f"{_OASIS_11}wssecurity-secext-1.1.xsd"
WSU: Final = f"{_OASIS}wssecurity-utility-1.0.xsd"
DSIG: Final = "http://www.w3.org/2000/09/xmldsig#"
XENC: Final = "http://www.w3.org/2001/04/xmlenc#"
XENC_11: Final = "http://www.w3.org/2009/xmlenc11#"
SAML_2: Final = "urn:oasis:names:tc:SAML:2.0:assertion"
EXCLUSIVE: Final = "http://www.w3.org/2001/10/xml-exc-c14n#"

CONTENT: Final = f"{XENC}Content"
ELEMENT: Final = f"{XENC}Element"
BASE_64: Final = f"{_MESSAGE}Base64Binary"
CERTIFICATE: Final = f"{_X509}X509v3"
KEY_IDENTIFIER: Final = f"{_X509}X509SubjectKeyIdentifier"
THUMBPRINT: Final = f"{_MESSAGE_11}ThumbprintSHA1"
ENCRYPTED_KEY: Final = f"{_MESSAGE_11}EncryptedKey"
