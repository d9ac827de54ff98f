using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using Creo.Tcp;

namespace Creo.Jms;

// Sends messages one at a time, in frames for which the broker has given credit.
internal sealed partial class AmqpConnection
{
    // The max size of sent frames, and the room in them for everything except the bytes.
    private const uint MaxSent = 131_072;
    private const int TransferSize = 64;

    private readonly SemaphoreSlim _sending = new(1, 1);

    // Used by the sending thread.
    private readonly AmqpWriter _frame = new();

    /// <summary>Sends a message. Its memory is free when this has completed, in any case; the broker's outcome comes later.</summary>
    /// <exception cref="DrainedException">The connection had ended before a byte was written.</exception>
    public async ValueTask SendAsync(AmqpDelivery delivery, bool waits, CancellationToken cancellation)
    {
        long left = 0;
        foreach (ReadOnlyMemory<byte> segment in delivery.Segments)
        {
            left += segment.Length;
        }
        if ((ulong)left > _maxMessage)
        {
            throw CreoException.TooLarge("max-message-size", (long)_maxMessage, $"the broker at {Address} does not take a message of {left} bytes");
        }
        if (waits)
        {
            _sending.Wait(cancellation);
        }
        else
        {
            await _sending.WaitAsync(cancellation).ConfigureAwait(false);
        }
        bool isBegun = false;
        bool isHalf = false;
        try
        {
            await UntilAsync(() => TryBegin(delivery), isBegun: false, waits, cancellation).ConfigureAwait(false);
            isBegun = true;
            var source = new Segments(delivery.Segments);
            while (left > 0)
            {
                await UntilAsync(TryFrame, isHalf, waits, cancellation).ConfigureAwait(false);
                int size = Compose(delivery.Id, !isHalf, left, ref source);
                await WriteFrameAsync(waits, cancellation).ConfigureAwait(false);
                left -= size;
                isHalf = left > 0;
            }
        }
        catch (OperationCanceledException) when (isHalf)
        {
            await AbortAsync(delivery.Id, waits).ConfigureAwait(false);
            throw;
        }
        catch (OperationCanceledException) when (isBegun)
        {
            Undo(delivery);
            throw;
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException)
        {
            End(Lost(e.Message, e));
            ThrowIfEnded();
        }
        finally
        {
            _sending.Release();
        }
    }

    /// <summary>The outcome of a message is no longer awaited.</summary>
    public void Forget(AmqpDelivery delivery)
    {
        lock (_lock)
        {
            if (_unsettled.TryGetValue(delivery.Id, out AmqpDelivery? known) && known == delivery)
            {
                _unsettled.Remove(delivery.Id);
            }
        }
    }

    private async ValueTask UntilAsync(Func<bool> take, bool isBegun, bool waits, CancellationToken cancellation)
    {
        while (true)
        {
            Task changed;
            lock (_lock)
            {
                if (_end is not null)
                {
                    throw isBegun ? _end : new DrainedException(_end);
                }
                if (take())
                {
                    return;
                }
                changed = _changed.Task;
            }
            await Either.On(changed, waits, cancellation).ConfigureAwait(false);
        }
    }

    private bool TryBegin(AmqpDelivery delivery)
    {
        if (_sendCredit == 0)
        {
            return false;
        }
        _sendCredit--;
        _sentCount++;
        delivery.Id = _nextDelivery++;
        _unsettled[delivery.Id] = delivery;
        return true;
    }

    private bool TryFrame()
    {
        if (_remoteWindow == 0)
        {
            return false;
        }
        _remoteWindow--;
        _nextOutgoing++;
        return true;
    }

    private async ValueTask WriteFrameAsync(bool waits, CancellationToken cancellation)
    {
        try
        {
            await _transport!.WriteAsync(_frame.Written, waits, cancellation).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // It waited for its turn, and nothing was written.
            lock (_lock)
            {
                _remoteWindow++;
                _nextOutgoing--;
            }
            throw;
        }
    }

    // Nothing of it was sent: the next message gets its number.
    private void Undo(AmqpDelivery delivery)
    {
        lock (_lock)
        {
            if (_unsettled.Remove(delivery.Id))
            {
                _sendCredit++;
                _sentCount--;
                _nextDelivery--;
            }
        }
    }

    // Makes a frame with the next bytes of a message; returns their number.
    private int Compose(uint id, bool first, long left, ref Segments source)
    {
        int size = (int)Math.Min(left, _maxFrame - TransferSize);
        BeginTransfer(id, first, hasMore: size < left);
        _frame.End();
        source.Fill(_frame.Raw(size));
        _frame.EndFrame();
        return size;
    }

    private void BeginTransfer(uint id, bool first, bool hasMore)
    {
        _frame.Clear();
        _frame.BeginFrame();
        _frame.Begin(Amqp.Transfer);
        _frame.UInt(SenderHandle);
        _frame.UInt(id);
        if (first)
        {
            Span<byte> tag = stackalloc byte[4];
            BinaryPrimitives.WriteUInt32BigEndian(tag, id);
            _frame.Binary(tag);
            _frame.UInt(0);
        }
        else
        {
            _frame.Null();
            _frame.Null();
        }
        _frame.Boolean(false);
        _frame.Boolean(hasMore);
    }

    // Half of a message was sent and the rest will not follow: the broker drops it.
    private async ValueTask AbortAsync(uint id, bool waits)
    {
        bool fits;
        lock (_lock)
        {
            _unsettled.Remove(id);
            if (_end is not null)
            {
                return;
            }
            fits = TryFrame();
        }
        if (!fits)
        {
            OnStuck();
            return;
        }
        BeginTransfer(id, first: false, hasMore: false);
        _frame.Null();
        _frame.Null();
        _frame.Null();
        _frame.Boolean(true);
        _frame.End();
        _frame.EndFrame();
        using var limit = new CancellationTokenSource(_limits.FrameTimeout);
        try
        {
            await _transport!.WriteAsync(_frame.Written, waits, limit.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException or OperationCanceledException)
        {
            End(Lost(e.Message, e));
        }
    }

    /// <summary>Bytes in several segments, in order.</summary>
    private struct Segments(List<ReadOnlyMemory<byte>> all)
    {
        private int _index;
        private int _at;

        public void Fill(Span<byte> target)
        {
            while (target.Length > 0)
            {
                ReadOnlySpan<byte> rest = all[_index].Span[_at..];
                if (rest.Length == 0)
                {
                    _index++;
                    _at = 0;
                    continue;
                }
                int count = Math.Min(rest.Length, target.Length);
                rest[..count].CopyTo(target);
                _at += count;
                target = target[count..];
            }
        }
    }
}
