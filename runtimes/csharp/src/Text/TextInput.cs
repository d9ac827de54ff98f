using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Text;

namespace Creo;

/// <summary>Shared by all text readers: the open frames, and thus the path in the value.</summary>
internal abstract class TextInput : TextWireReader
{
    /// <summary>The zeros after a text, at least as many as any lookahead.</summary>
    public const int Padding = 64;

    /// <summary>A reader with more memory than this is not kept.</summary>
    protected const int KeptCapacity = 1 << 20;

    protected Limits _limits = Limits.Default;
    protected TextFrame[] _frames = new TextFrame[16];
    protected int _depth;
    protected TextFrame? _top;

    // The field of the next value.
    protected TextField? _field;

    // Bytes of memory that the message may still take (LIM-18).
    private protected long _memoryLeft;

    private int _level;

    // The root of paths.
    private string _root = "$";

    // The index of an item of a stream, or -1.
    private long _index;

    /// <summary>Marks the input as the result of a method.</summary>
    public void IsResult() => _root = "$result";

    /// <summary>Marks the input as a declared exception.</summary>
    public void IsException() => _root = "$exception";

    /// <summary>Marks the input as an item of a stream.</summary>
    /// <param name="index">The number of items before it.</param>
    public void IsItem(long index) => (_root, _index) = ("$items", index);

    /// <summary>Bytes of memory that the message may still take.</summary>
    public long MemoryLeft => _memoryLeft;

    /// <summary>Keeps the reader for the thread's next value.</summary>
    public abstract void GiveBack();

    /// <summary>The same error with the reader's path (BIN-15).</summary>
    public virtual CreoException Locate(CreoException error) => error.At(Place(), error.Offset);

    protected void Begin(Limits limits)
    {
        _limits = limits;
        _memoryLeft = limits.MaxMemory;
        (_root, _index) = ("$", -1);
        _field = null;
        Forget();
    }

    /// <summary>Releases the open values.</summary>
    protected void Forget()
    {
        _depth = 0;
        _top = null;
        _level = 0;
    }

    /// <summary>Charges the message for following values (LIM-18).</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected void Charge(int bytes)
    {
        if ((_memoryLeft -= bytes) < 0)
        {
            ThrowMemory();
        }
    }

    /// <summary>Charges the next member of a union; for an optional one, <see cref="TextWireReader.ReadNil"/> charges the value.</summary>
    protected void ChargeMember(TextField member)
    {
        if (!member.IsOptional)
        {
            Charge(member.ValueCharge);
        }
    }

    /// <summary>Charges the bytes of a body.</summary>
    protected void ChargeBody(int size)
    {
        if ((_memoryLeft -= size) < 0)
        {
            throw CreoException.TooMuchMemory(_limits).AtOffset(0);
        }
    }

    /// <summary>The offset of the next input.</summary>
    private protected abstract long Here { get; }

    [DoesNotReturn]
    private void ThrowMemory() => throw CreoException.TooMuchMemory(_limits).AtOffset(Here);

    protected string Place()
    {
        var place = new StringBuilder(_root);
        if (_index >= 0)
        {
            place.Append('[').Append(_index).Append(']');
        }
        foreach (TextFrame frame in _frames.AsSpan(0, _depth))
        {
            if (frame.Index < 0)
            {
                continue;
            }
            switch (frame.Kind)
            {
                case TextFrameKind.Items:
                    place.Append('[').Append(frame.Index).Append(']');
                    break;
                case TextFrameKind.Entries:
                    place.Append('{').Append(frame.Index).Append('}');
                    break;
                case TextFrameKind.Entry:
                    place.Append(frame.Index == 0 ? ".key" : ".value");
                    break;
                default:
                    if (frame.Fields[frame.Index].Name is { } name)
                    {
                        place.Append('.').Append(name);
                    }
                    break;
            }
        }
        return place.ToString();
    }

    protected TextFrame Push(TextFrameKind kind, TextField? field)
    {
        if (_depth == _frames.Length)
        {
            Array.Resize(ref _frames, 2 * _depth);
        }
        TextFrame frame = _frames[_depth] ??= new TextFrame();
        _depth++;
        frame.Clear(kind, field);
        _top = frame;
        return frame;
    }

    protected void Pop()
    {
        _depth--;
        _top = _depth > 0 ? _frames[_depth - 1] : null;
    }

    /// <summary>Begins a value of a recursive type.</summary>
    protected void Enter(string type, long offset)
    {
        if (++_level > _limits.MaxDepth)
        {
            throw CreoException.TooDeep(_limits.MaxDepth, type).AtOffset(offset);
        }
    }

    protected void Leave() => _level--;

    /// <summary>Items in pooled memory, until their number is known.</summary>
    protected struct Growing<T>
        where T : unmanaged
    {
        private const int First = 64;

        private T[]? _items;
        private int _count;

        public void Add(T item)
        {
            if (_items is null || _count == _items.Length)
            {
                Grow();
            }
            _items![_count++] = item;
        }

        public ValueArray<T> ToArray()
        {
            if (_items is null)
            {
                return default;
            }
            T[] all = _items.AsSpan(0, _count).ToArray();
            ArrayPool<T>.Shared.Return(_items);
            return all;
        }

        private void Grow()
        {
            T[] larger = ArrayPool<T>.Shared.Rent(_items is null ? First : (int)Math.Min(2L * _count, Array.MaxLength));
            if (_items is not null)
            {
                _items.AsSpan(0, _count).CopyTo(larger);
                ArrayPool<T>.Shared.Return(_items);
            }
            _items = larger;
        }
    }
}
