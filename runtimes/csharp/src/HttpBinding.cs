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
    private readonly Uri _url;
    private readonly HttpClient _http;
    private readonly HttpProxy? _proxy;
    private readonly Func<CancellationToken, Task<Stream>> _dial;

    // Whether requests go to the proxy itself instead of a tunnel.
    private readonly bool _isRelayed;
    private readonly CancellationTokenSource _disposed = new();

    private protected HttpBinding(string url, ClientOptions? options)
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
        // Connections are made as on TCP, including TLS: to the platform's client they are plain.
        _url = isTls ? new UriBuilder(address) { Scheme = Uri.UriSchemeHttp, Port = address.Port }.Uri : address;
        var dialer = new Dialer(address.DnsSafeHost, address.Port, isTls ? _options.Tls ?? new TlsOptions() : null);
        HttpProxy? proxy = _proxy = HttpProxy.For(address, _options.Proxy, Limits);
        _isRelayed = proxy is not null && !isTls;
        _dial = proxy is null ? async cancellation => (await dialer.DialAsync(cancellation).ConfigureAwait(false)).Stream
            : isTls ? async cancellation => await dialer.SecureAsync(await proxy.TunnelAsync(address, cancellation).ConfigureAwait(false), cancellation).ConfigureAwait(false)
            : proxy.DialAsync;
        _http = new HttpClient(Handler()) { Timeout = Timeout.InfiniteTimeSpan };
    }

    internal override TimeSpan? DefaultDeadline => Limits.Deadline;

    private protected Limits Limits => _options.Limits;

    internal override ClientOptions? Client => _options;

    private protected string Address { get; }

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
        _http.Dispose();
        _proxy?.Dispose();
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
        RawHook? raw = Hook(method);
        byte[]? plain = raw is null ? null : request.Joined();
        request.Compress(_options.CompressFrom);
        using HttpRequestMessage message = request.ToHttp(UrlOf(method.Name));
        Prepare(message, text);
        AddHeaders(message, options, deadline);
        if (_options.CompressFrom is not null)
        {
            message.Headers.TryAddWithoutValidation("Accept-Encoding", "gzip");
        }
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(cancellation, _disposed.Token);
        if (!deadline.IsNone)
        {
            ending.CancelAfter(deadline.MillisecondsLeft());
        }
        raw?.Request(message, plain);
        bool isDelivering = false;
        try
        {
            using HttpResponseMessage response = waits
                ? _http.Send(message, HttpCompletionOption.ResponseHeadersRead, ending.Token)
                : await _http.SendAsync(message, HttpCompletionOption.ResponseHeadersRead, ending.Token).ConfigureAwait(false);
            CheckHeaders(response);
            MessageBody body = await ReadBodyAsync(response, deadline, waits, ending).ConfigureAwait(false);
            request.IsDone = true;
            raw?.Answer(response, body);
            // Metadata that nobody wants are checked all the same (CALL-5).
            if (HttpMetadata.Of(response, Limits, options is { WantsAnswer: true }) is { } came)
            {
                isDelivering = true;
                options!.Deliver(came);
                isDelivering = false;
            }
            try
            {
                return Read(method, text, new HttpAnswer(response, body, Address) { RequestId = request.Id });
            }
            catch (CreoException error)
            {
                throw HttpErrors.WithTime(error, response);
            }
        }
        catch (Exception e) when (!isDelivering && e is not (CreoException or DeclaredException))
        {
            throw Failure(e, deadline, ending, cancellation);
        }
        catch (CreoException error)
        {
            throw error.With("peer", Address);
        }
        finally
        {
            if (((SegmentsContent)message.Content!).IsBegun)
            {
                options?.Reached(Address);
            }
        }
    }

    // A handler for the address or its proxy, and what it has around each connection.
    private protected SocketsHttpHandler Handler(Func<Stream, Stream>? around = null)
    {
        SocketsHttpHandler handler = HttpHandlers.Of(around is null ? _dial : async cancellation => around(await _dial(cancellation).ConfigureAwait(false)), Limits);
        if (_isRelayed)
        {
            (handler.Proxy, handler.UseProxy) = (_proxy, true);
        }
        return handler;
    }

    private protected RawHook? Hook<TArguments, TResult>(Method<TArguments, TResult> method) =>
        _options.RawMessages is null ? null : new RawHook(_options, method.ToString(), method.Secrets, _url);

    // What each request has, whatever its body is.
    private protected void AddHeaders(HttpRequestMessage message, CallOptions? options, Deadline deadline)
    {
        if (_isRelayed)
        {
            _proxy!.Authorize(message);
        }
        IReadOnlyDictionary<string, string>? metadata = CallOptions.MetadataOf(_options, options);
        if (metadata is not null)
        {
            HttpMetadata.Add(message, metadata, Limits);
        }
        IReadOnlyDictionary<string, string>? headers = options?.Call is null ? CallOptions.MergeHeaders(_options.Headers, options?.Headers) : options.Headers;
        HttpUserHeaders.Add(message, headers, metadata, Limits);
        message.Headers.TryAddWithoutValidation("Creo-Timeout", (deadline.IsNone ? MaxTimeout : Math.Min(deadline.MillisecondsLeft(), MaxTimeout)).ToString(null, null));
    }

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

    private protected Exception Failure(Exception e, Deadline deadline, CancellationTokenSource ending, CancellationToken cancellation)
    {
        if (cancellation.IsCancellationRequested)
        {
            return new OperationCanceledException("the call was cancelled", e, cancellation);
        }
        if (deadline.IsAllButOver)
        {
            return new CreoException(ErrorCode.DeadlineExceeded, $"the time for the call to {Address} is over", e).With("peer", Address);
        }
        CreoException error = e switch
        {
            _ when _disposed.IsCancellationRequested => new CreoException(ErrorCode.Unavailable, "the client was closed", e),
            _ when ending.IsCancellationRequested => new CreoException(ErrorCode.Unavailable, $"the answer of {Address} took too long to arrive", e),
            _ => HttpErrors.Of(e, Address, Limits),
        };
        return error.With("peer", Address);
    }
}
