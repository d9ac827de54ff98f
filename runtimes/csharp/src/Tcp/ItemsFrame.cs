using System;

namespace Creo.Tcp;

/// <summary>Items on their way into a frame (TCP-30). Not for use by several threads at once.</summary>
internal sealed class ItemsFrame<T>(Encoder<T> encode, Layout layout, Limits limits) : IDisposable
{
    // The max size of a frame of several items, with their count.
    private const int MaxSize = 65_536;

    // Bounds the items of no bytes, too.
    private const int MaxItems = 16_384;
    private const int MaxCountSize = 3;

    // The memory of a larger frame is not kept.
    private const int KeptCapacity = 1 << 20;
    private const int ItemsAt = Protocol.HeaderSize + MaxCountSize;

    private readonly Writer _writer = new(limits);
    private int _count;

    // Where the last item begins.
    private int _last;
    private bool _isSplit;

    public bool IsEmpty => _count == 0;

    /// <summary>Whether it should be sent before another item is added, which is expected to be as large as the last one.</summary>
    public bool IsFull => _count >= MaxItems || (_count > 0 && _writer.Position - ItemsAt + _writer.WrittenCount > MaxSize - MaxCountSize);

    /// <summary>Adds an item.</summary>
    /// <exception cref="CreoException"><c>invalid-value</c> or <c>too-large</c>.</exception>
    public void Add(T item)
    {
        if (_count == 0)
        {
            _writer.Clear();
            _writer.Head(ItemsAt);
        }
        _last = _writer.Position;
        _writer.StartHere();
        Binary.Encode(_writer, item, encode, layout, $"$items[{_count}]");
        _count++;
        if (_count == 1 && _writer.WrittenCount + 1L > limits.MaxMessageSize)
        {
            throw CreoException.TooLarge("maxMessageSize", limits.MaxMessageSize, "an item is too large to be sent");
        }
    }

    /// <summary>The frame for a call, and the size of its body. It must be sent before <see cref="Sent"/>.</summary>
    /// <param name="call">The id of the call.</param>
    /// <param name="isEnd">Whether no further items follow.</param>
    /// <param name="size">The size of the body.</param>
    public ReadOnlyMemory<byte> Take(uint call, bool isEnd, out int size)
    {
        if (_count == 0)
        {
            _writer.Clear();
            _writer.Head(ItemsAt);
        }
        // The last item alone exceeds the size: it goes into the next frame.
        _isSplit = _count > 1 && _writer.Position - ItemsAt > MaxSize - MaxCountSize;
        int count = _isSplit ? _count - 1 : _count;
        int end = _isSplit ? _last : _writer.Position;
        int countSize = count < 0x80 ? 1 : count < 0x4000 ? 2 : MaxCountSize;
        int countAt = ItemsAt - countSize;
        for (int i = 0; i < countSize; i++)
        {
            _writer.Buffer[countAt + i] = (byte)(((count >> (7 * i)) & 0x7f) | (i + 1 < countSize ? 0x80 : 0));
        }
        size = end - countAt;
        int start = countAt - Protocol.HeaderSize;
        Protocol.PutHeader(_writer.Buffer.AsSpan(start), size, FrameKind.Items, isEnd && !_isSplit ? FrameFlags.End : FrameFlags.None, call);
        return _writer.Buffer.AsMemory(start, end - start);
    }

    /// <summary>Its memory is free again.</summary>
    public void Sent()
    {
        if (!_isSplit)
        {
            _count = 0;
            if (_writer.Buffer.Length > KeptCapacity)
            {
                _writer.Dispose();
            }
            return;
        }
        ReadOnlySpan<byte> item = _writer.Buffer.AsSpan(_last, _writer.Position - _last);
        _writer.Clear();
        _writer.Head(ItemsAt);
        // It moves to the front: there is room.
        _writer.WriteRaw(item);
        (_count, _isSplit) = (1, false);
    }

    public void Dispose() => _writer.Dispose();
}
