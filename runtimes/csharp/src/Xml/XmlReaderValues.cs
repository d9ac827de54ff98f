using System;
using System.Text;

namespace Creo.Xml;

// Single values, with a fast path for plain forms and a slow one for all others.
internal sealed partial class XmlReader
{
    private const string Xop = "http://www.w3.org/2004/08/xop/include";

    // Whether the value is plain text between its tags.
    private bool IsPlain => _source == Source.Element && _attributes == 0 && !_empty;

    public override bool ReadBoolean()
    {
        ReadOnlySpan<byte> text = TakeTrimmed();
        if (text.SequenceEqual("true"u8) || text.SequenceEqual("1"u8))
        {
            return true;
        }
        if (text.SequenceEqual("false"u8) || text.SequenceEqual("0"u8))
        {
            return false;
        }
        return _isLenient && (IsSliceAnyCase("true"u8) || IsSliceAnyCase("false"u8)) ? IsSliceAnyCase("true"u8) : throw Wrong("true or false");
    }

    public override sbyte ReadSByte() => (sbyte)Integer(sbyte.MinValue, sbyte.MaxValue);

    public override short ReadInt16() => (short)Integer(short.MinValue, short.MaxValue);

    public override char ReadChar() => (char)Integer(char.MinValue, char.MaxValue);

    public override int ReadInt32() => (int)Integer(int.MinValue, int.MaxValue);

    public override long ReadInt64() => Integer(long.MinValue, long.MaxValue);

    public override double ReadDouble()
    {
        if (IsPlain)
        {
            int to = Digits.PlainNumber(_b, _pos, false, out bool negative, out ulong digits, out int exponent);
            double value = to < 0 ? double.NaN : FloatingPoint.Nearest(digits, exponent);
            if (!double.IsNaN(value) && TryClose(to))
            {
                return negative ? -value : value;
            }
        }
        return TextNumbers.TryParse(TakeTrimmed(), out double parsed) ? parsed : throw Wrong("a number");
    }

    public override float ReadSingle()
    {
        if (IsPlain)
        {
            int to = Digits.PlainNumber(_b, _pos, false, out bool negative, out ulong digits, out int exponent);
            float value = to < 0 ? float.NaN : FloatingPoint.NearestSingle(digits, exponent);
            if (!float.IsNaN(value) && TryClose(to))
            {
                return negative ? -value : value;
            }
        }
        return TextNumbers.TryParse(TakeTrimmed(), out float parsed) ? parsed : throw Wrong("a number");
    }

    public override string ReadString()
    {
        if (_field!.IsQualifiedName)
        {
            return ReadName();
        }
        if (_source == Source.Element && _attributes == 0 && !_field!.IsToken)
        {
            bool ascii = TakeText();
            string text = ascii ? Encoding.Latin1.GetString(Taken) : Encoding.UTF8.GetString(Taken);
            EndTag();
            return text;
        }
        if (_field!.IsToken)
        {
            return Encoding.UTF8.GetString(TakeTrimmed());
        }
        TakeSlice();
        return Encoding.UTF8.GetString(Taken);
    }

    public override Instant ReadInstant() => TextTimes.TryParse(TakeTrimmed(), out Instant value) ? value : throw Wrong("a date and time");

    public override BigDecimal ReadDecimal()
    {
        ReadOnlySpan<byte> text = TakeTrimmed();
        return Digits.TryDecimal(text, out BigDecimal value, out bool isTooLong)
            ? value
            : throw Wrong(isTooLong ? $"a decimal number of at most {BigDecimal.MaxDigits} digits" : "a decimal number");
    }

    public override int ReadEnum(TextEnum type)
    {
        ReadOnlySpan<byte> text = TakeTrimmed(type.IsExtensible);
        int number = type.Number(text);
        if (number >= 0)
        {
            return number;
        }
        if (type.IsExtensible && text.Length > 1 && text[0] == '#' && !text[1..].ContainsAnyExceptInRange((byte)'0', (byte)'9'))
        {
            _sliceFrom++;
            return (int)IntegerOfSlice(0, int.MaxValue);
        }
        throw Wrong("one of " + type.Expected());
    }

    public override ValueArray<byte> ReadBytes()
    {
        if (_parts is not null && _source != Source.Attribute && !_field!.IsHex && !_empty && Included() is { } part)
        {
            return part;
        }
        TakeSlice();
        return _field!.IsHex ? FromHex() : FromBase64();
    }

    private long Integer(long min, long max)
    {
        if (IsPlain)
        {
            byte[] bytes = _b;
            int p = _pos;
            bool negative = bytes[p] == '-';
            int from = negative ? ++p : p;
            long value = 0;
            for (uint digit = bytes[p] - (uint)'0'; digit <= 9; digit = bytes[++p] - (uint)'0')
            {
                value = value * 10 + digit;
            }
            value = negative ? -value : value;
            if (p > from && p - from <= 18 && value >= min && value <= max && TryClose(p))
            {
                return value;
            }
        }
        TakeSlice();
        Trim();
        return IntegerOfSlice(min, max);
    }

    private long IntegerOfSlice(long min, long max)
    {
        ReadOnlySpan<byte> text = Taken;
        bool negative = text.Length > 0 && text[0] == '-';
        if (text.Length > 0 && text[0] is (byte)'-' or (byte)'+')
        {
            text = text[1..];
        }
        if (!Digits.AreAll(text))
        {
            throw Wrong("a number");
        }
        return Digits.TryInteger(negative, text, min, max, out long value) ? value : throw Wrong($"a number from {min} to {max}");
    }

    // The part that the element refers to by its only content, an xop:Include (SOAP-20); null if it contains text.
    private byte[]? Included()
    {
        int p = SkipSpace(_pos);
        if (_b[p] != '<' || _b[p + 1] is (byte)'/' or (byte)'!' or (byte)'?')
        {
            return null;
        }
        if (_source == Source.Element)
        {
            CheckAttributes();
        }
        _pos = p;
        StartTag();
        string? href = null;
        for (int k = 0; k < _attributes; k++)
        {
            if (IsAttribute(k, XmlName.None, "href"u8))
            {
                Expand(k);
                href = Encoding.UTF8.GetString(Taken);
            }
        }
        if (_tagNamespace != Xop || !_b.AsSpan(_tagLocal, _tagEnd - _tagLocal).SequenceEqual("Include"u8) || href is null)
        {
            throw Malformed(p, $"the element {ShownTag()}, where text or xop:Include must be");
        }
        if (Child())
        {
            throw Malformed(_pos, "an element within xop:Include");
        }
        EndTag();
        if (Child())
        {
            throw Malformed(_pos, "an element after xop:Include");
        }
        byte[] part = _parts!.Take(href) ?? throw Malformed(p, $"the part \"{href}\", which is not there, or was named before");
        EndTag();
        if (_source == Source.Text)
        {
            _top!.IsClosed = true;
        }
        return part;
    }

    private byte[] FromHex()
    {
        Trim();
        return Digits.FromHex(Taken) ?? throw Wrong("bytes in hexadecimal digits");
    }

    private byte[] FromBase64()
    {
        return Digits.FromBase64(Taken) ?? Digits.FromBase64(Digits.WithoutSpace(Taken)) ?? throw Wrong("base64");
    }
}
