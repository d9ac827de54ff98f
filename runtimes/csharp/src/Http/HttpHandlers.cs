using System;
using System.IO;
using System.Net.Http;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Creo.Http;

/// <summary>The platform's HTTP client without redirects, cookies and proxy lookup.</summary>
internal static class HttpHandlers
{
    /// <summary>A handler whose connections are made by a function.</summary>
    public static SocketsHttpHandler Of(Func<CancellationToken, Task<Stream>> dial, Limits limits) => new()
    {
        ActivityHeadersPropagator = null,
        AllowAutoRedirect = false,
        ConnectCallback = async (_, cancellation) => await dial(cancellation).ConfigureAwait(false),
        ConnectTimeout = limits.ConnectTimeout,
        MaxResponseHeadersLength = Math.Max(1, limits.MaxHeaderSize / 1024),
        // A realm is sent back in the bytes in which it came (HTTP-50).
        RequestHeaderEncodingSelector = static (name, _) => name == "Authorization" ? Encoding.Latin1 : null,
        // The connection of an answer that is left is closed at once: another thread may still read it.
        ResponseDrainTimeout = TimeSpan.Zero,
        UseCookies = false,
        UseProxy = false,
    };
}
