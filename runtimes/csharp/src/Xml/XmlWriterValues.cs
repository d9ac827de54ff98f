using System;
using System.Collections.Generic;
using System.Text;

namespace Creo.Xml;

// Single values, and arrays of primitives.
internal sealed partial class XmlWriter
{
    // The min size of bytes that become a MIME part (SOAP-21).
    private const int MinPart = 1024;

    public override void WriteBoolean(TextField field, bool value)
    {
        Lead(field, TextNumbers.MaxLength);
        _position += TextNumbers.Put(_buffer.AsSpan(_position), value);
        Trail(field);
    }

    public override void WriteChar(TextField field, char value) => WriteInt64(field, value);

    public override void WriteInt64(TextField field, long value)
    {
        Lead(field, TextNumbers.MaxLength);
        _position += TextNumbers.Put(_buffer.AsSpan(_position), value);
        Trail(field);
    }

    public override void WriteSingle(TextField field, float value)
    {
        Lead(field, TextNumbers.MaxLength);
        _position += TextNumbers.Put(_buffer.AsSpan(_position), value);
        Trail(field);
    }

    public override void WriteDouble(TextField field, double value)
    {
        Lead(field, TextNumbers.MaxLength);
        _position += TextNumbers.Put(_buffer.AsSpan(_position), value);
        Trail(field);
    }

    public override void WriteString(TextField field, string value)
    {
        if (value is null)
        {
            throw Missing(field);
        }
        _failed = field;
        if (field.IsQualifiedName)
        {
            WriteName(field, value);
            _failed = null;
            return;
        }
        Lead(field, 0);
        if (field.Place == TextPlace.Listed)
        {
            CheckListed(value);
        }
        Escaped(value, field.Place == TextPlace.Attribute || (_quoted && field.Place == TextPlace.Listed) ? Escapes.XmlAttribute : Escapes.XmlText);
        LongTrail(field);
        _failed = null;
    }

    public override void WriteInstant(TextField field, Instant value)
    {
        Lead(field, TextNumbers.MaxLength);
        _position += TextTimes.Put(_buffer.AsSpan(_position), value);
        Trail(field);
    }

    public override void WriteDecimal(TextField field, BigDecimal value)
    {
        Lead(field, 0);
        PutDecimal(value);
        LongTrail(field);
    }

    public override void WriteBytes(TextField field, ReadOnlyMemory<byte> value)
    {
        _failed = field;
        Lead(field, 0);
        if (field.IsHex)
        {
            HexDigits(value.Span);
        }
        else if (_parts is not null && value.Length >= MinPart && field.Place is TextPlace.Element or TextPlace.Text)
        {
            Raw("<xop:Include xmlns:xop=\"http://www.w3.org/2004/08/xop/include\" href=\"cid:"u8);
            Room(TextNumbers.MaxLength);
            _position += TextNumbers.Put(_buffer.AsSpan(_position), (long)_parts.Count);
            Raw("@creo\"></xop:Include>"u8);
            _parts.Add(value);
        }
        else
        {
            Base64Digits(value.Span);
        }
        LongTrail(field);
        _failed = null;
    }

    public override void WriteEnum(TextField field, TextEnum type, int number)
    {
        byte[]? text = type.Text(number);
        _failed = field;
        if (text is null)
        {
            if (!type.IsExtensible || number < 0)
            {
                throw CreoException.Undeclared(type.Name, number);
            }
            Lead(field, TextNumbers.MaxLength);
            _buffer[_position++] = (byte)'#';
            _position += TextNumbers.Put(_buffer.AsSpan(_position), (long)number);
            Trail(field);
        }
        else if (type.IsSpecial)
        {
            WriteString(field, Encoding.UTF8.GetString(text));
        }
        else
        {
            Lead(field, text.Length);
            text.CopyTo(_buffer, _position);
            _position += text.Length;
            Trail(field);
        }
        _failed = null;
    }

    public override void WriteRaw(TextField field, string value)
    {
        if (value is null)
        {
            throw Missing(field);
        }
        _failed = field;
        if (_declares)
        {
            throw new InvalidOperationException("a value alone is not a whole element");
        }
        Raw(Checked(field, value, _limits));
        _failed = null;
    }

    public override void WriteAttributes(TextField field, ValueMap<string, string> value)
    {
        if (value is null)
        {
            throw Missing(field);
        }
        _failed = field;
        List<string> own = [];
        foreach (KeyValuePair<string, string> entry in value.Entries)
        {
            if (entry.Value is null)
            {
                throw Missing(field);
            }
            WriteAttribute(entry.Key, entry.Value, own);
        }
        _failed = null;
    }

    public override void WriteAttributeMap(TextField field, ValueMap<string, string> value)
    {
    }

    protected override void WriteAll<T>(TextField field, ReadOnlySpan<T> items)
    {
        TextField item = BeginItems(field, items.Length);
        foreach (T value in items)
        {
            Lead(item, TextNumbers.MaxLength);
            _position += TextNumbers.Put(_buffer.AsSpan(_position), value);
            Trail(item);
        }
        EndItems(field);
    }

    // Writes what precedes a value, with room for the value and what follows.
    private void Lead(TextField field, int room)
    {
        if (field.Place == TextPlace.Element)
        {
            Start(field, room);
            return;
        }
        if (field.Place == TextPlace.Listed)
        {
            Room(room + 1);
            if (!_first)
            {
                _buffer[_position++] = (byte)' ';
            }
            _first = false;
        }
        else if (field.Place == TextPlace.Attribute)
        {
            StartAttribute(field.Xml);
            Room(room + 1);
        }
        else
        {
            Room(room);
        }
    }

    // Writes what follows a value.
    private void Trail(TextField field)
    {
        if (field.Place == TextPlace.Element)
        {
            End(field.Xml);
        }
        else if (field.Place == TextPlace.Attribute)
        {
            _buffer[_position++] = (byte)'"';
        }
    }

    // As above, after a value of any length.
    private void LongTrail(TextField field)
    {
        Room(field.Xml.Bytes.Length + 16);
        Trail(field);
    }

    internal static void CheckListed(string value)
    {
        if (value.Length == 0)
        {
            throw new CreoException(ErrorCode.InvalidValue, "an item of a list is empty");
        }
        if (value.AsSpan().IndexOfAny(" \t\r\n") >= 0)
        {
            throw new CreoException(ErrorCode.InvalidValue, "an item of a list holds white space");
        }
    }

    /// <summary>The bytes of a text, which must be one complete element for a field (XML-36).</summary>
    internal static byte[] Checked(TextField field, string value, Limits limits)
    {
        try
        {
            return XmlReader.CheckElement(value, field.Place == TextPlace.Any ? null : field.Xml, limits);
        }
        catch (CreoException error) when (error.Code != ErrorCode.InvalidValue)
        {
            throw new CreoException(ErrorCode.InvalidValue, $"the text is no element that can stand here: {error.Text}");
        }
    }

    private void WriteAttribute(string key, string value, List<string> own)
    {
        int close = key.StartsWith('{') ? key.IndexOf('}') : -1;
        string uri = close > 0 ? key[1..close] : "";
        string local = key[(close + 1)..];
        if (!XmlReader.IsName(local) || uri == XmlName.Xmlns || uri == XmlName.Xsi || (close > 0 && uri.Length == 0) || (uri.Length == 0 && local == "xmlns"))
        {
            throw new CreoException(ErrorCode.InvalidValue, $"\"{key}\" is no name of an attribute");
        }
        string? prefix = Prefix(TextNamespaces.Known(uri));
        if (prefix is null)
        {
            int known = own.IndexOf(uri);
            if (known < 0)
            {
                known = own.Count;
                own.Add(uri);
                Ascii(string.Create(null, $" xmlns:a{known + 1}=\""));
                Escaped(uri, Escapes.XmlAttribute);
                Raw("\""u8);
            }
            prefix = string.Create(null, $"a{known + 1}");
        }
        Raw(" "u8);
        PutPrefix(prefix);
        Escaped(local, Escapes.XmlAttribute);
        Raw("=\""u8);
        Escaped(value, Escapes.XmlAttribute);
        Raw("\""u8);
    }
}
