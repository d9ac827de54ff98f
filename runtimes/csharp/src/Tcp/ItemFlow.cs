using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using Creo.Net;

namespace Creo.Tcp;

/// <summary>The streams of one call: the credit of both directions, and the items that have arrived (TCP-32). Safe for any number of threads.</summary>
internal sealed class ItemFlow : CallFlow, IDisposable
{
    private const int FirstCredit = 262_144;

    private readonly object _lock = new();
    private readonly Queue<ItemChunk> _arrived = new();
    private readonly bool _sends;
    private readonly bool _receives;
    private readonly long _window;
    private ItemChunk? _last;

    // The bytes that may be sent, those that the peer may send, and those of frames that have begun to arrive and were not taken.
    private long _credit = FirstCredit;
    private long _expected = FirstCredit;
    private long _kept;

    // More is given when this or less is left: a short stream needs none.
    private long _low = FirstCredit / 2;
    private bool _isOver;
    private bool _isDisposed;
    private ExceptionDispatchInfo? _failure;
    private TaskCompletionSource? _changed;

    public ItemFlow(bool sends, bool receives, Limits limits)
    {
        _sends = sends;
        _receives = receives;
        _window = Math.Max(FirstCredit, limits.StreamWindow);
    }

    /// <summary>Whether the call has ended: nothing is taken from the program any more.</summary>
    public bool IsOver
    {
        get
        {
            lock (_lock)
            {
                return _isOver;
            }
        }
    }

    /// <summary>The failure of the program's source of items, if that has ended the call.</summary>
    public ExceptionDispatchInfo? SourceFailure
    {
        get
        {
            lock (_lock)
            {
                return _failure;
            }
        }
    }

    /// <summary>Whether another items frame may be sent.</summary>
    public bool HasCredit
    {
        get
        {
            lock (_lock)
            {
                return _credit > 0;
            }
        }
    }

    /// <summary>The next change: of credit, of what has arrived, the end.</summary>
    public Task Changed
    {
        get
        {
            lock (_lock)
            {
                return (_changed ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
            }
        }
    }

    public override void Expect(int size)
    {
        lock (_lock)
        {
            if (!_receives)
            {
                base.Expect(size);
            }
            if (_expected <= 0)
            {
                throw Protocol.Malformed("items without credit for them");
            }
            _expected -= size;
            _kept += size;
        }
    }

    public override void Arrive(AnswerBody frame)
    {
        lock (_lock)
        {
            if (_isDisposed)
            {
                frame.Dispose();
                return;
            }
            if (_last is null || !_last.Joins(frame))
            {
                _last = new ItemChunk(frame);
                _arrived.Enqueue(_last);
            }
        }
        Change();
    }

    /// <summary>The frames that have arrived next; null if there are none.</summary>
    public ItemChunk? Next()
    {
        lock (_lock)
        {
            if (_arrived.TryDequeue(out ItemChunk? chunk) && _arrived.Count == 0)
            {
                _last = null;
            }
            return chunk;
        }
    }

    /// <summary>The program takes the items of a frame. Returns what is to be given to the peer, if above 0, unless the call has ended.</summary>
    /// <param name="size">The bytes of its body.</param>
    public int Take(int size)
    {
        lock (_lock)
        {
            _kept -= size;
            long more = Math.Min(_window - _kept - _expected, int.MaxValue);
            if (_receives && !_isOver && _expected <= _low && more >= _window / 2)
            {
                _low = _window / 2;
                _expected += more;
                return (int)more;
            }
            return 0;
        }
    }

    public override void AddCredit(uint bytes)
    {
        lock (_lock)
        {
            if (!_sends)
            {
                base.AddCredit(bytes);
            }
            if (bytes is 0 or > int.MaxValue || _credit + bytes > int.MaxValue)
            {
                throw Protocol.Malformed($"a credit of {bytes} bytes in addition to {_credit}");
            }
            _credit += bytes;
        }
        Change();
    }

    /// <summary>An items frame is sent.</summary>
    /// <param name="size">The bytes of its body.</param>
    public void Spend(int size)
    {
        lock (_lock)
        {
            _credit -= size;
        }
    }

    /// <summary>Waits until another items frame may be sent; false if the call has ended, or its time.</summary>
    public bool WaitForCredit(Deadline deadline)
    {
        lock (_lock)
        {
            while (_credit <= 0 && !_isOver)
            {
                if (!Monitor.Wait(_lock, deadline.IsNone ? Timeout.Infinite : deadline.MillisecondsLeft()) && deadline.IsOver)
                {
                    return false;
                }
            }
            return !_isOver;
        }
    }

    /// <summary>Whether another item may be taken from the program, which then counts as taken (CALL-45).</summary>
    public bool MayTake<T>(ItemSource<T> source)
    {
        lock (_lock)
        {
            source.IsTaken |= !_isOver;
            return !_isOver;
        }
    }

    /// <summary>The program's source of items fails, which ends the call; false if it has ended before.</summary>
    public bool Fail(Exception failure)
    {
        lock (_lock)
        {
            if (_isOver)
            {
                return false;
            }
            _failure = ExceptionDispatchInfo.Capture(failure);
        }
        End();
        return true;
    }

    public override void End()
    {
        lock (_lock)
        {
            _isOver = true;
        }
        Change();
    }

    /// <summary>Ends, and drops what has arrived.</summary>
    public void Dispose()
    {
        lock (_lock)
        {
            _isDisposed = true;
            while (_arrived.TryDequeue(out ItemChunk? chunk))
            {
                chunk.Dispose();
            }
            _last = null;
        }
        End();
    }

    private void Change()
    {
        TaskCompletionSource? changed;
        lock (_lock)
        {
            changed = _changed;
            _changed = null;
            Monitor.PulseAll(_lock);
        }
        changed?.TrySetResult();
    }
}

/// <summary>Items frames that have arrived: one, or several small ones, which would take much more memory than their bytes one by one.</summary>
internal sealed class ItemChunk : IDisposable
{
    private const int Capacity = 16 * 1024;
    private const int PrefixSize = 4;

    private readonly AnswerBody? _single;
    private byte[] _joined = [];
    private int _start;
    private int _end;

    /// <summary>Takes over a frame.</summary>
    public ItemChunk(AnswerBody frame)
    {
        if (PrefixSize + frame.Length > Capacity / 4)
        {
            // It is not empty.
            _single = frame;
            _end = frame.Length;
            return;
        }
        _joined = ArrayPool<byte>.Shared.Rent(PrefixSize + frame.Length);
        Add(frame);
    }

    /// <summary>Takes over a further frame, if it is small enough.</summary>
    public bool Joins(AnswerBody frame)
    {
        int size = PrefixSize + frame.Length;
        if (_single is not null || size > Capacity - _end)
        {
            return false;
        }
        if (size > _joined.Length - _end)
        {
            byte[] larger = ArrayPool<byte>.Shared.Rent(Math.Max(Math.Min(2 * _joined.Length, Capacity), _end + size));
            _joined.AsSpan(0, _end).CopyTo(larger);
            ArrayPool<byte>.Shared.Return(_joined);
            _joined = larger;
        }
        Add(frame);
        return true;
    }

    /// <summary>The next frame; false if there is no further one.</summary>
    public bool TryNext(out ReadOnlySpan<byte> frame)
    {
        if (_start == _end)
        {
            frame = default;
            return false;
        }
        if (_single is not null)
        {
            frame = _single.Body;
            _start = _end;
            return true;
        }
        int size = BinaryPrimitives.ReadInt32LittleEndian(_joined.AsSpan(_start));
        frame = _joined.AsSpan(_start + PrefixSize, size);
        _start += PrefixSize + size;
        return true;
    }

    public void Dispose()
    {
        _single?.Dispose();
        if (_joined.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_joined);
            _joined = [];
        }
    }

    private void Add(AnswerBody frame)
    {
        BinaryPrimitives.WriteInt32LittleEndian(_joined.AsSpan(_end), frame.Length);
        frame.Body.CopyTo(_joined.AsSpan(_end + PrefixSize));
        _end += PrefixSize + frame.Length;
        frame.Dispose();
    }
}
