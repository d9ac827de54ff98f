using System;
using System.Net.Http;
using Creo.Http;
using Creo.Messages;
using Creo.Soap;

namespace Creo;

/// <summary>SOAP over HTTP, or HTTPS, to one address.</summary>
/// <inheritdoc/>
public sealed class SoapBinding : HttpBinding
{
    private readonly SoapMessages _messages;

    /// <summary>A binding to an address, such as <c>http://localhost:8080/DataService</c>; it connects with the first call.</summary>
    /// <exception cref="ArgumentException">The address is not an HTTP URL, or the options but not the address require TLS.</exception>
    public SoapBinding(string url, ClientOptions? options = null, SoapOptions? soap = null)
        : base(url, options, isBound: soap is { Token: not null } or { Timestamp: true } or { Security: not null }) => _messages = new SoapMessages(soap ?? SoapOptions.Default, Limits, Destination(url));

    private protected override string PathOf(string method) => "";

    // The called address, without the parts that are not sent.
    private static string Destination(string url) => new Uri(url).GetComponents(UriComponents.SchemeAndServer | UriComponents.PathAndQuery, UriFormat.UriEscaped);

    private protected override void Prepare<TArguments, TResult>(HttpRequestMessage message, TextMethod<TArguments, TResult> text)
    {
        if (_messages.VersionOf(text) == SoapVersion.Soap11)
        {
            message.Headers.TryAddWithoutValidation("SOAPAction", $"\"{text.Action}\"");
        }
    }

    private protected override MessageRequest Write<TArguments, TResult>(
        Method<TArguments, TResult> method, TextMethod<TArguments, TResult> text, TArguments arguments) => _messages.Write(method, text, arguments);

    private protected override TResult Read<TArguments, TResult>(Method<TArguments, TResult> method, TextMethod<TArguments, TResult> text, HttpAnswer answer) =>
        _messages.Read(method, text, answer);
}
