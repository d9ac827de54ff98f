using System;
using System.Collections.Generic;
using System.Formats.Asn1;
using System.Globalization;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace Creo.Wss;

/// <summary>Names of certificates as text (RFC 2253, with what RFC 1779 adds), which the platform writes in another way.</summary>
internal static class DistinguishedName
{
    private const int MaxLength = 4096;
    private const string Special = ",+\"\\<>;=";

    private static readonly Dictionary<string, string> Types = new(StringComparer.OrdinalIgnoreCase)
    {
        ["CN"] = "2.5.4.3",
        ["SURNAME"] = "2.5.4.4",
        ["SERIALNUMBER"] = "2.5.4.5",
        ["C"] = "2.5.4.6",
        ["L"] = "2.5.4.7",
        ["ST"] = "2.5.4.8",
        ["S"] = "2.5.4.8",
        ["STREET"] = "2.5.4.9",
        ["O"] = "2.5.4.10",
        ["OU"] = "2.5.4.11",
        ["T"] = "2.5.4.12",
        ["GIVENNAME"] = "2.5.4.42",
        ["INITIALS"] = "2.5.4.43",
        ["GENERATION"] = "2.5.4.44",
        ["DNQ"] = "2.5.4.46",
        ["DNQUALIFIER"] = "2.5.4.46",
        ["E"] = "1.2.840.113549.1.9.1",
        ["EMAIL"] = "1.2.840.113549.1.9.1",
        ["EMAILADDRESS"] = "1.2.840.113549.1.9.1",
        ["UID"] = "0.9.2342.19200300.100.1.1",
        ["DC"] = "0.9.2342.19200300.100.1.25",
    };

    // Those that RFC 2253 names.
    private static readonly string[] Written = ["CN", "L", "ST", "O", "OU", "C", "STREET", "DC", "UID"];

    /// <summary>A name as text, its last part first.</summary>
    public static string Write(X500DistinguishedName name)
    {
        var text = new StringBuilder();
        foreach (List<(string Type, string Value, string Hex)> part in Read(name))
        {
            string separator = text.Length == 0 ? "" : ",";
            foreach ((string type, string value, string hex) in part)
            {
                string? keyword = Array.Find(Written, each => Types[each] == type);
                text.Append(separator).Append(keyword ?? type).Append('=').Append(keyword is null || value.Length == 0 ? "#" + hex : Escaped(value));
                separator = "+";
            }
        }
        return text.ToString();
    }

    /// <summary>Whether a text is the name of a certificate's issuer: with the same parts in the same order, whose case and white space do not matter.</summary>
    /// <exception cref="FormatException">The text is no name.</exception>
    public static bool IsSame(string text, X500DistinguishedName name)
    {
        var all = new List<string>();
        foreach (List<(string Type, string Value, string Hex)> part in Read(name))
        {
            all.Add(Joined(part.ConvertAll(each => (each.Type, each.Value))));
        }
        return string.Join('\n', Parse(text)) == string.Join('\n', all);
    }

    private static string Joined(List<(string Type, string Value)> part)
    {
        List<string> all = part.ConvertAll(static each => $"{each.Type}={Plain(each.Value)}");
        all.Sort(StringComparer.Ordinal);
        return string.Join('\t', all);
    }

    // Without white space at its ends, and with one space for others.
    private static string Plain(string value) =>
        string.Join(' ', value.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)).ToLowerInvariant();

    // The parts, the last one first.
    private static List<List<(string Type, string Value, string Hex)>> Read(X500DistinguishedName name)
    {
        var parts = new List<List<(string Type, string Value, string Hex)>>();
        AsnReader all = new AsnReader(name.RawData, AsnEncodingRules.BER).ReadSequence();
        while (all.HasData)
        {
            var part = new List<(string Type, string Value, string Hex)>();
            AsnReader set = all.ReadSetOf(skipSortOrderValidation: true);
            while (set.HasData)
            {
                AsnReader pair = set.ReadSequence();
                string type = pair.ReadObjectIdentifier();
                ReadOnlyMemory<byte> encoded = pair.ReadEncodedValue();
                part.Add((type, Decoded(encoded), Convert.ToHexString(encoded.Span).ToLowerInvariant()));
            }
            parts.Insert(0, part);
        }
        return parts;
    }

    // The text of an encoded string; of another value its digits.
    private static string Decoded(ReadOnlyMemory<byte> encoded)
    {
        var reader = new AsnReader(encoded, AsnEncodingRules.BER);
        Asn1Tag tag = reader.PeekTag();
        bool isString = tag.TagClass == TagClass.Universal && (UniversalTagNumber)tag.TagValue is UniversalTagNumber.UTF8String or UniversalTagNumber.PrintableString
            or UniversalTagNumber.IA5String or UniversalTagNumber.T61String or UniversalTagNumber.BMPString or UniversalTagNumber.VisibleString or UniversalTagNumber.NumericString;
        return isString ? reader.ReadCharacterString((UniversalTagNumber)tag.TagValue) : "#" + Convert.ToHexString(encoded.Span).ToLowerInvariant();
    }

    private static string Escaped(string value)
    {
        var text = new StringBuilder();
        for (int i = 0; i < value.Length; i++)
        {
            bool isSpecial = Special.Contains(value[i]) || (i == 0 && value[i] is ' ' or '#') || (i == value.Length - 1 && value[i] == ' ');
            text.Append(isSpecial ? "\\" : "").Append(value[i]);
        }
        return text.ToString();
    }

    // The parts of a text, each in the form of Joined.
    private static List<string> Parse(string text)
    {
        if (text.Length > MaxLength)
        {
            throw new FormatException("a name that is too long");
        }
        var parts = new List<string>();
        var part = new List<(string Type, string Value)>();
        int at = 0;
        while (at < text.Length)
        {
            int equals = text.IndexOf('=', at);
            if (equals < 0)
            {
                throw new FormatException("a name without values");
            }
            string type = text[at..equals].Trim();
            type = type.StartsWith("OID.", StringComparison.OrdinalIgnoreCase) ? type[4..] : type;
            at = equals + 1;
            part.Add((Types.GetValueOrDefault(type, type), Value(text, ref at)));
            bool isLast = at == text.Length;
            if (isLast || text[at] != '+')
            {
                parts.Add(Joined(part));
                part.Clear();
            }
            if (!isLast && ++at == text.Length)
            {
                throw new FormatException("a name that ends too early");
            }
        }
        return parts;
    }

    // A value up to its separator: in quotes, in digits, or with escapes.
    private static string Value(string text, ref int at)
    {
        var bytes = new List<byte>();
        bool isQuoted = false;
        while (at < text.Length && text[at] == ' ')
        {
            at++;
        }
        int start = at;
        while (at < text.Length && (isQuoted || text[at] is not (',' or ';' or '+')))
        {
            int length = 1;
            if (text[at] == '"')
            {
                isQuoted = !isQuoted;
            }
            else if (text[at] != '\\')
            {
                length = char.IsHighSurrogate(text[at]) && at + 1 < text.Length ? 2 : 1;
                bytes.AddRange(Encoding.UTF8.GetBytes(text.Substring(at, length)));
            }
            else if (at + 2 < text.Length && char.IsAsciiHexDigit(text[at + 1]) && char.IsAsciiHexDigit(text[at + 2]))
            {
                bytes.Add(byte.Parse(text.AsSpan(at + 1, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture));
                length = 3;
            }
            else if (at + 1 < text.Length)
            {
                bytes.AddRange(Encoding.UTF8.GetBytes(text.Substring(at + 1, 1)));
                length = 2;
            }
            else
            {
                throw new FormatException("a name that ends too early");
            }
            at += length;
        }
        if (isQuoted)
        {
            throw new FormatException("quotes that do not end");
        }
        string value = Encoding.UTF8.GetString(bytes.ToArray());
        return text[start..at].TrimEnd() is ['#', _, ..] digits ? Decoded(FromHex(digits[1..])) : value;
    }

    private static ReadOnlyMemory<byte> FromHex(string digits)
    {
        byte[] encoded = Convert.FromHexString(digits);
        // One value, and nothing after it.
        return AsnDecoder.TryReadEncodedValue(encoded, AsnEncodingRules.BER, out _, out _, out _, out int size) && size == encoded.Length
            ? encoded
            : throw new FormatException("digits that are no value");
    }
}
