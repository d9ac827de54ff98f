using System;
using System.IO;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;

namespace Creo.Http;

/// <summary>How the platform's client sends requests here: it follows no redirects, keeps no cookies and seeks no proxy.</summary>
internal static class HttpHandlers
{
    /// <summary>A handler of connections that a function makes.</summary>
    public static SocketsHttpHandler Of(Func<CancellationToken, Task<Stream>> dial, Limits limits) => new()
    {
        ActivityHeadersPropagator = null,
        AllowAutoRedirect = false,
        ConnectCallback = async (_, cancellation) => await dial(cancellation).ConfigureAwait(false),
        ConnectTimeout = limits.ConnectTimeout,
        MaxResponseHeadersLength = Math.Max(1, limits.MaxHeaderSize / 1024),
        UseCookies = false,
        UseProxy = false,
    };
}
