using System;
using System.Collections.Generic;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Text;

namespace Creo.Http;

/// <summary>A request of a call.</summary>
/// <param name="Origin">Scheme, host and port of where it goes, as a URL.</param>
/// <param name="Url">Where it goes, as the platform's client is told it: with <c>http</c>, because TLS is a matter of the connection.</param>
/// <param name="Address">The same in messages.</param>
/// <param name="HasLeft">Whether the call has been at another origin, so that nothing of the client's own goes with it.</param>
/// <param name="Seen">The URLs of the call, with this one.</param>
/// <param name="Digest">What the call has shown; null without the option.</param>
internal sealed record HttpHop(Uri Origin, Uri Url, string Address, bool HasLeft, IReadOnlyList<string> Seen, DigestAuthentication.Attempt? Digest);

/// <summary>
/// What a client does beyond one request and its answer: it follows redirects, keeps cookies, and says who calls (HTTP-40 to HTTP-51). Safe for any
/// number of threads.
/// </summary>
internal sealed class HttpSession
{
    private readonly Uri _own;
    private readonly int _maxRedirects;
    private readonly bool _isBound;
    private readonly string? _authorization;
    private readonly DigestAuthentication? _digest;
    private readonly CookieJar? _jar;

    private HttpSession(Uri own, ClientOptions options, bool isBound, string? authorization)
    {
        _own = own;
        _maxRedirects = options.MaxRedirects;
        _isBound = isBound;
        _authorization = authorization;
        _digest = options.Digest is { } digest ? new DigestAuthentication(digest.User, digest.Password) : null;
        _jar = options.Cookies ? new CookieJar(own.HostNameType == UriHostNameType.IPv6 ? own.DnsSafeHost : own.IdnHost, IsSecure(own), TimeProvider.System) : null;
    }

    /// <summary>The session of a client; null if its options ask for nothing that needs one.</summary>
    /// <param name="url">The client's URL.</param>
    /// <param name="options">Its options.</param>
    /// <param name="isBound">Whether messages say who calls, and so do not go to another origin (HTTP-42).</param>
    /// <exception cref="ArgumentException">The credentials could be read on the way, or there is more than one kind.</exception>
    public static HttpSession? For(Uri url, ClientOptions options, bool isBound)
    {
        string? authorization = Authorization(options);
        if (authorization is not null && !IsSecure(url) && !IsOwnHost(url))
        {
            throw new ArgumentException(
                "credentials go to https or to the own host only: what is meant to be sent in clear is the header Authorization", nameof(options));
        }
        return authorization is null && options is { MaxRedirects: 0, Cookies: false, Digest: null } ? null : new HttpSession(url, options, isBound, authorization);
    }

    /// <summary>Adds the client's credentials and cookies to a request of its own origin.</summary>
    /// <exception cref="CreoException"><c>invalid-value</c>: the program sets what this client sets itself.</exception>
    public void Write(
        HttpRequestMessage message, IReadOnlyDictionary<string, string>? headers, IReadOnlyDictionary<string, string>? metadata, DigestAuthentication.Attempt? digest)
    {
        if (_authorization is not null || digest is not null)
        {
            if (Has(headers, "Authorization") || (metadata?.ContainsKey("authorization") ?? false))
            {
                throw new CreoException(ErrorCode.InvalidValue, "the program sets Authorization, which the credentials of the client are");
            }
            if ((_authorization ?? digest?.Value(message.Method.Method, message.RequestUri!.PathAndQuery)) is { } value)
            {
                message.Headers.TryAddWithoutValidation("Authorization", value);
            }
        }
        if (_jar is not null)
        {
            if (Has(headers, "Cookie"))
            {
                throw new CreoException(ErrorCode.InvalidValue, "the program sets the header Cookie, and the client keeps cookies");
            }
            if (_jar.Header(HttpLocation.PathOf(message.RequestUri!.PathAndQuery)) is { } cookies)
            {
                message.Headers.TryAddWithoutValidation("Cookie", cookies);
            }
        }
    }

    /// <summary>Takes the cookies of an answer of the client's own origin.</summary>
    public void Take(Uri url, HttpResponseMessage response)
    {
        if (_jar is not null && response.Headers.NonValidated.TryGetValues("Set-Cookie", out HeaderStringValues fields))
        {
            string path = HttpLocation.PathOf(url.PathAndQuery);
            foreach (string field in fields)
            {
                _jar.Take(path, field);
            }
        }
    }

    /// <summary>The first request of a call.</summary>
    public HttpHop First(Uri url, string address) => new(_own, url, address, false, [Text(_own, url.PathAndQuery)], Begin());

    /// <summary>What a call will have shown; null without the option.</summary>
    public DigestAuthentication.Attempt? Begin() => _digest is null ? null : new DigestAuthentication.Attempt(_digest);

    /// <summary>Whether a request goes to the client's own origin.</summary>
    public bool IsOwn(HttpHop hop) => IsOwn(hop.Origin);

    /// <summary>Whether a request to the own origin is to be sent again with other credentials (HTTP-51).</summary>
    /// <param name="digest">What the call has shown; null without the option.</param>
    /// <param name="response">The answer.</param>
    /// <param name="refusal">Why a digest that is asked for cannot be made; null if there is no such reason.</param>
    public static bool IsAgain(DigestAuthentication.Attempt? digest, HttpResponseMessage response, out string? refusal)
    {
        refusal = null;
        if (digest is null || response.StatusCode != HttpStatusCode.Unauthorized)
        {
            return false;
        }
        response.Headers.NonValidated.TryGetValues("WWW-Authenticate", out HeaderStringValues values);
        return digest.IsAgain(values, out refusal);
    }

    /// <summary>The request that follows the answer to one; null for none.</summary>
    /// <param name="hop">The request that was answered.</param>
    /// <param name="response">Its answer.</param>
    /// <param name="refusal">Why there is none, if the answer asks for one.</param>
    public HttpHop? Next(HttpHop hop, HttpResponseMessage response, out string? refusal)
    {
        if (IsAgain(hop.HasLeft ? null : hop.Digest, response, out refusal))
        {
            return hop;
        }
        if (refusal is not null || _maxRedirects == 0 || response.StatusCode is not (HttpStatusCode.TemporaryRedirect or HttpStatusCode.PermanentRedirect))
        {
            return null;
        }
        refusal = HttpLocation.Read(response.Headers.NonValidated, hop.Origin, hop.Url.PathAndQuery, out Uri origin, out string target);
        if (refusal is not null)
        {
            return null;
        }
        bool hasLeft = hop.HasLeft || !IsOwn(origin);
        string text = Text(origin, target);
        if (hasLeft && _isBound)
        {
            refusal = "a request with a block of WS-Security stays at its origin";
            return null;
        }
        if (hop.Seen.Count > _maxRedirects)
        {
            bool isCircle = ((ICollection<string>)hop.Seen).Contains(text);
            refusal = $"{_maxRedirects} of this call were followed{(isCircle ? ", and it has been there before" : "")}";
            return null;
        }
        // The target is sent as it is written, not in the platform's canonical form.
        var url = new Uri($"http://{HttpRoute.HostOf(origin)}:{origin.Port}{target}", new UriCreationOptions { DangerousDisablePathAndQueryCanonicalization = true });
        string address = origin.GetComponents(UriComponents.SchemeAndServer, UriFormat.UriEscaped) + HttpLocation.PathOf(target);
        return new HttpHop(origin, url, address, hasLeft, [.. hop.Seen, text], hop.Digest);
    }

    // The value of the field with which each request says who calls.
    private static string? Authorization(ClientOptions options) => (options.Basic, options.BearerToken, options.Digest) switch
    {
        (null, null, _) => null,
        ({ } basic, null, null) => "Basic " + Convert.ToBase64String(Encoding.UTF8.GetBytes($"{basic.User}:{basic.Password}")),
        (null, { } token, null) => "Bearer " + token,
        _ => throw new ArgumentException("a client has one of basic credentials, digest credentials and a token", nameof(options)),
    };

    private static bool Has(IReadOnlyDictionary<string, string>? headers, string name)
    {
        foreach (string key in headers?.Keys ?? [])
        {
            if (key.Equals(name, StringComparison.OrdinalIgnoreCase))
            {
                return true;
            }
        }
        return false;
    }

    private static bool IsSecure(Uri url) => url.Scheme == Uri.UriSchemeHttps;

    // HTTP-46
    private static bool IsOwnHost(Uri url) =>
        url.IdnHost.Equals("localhost", StringComparison.OrdinalIgnoreCase)
        || (IPAddress.TryParse(url.DnsSafeHost, out IPAddress? address)
            && (address.Equals(IPAddress.IPv6Loopback) || (address.AddressFamily == AddressFamily.InterNetwork && IPAddress.IsLoopback(address))));

    private bool IsOwn(Uri origin) =>
        origin.Scheme == _own.Scheme && origin.Port == _own.Port && origin.IdnHost.Equals(_own.IdnHost, StringComparison.OrdinalIgnoreCase);

    private static string Text(Uri origin, string target) => $"{origin.Scheme}://{HttpRoute.HostOf(origin).ToLowerInvariant()}:{origin.Port}{target}";
}
