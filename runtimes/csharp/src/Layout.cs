using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using System.Threading;

namespace Creo;

/// <summary>The kind of a <see cref="Layout"/>.</summary>
public enum LayoutKind
{
    Boolean,
    Byte,
    Short,
    Char,
    Int,
    Long,
    Float,
    Double,
    String,
    DateTime,
    Decimal,
    Bytes,
    Array,
    Optional,
    Map,
    Struct,
    Enum,
    Union,
}

/// <summary>A field of a struct or exception, a member of a union, a constant of an enum, or a parameter.</summary>
/// <param name="Name">Its name in the description.</param>
/// <param name="Layout">Its type; null for a constant.</param>
/// <param name="Number">The number of a constant; the index of any other.</param>
/// <param name="Required">Whether a missing field of an extensible type is <c>malformed</c> (MODEL-11).</param>
public sealed record LayoutMember(string Name, Layout? Layout, int Number, bool Required);

/// <summary>A type with the description's names: for messages and tools, never for reading or writing.</summary>
public sealed class Layout
{
    private readonly Lazy<LayoutMember[]> _members;

    private Layout(
        LayoutKind kind, string name, bool extensible, bool recursive, Layout? key, Layout? item, Func<LayoutMember[]>? members)
    {
        Kind = kind;
        Name = name;
        IsExtensible = extensible;
        IsRecursive = recursive;
        Key = key;
        Item = item;
        _members = new(members ?? (static () => []), LazyThreadSafetyMode.PublicationOnly);
    }

    public static Layout Boolean { get; } = new(LayoutKind.Boolean, "boolean", false, false, null, null, null);

    public static Layout Byte { get; } = new(LayoutKind.Byte, "byte", false, false, null, null, null);

    public static Layout Short { get; } = new(LayoutKind.Short, "short", false, false, null, null, null);

    public static Layout Char { get; } = new(LayoutKind.Char, "char", false, false, null, null, null);

    public static Layout Int { get; } = new(LayoutKind.Int, "int", false, false, null, null, null);

    public static Layout Long { get; } = new(LayoutKind.Long, "long", false, false, null, null, null);

    public static Layout Float { get; } = new(LayoutKind.Float, "float", false, false, null, null, null);

    public static Layout Double { get; } = new(LayoutKind.Double, "double", false, false, null, null, null);

    public static Layout String { get; } = new(LayoutKind.String, "String", false, false, null, null, null);

    public static Layout DateTime { get; } = new(LayoutKind.DateTime, "DateTime", false, false, null, null, null);

    public static Layout Decimal { get; } = new(LayoutKind.Decimal, "Decimal", false, false, null, null, null);

    public static Layout Bytes { get; } = new(LayoutKind.Bytes, "byte[]", false, false, null, null, null);

    public LayoutKind Kind { get; }

    /// <summary>The full name of a declared type, or the description's word for another.</summary>
    public string Name { get; }

    public bool IsExtensible { get; }

    public bool IsRecursive { get; }

    /// <summary>The keys of a map.</summary>
    public Layout? Key { get; }

    /// <summary>The items of an array, the value of an optional, the values of a map.</summary>
    public Layout? Item { get; }

    /// <summary>Fields, members or constants, in declared order.</summary>
    public IReadOnlyList<LayoutMember> Members => _members.Value;

    public static Layout Array(Layout item) => new(LayoutKind.Array, item.Name + "[]", false, false, null, item, null);

    public static Layout Optional(Layout item) => new(LayoutKind.Optional, item.Name + "?", false, false, null, item, null);

    public static Layout Map(Layout key, Layout value) => new(LayoutKind.Map, $"Map<{key.Name},{value.Name}>", false, false, key, value, null);

    /// <summary>A struct, an exception, or the parameters of a method.</summary>
    public static Layout Struct(string name, Func<LayoutMember[]> fields, bool extensible = false, bool recursive = false) =>
        new(LayoutKind.Struct, name, extensible, recursive, null, null, fields);

    public static Layout Union(string name, Func<LayoutMember[]> members, bool extensible = false, bool recursive = false) =>
        new(LayoutKind.Union, name, extensible, recursive, null, null, members);

    public static Layout Enum(string name, Func<LayoutMember[]> constants, bool extensible = false) =>
        new(LayoutKind.Enum, name, extensible, false, null, null, constants);
}

/// <summary>Finds where in a value a failure is (BIN-15).</summary>
/// <remarks>
/// Reading and writing do not track the path, which would slow down every call for the few that fail. After a failure, the bytes are parsed again by
/// their layout, slowly and with all rules of the wire, up to the first invalid value. For a value that cannot be written, the bytes are those
/// written before it: it is the value at which they end.
/// </remarks>
internal sealed class Locator
{
    /// <summary>The size of a region that is still being written; no region is that large.</summary>
    public const uint OpenRegion = uint.MaxValue;

    /// <summary>The subject of an error for duplicate keys of a map.</summary>
    public const string TwiceTheSameKey = "a key";

    /// <summary>The subject of an error for a body that is too large for its memory.</summary>
    public const string Body = "the body";

    private readonly byte[] _bytes;
    private readonly string? _subject;
    private readonly long? _hint;
    private readonly bool _writing;
    private readonly List<(char Kind, string? Name, int Index)> _path = [];
    private int _position;
    private int _end;
    private int _depthLeft;

    private Locator(ReadOnlySpan<byte> bytes, CreoException error, int maxDepth, bool writing)
    {
        _bytes = bytes.ToArray();
        _subject = error.Subject;
        _hint = error.Offset;
        _writing = writing;
        _end = bytes.Length;
        _depthLeft = maxDepth;
    }

    /// <summary>The same error with the path of the value that could not be read from its start, and the offset.</summary>
    public static CreoException InBytes(CreoException error, Layout layout, ReadOnlySpan<byte> bytes, Limits limits, string root, int start = 0)
    {
        if (error.Subject == Body)
        {
            return error.At(root, 0);
        }
        var locator = new Locator(bytes, error, limits.MaxDepth, writing: false) { _position = start };
        locator.Walk(layout);
        return error.At(root + locator.Place(), locator._position);
    }

    /// <summary>The same error with the path of the value that could not be written after these bytes.</summary>
    public static CreoException InValue(CreoException error, Layout layout, ReadOnlySpan<byte> bytes, string root)
    {
        // A value that is nested too deeply is found by its type.
        var locator = new Locator(bytes, error, int.MaxValue, writing: true);
        locator.Walk(layout);
        return error.At(root + locator.Place(), null);
    }

    private string Place()
    {
        var place = new StringBuilder();
        foreach ((char kind, string? name, int index) in _path)
        {
            switch (kind)
            {
                case '.': place.Append('.').Append(name); break;
                case '[': place.Append(CultureInfo.InvariantCulture, $"[{index}]"); break;
                default: place.Append(CultureInfo.InvariantCulture, $"{{{index}}}"); break;
            }
        }
        return place.ToString();
    }

    // Each method returns false at the first invalid value: the path then leads to it, and the position is that of the byte.
    private bool Walk(Layout layout)
    {
        if (_writing && _position == _end && layout.Name == _subject)
        {
            return false;
        }
        if (layout.IsRecursive && --_depthLeft < 0)
        {
            return false;
        }
        bool right = layout.Kind switch
        {
            LayoutKind.Boolean => Flag(),
            LayoutKind.Byte => Skip(1),
            LayoutKind.Short or LayoutKind.Char => Skip(2),
            LayoutKind.Int or LayoutKind.Float => Skip(4),
            LayoutKind.Long or LayoutKind.Double => Skip(8),
            LayoutKind.String => Text(),
            LayoutKind.DateTime => Time(),
            LayoutKind.Decimal => Decimal(),
            LayoutKind.Bytes => Count(out int count) && Skip(count),
            LayoutKind.Array => Items(layout.Item!),
            LayoutKind.Optional => Optional(layout.Item!),
            LayoutKind.Map => Entries(layout.Key!, layout.Item!),
            LayoutKind.Struct => layout.IsExtensible ? InRegion(exactly: false, () => Fields(layout)) : Fields(layout),
            LayoutKind.Enum => Constant(layout),
            LayoutKind.Union => Member(layout),
            _ => throw new ArgumentOutOfRangeException(nameof(layout)),
        };
        if (right && layout.IsRecursive)
        {
            _depthLeft++;
        }
        return right;
    }

    private bool Step(char kind, string? name, int index, Layout layout)
    {
        _path.Add((kind, name, index));
        if (!Walk(layout))
        {
            return false;
        }
        _path.RemoveAt(_path.Count - 1);
        return true;
    }

    private bool Skip(int size)
    {
        if (_end - _position < size)
        {
            return false;
        }
        _position += size;
        return true;
    }

    private bool Flag()
    {
        if (_position < _end && _bytes[_position] > 1)
        {
            return false;
        }
        return Skip(1);
    }

    private bool Number(out int number)
    {
        number = 0;
        long value = 0;
        for (int i = 0; i < 5 && _position + i < _end; i++)
        {
            byte next = _bytes[_position + i];
            value |= (long)(next & 0x7f) << (7 * i);
            if (next < 0x80)
            {
                if ((next == 0 && i > 0) || value > int.MaxValue)
                {
                    return false;
                }
                number = (int)value;
                _position += i + 1;
                return true;
            }
        }
        return false;
    }

    // A count that exceeds the bytes, or the budget of empty items or memory, was reported with its offset.
    private bool Count(out int count)
    {
        int start = _position;
        if (Number(out count) && start != _hint)
        {
            return true;
        }
        _position = start;
        return false;
    }

    private bool Text()
    {
        if (!Count(out int size))
        {
            return false;
        }
        int textEnd = _position + Math.Min(size, _end - _position);
        while (_position < textEnd)
        {
            if (Rune.DecodeFromUtf8(_bytes.AsSpan(_position, textEnd - _position), out _, out int consumed) != OperationStatus.Done)
            {
                return false;
            }
            _position += consumed;
        }
        return true;
    }

    private bool Time()
    {
        if (_end - _position < 12)
        {
            return false;
        }
        if (BinaryPrimitives.ReadInt64BigEndian(_bytes.AsSpan(_position)) is < Instant.MinSeconds or > Instant.MaxSeconds)
        {
            return false;
        }
        _position += 8;
        return BinaryPrimitives.ReadUInt32BigEndian(_bytes.AsSpan(_position)) < Instant.NanosecondsPerSecond && Skip(4);
    }

    private bool Decimal()
    {
        int start = _position;
        if (Count(out int size) && size <= _end - _position && BigDecimal.TryParseCanonical(_bytes.AsSpan(_position, size), out _))
        {
            return Skip(size);
        }
        _position = start;
        return false;
    }

    private bool Optional(Layout item)
    {
        int start = _position;
        if (!Flag())
        {
            return false;
        }
        if (_bytes[start] == 0)
        {
            return true;
        }
        // The charge of its value was reported with the offset of the flag.
        if (start == _hint)
        {
            _position = start;
            return false;
        }
        return Walk(item);
    }

    private bool Items(Layout item)
    {
        if (!Count(out int count))
        {
            return false;
        }
        for (int i = 0; i < count; i++)
        {
            if (!Step('[', null, i, item))
            {
                return false;
            }
        }
        return true;
    }

    private bool Entries(Layout key, Layout value)
    {
        if (!Count(out int count))
        {
            return false;
        }
        // Equal keys have equal bytes. They are kept only if duplicates are searched.
        HashSet<string>? keys = _subject == TwiceTheSameKey ? new(StringComparer.Ordinal) : null;
        for (int i = 0; i < count; i++)
        {
            int start = _position;
            _path.Add(('{', null, i));
            if (!Step('.', "key", 0, key))
            {
                return false;
            }
            if (keys is not null && !keys.Add(Encoding.Latin1.GetString(_bytes, start, _position - start)))
            {
                _path.Add(('.', "key", 0));
                _position = start;
                return false;
            }
            if (!Step('.', "value", 0, value))
            {
                return false;
            }
            _path.RemoveAt(_path.Count - 1);
        }
        return true;
    }

    private bool Fields(Layout layout)
    {
        foreach (LayoutMember field in layout.Members)
        {
            // If a region ends before a field, that field and all later ones are missing. While a value is written, it ends in the middle.
            if (layout.IsExtensible && _position == _end && !field.Required && !_writing)
            {
                continue;
            }
            if (!Step('.', field.Name, 0, field.Layout!))
            {
                return false;
            }
        }
        return true;
    }

    private bool InRegion(bool exactly, Func<bool> walk)
    {
        int start = _position;
        if (!Skip(4))
        {
            return false;
        }
        uint size = BinaryPrimitives.ReadUInt32BigEndian(_bytes.AsSpan(start));
        int outer = _end;
        if (!(_writing && size == OpenRegion))
        {
            if (size > (uint)(_end - _position))
            {
                _position = start;
                return false;
            }
            _end = _position + (int)size;
        }
        if (!walk() || (exactly && _position != _end))
        {
            return false;
        }
        _position = _end;
        _end = outer;
        return true;
    }

    private bool Constant(Layout layout)
    {
        int start = _position;
        if (Number(out int number) && (layout.IsExtensible || Find(layout, number) is not null))
        {
            return true;
        }
        _position = start;
        return false;
    }

    private bool Member(Layout layout)
    {
        int start = _position;
        if (!Number(out int index))
        {
            return false;
        }
        // As for optionals.
        if (start == _hint)
        {
            _position = start;
            return false;
        }
        LayoutMember? member = Find(layout, index);
        if (layout.IsExtensible)
        {
            return InRegion(
                exactly: member is not null,
                () => member is null || Step('.', member.Name, 0, member.Layout!));
        }
        if (member is null)
        {
            _position = start;
            return false;
        }
        return Step('.', member.Name, 0, member.Layout!);
    }

    private static LayoutMember? Find(Layout layout, int number)
    {
        foreach (LayoutMember member in layout.Members)
        {
            if (member.Number == number)
            {
                return member;
            }
        }
        return null;
    }
}
