/* Namespaces and URIs of WS-Security, XML Signature and XML Encryption. Not part of the API. */
#ifndef CREO_SRC_WSS_NAMES_H
#define CREO_SRC_WSS_NAMES_H

#define WSS_SOAP_11 "http://schemas.xmlsoap.org/soap/envelope/"
#define WSS_SOAP_12 "http://www.w3.org/2003/05/soap-envelope"
#define WSS_SECEXT "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
#define WSS_SECEXT_11 "http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd"
#define WSS_UTILITY "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"
#define WSS_DSIG "http://www.w3.org/2000/09/xmldsig#"
#define WSS_DSIG_MORE "http://www.w3.org/2001/04/xmldsig-more#"
#define WSS_XENC "http://www.w3.org/2001/04/xmlenc#"
#define WSS_XENC_11 "http://www.w3.org/2009/xmlenc11#"
#define WSS_SAML_2 "urn:oasis:names:tc:SAML:2.0:assertion"
#define WSS_EXCLUSIVE "http://www.w3.org/2001/10/xml-exc-c14n#"
#define WSS_INSTANCE "http://www.w3.org/2001/XMLSchema-instance"
#define WSS_CONTENT WSS_XENC "Content"
#define WSS_ELEMENT WSS_XENC "Element"

#define WSS_MESSAGE "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#"
#define WSS_MESSAGE_11 "http://docs.oasis-open.org/wss/oasis-wss-soap-message-security-1.1#"
#define WSS_X509 "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#"
#define WSS_BASE64 WSS_MESSAGE "Base64Binary"
#define WSS_CERTIFICATE WSS_X509 "X509v3"
#define WSS_SKI WSS_X509 "X509SubjectKeyIdentifier"
#define WSS_SHA1_PRINT WSS_MESSAGE_11 "ThumbprintSHA1"
#define WSS_ENCRYPTED_KEY WSS_MESSAGE_11 "EncryptedKey"

#endif
