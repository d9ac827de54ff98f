using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Creo.Net;
using Creo.Tcp;

namespace Creo;

/// <summary>The binary wire, or tables, over TCP or TLS to one address.</summary>
/// <remarks>
/// It connects with the first call, and again when a connection was lost. A blocking call has its own connection, which its thread writes and reads:
/// this is fastest. Asynchronous calls share one connection.
/// </remarks>
public sealed partial class TcpBinding : Binding
{
    // The max number of idle connections; further ones are closed.
    private const int MaxIdle = 16;

    // How often a call that was not written at all is tried on another connection.
    private const int MaxConnections = 3;

    private readonly BodyWire? _wire;
    private readonly Dialer _dialer;
    private readonly ConcurrentStack<BlockingConnection> _idle = new();
    private readonly ConcurrentStack<Outgoing> _requests = new();
    private readonly CancellationTokenSource _disposed = new();
    private readonly object _lock = new();
    private Task<SharedConnection>? _shared;

    /// <summary>A binding to an address; it connects with the first call.</summary>
    public TcpBinding(string host, int port, ClientOptions? options = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(host);
        ArgumentOutOfRangeException.ThrowIfLessThan(port, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(port, ushort.MaxValue);
        Options = options ?? ClientOptions.Default;
        _wire = BodyWire.Of(Options);
        _dialer = new Dialer(host, port, Options.Tls);
    }

    internal override TimeSpan? DefaultDeadline => Limits.Deadline;

    internal ClientOptions Options { get; }

    internal override ClientOptions? Client => Options;

    /// <summary>The address in messages.</summary>
    internal string Address => _dialer.Address;

    private Limits Limits => Options.Limits;

    /// <inheritdoc/>
    public override TResult Call<TArguments, TResult>(Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null)
    {
        if (Intercepts(Options, options))
        {
            return Intercept(Options, method, arguments, options);
        }
        Deadline deadline = Begin(options);
        Outgoing request = Encode(method, arguments, options);
        try
        {
            BlockingConnection connection = Take(deadline);
            options?.Reached(_dialer.Address);
            AnswerBody? answer = null;
            try
            {
                using CancellationTokenRegistration ending = EndWhenDisposed(connection);
                ShowRequest(method, request, options, deadline);
                Compress(request, connection.PeerReadsCompressed);
                answer = connection.Call(request, method.IsOneway, deadline);
            }
            finally
            {
                GiveBack(connection);
            }
            using (answer)
            {
                return answer is null ? default! : Read(answer, method, options);
            }
        }
        finally
        {
            GiveBack(request);
        }
    }

    /// <inheritdoc/>
    public override async ValueTask<TResult> CallAsync<TArguments, TResult>(
        Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (Intercepts(Options, options))
        {
            return await InterceptAsync(Options, method, arguments, options, cancellationToken).ConfigureAwait(false);
        }
        Deadline deadline = Begin(options);
        Outgoing request = Encode(method, arguments, options);
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        if (!deadline.IsNone)
        {
            ending.CancelAfter(deadline.MillisecondsLeft());
        }
        try
        {
            using AnswerBody? answer = await SendAsync(request, method, options, deadline, ending.Token).ConfigureAwait(false);
            return answer is null ? default! : Read(answer, method, options);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested && ending.IsCancellationRequested)
        {
            throw Late();
        }
        catch (OperationCanceledException e) when (cancellationToken.IsCancellationRequested)
        {
            throw new OperationCanceledException("the call was cancelled", e, cancellationToken);
        }
        finally
        {
            GiveBack(request);
        }
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        // This ends the calls in progress, on every connection.
        _disposed.Cancel();
        while (_idle.TryPop(out BlockingConnection? connection))
        {
            connection.Dispose();
        }
        while (_requests.TryPop(out Outgoing? request))
        {
            request.Dispose();
        }
    }

    private Deadline Begin(CallOptions? options)
    {
        ObjectDisposedException.ThrowIf(_disposed.IsCancellationRequested, this);
        return Deadline.In(options?.Deadline ?? Limits.Deadline);
    }

    /// <summary>The error of a call whose time is over.</summary>
    internal CreoException Late() =>
        new CreoException(ErrorCode.DeadlineExceeded, $"the time for the call to {_dialer.Address} is over").With("peer", _dialer.Address);

    internal Outgoing Encode<TArguments, TResult>(Method<TArguments, TResult> method, TArguments arguments, CallOptions? options)
    {
        ArgumentNullException.ThrowIfNull(method);
        if (!_requests.TryPop(out Outgoing? request))
        {
            request = new Outgoing(_wire, Limits);
        }
        try
        {
            request.Encode(method, arguments, CallOptions.MetadataOf(Options, options));
            return request;
        }
        catch
        {
            GiveBack(request);
            throw;
        }
    }

    internal void GiveBack(Outgoing request)
    {
        if (request.IsHeld)
        {
            return;
        }
        request.Reset();
        if (_disposed.IsCancellationRequested || _requests.Count >= MaxIdle)
        {
            request.Dispose();
        }
        else
        {
            _requests.Push(request);
        }
    }

    // A body can be compressed only once its connection is known (TCP-8).
    internal void Compress(Outgoing request, bool peerReads)
    {
        if (peerReads && request.BodySize >= Options.CompressFrom)
        {
            request.Compress();
        }
    }

    internal TResult Read<TArguments, TResult>(AnswerBody answer, Method<TArguments, TResult> method, CallOptions? options)
    {
        try
        {
            bool isWanted = answer.HasMetadata || options is { WantsAnswer: true };
            TcpRaw? raw = Hook(method);
            if (isWanted || raw is not null)
            {
                // Metadata that nobody wants are checked all the same (CALL-5).
                var metadata = new AnswerMetadata(Limits);
                answer.TakeMetadata(metadata);
                raw?.Answer(answer, metadata.Pairs);
                if (isWanted)
                {
                    options?.Deliver(new Answer { Metadata = metadata.Pairs });
                }
            }
            return Answers.Read(answer, method, _wire, Limits, _dialer.Address);
        }
        catch (CreoException error) when (!error.FromPeer)
        {
            throw error.With("peer", _dialer.Address);
        }
    }

    /// <summary>Shows a request that is about to be sent, and not compressed yet, to the hook of this client.</summary>
    internal void ShowRequest<TArguments, TResult>(Method<TArguments, TResult> method, Outgoing request, CallOptions? options, Deadline deadline) =>
        Hook(method)?.Request(method.IsOneway, request.Body, deadline, CallOptions.MetadataOf(Options, options));

    private TcpRaw? Hook<TArguments, TResult>(Method<TArguments, TResult> method) =>
        Options.RawMessages is null ? null : new TcpRaw(Options, method.ToString(), method.Secrets, _dialer.Address, _wire);

    /// <summary>Ends the call of a connection when this is disposed of.</summary>
    internal CancellationTokenRegistration EndWhenDisposed(BlockingConnection connection) =>
        _disposed.Token.UnsafeRegister(static connection => ((BlockingConnection)connection!).Abort("the client was closed"), connection);

    internal BlockingConnection Take(Deadline deadline)
    {
        while (_idle.TryPop(out BlockingConnection? connection))
        {
            if (connection.IsUsable())
            {
                return connection;
            }
            connection.Dispose();
        }
        Deadline connected = Deadline.In(Limits.ConnectTimeout);
        try
        {
            return new BlockingConnection(_dialer.Dial(Deadline.Earlier(deadline, connected)), Limits, _dialer.Address);
        }
        catch (TimeoutException)
        {
            throw connected.IsBefore(deadline)
                ? _dialer.TimedOut()
                : new CreoException(ErrorCode.DeadlineExceeded, $"the time for the call was over before {_dialer.Address} was connected")
                    .With("peer", _dialer.Address).Unsent();
        }
    }

    internal void GiveBack(BlockingConnection connection)
    {
        if (connection.IsKept && _idle.Count < MaxIdle)
        {
            _idle.Push(connection);
            if (!_disposed.IsCancellationRequested || !_idle.TryPop(out BlockingConnection? late))
            {
                return;
            }
            connection = late;
        }
        connection.Dispose();
    }

    private async ValueTask<AnswerBody?> SendAsync<TArguments, TResult>(
        Outgoing request, Method<TArguments, TResult> method, CallOptions? options, Deadline deadline, CancellationToken cancellation)
    {
        for (int connections = 1; ; connections++)
        {
            SharedConnection connection = await ShareAsync(cancellation).ConfigureAwait(false);
            options?.Reached(_dialer.Address);
            if (connections == 1)
            {
                ShowRequest(method, request, options, deadline);
            }
            try
            {
                return await connection.CallAsync(request, method.IsOneway, Options.CompressFrom, deadline, cancellation).ConfigureAwait(false);
            }
            catch (DrainedException e)
            {
                if (connections == MaxConnections)
                {
                    throw e.Reason.Unsent();
                }
            }
        }
    }

    private async ValueTask<SharedConnection> ShareAsync(CancellationToken cancellation)
    {
        Task<SharedConnection> shared;
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_disposed.IsCancellationRequested, this);
            if (_shared is null || _shared.IsFaulted || _shared.IsCanceled || (_shared.IsCompletedSuccessfully && !_shared.Result.IsUsable))
            {
                _shared = ConnectAsync();
            }
            shared = _shared;
        }
        return shared.IsCompletedSuccessfully ? shared.Result : await shared.WaitAsync(cancellation).ConfigureAwait(false);
    }

    private async Task<SharedConnection> ConnectAsync()
    {
        // Many calls may wait for it: it does not end with any of them, but at its own time.
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(_disposed.Token);
        limit.CancelAfter(Limits.ConnectTimeout);
        await Task.Yield();
        return new SharedConnection(await _dialer.DialAsync(limit.Token).ConfigureAwait(false), Limits, _dialer.Address, _disposed.Token);
    }
}
