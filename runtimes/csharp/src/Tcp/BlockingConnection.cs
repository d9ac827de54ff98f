using System;
using System.IO;
using System.Net.Security;
using System.Net.Sockets;
using System.Threading;
using Creo.Net;

namespace Creo.Tcp;

/// <summary>A connection for one call at a time, which is written and read on the calling thread.</summary>
internal sealed partial class BlockingConnection : IIncomingEvents, IDisposable
{
    // The max number of reads between calls, or between items: a goaway, some pings, a late answer.
    private const int MaxIdleReads = 64;

    private const long NoPing = -1;

    // How long to wait until the answer to a ping is tried again.
    private static readonly TimeSpan PongWait = TimeSpan.FromMilliseconds(100);

    // How long to read from a server that does not accept the request.
    private static readonly TimeSpan LastWords = TimeSpan.FromSeconds(1);

    private readonly Socket _socket;
    private readonly SslStream? _tls;
    private readonly Limits _limits;
    private readonly Incoming _incoming;
    private readonly string _peer;
    private readonly object _sending = new();
    private bool _preambleSent;
    private bool _goodbye;
    private bool _broken;
    private uint _lastCall;
    private uint _awaited;
    private CallFlow? _flow;
    private Deadline _deadline;
    private Deadline _preambleDeadline;
    private AnswerBody? _answer;
    private CreoException? _failure;
    private volatile string? _abortReason;

    // The last ping that is not answered.
    private long _ping = NoPing;
    private int _receiveTimeout;
    private int _sendTimeout;

    public BlockingConnection((Socket Socket, SslStream? Tls) connection, Limits limits, string peer)
    {
        (_socket, _tls) = connection;
        _limits = limits;
        _peer = peer;
        _incoming = new Incoming(this, limits, peer);
    }

    public bool PeerReadsCompressed => _incoming.PeerReadsCompressed;

    /// <summary>Whether the call has an answer or a failure.</summary>
    public bool HasEnded => (_answer ?? (object?)_failure) is not null;

    /// <summary>Whether the connection may be reused.</summary>
    public bool IsKept => !_broken && !_goodbye;

    /// <summary>Whether the connection can be used for another call; handles input since the last one.</summary>
    public bool IsUsable()
    {
        try
        {
            if (_broken || _goodbye)
            {
                return false;
            }
            for (int reads = 0; HasInput(); reads++)
            {
                // A TLS connection cannot be checked without possibly waiting, and a peer may send without end: a new connection is the safe choice.
                if (_tls is not null || reads == MaxIdleReads || !ReceiveOnce(Deadline.None) || _goodbye)
                {
                    return false;
                }
            }
            return !_broken;
        }
        catch (Exception e) when (e is CreoException or SocketException or IOException or ObjectDisposedException or TimeoutException)
        {
            return false;
        }
    }

    /// <summary>Sends a request and waits for its answer; null for a oneway method.</summary>
    /// <exception cref="CreoException">The call failed. The connection is then no longer usable.</exception>
    public AnswerBody? Call(Outgoing request, bool oneway, Deadline deadline)
    {
        uint call = Begin(oneway ? null : CallFlow.None, deadline);
        bool sent = false;
        // Until the call has ended, it is unknown what is in transit.
        bool done = false;
        using Timer? limit = LimitTls(deadline);
        try
        {
            Send(request, call);
            sent = true;
            while (!oneway && !HasEnded)
            {
                ReceiveMore();
            }
            done = true;
        }
        catch (Exception e) when (IsExpected(e))
        {
            Settle(Aborted(e), call, sent);
        }
        finally
        {
            (_awaited, _flow) = (0, null);
            _broken |= !done;
        }
        return _failure is null ? _answer : throw _failure.With("peer", _peer);
    }

    /// <summary>Ends the call in progress, from any thread.</summary>
    public void Abort(string reason)
    {
        _abortReason = reason;
        _socket.Dispose();
    }

    public void Dispose()
    {
        _incoming.Dispose();
        _tls?.Dispose();
        _socket.Dispose();
    }

    CallFlow? IIncomingEvents.FlowOf(uint call) => call != 0 && call == _awaited ? _flow : null;

    void IIncomingEvents.OnAnswer(uint call, AnswerBody answer)
    {
        _answer = answer;
        EndFlow();
    }

    void IIncomingEvents.OnFailure(uint call, CreoException failure)
    {
        _failure = failure;
        EndFlow();
    }

    void IIncomingEvents.OnConnectionError(AnswerBody answer)
    {
        using (answer)
        {
            _broken = true;
            throw Answers.ReadError(answer, _limits, _peer);
        }
    }

    void IIncomingEvents.OnPing(uint number) => Interlocked.Exchange(ref _ping, number);

    void IIncomingEvents.OnGoodbye() => _goodbye = true;

    // A call is answered once; what comes after that belongs to no waiting call (TCP-9).
    private void EndFlow()
    {
        _awaited = 0;
        _flow?.End();
    }

    private static bool IsExpected(Exception e) => e is SocketException or IOException or ObjectDisposedException or TimeoutException or CreoException;

    private uint Begin(CallFlow? flow, Deadline deadline)
    {
        _lastCall = _lastCall == uint.MaxValue ? 1 : _lastCall + 1;
        _awaited = flow is null ? 0 : _lastCall;
        (_flow, _deadline, _preambleDeadline) = (flow, deadline, Deadline.None);
        (_answer, _failure) = (null, null);
        return _lastCall;
    }

    private void Send(Outgoing request, uint call)
    {
        request.Start(call, _deadline, withPreamble: !_preambleSent);
        _preambleSent = true;
        while (request.HasMore)
        {
            Send(request.Next().Span, _deadline);
        }
        _preambleDeadline = _incoming.HasPreamble ? Deadline.None : Deadline.In(_limits.ConnectTimeout);
    }

    private void ReceiveMore()
    {
        Deadline next = Deadline.Earlier(_deadline, _incoming.HasPreamble ? _incoming.ChainDeadline : _preambleDeadline);
        if (!ReceiveOnce(next))
        {
            throw _incoming.Closed();
        }
    }

    // A socket that this side has closed says only that it is closed.
    private Exception Aborted(Exception e) => _abortReason is { } reason && e is not (CreoException or TimeoutException) ? new IOException(reason, e) : e;

    // Says how a call has ended that a failure has interrupted: returns if it was answered.
    private void Settle(Exception e, uint call, bool sent)
    {
        switch (e)
        {
            case TimeoutException:
                bool isSilent = !_incoming.HasPreamble && _preambleDeadline.IsBefore(_deadline);
                throw isSilent ? Protocol.NoPreamble(_peer, _limits.ConnectTimeout)
                    : _deadline.IsAllButOver ? EndAtDeadline(call, sent)
                    : Protocol.Lost(_peer, "the peer is too slow", null);
            case CreoException error when !HasEnded:
                throw error.With("peer", _peer);
            case CreoException:
                // Input after the answer ends the connection, not the call.
                break;
            default:
                if (!sent)
                {
                    HearLastWords();
                }
                if (!HasEnded)
                {
                    throw _deadline.IsOver ? EndAtDeadline(call, sent) : Protocol.Lost(_peer, e.Message, e);
                }
                break;
        }
    }

    private bool HasInput()
    {
        try
        {
            return _socket.Poll(0, SelectMode.SelectRead);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // Reading says why.
            return true;
        }
    }

    // The timeouts of a TLS connection apply to the pieces of its records, not to a call: a peer that sends byte by byte would evade them. The socket
    // is therefore closed slightly after the call should have ended.
    private Timer? LimitTls(Deadline deadline)
    {
        const int grace = 100;
        return _tls is null || deadline.IsNone
            ? null
            : new Timer(static socket => ((Socket)socket!).Dispose(), _socket, deadline.MillisecondsLeft() + (long)grace, Timeout.Infinite);
    }

    // A service may refuse a request before it has read all of it, or the whole connection (TCP-20), and then close it.
    private void HearLastWords()
    {
        Deadline end = Deadline.In(LastWords);
        try
        {
            while (!HasEnded && ReceiveOnce(end))
            {
            }
        }
        catch (Exception e) when (e is SocketException or IOException or ObjectDisposedException or TimeoutException)
        {
            // It sent nothing.
        }
        catch (CreoException e) when (!HasEnded)
        {
            throw e.With("peer", _peer);
        }
        catch (CreoException)
        {
            // Input after the answer ends the connection, not the call.
        }
    }

    // Notifies the service and gives up the connection: the answer would disturb the next call.
    private CreoException EndAtDeadline(uint call, bool sent)
    {
        if (sent)
        {
            Cancel(call);
        }
        return new CreoException(ErrorCode.DeadlineExceeded, $"the time for the call to {_peer} is over").With("peer", _peer);
    }

    // Whether the service is notified.
    private bool Cancel(uint call)
    {
        try
        {
            // A peer that takes nothing does not hold the caller; a machine that is busy does not lose the frame.
            int milliseconds = _socket.Poll(0, SelectMode.SelectWrite) ? 1000 : 50;
            Send(Protocol.ControlFrame(FrameKind.Cancel, call), Deadline.In(TimeSpan.FromMilliseconds(milliseconds)));
            return true;
        }
        catch (Exception e) when (e is SocketException or IOException or ObjectDisposedException or TimeoutException)
        {
            // The call has ended all the same.
            return false;
        }
    }

    // A timeout is final: the socket does not report how much it has accepted.
    private void Send(ReadOnlySpan<byte> bytes, Deadline deadline)
    {
        // Another thread may send items.
        if (!Monitor.TryEnter(_sending, deadline.IsNone ? Timeout.Infinite : TimeLeft(deadline)))
        {
            throw new TimeoutException("sending");
        }
        try
        {
            SendLocked(bytes, deadline);
        }
        finally
        {
            Monitor.Exit(_sending);
        }
        AnswerPing();
    }

    private void SendLocked(ReadOnlySpan<byte> bytes, Deadline deadline)
    {
        int wanted = TimeLeft(deadline);
        if (wanted != _sendTimeout)
        {
            _socket.SendTimeout = wanted;
            _sendTimeout = wanted;
        }
        try
        {
            if (_tls is not null)
            {
                _tls.Write(bytes);
                return;
            }
            while (bytes.Length > 0)
            {
                bytes = bytes[_socket.Send(bytes)..];
            }
        }
        // The platform also reports a timeout when the connection is lost after a partial write: only the clock distinguishes them.
        catch (Exception e) when (deadline.IsAllButOver && (IsTimeout(e) || IsTimeout(e.InnerException)))
        {
            throw new TimeoutException("sending", e);
        }
    }

    // Returns false at the end of the connection.
    private bool ReceiveOnce(Deadline deadline)
    {
        Memory<byte> room = _incoming.Room();
        while (true)
        {
            // A plain socket that has timed out is asked again, a TLS stream is not.
            bool triesPong = _tls is null && Interlocked.Read(ref _ping) != NoPing;
            SetReceiveTimeout(triesPong ? Deadline.Earlier(deadline, Deadline.In(PongWait)) : deadline);
            try
            {
                int count = _tls is not null ? _tls.Read(room.Span) : _socket.Receive(room.Span);
                if (count == 0)
                {
                    _broken = true;
                    return false;
                }
                _incoming.Advance(count);
                break;
            }
            catch (SocketException e) when (IsTimeout(e))
            {
                if (deadline.IsOver)
                {
                    throw new TimeoutException("receiving", e);
                }
                AnswerPing();
            }
            catch (IOException e) when (IsTimeout(e.InnerException))
            {
                throw new TimeoutException("receiving", e);
            }
        }
        AnswerPing();
        return true;
    }

    // Only the last of several pings is answered: a peer that sends many gets one answer. While another thread sends, or the peer takes no bytes, it is
    // answered later (TCP-14): after each send, and while this side receives.
    private void AnswerPing()
    {
        while (Interlocked.Read(ref _ping) != NoPing && Monitor.TryEnter(_sending))
        {
            try
            {
                if (!_socket.Poll(_tls is null ? TimeSpan.Zero : PongWait, SelectMode.SelectWrite))
                {
                    return;
                }
                long number = Interlocked.Exchange(ref _ping, NoPing);
                if (number != NoPing)
                {
                    SendLocked(Protocol.ControlFrame(FrameKind.Pong, (uint)number), Deadline.In(PongWait));
                }
            }
            catch (Exception e) when (IsExpected(e))
            {
                // A peer that does not accept it has lost the connection, but not an answer that has arrived.
                _broken = true;
                return;
            }
            finally
            {
                Monitor.Exit(_sending);
            }
        }
    }

    private void SetReceiveTimeout(Deadline deadline)
    {
        int wanted = TimeLeft(deadline);
        // A shorter time than is left will do, since a plain socket is then asked again: most calls save a system call.
        bool good = wanted == _receiveTimeout || (_tls is null && _receiveTimeout != 0 && wanted > _receiveTimeout && wanted <= 2L * _receiveTimeout);
        if (!good)
        {
            _socket.ReceiveTimeout = wanted;
            _receiveTimeout = wanted;
        }
    }

    private static int TimeLeft(Deadline deadline) => deadline.IsOver ? throw new TimeoutException("the time is over") : deadline.MillisecondsLeft();

    private static bool IsTimeout(Exception? e) => e is SocketException { SocketErrorCode: SocketError.TimedOut or SocketError.WouldBlock };
}
