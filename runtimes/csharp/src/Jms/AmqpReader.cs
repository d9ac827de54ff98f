using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Text;

namespace Creo.Jms;

/// <summary>Reads values of AMQP 1.0. Unknown values are skipped by their size, without allocating or parsing.</summary>
/// <remarks>
/// In a list or map, a null value and an omitted one are the same: the reading methods return null. A value of an unexpected type is malformed.
/// </remarks>
internal ref struct AmqpReader
{
    // The max nesting of descriptions.
    private const int MaxDepth = 16;
    private const byte Described = 0x00;
    private const byte Null = 0x40;

    private static readonly UTF8Encoding Utf8 = new(false, throwOnInvalidBytes: true);

    private readonly ReadOnlySpan<byte> _bytes;
    private int _at;

    // The values left in the innermost list or map; unlimited outside.
    private int _left = int.MaxValue;

    public AmqpReader(ReadOnlySpan<byte> bytes) => _bytes = bytes;

    /// <summary>The start of the next value.</summary>
    public readonly int Position => _at;

    public readonly bool IsAtEnd => _at == _bytes.Length;

    /// <summary>Whether the innermost list or map has no more values.</summary>
    public readonly bool IsListAtEnd => _left == 0;

    /// <summary>A list or map being read.</summary>
    /// <param name="End">Its end.</param>
    /// <param name="Outer">The values left in the enclosing one.</param>
    public readonly record struct Scope(int End, int Outer);

    /// <summary>Whether the next value exists and is not null; skips a null.</summary>
    public bool Has()
    {
        if (_left == 0)
        {
            return false;
        }
        if (Peek() != Null)
        {
            return true;
        }
        _left--;
        _at++;
        return false;
    }

    /// <summary>The descriptor of the next value, which must have one.</summary>
    public ulong ReadDescriptor()
    {
        if (Byte() != Described)
        {
            throw Amqp.Malformed("a value without a description, where one must be");
        }
        return Byte() switch
        {
            0x44 => 0,
            0x53 => Byte(),
            0x80 => BinaryPrimitives.ReadUInt64BigEndian(Take(8)),
            0xa3 => Amqp.NumberOf(Take(Byte())),
            0xb3 => Amqp.NumberOf(Take(Size())),
            var code => throw Amqp.Malformed($"a description of the type 0x{code:x2}"),
        };
    }

    /// <summary>Begins the next list, which is a value of the enclosing one.</summary>
    public Scope BeginList() => Begin(Byte() switch
    {
        0x45 => (0, 0),
        0xc0 => (Byte(), 1),
        0xd0 => (Size(), 4),
        var code => throw Amqp.Malformed($"a value of the type 0x{code:x2}, where a list must be"),
    });

    /// <summary>Begins the next map: keys and values in turn.</summary>
    public Scope BeginMap()
    {
        Scope scope = Begin(Byte() switch
        {
            0xc1 => (Byte(), 1),
            0xd1 => (Size(), 4),
            var code => throw Amqp.Malformed($"a value of the type 0x{code:x2}, where a map must be"),
        });
        return _left % 2 == 0 ? scope : throw Amqp.Malformed("a map with a key and no value");
    }

    /// <summary>Ends a list or map, skipping the rest of it.</summary>
    public void End(Scope scope)
    {
        if (_at > scope.End || (_left == 0 && _at != scope.End))
        {
            throw Amqp.Malformed("a list or map that is not as long as it says");
        }
        _at = scope.End;
        _left = scope.Outer;
    }

    public bool? ReadBoolean()
    {
        if (!Has())
        {
            return null;
        }
        _left--;
        return Byte() switch
        {
            0x41 => true,
            0x42 => false,
            0x56 => Byte() switch
            {
                0 => false,
                1 => true,
                var value => throw Amqp.Malformed($"a truth value {value}"),
            },
            var code => throw Amqp.Malformed($"a value of the type 0x{code:x2}, where true or false must be"),
        };
    }

    public uint? ReadUInt()
    {
        if (!Has())
        {
            return null;
        }
        _left--;
        return Byte() switch
        {
            0x43 => 0,
            0x50 or 0x52 => Byte(),
            0x60 => BinaryPrimitives.ReadUInt16BigEndian(Take(2)),
            0x70 => BinaryPrimitives.ReadUInt32BigEndian(Take(4)),
            var code => throw Amqp.Malformed($"a value of the type 0x{code:x2}, where a number of 32 bits must be"),
        };
    }

    public ulong? ReadULong()
    {
        if (!Has())
        {
            return null;
        }
        switch (Peek())
        {
            case 0x44:
                Skip();
                return 0;
            case 0x53:
                _left--;
                _at++;
                return Byte();
            case 0x80:
                _left--;
                _at++;
                return BinaryPrimitives.ReadUInt64BigEndian(Take(8));
            default:
                return ReadUInt();
        }
    }

    /// <summary>A string or symbol of at most <paramref name="max"/> bytes.</summary>
    public string? ReadText(int max)
    {
        if (!Has())
        {
            return null;
        }
        byte code = Peek();
        return IsText(code) ? TakeText(max) : throw Amqp.Malformed($"a value of the type 0x{code:x2}, where a text must be");
    }

    /// <summary>A string or symbol, or a boolean as text; null for anything else, which is skipped.</summary>
    public string? ReadTextIfAny(int max)
    {
        if (!Has())
        {
            return null;
        }
        byte code = Peek();
        if (IsText(code))
        {
            return TakeText(max);
        }
        if (code is 0x41 or 0x42 or 0x56)
        {
            return ReadBoolean() == true ? "true" : "false";
        }
        Skip();
        return null;
    }

    /// <summary>The range of a string or bytes; null for none.</summary>
    public Range? ReadBytes()
    {
        if (!Has())
        {
            return null;
        }
        byte code = Peek();
        if (code is not (0xa0 or 0xb0 or 0xa1 or 0xb1))
        {
            throw Amqp.Malformed($"a value of the type 0x{code:x2}, where bytes must be");
        }
        _left--;
        _at++;
        int size = code is 0xa0 or 0xa1 ? Byte() : Size();
        int start = _at;
        Take(size);
        return start.._at;
    }

    /// <summary>A symbol, or an array of at most <paramref name="max"/> symbols.</summary>
    public List<string> ReadSymbols(int max)
    {
        List<string> all = [];
        if (!Has())
        {
            return all;
        }
        byte code = Peek();
        if (IsText(code))
        {
            all.Add(TakeText(byte.MaxValue));
            return all;
        }
        if (code is not (0xe0 or 0xf0))
        {
            throw Amqp.Malformed($"a value of the type 0x{code:x2}, where symbols must be");
        }
        _left--;
        _at++;
        int size = code == 0xe0 ? Byte() : Size();
        int end = _at + Checked(size);
        int count = code == 0xe0 ? Byte() : Count();
        byte item = Byte();
        if (count > max || item is not (0xa3 or 0xb3))
        {
            throw Amqp.Malformed("an array that is not one of a few symbols");
        }
        for (int i = 0; i < count; i++)
        {
            all.Add(Text(Take(item == 0xa3 ? Byte() : Size())));
        }
        return _at == end ? all : throw Amqp.Malformed("an array that is not as long as it says");
    }

    /// <summary>Skips the next value, if there is one.</summary>
    public void Skip()
    {
        if (_left == 0)
        {
            return;
        }
        _left--;
        // A described value is two values, which may be described themselves.
        int values = 1;
        for (int depth = 0; values > 0; values--)
        {
            byte code = Byte();
            if (code == Described)
            {
                if (++depth > MaxDepth)
                {
                    throw Amqp.Malformed("descriptions are nested too deeply");
                }
                values += 2;
                continue;
            }
            _ = (code >> 4) switch
            {
                0x4 => Take(0),
                0x5 => Take(1),
                0x6 => Take(2),
                0x7 => Take(4),
                0x8 => Take(8),
                0x9 => Take(16),
                0xa or 0xc or 0xe => Take(Byte()),
                0xb or 0xd or 0xf => Take(Size()),
                _ => throw Amqp.Malformed($"a value of the type 0x{code:x2}, which there is not"),
            };
        }
    }

    private static bool IsText(byte code) => code is 0xa1 or 0xb1 or 0xa3 or 0xb3;

    private static string Text(ReadOnlySpan<byte> bytes)
    {
        try
        {
            return Utf8.GetString(bytes);
        }
        catch (DecoderFallbackException)
        {
            throw Amqp.Malformed("a text that is not UTF-8");
        }
    }

    private Scope Begin((int Size, int CountSize) list)
    {
        int end = _at + Checked(list.Size);
        int count = list.CountSize switch
        {
            0 => 0,
            1 => Byte(),
            _ => Count(),
        };
        // Each value takes at least one byte.
        if (_at > end || count > end - _at)
        {
            throw Amqp.Malformed("a list or map of more values than it has bytes");
        }
        var scope = new Scope(end, _left == int.MaxValue ? _left : _left - 1);
        _left = count;
        return scope;
    }

    private string TakeText(int max)
    {
        _left--;
        byte code = Byte();
        int size = code is 0xa1 or 0xa3 ? Byte() : Size();
        return size <= max ? Text(Take(size)) : throw Amqp.Malformed($"a text of {size} bytes, where {max} may be");
    }

    private readonly byte Peek() => _at < _bytes.Length ? _bytes[_at] : throw TooShort();

    private byte Byte() => _at < _bytes.Length ? _bytes[_at++] : throw TooShort();

    private int Size() => Checked(BinaryPrimitives.ReadUInt32BigEndian(Take(4)));

    private int Count()
    {
        uint count = BinaryPrimitives.ReadUInt32BigEndian(Take(4));
        return count <= (uint)(_bytes.Length - _at) ? (int)count : throw TooShort();
    }

    private readonly int Checked(long size) => size <= _bytes.Length - _at ? (int)size : throw TooShort();

    private ReadOnlySpan<byte> Take(int size)
    {
        ReadOnlySpan<byte> taken = _bytes.Slice(_at, Checked(size));
        _at += size;
        return taken;
    }

    private static CreoException TooShort() => Amqp.Malformed("a value that is longer than what holds it");
}
