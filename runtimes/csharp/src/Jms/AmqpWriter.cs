using System;
using System.Buffers.Binary;
using System.Text;

namespace Creo.Jms;

/// <summary>Writes values and frames of AMQP 1.0 into growing memory.</summary>
internal sealed class AmqpWriter
{
    private const int MaxNesting = 8;
    private const byte Described = 0x00;

    private readonly int[] _starts = new int[MaxNesting];
    private readonly int[] _counts = new int[MaxNesting];
    private byte[] _bytes = new byte[512];
    private int _at;
    private int _depth;
    private int _frame;

    public ReadOnlyMemory<byte> Written => _bytes.AsMemory(0, _at);

    /// <summary>Discards what was written.</summary>
    public void Clear() => _at = 0;

    /// <summary>Begins a frame on the only channel.</summary>
    public void BeginFrame(bool sasl = false)
    {
        _frame = _at;
        Span<byte> header = Room(8);
        header.Clear();
        header[4] = 2;
        header[5] = (byte)(sasl ? 1 : 0);
    }

    /// <summary>Ends a frame.</summary>
    public void EndFrame() => BinaryPrimitives.WriteInt32BigEndian(_bytes.AsSpan(_frame), _at - _frame);

    /// <summary>Room for raw bytes.</summary>
    public Span<byte> Raw(int size) => Room(size);

    /// <summary>The descriptor of the next value.</summary>
    public void Describe(ulong descriptor)
    {
        if (descriptor <= byte.MaxValue)
        {
            Span<byte> small = Room(3);
            small[0] = Described;
            small[1] = 0x53;
            small[2] = (byte)descriptor;
            return;
        }
        Span<byte> large = Room(10);
        large[0] = Described;
        large[1] = 0x80;
        BinaryPrimitives.WriteUInt64BigEndian(large[2..], descriptor);
    }

    /// <summary>Begins a described list.</summary>
    public void Begin(ulong descriptor)
    {
        Describe(descriptor);
        BeginList();
    }

    public void BeginList() => Begin((byte)0xd0);

    public void BeginMap() => Begin((byte)0xd1);

    /// <summary>Ends the innermost list or map.</summary>
    public void End()
    {
        _depth--;
        int start = _starts[_depth];
        BinaryPrimitives.WriteInt32BigEndian(_bytes.AsSpan(start), _at - start - 4);
        BinaryPrimitives.WriteInt32BigEndian(_bytes.AsSpan(start + 4), _counts[_depth]);
    }

    public void Null() => Code(0x40, 0);

    public void Boolean(bool value) => Code((byte)(value ? 0x41 : 0x42), 0);

    public void UByte(byte value) => Code(0x50, 1)[0] = value;

    public void Byte(byte value) => Code(0x51, 1)[0] = value;

    public void UShort(ushort value) => BinaryPrimitives.WriteUInt16BigEndian(Code(0x60, 2), value);

    public void UInt(uint value) => BinaryPrimitives.WriteUInt32BigEndian(Code(0x70, 4), value);

    public void Text(string value) => Bytes(0xa1, Encoding.UTF8.GetBytes(value));

    public void Symbol(string value) => Bytes(0xa3, Encoding.ASCII.GetBytes(value));

    public void Binary(ReadOnlySpan<byte> value) => Bytes(0xa0, value);

    /// <summary>Begins a binary value whose bytes are written elsewhere.</summary>
    public void BinaryBehind(int size) => BinaryPrimitives.WriteInt32BigEndian(Code(0xb0, 4), size);

    private void Begin(byte code)
    {
        Code(code, 8);
        _starts[_depth] = _at - 8;
        _counts[_depth] = 0;
        _depth++;
    }

    // Strings and bytes have a size of one byte, or of four.
    private void Bytes(byte code, ReadOnlySpan<byte> value)
    {
        if (value.Length <= byte.MaxValue)
        {
            Code(code, 1)[0] = (byte)value.Length;
        }
        else
        {
            BinaryPrimitives.WriteInt32BigEndian(Code((byte)(code + 0x10), 4), value.Length);
        }
        value.CopyTo(Room(value.Length));
    }

    // A value of the innermost list: its code, and room for the rest.
    private Span<byte> Code(byte code, int size)
    {
        if (_depth > 0)
        {
            _counts[_depth - 1]++;
        }
        Span<byte> room = Room(1 + size);
        room[0] = code;
        return room[1..];
    }

    private Span<byte> Room(int size)
    {
        if (_bytes.Length - _at < size)
        {
            Array.Resize(ref _bytes, Math.Max(2 * _bytes.Length, _at + size));
        }
        Span<byte> room = _bytes.AsSpan(_at, size);
        _at += size;
        return room;
    }
}
