package creo.wss;

/** Namespaces and URIs of WS-Security, XML Signature and XML Encryption. */
final class Names {
    static final String SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/";
    static final String SOAP_12 = "http://www.w3.org/2003/05/soap-envelope";
    static final String WSSE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
    static final String WSSE_11 = "http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd";
    static final String WSU = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
    static final String DSIG = "http://www.w3.org/2000/09/xmldsig#";
    static final String XENC = "http://www.w3.org/2001/04/xmlenc#";
    static final String XENC_11 = "http://www.w3.org/2009/xmlenc11#";
    static final String SAML_2 = "urn:oasis:names:tc:SAML:2.0:assertion";
    static final String EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#";
    static final String XMLNS = "http://www.w3.org/2000/xmlns/";
    static final String CONTENT = XENC + "Content";
    static final String ELEMENT = XENC + "Element";

    private static final String MESSAGE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#";
    private static final String MESSAGE_11 = "http://docs.oasis-open.org/wss/oasis-wss-soap-message-security-1.1#";
    private static final String X509 = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#";

    static final String BASE_64 = MESSAGE + "Base64Binary";
    static final String CERTIFICATE = X509 + "X509v3";
    static final String KEY_IDENTIFIER = X509 + "X509SubjectKeyIdentifier";
    static final String THUMBPRINT = MESSAGE_11 + "ThumbprintSHA1";
    static final String ENCRYPTED_KEY = MESSAGE_11 + "EncryptedKey";

    private Names() {}
}
