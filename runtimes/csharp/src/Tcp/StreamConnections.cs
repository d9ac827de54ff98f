using System;
using System.Buffers.Binary;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Creo.Net;

namespace Creo.Tcp;

internal static partial class Protocol
{
    /// <summary>A frame that gives credit (TCP-32).</summary>
    public static byte[] CreditFrame(uint call, int bytes)
    {
        byte[] frame = new byte[HeaderSize + CreditSize];
        PutHeader(frame, CreditSize, FrameKind.Credit, FrameFlags.None, call);
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(HeaderSize), bytes);
        return frame;
    }
}

/// <summary>What a connection for one call at a time does for streams.</summary>
internal sealed partial class BlockingConnection
{
    // How long a thread that has sent its items may take to leave the connection.
    private static readonly TimeSpan MaxFinish = TimeSpan.FromMilliseconds(100);

    private Timer? _limit;

    /// <summary>The answer of the call with streams, if it has come. The caller disposes of it.</summary>
    public AnswerBody? Answer => _answer;

    /// <summary>Why the call with streams has no answer and will get none; null if that is not so.</summary>
    public CreoException? Failure => _failure?.With("peer", _peer);

    /// <summary>The id of the call.</summary>
    public uint CallId => _lastCall;

    /// <summary>Sends the request of a call with streams. <see cref="Receive"/> brings items and the answer.</summary>
    /// <exception cref="CreoException">The call failed.</exception>
    public void Open(Outgoing request, ItemFlow flow, Deadline deadline)
    {
        uint call = Begin(flow, deadline);
        _limit = LimitTls(deadline);
        try
        {
            Send(request, call);
        }
        catch (Exception e) when (IsExpected(e))
        {
            _broken = true;
            Settle(Aborted(e), call, sent: false);
        }
    }

    /// <summary>Waits for more of a call with streams. A failure becomes that of the call, which has then ended.</summary>
    public void Receive()
    {
        try
        {
            ReceiveMore();
        }
        catch (Exception e) when (IsExpected(e))
        {
            Keep(e, sent: true);
        }
    }

    /// <summary>Receives what is there of a call with streams, without waiting.</summary>
    public void ReceiveWithoutWaiting()
    {
        // A TLS connection cannot be checked without possibly waiting: there, an early answer is noticed when the credit is used up.
        for (int reads = 0; _tls is null && !HasEnded && reads < MaxIdleReads && HasInput(); reads++)
        {
            Receive();
        }
    }

    /// <summary>Sends an items frame of a call with streams, on the thread that receives. A failure becomes that of the call, unless its answer is there.</summary>
    public void SendItems(ReadOnlyMemory<byte> frame)
    {
        if (_deadline.IsOver)
        {
            // Nothing of the frame is sent, so a cancel can follow (TCP-35).
            Keep(new TimeoutException("sending"), sent: true);
            return;
        }
        try
        {
            Send(frame.Span, _deadline);
        }
        catch (Exception e) when (IsExpected(e))
        {
            // The service may have answered, and not read what was sent after that.
            Keep(e, sent: false);
        }
    }

    /// <summary>Sends an items frame of a call with streams, on another thread than the one that receives and notices if the connection is lost.</summary>
    public void SendItems(ReadOnlyMemory<byte> frame, ItemFlow flow)
    {
        lock (_sending)
        {
            if (flow.IsOver)
            {
                return;
            }
            try
            {
                SendLocked(frame.Span, _deadline);
            }
            catch (Exception e) when (IsExpected(e))
            {
                flow.End();
            }
        }
        AnswerPing();
    }

    /// <summary>Notifies the service that the source of the items failed, and ends the wait of the thread that receives.</summary>
    public void CancelItems()
    {
        lock (_sending)
        {
            Cancel(_lastCall);
            _socket.Dispose();
        }
    }

    /// <summary>Gives the peer credit.</summary>
    public void SendCredit(int bytes)
    {
        try
        {
            Send(Protocol.CreditFrame(_awaited, bytes), _deadline);
        }
        catch (Exception e) when (IsExpected(e))
        {
            // What was received comes first: the connection's end is noticed by then.
            _broken = true;
        }
    }

    /// <summary>Ends a call with streams, whose flow has ended: notifies the service if it goes on there. What still arrives of the call is ignored (TCP-9).</summary>
    public void Close()
    {
        if (_answer is null && !_broken)
        {
            _broken = !Cancel(_lastCall);
        }
        // Another thread that still sends an item: nothing may follow it. One that has just sent the last is given the time to say so.
        bool isFree = Monitor.TryEnter(_sending, MaxFinish);
        if (isFree)
        {
            Monitor.Exit(_sending);
        }
        _broken |= !isFree;
        _limit?.Dispose();
        (_awaited, _flow, _limit) = (0, null, null);
    }

    private void Keep(Exception e, bool sent)
    {
        try
        {
            Settle(Aborted(e), _lastCall, sent);
        }
        catch (CreoException failure)
        {
            _failure ??= failure;
            EndFlow();
        }
        _broken = true;
    }
}

/// <summary>What a connection with many calls does for streams.</summary>
internal sealed partial class SharedConnection
{
    /// <summary>Sends the request of a call with streams; <see cref="Close"/> ends it. The call's flow ends when it has its answer, or a failure.</summary>
    /// <exception cref="DrainedException">The connection accepts no more calls; nothing was sent.</exception>
    public async Task<PendingCall> OpenAsync(Outgoing request, ItemFlow flow, int? compressFrom, Deadline deadline, CancellationToken cancellation)
    {
        PendingCall call = Begin(flow, isAwaited: true);
        try
        {
            await SendAsync(request, call.Id, compressFrom, deadline, cancellation).ConfigureAwait(false);
            return call;
        }
        catch (Exception e) when (IsLost(e))
        {
            try
            {
                await EndAsync(e, call).ConfigureAwait(false);
                return call;
            }
            catch
            {
                Close(call);
                throw;
            }
        }
        catch
        {
            Close(call);
            throw;
        }
    }

    /// <summary>Sends an items frame of a call, unless the call has ended.</summary>
    public async Task SendItemsAsync(PendingCall call, ReadOnlyMemory<byte> frame)
    {
        try
        {
            await _writing.WaitAsync(_closed.Token).ConfigureAwait(false);
            try
            {
                if (!call.Task.IsCompleted)
                {
                    await WriteItemsAsync(call, frame).ConfigureAwait(false);
                }
            }
            finally
            {
                _writing.Release();
            }
        }
        catch (Exception e) when (IsLost(e))
        {
            // The service may have answered, and not read what was sent after that.
            await LoseAsync(e).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The connection has ended, and the call with it.
        }
    }

    // When the call ends meanwhile, the frame is still written, since other calls follow it.
    private async ValueTask WriteItemsAsync(PendingCall call, ReadOnlyMemory<byte> frame)
    {
        Task write = _stream.WriteAsync(frame, CancellationToken.None).AsTask();
        if (!write.IsCompleted)
        {
            await Task.WhenAny(write, call.Task).ConfigureAwait(false);
        }
        await FinishAsync(write).ConfigureAwait(false);
    }

    /// <summary>Gives the peer credit.</summary>
    public void SendCredit(uint call, int bytes) => _ = SendControlAsync(Protocol.CreditFrame(call, bytes));

    /// <summary>Ends a call before its answer, from any thread: the service is notified.</summary>
    public void Abandon(PendingCall call, Exception reason)
    {
        if (Forget(call.Id) && call.TryFail(reason))
        {
            _ = SendControlAsync(FrameKind.Cancel, call.Id);
        }
    }
}
