using System;
using System.Buffers;
using System.Buffers.Text;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Text;
using System.Text.Unicode;

namespace Creo;

// Strings with their escapes, and bytes as digits.
internal abstract partial class TextOutput
{
    // Strings up to this length are copied character by character.
    private const int Short = 7;

    // Longer strings up to this length are checked and copied by eight.
    private const int Middling = 32;

    // The number of characters written at once.
    private const int Chunk = 1 << 20;

    /// <summary>Writes text of ASCII.</summary>
    protected void Ascii(string text)
    {
        Room(text.Length);
        _position += Encoding.ASCII.GetBytes(text, _buffer.AsSpan(_position));
    }

    /// <summary>Writes text from a character on; fails for characters that are not allowed.</summary>
    protected void Escaped(string text, Escapes escapes, int from = 0)
    {
        int length = text.Length;
        int i = from;
        if (length - from <= Short)
        {
            Room(length - from);
            ReadOnlySpan<char> source = text.AsSpan(from);
            Span<byte> target = _buffer.AsSpan(_position, source.Length);
            bool[] special = escapes.IsSpecial;
            int count = 0;
            for (; count < target.Length; count++)
            {
                char c = source[count];
                if (c >= 128 || special[c])
                {
                    break;
                }
                target[count] = (byte)c;
            }
            _position += count;
            i += count;
        }
        else if (length - from <= Middling && Plain(text.AsSpan(from), escapes))
        {
            i = length;
        }
        if (i < length)
        {
            EscapedSlowly(text, i, escapes);
        }
    }

    /// <summary>Writes the canonical form.</summary>
    protected void PutDecimal(BigDecimal value)
    {
        Room(BigDecimal.MaxPutLength);
        int count = value.Put(_buffer.AsSpan(_position, BigDecimal.MaxPutLength));
        if (count == 0)
        {
            Ascii(value.ToString());
        }
        _position += count;
    }

    protected void Base64Digits(ReadOnlySpan<byte> value)
    {
        Claim((value.Length + 2L) / 3 * 4);
        Base64.EncodeToUtf8(value, _buffer.AsSpan(_position), out _, out int written);
        _position += written;
    }

    protected void HexDigits(ReadOnlySpan<byte> value)
    {
        Claim(2L * value.Length);
        foreach (byte b in value)
        {
            _buffer[_position++] = "0123456789ABCDEF"u8[b >> 4];
            _buffer[_position++] = "0123456789ABCDEF"u8[b & 15];
        }
    }

    private void Claim(long size)
    {
        if (_position + size > _limits.MaxMessageSize)
        {
            throw TooLarge();
        }
        Room((int)size);
    }

    private void EscapedSlowly(string text, int from, Escapes escapes)
    {
        int i = from;
        while (i < text.Length)
        {
            ReadOnlySpan<char> rest = text.AsSpan(i, Math.Min(Chunk, text.Length - i));
            int plain = rest.IndexOfAnyExcept(escapes.Plain);
            plain = plain < 0 ? rest.Length : plain;
            if (plain > 0)
            {
                Room(plain);
                global::System.Text.Ascii.FromUtf16(rest[..plain], _buffer.AsSpan(_position, plain), out _);
                _position += plain;
                i += plain;
                continue;
            }
            int special = rest.IndexOfAny(escapes.Special);
            int size = special < 0 ? rest.Length : special;
            // A surrogate pair is not split.
            size -= size == rest.Length && size > 1 && i + size < text.Length && char.IsHighSurrogate(rest[size - 1]) ? 1 : 0;
            if (size == 0)
            {
                Escape(rest[0], i, escapes);
                i++;
                continue;
            }
            Room(3 * size);
            OperationStatus status = Utf8.FromUtf16(rest[..size], _buffer.AsSpan(_position), out int read, out int written, replaceInvalidSequences: false);
            if (status != OperationStatus.Done)
            {
                throw new CreoException(ErrorCode.InvalidValue, $"the text holds a lone surrogate, at character {i + read}");
            }
            _position += written;
            i += size;
        }
    }

    // Writes 8 to 32 characters if none needs an escape. They are read by eight at four overlapping positions, so no branch depends on their number.
    private bool Plain(ReadOnlySpan<char> text, Escapes escapes)
    {
        int last = text.Length - 8;
        int second = Math.Min(8, last);
        int third = Math.Min(16, last);
        Vector128<ushort> a = Eight(text, 0);
        Vector128<ushort> b = Eight(text, second);
        Vector128<ushort> c = Eight(text, third);
        Vector128<ushort> d = Eight(text, last);
        Vector128<byte> front = Vector128.Narrow(a, b);
        Vector128<byte> back = Vector128.Narrow(c, d);
        if (((a | b | c | d) & Vector128.Create((ushort)0xff80)) != Vector128<ushort>.Zero || !escapes.ArePlain(Vector256.Create(front, back)))
        {
            return false;
        }
        Room(text.Length);
        Span<byte> target = _buffer.AsSpan(_position, text.Length);
        MemoryMarshal.Write(target, front.AsUInt64()[0]);
        MemoryMarshal.Write(target[second..], front.AsUInt64()[1]);
        MemoryMarshal.Write(target[third..], back.AsUInt64()[0]);
        MemoryMarshal.Write(target[last..], back.AsUInt64()[1]);
        _position += text.Length;
        return true;
    }

    private static Vector128<ushort> Eight(ReadOnlySpan<char> text, int at) => Vector128.Create(MemoryMarshal.Cast<char, ushort>(text.Slice(at, 8)));

    private void Escape(char c, int index, Escapes escapes)
    {
        ReadOnlySpan<byte> escape = escapes.Text(c);
        if (escape.IsEmpty)
        {
            throw new CreoException(ErrorCode.InvalidValue, $"XML cannot hold the character U+{(int)c:X4}, which is at {index} of the text");
        }
        Raw(escape);
    }
}
