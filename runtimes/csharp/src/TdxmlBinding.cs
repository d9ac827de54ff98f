using System;
using Creo.Http;
using Creo.Messages;
using Creo.Tables;

namespace Creo;

/// <summary>Tables over HTTP, or HTTPS, without SOAP, to one address, with a path beneath it for each method.</summary>
/// <inheritdoc/>
public sealed class TdxmlBinding : HttpBinding
{
    private readonly TdxmlMessages _messages;

    /// <summary>A binding to an address, such as <c>http://localhost:8080/DataService</c>; it connects with the first call.</summary>
    /// <exception cref="ArgumentException">The address is not an HTTP URL, or the options but not the address require TLS.</exception>
    public TdxmlBinding(string url, ClientOptions? options = null, TdxmlOptions? tdxml = null)
        : base(url, options) => _messages = new TdxmlMessages(tdxml ?? TdxmlOptions.Default, Limits);

    private protected override MessageRequest Write<TArguments, TResult>(
        Method<TArguments, TResult> method, TextMethod<TArguments, TResult> text, TArguments arguments) => _messages.Write(method, text, arguments);

    private protected override TResult Read<TArguments, TResult>(Method<TArguments, TResult> method, TextMethod<TArguments, TResult> text, HttpAnswer answer) =>
        _messages.Read(method, text, answer);
}
