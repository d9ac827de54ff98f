using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using Creo.Net;

namespace Creo.Tcp;

/// <summary>The server sent its goaway before a byte of the call was written: another connection may be tried (TCP-16).</summary>
internal sealed class DrainedException(CreoException reason) : Exception
{
    public CreoException Reason => reason;
}

/// <summary>A call that waits for its answer. The reading loop must not run continuations of it.</summary>
internal sealed class PendingCall(uint id, CallFlow flow) : TaskCompletionSource<AnswerBody>(TaskCreationOptions.RunContinuationsAsynchronously)
{
    public uint Id => id;

    public CallFlow Flow => flow;

    public bool TryAnswer(AnswerBody answer)
    {
        bool isFirst = TrySetResult(answer);
        flow.End();
        return isFirst;
    }

    public bool TryFail(Exception failure)
    {
        bool isFirst = TrySetException(failure);
        flow.End();
        return isFirst;
    }
}

/// <summary>A connection with many calls in progress; one loop reads the answers for all of them.</summary>
internal sealed partial class SharedConnection : IIncomingEvents, IDisposable
{
    // How long to read from a server that does not accept a request.
    private static readonly TimeSpan LastWords = TimeSpan.FromSeconds(1);

    // How long a peer may take nothing of a frame whose call has ended.
    private static readonly TimeSpan MaxStop = TimeSpan.FromSeconds(10);

    private readonly Socket _socket;
    private readonly Stream _stream;
    private readonly Limits _limits;
    private readonly string _peer;
    private readonly Incoming _incoming;
    private readonly Dictionary<uint, PendingCall> _calls = [];
    private readonly SemaphoreSlim _writing = new(1, 1);
    private readonly CancellationTokenSource _closed = new();
    private readonly Task _reading;
    private readonly CancellationTokenRegistration _whenDisposed;
    private Timer? _preambleLimit;
    private bool _preambleSent;
    private bool _goodbye;
    private CreoException? _end;
    private uint _lastCall;
    private uint? _ping;
    private bool _answersPings;

    /// <summary>A connection that is open.</summary>
    /// <param name="connection">The socket and its stream.</param>
    /// <param name="limits">The limits of the client.</param>
    /// <param name="peer">The address in messages.</param>
    /// <param name="disposed">Cancelled when the client is disposed of, which ends the connection.</param>
    public SharedConnection((Socket Socket, Stream Stream) connection, Limits limits, string peer, CancellationToken disposed)
    {
        (_socket, _stream) = connection;
        _limits = limits;
        _peer = peer;
        _incoming = new Incoming(this, limits, peer);
        _whenDisposed = disposed.UnsafeRegister(static connection => ((SharedConnection)connection!).Dispose(), this);
        _reading = ReadAsync();
    }

    /// <summary>Whether a new call may use it.</summary>
    public bool IsUsable
    {
        get
        {
            lock (_calls)
            {
                return _end is null && !_goodbye;
            }
        }
    }

    /// <summary>Sends a request and returns its answer; null for a oneway method.</summary>
    /// <remarks>The request's memory is free when the task has ended, unless the request says that it is held.</remarks>
    /// <exception cref="DrainedException">The connection accepts no more calls; nothing was sent.</exception>
    public async Task<AnswerBody?> CallAsync(Outgoing request, bool oneway, int? compressFrom, Deadline deadline, CancellationToken cancellation)
    {
        PendingCall call = Begin(CallFlow.None, isAwaited: !oneway);
        bool sent = false;
        try
        {
            await SendAsync(request, call.Id, compressFrom, deadline, cancellation).ConfigureAwait(false);
            sent = true;
            return oneway ? null : await call.Task.WaitAsync(cancellation).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            Forget(call.Id);
            if (call.Task.IsCompletedSuccessfully)
            {
                // The answer came at the same moment.
                return call.Task.Result;
            }
            if (sent)
            {
                _ = SendControlAsync(FrameKind.Cancel, call.Id);
            }
            throw;
        }
        catch (Exception e) when (IsLost(e))
        {
            await EndAsync(e, call).ConfigureAwait(false);
            return call.Task.Result;
        }
        finally
        {
            Close(call);
        }
    }

    /// <summary>The caller knows how a call has ended.</summary>
    public void Close(PendingCall call)
    {
        Forget(call.Id);
        EndIfDone();
        // Observes later exceptions of a call that has ended.
        _ = call.Task.Exception;
    }

    public void Dispose() => End(new CreoException(ErrorCode.Unavailable, "the client was closed").With("peer", _peer));

    CallFlow? IIncomingEvents.FlowOf(uint call)
    {
        lock (_calls)
        {
            return _calls.GetValueOrDefault(call)?.Flow;
        }
    }

    void IIncomingEvents.OnAnswer(uint call, AnswerBody answer)
    {
        PendingCall? waiting;
        lock (_calls)
        {
            _calls.Remove(call, out waiting);
        }
        if (waiting is null || !waiting.TryAnswer(answer))
        {
            answer.Dispose();
        }
    }

    void IIncomingEvents.OnFailure(uint call, CreoException failure)
    {
        PendingCall? waiting;
        lock (_calls)
        {
            _calls.Remove(call, out waiting);
        }
        if (waiting is not null && waiting.TryFail(failure.With("peer", _peer)) && waiting.Flow != CallFlow.None)
        {
            // Of items that were refused, the service knows nothing yet.
            _ = SendControlAsync(FrameKind.Cancel, call);
        }
    }

    void IIncomingEvents.OnConnectionError(AnswerBody answer)
    {
        using (answer)
        {
            throw Answers.ReadError(answer, _limits, _peer);
        }
    }

    void IIncomingEvents.OnPing(uint number)
    {
        lock (_calls)
        {
            _ping = number;
            if (_answersPings)
            {
                return;
            }
            _answersPings = true;
        }
        _ = AnswerPingsAsync();
    }

    // Only one answer is in progress, to the last ping: a peer that sends pings and does not read thus takes no memory.
    private async Task AnswerPingsAsync()
    {
        while (true)
        {
            uint number;
            lock (_calls)
            {
                if (_ping is null)
                {
                    _answersPings = false;
                    return;
                }
                number = _ping.Value;
                _ping = null;
            }
            await SendControlAsync(FrameKind.Pong, number).ConfigureAwait(false);
        }
    }

    void IIncomingEvents.OnGoodbye()
    {
        lock (_calls)
        {
            _goodbye = true;
        }
        EndIfDone();
    }

    // After a goaway the connection stays open only for the calls in progress (TCP-15).
    private void EndIfDone()
    {
        lock (_calls)
        {
            if (!_goodbye || _calls.Count > 0)
            {
                return;
            }
        }
        End(Stopping());
    }

    private CreoException Stopping() => new CreoException(ErrorCode.Unavailable, "the connection takes no more calls").With("peer", _peer);

    private PendingCall Begin(CallFlow flow, bool isAwaited)
    {
        lock (_calls)
        {
            // Nothing was sent: the call may use another connection (TCP-16), unless this one never opened, or was refused (TCP-20).
            if (_end is not null)
            {
                bool mayFareBetter = _incoming.HasPreamble && (_preambleSent || !_end.FromPeer);
                throw mayFareBetter ? new DrainedException(_end) : _end.Unsent();
            }
            if (_goodbye)
            {
                throw new DrainedException(Stopping());
            }
            if (isAwaited && _calls.Count >= _limits.MaxCallsPerConnection)
            {
                throw new CreoException(
                    ErrorCode.Overloaded, $"{_calls.Count} calls are under way on the connection; maxCallsPerConnection is {_limits.MaxCallsPerConnection}")
                    .Unsent();
            }
            do
            {
                _lastCall = _lastCall == uint.MaxValue ? 1 : _lastCall + 1;
            }
            while (_calls.ContainsKey(_lastCall));
            var call = new PendingCall(_lastCall, flow);
            if (isAwaited)
            {
                _calls.Add(_lastCall, call);
            }
            return call;
        }
    }

    private bool Forget(uint call)
    {
        lock (_calls)
        {
            return _calls.Remove(call);
        }
    }

    private static bool IsLost(Exception e) => e is IOException or SocketException or ObjectDisposedException;

    // The connection was lost while a request was written. A service may have refused the request before it had read all of it, or the whole connection
    // (TCP-20), and then closed it: returns if the call has an answer.
    private async Task EndAsync(Exception e, PendingCall call)
    {
        await _reading.WaitAsync(LastWords, CancellationToken.None).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (!call.Task.IsCompletedSuccessfully)
        {
            End(Protocol.Lost(_peer, e.Message, e));
            throw _end!;
        }
    }

    private async Task SendAsync(Outgoing request, uint call, int? compressFrom, Deadline deadline, CancellationToken cancellation)
    {
        // A body can be compressed only once its connection is known (TCP-8).
        if (_incoming.PeerReadsCompressed && request.BodySize >= compressFrom)
        {
            request.Compress();
        }
        await _writing.WaitAsync(cancellation).ConfigureAwait(false);
        Task write = Task.CompletedTask;
        try
        {
            lock (_calls)
            {
                if (_end is not null)
                {
                    throw _end.Unsent();
                }
            }
            request.Start(call, deadline, withPreamble: !_preambleSent);
            if (!_preambleSent)
            {
                _preambleSent = true;
                LimitPreamble();
            }
            while (true)
            {
                write = _stream.WriteAsync(request.Next(), CancellationToken.None).AsTask();
                await write.WaitAsync(cancellation).ConfigureAwait(false);
                if (!request.HasMore)
                {
                    return;
                }
                cancellation.ThrowIfCancellationRequested();
            }
        }
        catch (OperationCanceledException)
        {
            request.IsHeld = true;
            _ = GiveUpAsync(request, call, write);
            throw;
        }
        finally
        {
            if (!request.IsHeld)
            {
                _writing.Release();
            }
        }
    }

    // The caller does not wait for a frame of its request to be written. It is written completely, since other calls follow it, and then the cancel (TCP-6).
    private async Task GiveUpAsync(Outgoing request, uint call, Task write)
    {
        try
        {
            await FinishAsync(write).ConfigureAwait(false);
            await FinishAsync(_stream.WriteAsync(Protocol.ControlFrame(FrameKind.Cancel, call), CancellationToken.None).AsTask()).ConfigureAwait(false);
        }
        catch (Exception e) when (IsLost(e))
        {
            await LoseAsync(e).ConfigureAwait(false);
        }
        finally
        {
            request.Dispose();
            _writing.Release();
        }
    }

    // Waits for a write of a call that has ended. The connection ends if the peer takes nothing for long.
    private async Task FinishAsync(Task write)
    {
        try
        {
            await write.WaitAsync(MaxStop).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            End(Protocol.Lost(_peer, "the peer takes no more bytes", null));
            await write.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    // The connection was lost while something was written for no caller that waits: what the service said before counts.
    private async Task LoseAsync(Exception e)
    {
        await _reading.WaitAsync(LastWords, CancellationToken.None).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        End(Protocol.Lost(_peer, e.Message, e));
    }

    // TCP-19
    private void LimitPreamble()
    {
        lock (_calls)
        {
            if (_end is null)
            {
                _preambleLimit = new Timer(EndIfSilent, null, _limits.ConnectTimeout, Timeout.InfiniteTimeSpan);
            }
        }
    }

    private void EndIfSilent(object? state)
    {
        if (!_incoming.HasPreamble)
        {
            End(Protocol.NoPreamble(_peer, _limits.ConnectTimeout));
        }
    }

    private Task SendControlAsync(FrameKind kind, uint call) => SendControlAsync(Protocol.ControlFrame(kind, call));

    private async Task SendControlAsync(byte[] frame)
    {
        try
        {
            await _writing.WaitAsync(_closed.Token).ConfigureAwait(false);
            try
            {
                await _stream.WriteAsync(frame, _closed.Token).ConfigureAwait(false);
            }
            finally
            {
                _writing.Release();
            }
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException or OperationCanceledException)
        {
            // The reading loop notices the end of the connection.
        }
    }

    private async Task ReadAsync()
    {
        try
        {
            while (true)
            {
                int count = await ReadAsync(_incoming.Room(), _incoming.ChainDeadline).ConfigureAwait(false);
                if (count == 0)
                {
                    End(_incoming.Closed().With("peer", _peer));
                    return;
                }
                _incoming.Advance(count);
            }
        }
        catch (CreoException e)
        {
            End(e.With("peer", _peer));
        }
        catch (OperationCanceledException) when (!_closed.IsCancellationRequested)
        {
            End(Protocol.Lost(_peer, "the peer is too slow", null));
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException or OperationCanceledException)
        {
            End(Protocol.Lost(_peer, e.Message, e));
        }
        finally
        {
            _incoming.Dispose();
        }
    }

    private async ValueTask<int> ReadAsync(Memory<byte> room, Deadline deadline)
    {
        ValueTask<int> read;
        if (deadline.IsNone)
        {
            read = _stream.ReadAsync(room, _closed.Token);
            return await read.ConfigureAwait(false);
        }
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(_closed.Token);
        limit.CancelAfter(deadline.MillisecondsLeft());
        return await _stream.ReadAsync(room, limit.Token).ConfigureAwait(false);
    }

    private void End(CreoException reason)
    {
        List<PendingCall> waiting;
        lock (_calls)
        {
            if (_end is not null)
            {
                return;
            }
            _end = reason;
            waiting = [.. _calls.Values];
            _calls.Clear();
            _preambleLimit?.Dispose();
        }
        _whenDisposed.Unregister();
        foreach (PendingCall call in waiting)
        {
            call.TryFail(reason);
        }
        _closed.Cancel();
        _stream.Dispose();
        _socket.Dispose();
    }
}
