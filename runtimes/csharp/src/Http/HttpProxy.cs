using System;
using System.IO;
using System.Net;
using System.Net.Http;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Creo.Messages;
using Creo.Net;

namespace Creo.Http
{
    /// <summary>The proxy for one address (HTTP-21). Its credentials are hidden from the platform's client, and sent with the first request.</summary>
    internal sealed class HttpProxy : IWebProxy, IDisposable
    {
        private readonly Uri _proxy;
        private readonly Limits _limits;
        private readonly Dialer _dialer;
        private readonly HttpClient _tunnels;

        private HttpProxy(Uri proxy, string? authorization, Limits limits)
        {
            _proxy = proxy;
            Authorization = authorization;
            _limits = limits;
            _dialer = new Dialer(proxy.DnsSafeHost, proxy.Port, null);
            // A tunnel is a connection that the platform returns after the proxy has accepted it.
            _tunnels = new HttpClient(HttpHandlers.Of(DialAsync, limits)) { Timeout = Timeout.InfiniteTimeSpan };
        }

        /// <summary>The credentials for the proxy; null for none.</summary>
        public string? Authorization { get; }

        /// <inheritdoc/>
        public ICredentials? Credentials { get; set; }

        /// <summary>The proxy for an address; null for none.</summary>
        /// <param name="address">The address of the service.</param>
        /// <param name="told">The options' proxy; null for that of the platform.</param>
        /// <param name="limits">The limits for received data.</param>
        /// <exception cref="ArgumentException">The proxy is not supported.</exception>
        public static HttpProxy? For(Uri address, IWebProxy? told, Limits limits)
        {
            IWebProxy proxies = told ?? HttpClient.DefaultProxy;
            Uri? proxy = proxies.IsBypassed(address) ? null : proxies.GetProxy(address);
            if (proxy is null || proxy == address)
            {
                return null;
            }
            if (proxy.Scheme != Uri.UriSchemeHttp)
            {
                throw new ArgumentException($"the proxy for \"{address.Host}\" is one of the scheme \"{proxy.Scheme}\", and only those of http are known here");
            }
            return new HttpProxy(proxy, Basic(proxies.Credentials?.GetCredential(proxy, "Basic")), limits);
        }

        /// <inheritdoc/>
        public Uri GetProxy(Uri destination) => _proxy;

        /// <inheritdoc/>
        public bool IsBypassed(Uri host) => false;

        /// <summary>Connects to the proxy.</summary>
        public async Task<Stream> DialAsync(CancellationToken cancellation) => (await _dialer.DialAsync(cancellation).ConfigureAwait(false)).Stream;

        /// <summary>A connection to the service through the proxy.</summary>
        public async Task<Stream> TunnelAsync(Uri address, CancellationToken cancellation)
        {
            string shown = $"the proxy {_dialer.Address}";
            using var message = new HttpRequestMessage(HttpMethod.Connect, _proxy) { Version = HttpVersion.Version11, VersionPolicy = HttpVersionPolicy.RequestVersionExact };
            message.Headers.Host = $"{HttpRoute.HostOf(address)}:{address.Port}";
            Authorize(message);
            HttpResponseMessage? response = null;
            try
            {
                response = await _tunnels.SendAsync(message, HttpCompletionOption.ResponseHeadersRead, cancellation).ConfigureAwait(false);
                if (response.StatusCode == HttpStatusCode.OK)
                {
                    return await response.Content.ReadAsStreamAsync(cancellation).ConfigureAwait(false);
                }
                MessageBody body = await HttpContents.ReadAsync(response.Content, _limits, waits: false, cancellation).ConfigureAwait(false);
                throw new HttpAnswer(response, body, shown).OfStatus();
            }
            catch (Exception e) when (e is not OperationCanceledException)
            {
                response?.Dispose();
                throw (e as CreoException ?? HttpErrors.Of(e, shown, _limits)).Unsent();
            }
        }

        /// <summary>Adds the proxy's credentials.</summary>
        public void Authorize(HttpRequestMessage message)
        {
            if (Authorization is not null)
            {
                message.Headers.TryAddWithoutValidation("Proxy-Authorization", Authorization);
            }
        }

        public void Dispose() => _tunnels.Dispose();

        // RFC 7617.
        private static string? Basic(NetworkCredential? known)
        {
            if (known is null || known.UserName.Length == 0)
            {
                return null;
            }
            string both = $"{known.UserName}:{known.Password}";
            if (known.UserName.Contains(':') || Array.Exists(both.ToCharArray(), char.IsControl))
            {
                throw new ArgumentException("the user of a proxy must not have a colon, nor user and password control characters");
            }
            return "Basic " + Convert.ToBase64String(Encoding.UTF8.GetBytes(both));
        }
    }
}

namespace Creo
{
    public sealed partial record ClientOptions
    {
        /// <summary>
        /// The proxy for calls over HTTP, with its credentials (HTTP-21); null for <see cref="HttpClient.DefaultProxy"/>. A <see cref="WebProxy"/>
        /// without an address means none. Other transports do not use a proxy.
        /// </summary>
        public IWebProxy? Proxy { get; init; }
    }
}
