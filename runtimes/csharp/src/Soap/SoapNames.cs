namespace Creo.Soap;

/// <summary>The fixed names of SOAP.</summary>
internal static class SoapNames
{
    public const string Envelope11 = "http://schemas.xmlsoap.org/soap/envelope/";
    public const string Envelope12 = "http://www.w3.org/2003/05/soap-envelope";
    public const string Encoding11 = "http://schemas.xmlsoap.org/soap/encoding/";
    public const string Encoding12 = "http://www.w3.org/2003/05/soap-encoding";
    public const string Xsi1999 = "http://www.w3.org/1999/XMLSchema-instance";
    public const string Xsi2000 = "http://www.w3.org/2000/10/XMLSchema-instance";
    public const string Next11 = "http://schemas.xmlsoap.org/soap/actor/next";
    public const string Next12 = "http://www.w3.org/2003/05/soap-envelope/role/next";
    public const string Ultimate12 = "http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver";

    public static string Envelope(SoapVersion version) => version == SoapVersion.Soap12 ? Envelope12 : Envelope11;

    public static string MediaType(SoapVersion version) => version == SoapVersion.Soap12 ? "application/soap+xml" : "text/xml";

    /// <summary>Whether a fault's code belongs to SOAP over JMS (JMS-8).</summary>
    public static bool IsOfJms(string code) => code is "contentTypeMismatch" or "contentEncodingNotSupported" or "malformedRequestURI" or "mismatchedSoapAction"
        or "missingContentType" or "missingSoapAction" or "missingRequestURI" or "targetServiceNotAllowedInRequestURI" or "unrecognizedBindingVersion"
        or "unsupportedJMSMessageFormat";
}
