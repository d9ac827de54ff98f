using System;
using System.Buffers;
using System.Buffers.Text;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Unicode;

namespace Creo.Xml;

// The bytes of the text: tags, prefixes, escapes.
internal sealed partial class XmlWriter
{
    private const int FirstCapacity = 4096;

    // What stays free behind each element, so that whole words can be written.
    private const int Slack = 64;

    // Strings up to this length are copied character by character.
    private const int Short = 24;

    // So many characters are written at once.
    private const int Chunk = 1 << 20;

    private static readonly SearchValues<char> PlainInText = SearchValues.Create(Plain(attribute: false));
    private static readonly SearchValues<char> PlainInAttribute = SearchValues.Create(Plain(attribute: true));
    private static readonly SearchValues<char> Special = SearchValues.Create(Others());

    // What a character below 128 is: 0 itself, 1 escaped or refused, 2 so in attributes only.
    private static readonly byte[] Kinds = KindsOfCharacters();

    private byte[] _buffer = [];
    private int _position;
    private string[] _namespaces = [];

    // The namespace whose prefix is in the words of the tags.
    private string? _current;
    private ulong _open;
    private int _openLength;
    private ulong _close;
    private int _closeLength;

    // Whether the next element declares the prefixes.
    private bool _declares;
    private bool _xsi;

    /// <summary>What was written.</summary>
    public ReadOnlyMemory<byte> Written => _buffer.AsMemory(0, _position);

    /// <summary>A copy of what was written.</summary>
    public byte[] ToArray()
    {
        CheckSize();
        return Written.ToArray();
    }

    /// <summary>Fails if more was written than a message may have.</summary>
    public void CheckSize()
    {
        if (_position > _limits.MaxMessageSize)
        {
            throw CreoException.TooLarge("maxMessageSize", _limits.MaxMessageSize, "the message is too large to be sent");
        }
    }

    /// <summary>The next element declares the prefixes of the namespaces (XML-2).</summary>
    public void DeclareOnNext(string[] namespaces, bool xsi)
    {
        Bind(namespaces);
        _declares = true;
        _xsi = xsi;
    }

    /// <summary>Begins an envelope, up to its body (SOAP-1).</summary>
    public void BeginEnvelope<T>(string ns, TextRequest<T> request, T arguments)
    {
        Raw("<soap:Envelope xmlns:soap=\""u8);
        Ascii(ns);
        Raw("\""u8);
        Bind(request.Namespaces);
        Declarations(request.NeedsXsi);
        Raw(">"u8);
        if (request.WriteHeader is not null)
        {
            int before = _position;
            Raw("<soap:Header>"u8);
            int start = _position;
            request.WriteHeader(this, arguments);
            if (_position > start)
            {
                Raw("</soap:Header>"u8);
            }
            else
            {
                _position = before;
            }
        }
        Raw("<soap:Body>"u8);
    }

    /// <summary>Ends the body and the envelope.</summary>
    public void EndEnvelope()
    {
        Raw("</soap:Body></soap:Envelope>"u8);
        CheckSize();
    }

    /// <summary>Writes text that is XML.</summary>
    public void Raw(ReadOnlySpan<byte> text)
    {
        Room(text.Length);
        text.CopyTo(_buffer.AsSpan(_position));
        _position += text.Length;
    }

    private void Bind(string[] namespaces)
    {
        _namespaces = namespaces;
        _current = null;
    }

    private void Declarations(bool xsi)
    {
        for (int i = 0; i < _namespaces.Length; i++)
        {
            Raw(" xmlns:n"u8);
            Room(XmlNumbers.Longest);
            _position += XmlNumbers.Put(_buffer.AsSpan(_position), i + 1L);
            Raw("=\""u8);
            Escaped(_namespaces[i], attribute: true);
            Raw("\""u8);
        }
        if (xsi)
        {
            Raw(" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""u8);
        }
    }

    // Makes room for some bytes, and a little more.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Room(int size)
    {
        if (_buffer.Length - _position - Slack < size)
        {
            Grow(size);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(int size)
    {
        CheckSize();
        long wanted = Math.Max((long)_position + size + Slack, Math.Max(FirstCapacity, Math.Min(2L * _buffer.Length, Array.MaxLength)));
        if (wanted > Array.MaxLength)
        {
            throw CreoException.TooLarge("maxMessageSize", _limits.MaxMessageSize, "the message is too large to be sent");
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

    // The prefix of a namespace, without its colon; null if the message has none for it.
    private string? Prefix(string ns)
    {
        if (ReferenceEquals(ns, XmlName.None))
        {
            return "";
        }
        if (ReferenceEquals(ns, XmlName.XmlSpace))
        {
            return "xml";
        }
        int index = Array.IndexOf(_namespaces, ns);
        return index < 0 ? null : string.Create(null, $"n{index + 1}");
    }

    private void Select(string ns)
    {
        string prefix = Prefix(ns) ?? throw new InvalidOperationException($"the namespace {ns} is not among those of the message");
        Span<byte> open = stackalloc byte[8];
        Span<byte> close = stackalloc byte[8];
        open.Clear();
        close.Clear();
        string colon = prefix.Length == 0 ? "" : ":";
        _openLength = Encoding.ASCII.GetBytes($"<{prefix}{colon}", open);
        _closeLength = Encoding.ASCII.GetBytes($"</{prefix}{colon}", close);
        _open = MemoryMarshal.Read<ulong>(open);
        _close = MemoryMarshal.Read<ulong>(close);
        _current = ns;
    }

    // Writes a start tag; behind it there is room for some bytes and its end tag.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Start(XmlName name, int room)
    {
        Room(2 * name.Bytes.Length + 32 + room);
        if (_declares)
        {
            StartFirst(name, room);
            return;
        }
        if (!ReferenceEquals(name.Namespace, _current))
        {
            Select(name.Namespace);
        }
        PutTag(name, _open, _openLength);
    }

    private void StartFirst(XmlName name, int room)
    {
        StartOpen(name);
        Raw(">"u8);
        Room(2 * name.Bytes.Length + 32 + room);
    }

    // Writes a start tag that stays open for attributes.
    private void StartOpen(XmlName name)
    {
        Room(name.Bytes.Length + 32);
        if (!ReferenceEquals(name.Namespace, _current))
        {
            Select(name.Namespace);
        }
        PutTag(name, _open, _openLength);
        _position--;
        if (_declares)
        {
            _declares = false;
            Declarations(_xsi);
        }
    }

    // Writes an end tag where there is room.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void End(XmlName name)
    {
        if (!ReferenceEquals(name.Namespace, _current))
        {
            Select(name.Namespace);
        }
        PutTag(name, _close, _closeLength);
    }

    private void EndTag(XmlName name)
    {
        Room(name.Bytes.Length + 16);
        End(name);
    }

    // Whole words are written, up to seven bytes too many each: they lie in the room that is kept free.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void PutTag(XmlName name, ulong lead, int leadLength)
    {
        // The span is the bounds check of all that follows.
        ref byte target = ref MemoryMarshal.GetReference(_buffer.AsSpan(_position, leadLength + name.Bytes.Length + 24));
        Unsafe.WriteUnaligned(ref target, lead);
        target = ref Unsafe.Add(ref target, leadLength);
        ulong[] words = name.Tag;
        for (int i = 0; i < words.Length; i++)
        {
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, 8 * i), words[i]);
        }
        _position += leadLength + name.Bytes.Length + 1;
    }

    private void NilElement(XmlName name)
    {
        StartOpen(name);
        Raw(" xsi:nil=\"true\">"u8);
        EndTag(name);
    }

    // Writes the name and the first quote of an attribute.
    private void StartAttribute(XmlName name)
    {
        string prefix = Prefix(name.Namespace) ?? throw new InvalidOperationException($"the namespace {name.Namespace} is not among those of the message");
        Raw(" "u8);
        PutPrefix(prefix);
        Raw(name.Bytes);
        Raw("=\""u8);
    }

    private void PutPrefix(string prefix)
    {
        if (prefix.Length > 0)
        {
            Ascii(prefix);
            Raw(":"u8);
        }
    }

    private void Ascii(string text)
    {
        Room(text.Length);
        _position += Encoding.ASCII.GetBytes(text, _buffer.AsSpan(_position));
    }

    // Writes text with its escapes (XML-12); fails for what XML cannot hold.
    private void Escaped(string text, bool attribute)
    {
        int length = text.Length;
        int i = 0;
        if (length <= Short)
        {
            Room(length);
            Span<byte> target = _buffer.AsSpan(_position, length);
            byte[] kinds = Kinds;
            int most = attribute ? 0 : 2;
            for (; i < target.Length; i++)
            {
                char c = text[i];
                if (c >= 128 || (kinds[c] != 0 && kinds[c] != most))
                {
                    break;
                }
                target[i] = (byte)c;
            }
            _position += i;
        }
        if (i < length)
        {
            EscapedSlowly(text, i, attribute);
        }
    }

    private void EscapedSlowly(string text, int from, bool attribute)
    {
        int i = from;
        while (i < text.Length)
        {
            ReadOnlySpan<char> rest = text.AsSpan(i, Math.Min(Chunk, text.Length - i));
            int plain = rest.IndexOfAnyExcept(attribute ? PlainInAttribute : PlainInText);
            plain = plain < 0 ? rest.Length : plain;
            if (plain > 0)
            {
                Room(plain);
                System.Text.Ascii.FromUtf16(rest[..plain], _buffer.AsSpan(_position), out int ascii);
                _position += ascii;
                i += plain;
                continue;
            }
            if (rest[0] < 128)
            {
                Escape(rest[0], i);
                i++;
                continue;
            }
            int special = rest.IndexOfAny(Special);
            int size = special < 0 ? rest.Length : special;
            // A pair is not cut in two.
            size -= size == rest.Length && size > 1 && i + size < text.Length && char.IsHighSurrogate(rest[size - 1]) ? 1 : 0;
            if (size == 0)
            {
                throw Forbidden(rest[0], i);
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

    private void Escape(char c, int index)
    {
        Raw(c switch
        {
            '&' => "&amp;"u8,
            '<' => "&lt;"u8,
            '>' => "&gt;"u8,
            '"' => "&quot;"u8,
            '\r' => "&#13;"u8,
            '\n' => "&#10;"u8,
            '\t' => "&#9;"u8,
            _ => throw Forbidden(c, index),
        });
    }

    private static CreoException Forbidden(char c, int index) =>
        new(ErrorCode.InvalidValue, $"XML cannot hold the character U+{(int)c:X4}, which is at {index} of the text");

    private void Base64Digits(ReadOnlySpan<byte> value)
    {
        long size = (value.Length + 2L) / 3 * 4;
        if (_position + size > _limits.MaxMessageSize)
        {
            throw CreoException.TooLarge("maxMessageSize", _limits.MaxMessageSize, "the message is too large to be sent");
        }
        Room((int)size);
        Base64.EncodeToUtf8(value, _buffer.AsSpan(_position), out _, out int written);
        _position += written;
    }

    private void HexDigits(ReadOnlySpan<byte> value)
    {
        if (_position + 2L * value.Length > _limits.MaxMessageSize)
        {
            throw CreoException.TooLarge("maxMessageSize", _limits.MaxMessageSize, "the message is too large to be sent");
        }
        Room(2 * value.Length);
        foreach (byte b in value)
        {
            _buffer[_position++] = "0123456789ABCDEF"u8[b >> 4];
            _buffer[_position++] = "0123456789ABCDEF"u8[b & 15];
        }
    }

    private static byte[] KindsOfCharacters()
    {
        byte[] kinds = new byte[128];
        kinds.AsSpan(0, 32).Fill(1);
        foreach (char c in "&<>")
        {
            kinds[c] = 1;
        }
        foreach (char c in "\"\t\n")
        {
            kinds[c] = 2;
        }
        return kinds;
    }

    private static string Plain(bool attribute)
    {
        var plain = new StringBuilder();
        byte[] kinds = KindsOfCharacters();
        for (char c = (char)0; c < 128; c++)
        {
            if (kinds[c] == 0 || (kinds[c] == 2 && !attribute))
            {
                plain.Append(c);
            }
        }
        return plain.ToString();
    }

    // Where a run of text ends that is written without a look at each character.
    private static string Others()
    {
        var others = new StringBuilder("&<>\"\ufffe\uffff");
        for (char c = (char)0; c < 32; c++)
        {
            others.Append(c);
        }
        return others.ToString();
    }
}
