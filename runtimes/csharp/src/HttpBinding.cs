using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;
using Creo.Http;
using Creo.Messages;
using Creo.Net;

namespace Creo;

/// <summary>A text wire over HTTP, or HTTPS, to one address.</summary>
/// <remarks>It connects with the first call, and keeps connections for later ones.</remarks>
public abstract class HttpBinding : Binding
{
    // Sent for a call without a deadline (HTTP-7): the largest number of nine digits.
    private const int MaxTimeout = 999_999_999;
    private const int MaxHeaders = 200;

    private readonly ClientOptions _options;

    // As the platform's client is told it: connections are made as on TCP, including TLS, so to that client they are plain.
    private readonly Uri _url;

    // Null if the options ask for nothing that needs it.
    private readonly HttpSession? _session;
    private readonly CancellationTokenSource _disposed = new();

    // Bound: messages say who calls, and so do not go to another origin (HTTP-42).
    private protected HttpBinding(string url, ClientOptions? options, bool isBound = false)
    {
        ArgumentException.ThrowIfNullOrEmpty(url);
        if (!Uri.TryCreate(url, UriKind.Absolute, out Uri? address) || (address.Scheme != Uri.UriSchemeHttp && address.Scheme != Uri.UriSchemeHttps))
        {
            throw new ArgumentException($"\"{url}\" is no address of HTTP", nameof(url));
        }
        bool isTls = address.Scheme == Uri.UriSchemeHttps;
        if (!isTls && options?.Tls is not null)
        {
            throw new ArgumentException($"the options ask for TLS, and the address \"{url}\" does not", nameof(options));
        }
        _options = options ?? ClientOptions.Default;
        Address = address.GetComponents(UriComponents.SchemeAndServer | UriComponents.Path, UriFormat.UriEscaped);
        _url = isTls ? new UriBuilder(address) { Scheme = Uri.UriSchemeHttp, Port = address.Port }.Uri : address;
        _session = HttpSession.For(address, _options, isBound);
        Route = new HttpRoute(address, _options, _options.Tls);
    }

    internal override TimeSpan? DefaultDeadline => Limits.Deadline;

    private protected Limits Limits => _options.Limits;

    internal override ClientOptions? Client => _options;

    private protected string Address { get; }

    private protected HttpRoute Route { get; }

    private protected CancellationToken Disposed => _disposed.Token;

    /// <inheritdoc/>
    public override TResult Call<TArguments, TResult>(Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null)
    {
        if (Intercepts(_options, options))
        {
            return Intercept(_options, method, arguments, options);
        }
        ValueTask<TResult> call = RunAsync(method, arguments, options, waits: true, CancellationToken.None);
        // It has already waited.
        return call.IsCompleted ? call.GetAwaiter().GetResult() : call.AsTask().GetAwaiter().GetResult();
    }

    /// <inheritdoc/>
    public override ValueTask<TResult> CallAsync<TArguments, TResult>(
        Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return Intercepts(_options, options)
            ? InterceptAsync(_options, method, arguments, options, cancellationToken)
            : RunAsync(method, arguments, options, waits: false, cancellationToken);
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        _disposed.Cancel();
        Route.Dispose();
    }

    /// <summary>Writes the arguments of a call; if that fails, nothing is sent.</summary>
    private protected abstract MessageRequest Write<TArguments, TResult>(
        Method<TArguments, TResult> method, TextMethod<TArguments, TResult> text, TArguments arguments);

    /// <summary>The result or exception of an answer.</summary>
    private protected abstract TResult Read<TArguments, TResult>(Method<TArguments, TResult> method, TextMethod<TArguments, TResult> text, HttpAnswer answer);

    /// <summary>Adds the wire's own headers.</summary>
    private protected virtual void Prepare<TArguments, TResult>(HttpRequestMessage message, TextMethod<TArguments, TResult> text)
    {
    }

    /// <summary>The path of a call: the address itself, or the method's name beneath it (HTTP-11).</summary>
    private protected virtual string PathOf(string method) => "/" + method;

    // Shared by both ways to call: a blocking call waits inside, and is complete when this returns.
    private async ValueTask<TResult> RunAsync<TArguments, TResult>(
        Method<TArguments, TResult> method, TArguments arguments, CallOptions? options, bool waits, CancellationToken cancellation)
    {
        ObjectDisposedException.ThrowIf(_disposed.IsCancellationRequested, this);
        ArgumentNullException.ThrowIfNull(method);
        TextMethod<TArguments, TResult> text = method.TextOrFail();
        Deadline deadline = Deadline.In(options?.Deadline ?? Limits.Deadline);
        using MessageRequest request = Write(method, text, arguments);
        byte[]? plain = _options.RawMessages is null ? null : request.Joined();
        request.Compress(_options.CompressFrom);
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(cancellation, _disposed.Token);
        Uri url = UrlOf(method.Name);
        HttpHop? hop = _session?.First(url, Address);
        while (true)
        {
            string address = hop?.Address ?? Address;
            using HttpRoute? guest = hop is null || _session!.IsOwn(hop) ? null : RouteTo(hop);
            HttpRoute route = guest ?? Route;
            using HttpRequestMessage message = request.ToHttp(hop?.Url ?? url);
            Prepare(message, text);
            AddHeaders(message, route, deadline);
            if (hop is not { HasLeft: true })
            {
                AddOwnHeaders(message, options, hop?.Digest);
            }
            if (_options.CompressFrom is not null)
            {
                message.Headers.TryAddWithoutValidation("Accept-Encoding", "gzip");
            }
            // After an answer its time no longer counts.
            ending.CancelAfter(deadline.IsNone ? Timeout.Infinite : deadline.MillisecondsLeft());
            HttpRaw? raw = Hook(method, hop?.Origin ?? _url);
            raw?.Request(message, plain);
            bool isDelivering = false;
            try
            {
                using HttpResponseMessage response = await route.SendAsync(message, waits, ending.Token).ConfigureAwait(false);
                CheckHeaders(response);
                if (hop is { HasLeft: false })
                {
                    _session!.Take(hop.Url, response);
                }
                MessageBody body = await ReadBodyAsync(response, deadline, waits, ending).ConfigureAwait(false);
                raw?.Answer(response, body);
                string? refusal = null;
                if (hop is not null && _session!.Next(hop, response, out refusal) is { } next)
                {
                    hop = next;
                    continue;
                }
                request.IsDone = true;
                // Metadata that nobody wants are checked all the same (CALL-5).
                if (HttpMetadata.Of(response, Limits, options is { WantsAnswer: true }) is { } came)
                {
                    isDelivering = true;
                    options!.Deliver(came);
                    isDelivering = false;
                }
                if (refusal is not null)
                {
                    throw HttpErrors.OfStatus(response, body.Begin(), address, refusal);
                }
                try
                {
                    return Read(method, text, new HttpAnswer(response, body, address) { RequestId = request.Id });
                }
                catch (CreoException error)
                {
                    throw HttpErrors.WithTime(error, response);
                }
            }
            catch (Exception e) when (!isDelivering && e is not (CreoException or DeclaredException))
            {
                throw Failure(e, address, deadline, ending, cancellation);
            }
            catch (CreoException error)
            {
                throw error.With("peer", address);
            }
            finally
            {
                if (((SegmentsContent)message.Content!).IsBegun)
                {
                    options?.Reached(address);
                }
            }
        }
    }

    // The route to another origin, for one request (HTTP-42): its certificate is checked for its own name.
    private HttpRoute RouteTo(HttpHop hop)
    {
        try
        {
            return new HttpRoute(hop.Origin, _options, _options.Tls is { } tls ? tls with { HostName = null } : null);
        }
        catch (ArgumentException e)
        {
            throw new CreoException(ErrorCode.Unavailable, $"cannot call {hop.Address}: {e.Message}", e).With("peer", hop.Address).Unsent();
        }
    }

    private protected HttpRaw? Hook<TArguments, TResult>(Method<TArguments, TResult> method) => Hook(method, _url);

    private HttpRaw? Hook<TArguments, TResult>(Method<TArguments, TResult> method, Uri url) =>
        _options.RawMessages is null ? null : new HttpRaw(_options, method.ToString(), method.Secrets, url);

    // What each request has, whatever its body is and wherever it goes.
    private protected static void AddHeaders(HttpRequestMessage message, HttpRoute route, Deadline deadline)
    {
        route.Authorize(message);
        message.Headers.TryAddWithoutValidation("Creo-Timeout", (deadline.IsNone ? MaxTimeout : Math.Min(deadline.MillisecondsLeft(), MaxTimeout)).ToString(null, null));
    }

    // What the client's own origin gets alone.
    private protected void AddOwnHeaders(HttpRequestMessage message, CallOptions? options, DigestAuthentication.Attempt? digest)
    {
        IReadOnlyDictionary<string, string>? metadata = CallOptions.MetadataOf(_options, options);
        if (metadata is not null)
        {
            HttpMetadata.Add(message, metadata, Limits);
        }
        IReadOnlyDictionary<string, string>? headers = options?.Call is null ? CallOptions.MergeHeaders(_options.Headers, options?.Headers) : options.Headers;
        HttpUserHeaders.Add(message, headers, metadata, Limits);
        _session?.Write(message, headers, metadata, digest);
    }

    // For an answer to a call with a stream, which is not redirected.
    private protected void TakeCookies(HttpRequestMessage message, HttpResponseMessage response) => _session?.Take(message.RequestUri!, response);

    // For a call with a stream.
    private protected DigestAuthentication.Attempt? BeginDigest() => _session?.Begin();

    private protected Uri UrlOf(string method)
    {
        string path = PathOf(method);
        return path.Length == 0 ? _url : new UriBuilder(_url) { Path = _url.AbsolutePath.TrimEnd('/') + path }.Uri;
    }

    private protected async ValueTask<MessageBody> ReadBodyAsync(HttpResponseMessage response, Deadline deadline, bool waits, CancellationTokenSource ending)
    {
        // The answer has begun: from now on this time limits it (LIM-15).
        ending.CancelAfter(Deadline.Earlier(deadline, Deadline.In(Limits.FrameTimeout)).MillisecondsLeft());
        // A blocking read takes no token: closing the answer ends it.
        using CancellationTokenRegistration closing = waits ? ending.Token.Register(static state => ((HttpResponseMessage)state!).Dispose(), response) : default;
        return await HttpContents.ReadAsync(response.Content, Limits, waits, ending.Token).ConfigureAwait(false);
    }

    // LIM-26, HTTP-9.
    private protected void CheckHeaders(HttpResponseMessage response)
    {
        int count = 0;
        foreach (var header in response.Headers.NonValidated)
        {
            count += header.Value.Count;
        }
        foreach (var header in response.Content.Headers.NonValidated)
        {
            count += header.Value.Count;
        }
        if (count > MaxHeaders)
        {
            throw CreoException.TooLarge("maxHeaderSize", Limits.MaxHeaderSize, $"the answer has more than {MaxHeaders} headers");
        }
    }

    private protected Exception Failure(Exception e, string address, Deadline deadline, CancellationTokenSource ending, CancellationToken cancellation)
    {
        if (cancellation.IsCancellationRequested)
        {
            return new OperationCanceledException("the call was cancelled", e, cancellation);
        }
        // Only a timer that has fired says that the time is over.
        if (ending.IsCancellationRequested && !_disposed.IsCancellationRequested && deadline.IsAllButOver)
        {
            return new CreoException(ErrorCode.DeadlineExceeded, $"the time for the call to {address} is over", e).With("peer", address);
        }
        CreoException error = e switch
        {
            _ when _disposed.IsCancellationRequested => new CreoException(ErrorCode.Unavailable, "the client was closed", e),
            _ when ending.IsCancellationRequested => new CreoException(ErrorCode.Unavailable, $"the answer of {address} took too long to arrive", e),
            _ => HttpErrors.Of(e, address, Limits),
        };
        return error.With("peer", address);
    }
}
