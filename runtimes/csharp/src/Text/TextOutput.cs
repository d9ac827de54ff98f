using System;
using System.Buffers;
using System.Runtime.CompilerServices;
using System.Text;

namespace Creo;

/// <summary>Shared by all text writers: reusable memory, the path in the value, arrays of primitives.</summary>
internal abstract partial class TextOutput : TextWireWriter
{
    /// <summary>A writer with more memory than this is not kept.</summary>
    protected const int KeptCapacity = 1 << 20;

    /// <summary>The room kept free after each value, for writing whole words.</summary>
    protected const int Slack = 64;

    private const int FirstCapacity = 4096;

    protected byte[] _buffer = [];
    protected int _position;
    protected Limits _limits = Limits.Default;

    // The path: the fields from the outermost one, each with the index of the current item or entry.
    protected Step[] _path = new Step[16];
    protected int _depth;

    // The field of an error, if it is not on the path.
    protected TextField? _failed;

    private int _level;

    protected enum StepKind : byte
    {
        Record,
        Union,
        Item,
        Key,
        Value,
    }

    /// <summary>The written bytes.</summary>
    public ReadOnlyMemory<byte> Written => _buffer.AsMemory(0, _position);

    /// <summary>A copy of the written bytes.</summary>
    public byte[] ToArray()
    {
        CheckSize();
        return Written.ToArray();
    }

    /// <summary>Keeps the writer for the thread's next value.</summary>
    public abstract void GiveBack();

    /// <summary>Fails if the output exceeds the size of a message.</summary>
    public void CheckSize()
    {
        if (_position > _limits.MaxMessageSize)
        {
            throw TooLarge();
        }
    }

    /// <summary>Writes raw text.</summary>
    public void Raw(ReadOnlySpan<byte> text)
    {
        Room(text.Length);
        text.CopyTo(_buffer.AsSpan(_position));
        _position += text.Length;
    }

    /// <summary>The same error with the writer's path.</summary>
    public CreoException Locate(CreoException error)
    {
        if (error.Code is not (ErrorCode.InvalidValue or ErrorCode.TooLarge))
        {
            return error;
        }
        var place = new StringBuilder("$");
        foreach (ref readonly Step step in _path.AsSpan(0, _depth))
        {
            if (step.Field.Name is not null)
            {
                place.Append('.').Append(step.Field.Name);
            }
            switch (step.Kind)
            {
                case StepKind.Item:
                    place.Append('[').Append(step.Index).Append(']');
                    break;
                case StepKind.Key:
                    place.Append('{').Append(step.Index).Append("}.key");
                    break;
                case StepKind.Value:
                    place.Append('{').Append(step.Index).Append("}.value");
                    break;
                default:
                    break;
            }
        }
        if (_failed?.Name is not null)
        {
            place.Append('.').Append(_failed.Name);
        }
        return error.At(place.ToString(), null);
    }

    public override CreoException Missing(TextField field)
    {
        _failed = field;
        return new CreoException(ErrorCode.InvalidValue, "a value is null");
    }

    public override CreoException UnknownMember(TextField field, TextUnion union, int member)
    {
        _failed = field;
        return new CreoException(ErrorCode.InvalidValue, $"member {member} of {union.Name} is not known here: a text wire cannot carry it");
    }

    public override void Item(int index) => _path[_depth - 1].Index = index;

    public override void WriteSByte(TextField field, sbyte value) => WriteInt64(field, value);

    public override void WriteInt16(TextField field, short value) => WriteInt64(field, value);

    public override void WriteInt32(TextField field, int value) => WriteInt64(field, value);

    public override void WriteBooleans(TextField field, ReadOnlySpan<bool> items) => WriteAll(field, items);

    public override void WriteInt16s(TextField field, ReadOnlySpan<short> items) => WriteAll(field, items);

    public override void WriteChars(TextField field, ReadOnlySpan<char> items) => WriteAll(field, items);

    public override void WriteInt32s(TextField field, ReadOnlySpan<int> items) => WriteAll(field, items);

    public override void WriteInt64s(TextField field, ReadOnlySpan<long> items) => WriteAll(field, items);

    public override void WriteSingles(TextField field, ReadOnlySpan<float> items) => WriteAll(field, items);

    public override void WriteDoubles(TextField field, ReadOnlySpan<double> items) => WriteAll(field, items);

    /// <summary>Writes an array of primitives.</summary>
    protected abstract void WriteAll<T>(TextField field, ReadOnlySpan<T> items)
        where T : unmanaged;

    /// <summary>Begins the next value.</summary>
    protected void Begin(Limits limits)
    {
        _limits = limits;
        _position = 0;
        _depth = 0;
        _level = 0;
        _failed = null;
    }

    /// <summary>Ends the use of the memory for one value.</summary>
    protected void End()
    {
        if (_buffer.Length > KeptCapacity)
        {
            GiveMemoryBack();
        }
        Array.Clear(_path);
    }

    protected void Push(TextField field, StepKind kind)
    {
        if (_depth == _path.Length)
        {
            Array.Resize(ref _path, 2 * _depth);
        }
        _path[_depth++] = new Step { Field = field, Kind = kind };
    }

    /// <summary>Begins a value of a recursive type.</summary>
    protected void Enter(string type)
    {
        if (++_level > _limits.MaxDepth)
        {
            throw CreoException.TooDeep(_limits.MaxDepth, type);
        }
    }

    protected void Leave() => _level--;

    /// <summary>Makes room for some bytes, plus slack.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected void Room(int size)
    {
        if (_buffer.Length - _position - Slack < size)
        {
            Grow(size);
        }
    }

    protected CreoException TooLarge() => CreoException.TooLarge("maxMessageSize", _limits.MaxMessageSize, "the message is too large to be sent");

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(int size)
    {
        CheckSize();
        long wanted = Math.Max((long)_position + size + Slack, Math.Max(FirstCapacity, Math.Min(2L * _buffer.Length, Array.MaxLength)));
        if (wanted > Array.MaxLength)
        {
            throw TooLarge();
        }
        byte[] larger = ArrayPool<byte>.Shared.Rent((int)wanted);
        _buffer.AsSpan(0, _position).CopyTo(larger);
        GiveMemoryBack();
        _buffer = larger;
    }

    private void GiveMemoryBack()
    {
        if (_buffer.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = [];
        }
    }

    protected struct Step
    {
        public TextField Field;
        public int Index;
        public StepKind Kind;
    }
}
