namespace Creo.Wss;

/// <summary>Namespaces and URIs of WS-Security, XML Signature and XML Encryption.</summary>
internal static class WssNames
{
    public const string Soap11 = "http://schemas.xmlsoap.org/soap/envelope/";
    public const string Soap12 = "http://www.w3.org/2003/05/soap-envelope";
    public const string Wsse = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
    public const string Wsse11 = "http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd";
    public const string Wsu = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
    public const string Dsig = "http://www.w3.org/2000/09/xmldsig#";
    public const string Xenc = "http://www.w3.org/2001/04/xmlenc#";
    public const string Xenc11 = "http://www.w3.org/2009/xmlenc11#";
    public const string Saml2 = "urn:oasis:names:tc:SAML:2.0:assertion";
    public const string Exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#";
    public const string Xsi = "http://www.w3.org/2001/XMLSchema-instance";
    public const string Content = Xenc + "Content";
    public const string Element = Xenc + "Element";
    public const string Base64 = Message + "Base64Binary";
    public const string Certificate = X509 + "X509v3";
    public const string KeyIdentifier = X509 + "X509SubjectKeyIdentifier";
    public const string Thumbprint = Message11 + "ThumbprintSHA1";
    public const string EncryptedKey = Message11 + "EncryptedKey";

    private const string Message = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#";
    private const string Message11 = "http://docs.oasis-open.org/wss/oasis-wss-soap-message-security-1.1#";
    private const string X509 = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#";
}
