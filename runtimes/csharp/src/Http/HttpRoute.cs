using System;
using System.IO;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;
using Creo.Net;

namespace Creo.Http;

/// <summary>The connections to one origin: through a proxy or not, with TLS or without. Errors of connecting contain the address.</summary>
internal sealed class HttpRoute : IDisposable
{
    private readonly Limits _limits;
    private readonly HttpProxy? _proxy;
    private readonly Func<CancellationToken, Task<Stream>> _dial;

    // Whether requests go to the proxy itself instead of a tunnel.
    private readonly bool _isRelayed;
    private readonly HttpClient _http;

    /// <summary>The route to the origin of a URL.</summary>
    /// <param name="url">A URL of <c>http</c> or <c>https</c>.</param>
    /// <param name="options">The client's options.</param>
    /// <param name="tls">How <c>https</c> is secured; null for the defaults.</param>
    /// <exception cref="ArgumentException">The proxy is not supported.</exception>
    public HttpRoute(Uri url, ClientOptions options, TlsOptions? tls)
    {
        _limits = options.Limits;
        bool isTls = url.Scheme == Uri.UriSchemeHttps;
        var dialer = new Dialer(url.DnsSafeHost, url.Port, isTls ? tls ?? new TlsOptions() : null);
        HttpProxy? proxy = _proxy = HttpProxy.For(url, options.Proxy, _limits);
        _isRelayed = proxy is not null && !isTls;
        _dial = proxy is null ? async cancellation => (await dialer.DialAsync(cancellation).ConfigureAwait(false)).Stream
            : isTls ? async cancellation => await dialer.SecureAsync(await proxy.TunnelAsync(url, cancellation).ConfigureAwait(false), cancellation).ConfigureAwait(false)
            : proxy.DialAsync;
        _http = new HttpClient(Handler()) { Timeout = Timeout.InfiniteTimeSpan };
    }

    /// <summary>A host as it is written in a URL: an address of IPv6 has brackets.</summary>
    public static string HostOf(Uri url) => url.HostNameType == UriHostNameType.IPv6 ? $"[{url.DnsSafeHost}]" : url.IdnHost;

    /// <summary>Sends a request, and waits for the head of its answer: on the calling thread, or asynchronously.</summary>
    /// <param name="message">A request whose URL is one of <c>http</c>: TLS is a matter of the connection.</param>
    /// <param name="waits">Whether the calling thread waits.</param>
    /// <param name="cancellation">Ends the request.</param>
    public ValueTask<HttpResponseMessage> SendAsync(HttpRequestMessage message, bool waits, CancellationToken cancellation) => waits
        ? new(_http.Send(message, HttpCompletionOption.ResponseHeadersRead, cancellation))
        : new(_http.SendAsync(message, HttpCompletionOption.ResponseHeadersRead, cancellation));

    /// <summary>Adds what the proxy asks for.</summary>
    public void Authorize(HttpRequestMessage message)
    {
        if (_isRelayed)
        {
            _proxy!.Authorize(message);
        }
    }

    /// <summary>A handler for this route, with connections of its own.</summary>
    /// <param name="around">What it has around each connection.</param>
    public SocketsHttpHandler Handler(Func<Stream, Stream>? around = null)
    {
        SocketsHttpHandler handler = HttpHandlers.Of(around is null ? _dial : async cancellation => around(await _dial(cancellation).ConfigureAwait(false)), _limits);
        if (_isRelayed)
        {
            (handler.Proxy, handler.UseProxy) = (_proxy, true);
        }
        return handler;
    }

    public void Dispose()
    {
        _http.Dispose();
        _proxy?.Dispose();
    }
}
