using System;
using System.Globalization;
using System.Linq;
using System.Text;

namespace Creo.Tests;

/// <summary>Single values as XML (XML-10 to XML-15).</summary>
public static class XmlValueTests
{
    [Test]
    public static void NumbersAreLaidOutAsEcmaScriptDoes()
    {
        foreach ((double value, string text) in new[]
        {
            (0, "0"), (-0.0, "-0"), (1, "1"), (-1.5, "-1.5"), (0.1, "0.1"), (123456.789, "123456.789"), (1e21, "1e+21"), (1e20, "100000000000000000000"), (1.5e-7, "1.5e-7"), (1e-6, "0.000001"),
            (1.25e-6, "0.00000125"), (1e-7, "1e-7"), (123e20, "1.23e+22"), (5e-324, "5e-324"), (double.MaxValue, "1.7976931348623157e+308"), (9007199254740993, "9007199254740992"),
            (1e15, "1000000000000000"), (999999999999999, "999999999999999"), (0.001, "0.001"), (0.0001, "0.0001"), (double.NaN, "NaN"), (double.PositiveInfinity, "INF"),
            (double.NegativeInfinity, "-INF"), (100.125, "100.125"), (4.35, "4.35"), (2.5e-3, "0.0025"),
        })
        {
            Assert.Equal(text, One.Text(One.Double, value));
        }
        foreach ((float value, string text) in new[]
        {
            (0.1f, "0.1"), (16777216f, "16777216"), (1e21f, "1e+21"), (1.4e-45f, "1e-45"), (float.MaxValue, "3.4028235e+38"), (-0f, "-0"), (1.1754944e-38f, "1.1754944e-38"),
            (1.2621775e-29f, "1.2621775e-29"), (193071.125f, "193071.12"), (0.3f, "0.3"), (float.NaN, "NaN"),
        })
        {
            Assert.Equal(text, One.Text(One.Single, value));
        }
    }

    /// <summary>In a text, in an attribute, and in a column of a table; controls that XML cannot hold are refused everywhere.</summary>
    [Test]
    public static void EveryCharacterIsWrittenAtEveryPlace()
    {
        (string Of, string Text, string Attribute, string Column)[] odd =
        [
            ("a", "a", "a", "a"), ("&", "&amp;", "&amp;", "\\a"), ("<", "&lt;", "&lt;", "\\l"), (">", "&gt;", "&gt;", "\\g"), ("\"", "\"", "&quot;", "\""),
            ("\t", "\t", "&#9;", "\t"), ("\n", "\n", "&#10;", "\\n"), ("\r", "&#13;", "&#13;", "\\r"), ("|", "|", "|", "\\|"), ("\\", "\\", "\\", "\\\\"),
            ("\u007f", "\u007f", "\u007f", "\u007f"), ("\u00e9", "\u00e9", "\u00e9", "\u00e9"), ("\ud83d\ude00", "\ud83d\ude00", "\ud83d\ude00", "\ud83d\ude00"),
        ];
        foreach (int length in Enumerable.Range(1, 34))
        {
            string others = string.Concat(Enumerable.Range(0, length).Select(static i => (char)('A' + (i % 26))));
            for (int i = 0; i <= length; i++)
            {
                (string front, string back) = (others[..i], others[i..]);
                foreach ((string of, string text, string attribute, string column) in odd)
                {
                    string value = front + of + back;
                    Assert.Equal(front + text + back, One.Text(One.String, value));
                    Assert.Equal($"<Price currency=\"{front}{attribute}{back}\">{front}{text}{back}</Price>", Encoding.UTF8.GetString(PriceText.Codec.ToXml(new Price(value, value))));
                    Assert.True(Encoding.UTF8.GetString(One.String.ToTdxml("A" + value)).Contains($"|A{front}{column}{back}\n"), value);
                }
                Assert.Fails(ErrorCode.InvalidValue, () => One.Text(One.String, front + "\u0001" + back));
                Assert.Fails(ErrorCode.InvalidValue, () => One.String.ToTdxml(front + "\u001f" + back));
                Assert.Fails(ErrorCode.InvalidValue, () => One.Text(One.String, front + "\uffff" + back));
                Assert.Fails(ErrorCode.InvalidValue, () => One.Text(One.String, front + "\ud800" + back));
            }
        }
    }

    [Test]
    public static void RandomNumbersComeBack()
    {
        var random = new Random(7);
        for (int i = 0; i < 20_000; i++)
        {
            double value = BitConverter.Int64BitsToDouble(random.NextInt64(long.MinValue, long.MaxValue));
            float single = BitConverter.Int32BitsToSingle(random.Next(int.MinValue, int.MaxValue));
            double few = random.Next() / Math.Pow(10, random.Next(12));
            Assert.True(value.Equals(One.Value(One.Double, One.Text(One.Double, value))), $"{value:R}");
            Assert.True(single.Equals(One.Value(One.Single, One.Text(One.Single, single))), $"{single:R}");
            string text = One.Text(One.Double, few);
            Assert.Equal(few, double.Parse(text, CultureInfo.InvariantCulture));
            Assert.True(text.Length <= few.ToString("R", CultureInfo.InvariantCulture).Length || few < 1e-4 || few > 1e15, text);
            Assert.Equal(few, One.Value(One.Double, text));
        }
    }

    /// <summary>The platform finds the same digits by other means, and the same numbers.</summary>
    [Test]
    public static void NumbersAreThoseOfThePlatform()
    {
        var random = new Random(11);
        for (int i = 0; i < 50_000; i++)
        {
            double value = BitConverter.Int64BitsToDouble(random.NextInt64(long.MinValue, long.MaxValue));
            float single = BitConverter.Int32BitsToSingle(random.Next(int.MinValue, int.MaxValue));
            // Powers of two have their nearer neighbour below; and numbers near one are those of people.
            double power = Math.ScaleB(1, random.Next(-1074, 1024));
            double near = random.NextDouble() * 1000;
            foreach (double one in new[] { value, power, Math.BitIncrement(power), Math.BitDecrement(power), near, (float)near })
            {
                if (double.IsFinite(one))
                {
                    string platform = one.ToString("E16", CultureInfo.InvariantCulture);
                    string text = One.Text(One.Double, one);
                    Assert.Equal(Significant(one.ToString("R", CultureInfo.InvariantCulture)), Significant(text), platform);
                    Assert.Equal(one, One.Value(One.Double, platform), platform);
                }
            }
            foreach (float one in new[] { single, (float)power, MathF.BitIncrement((float)power), (float)near })
            {
                if (float.IsFinite(one))
                {
                    string platform = one.ToString("E8", CultureInfo.InvariantCulture);
                    Assert.Equal(Significant(one.ToString("R", CultureInfo.InvariantCulture)), Significant(One.Text(One.Single, one)), platform);
                    Assert.Equal(one, One.Value(One.Single, platform), platform);
                }
            }
            // Digits that are not a shortest form.
            string digits = $"{random.NextInt64(1_000_000_000_000_000_000)}e{random.Next(-340, 300)}";
            Assert.Equal(double.Parse(digits, CultureInfo.InvariantCulture), One.Value(One.Double, digits), digits);
            string few = $"{random.NextInt64(100_000_000_000)}e{random.Next(-60, 30)}";
            Assert.Equal(float.Parse(few, CultureInfo.InvariantCulture), One.Value(One.Single, few), few);
        }
    }

    // The digits of a number, wherever its point and whatever its exponent, without zeros at the ends.
    private static string Significant(string text)
    {
        int mark = text.IndexOfAny(['e', 'E']);
        return (mark < 0 ? text : text[..mark]).Replace(".", "", StringComparison.Ordinal).TrimStart('-', '0').TrimEnd('0');
    }

    [Test]
    public static void HalvesGoToTheEvenNumber()
    {
        foreach ((string text, double value) in new[]
        {
            ("9007199254740993", 9007199254740992), ("9007199254740995", 9007199254740996), ("4503599627370497.5", 4503599627370498),
            ("4503599627370496.5", 4503599627370496), ("900719925474099.3e1", 9007199254740992), ("1.7976931348623157e308", double.MaxValue), ("2.2250738585072014e-308", 2.2250738585072014e-308),
            ("2.2250738585072011e-308", 2.225073858507201e-308), ("5e-324", double.Epsilon), ("2e-324", 0), ("1.7976931348623159e308", double.PositiveInfinity),
        })
        {
            Assert.Equal(value, One.Value(One.Double, text), text);
        }
        foreach ((string text, float value) in new[]
        {
            ("16777217", 16777216f), ("16777219", 16777220f), ("1.00000005960464477539", 1f), ("1.00000005960464477540", 1.0000001f), ("7e-46", 0f), ("8e-46", float.Epsilon),
        })
        {
            Assert.Equal(value, One.Value(One.Single, text), text);
        }
    }

    [Test]
    public static void AllFormsOfNumbersAreRead()
    {
        foreach ((string text, double value) in new[]
        {
            (" 1 ", 1), (".5", 0.5), ("5.", 5), ("+1", 1), ("1E5", 1e5), ("1e+5", 1e5), ("-1.5e-3", -1.5e-3), ("+INF", double.PositiveInfinity), ("1e400", double.PositiveInfinity),
            ("1e-400", 0), ("0." + new string('0', 400) + "1e401", 1), ("9007199254740993.0000000000000001", 9007199254740994), ("000001", 1), ("1<!-- -->2", 12),
        })
        {
            Assert.Equal(value, One.Value(One.Double, text), text);
        }
        Assert.Equal(float.PositiveInfinity, One.Value(One.Single, "3.4028236e38"));
        Assert.Equal(1.0000001f, One.Value(One.Single, "1.00000017881393421514957253748434595763683319091796875001"));
        Assert.Equal(0x7ff8_0000_0000_0000, BitConverter.DoubleToInt64Bits(One.Value(One.Double, "NaN")));
        foreach (string text in new[] { "", ".", "-", "e5", "1e", "1e+", "0x1", "1 2", "1,5", "Infinity", "nan", "inf", "1f", "--1", "\u0661", "1e5.5" })
        {
            Assert.Fails(ErrorCode.Malformed, () => One.Value(One.Double, text));
            Assert.Fails(ErrorCode.Malformed, () => One.Value(One.Int64, text));
        }
    }

    [Test]
    public static void IntegersFit()
    {
        foreach (long value in new[] { 0, 1, -1, 9, 10, long.MaxValue, long.MinValue, 999999999999999999, -1000000000000000000 })
        {
            Assert.Equal(value, One.Value(One.Int64, One.Text(One.Int64, value)));
        }
        Assert.Equal(long.MinValue, One.Value(One.Int64, " -0009223372036854775808\n"));
        Assert.Fails(ErrorCode.Malformed, () => One.Value(One.Int64, "9223372036854775808"));
        Assert.Fails(ErrorCode.Malformed, () => One.Value(One.Int64, "-9223372036854775809"));
        foreach (string text in new[] { new string('9', 1000), new string('9', 19), "-9999999999999999999", "18446744073709551616", "-18446744073709551616", "18446744073709551617" })
        {
            Assert.Fails(ErrorCode.Malformed, () => One.Value(One.Int64, text));
        }
    }

    [Test]
    public static void TextsAreEscaped()
    {
        foreach (string text in new[]
        {
            "", "a", "<&>\"'", "a\r\n\tb", "]]>", "\u00e9\u20ac\U0001f600", new string('x', 100) + "<" + new string('\u00e9', 100) + "&",
        })
        {
            Assert.Equal(text, One.Value(One.String, One.Text(One.String, text)));
        }
        Assert.Equal("&lt;&amp;&gt;\"'&#13;\n", One.Text(One.String, "<&>\"'\r\n"));
        string emoji = string.Concat(System.Linq.Enumerable.Repeat("\U0001f600", 600_000));
        Assert.Equal(emoji, One.Value(One.String, One.Text(One.String, emoji)));
        foreach (string text in new[] { "\0", "\u0001", "\ufffe", "\uffff", "\ud800", "\udc00", "\ud800a", "a" + new string('\u00e9', 50) + "\u001f", new string('a', 60) + "\ud83d" })
        {
            Assert.Fails(ErrorCode.InvalidValue, () => One.String.ToXml(text));
        }
    }

    [Test]
    public static void BytesAreBase64()
    {
        var random = new Random(3);
        for (int size = 0; size < 200; size++)
        {
            byte[] bytes = new byte[size];
            random.NextBytes(bytes);
            string text = One.Text(One.Bytes, bytes);
            Assert.Equal(Convert.ToBase64String(bytes), text);
            Assert.Equal((ValueArray<byte>)bytes, One.Value(One.Bytes, string.Join("\n ", text.ToCharArray())));
        }
        foreach (string text in new[] { "A", "AA", "AAA", "AA=", "AAAA=", "QR==", "QQQ=QQ==", "====", "A===", "A-A=", "QUJDR===", "QUF=" })
        {
            Assert.Fails(ErrorCode.Malformed, () => One.Value(One.Bytes, text));
        }
        TextCodec<ValueArray<byte>> hex = One.Of<ValueArray<byte>>(static (w, f, v) => w.WriteBytes(f, v), static r => r.ReadBytes(), hex: true);
        Assert.Equal("00ABFF", One.Text(hex, new byte[] { 0, 0xab, 0xff }));
        Assert.Equal([0, 0xab], One.Value(hex, " 00aB "));
        Assert.Fails(ErrorCode.Malformed, () => One.Value(hex, "abc"));
        Assert.Fails(ErrorCode.Malformed, () => One.Value(hex, "0g"));
    }

    [Test]
    public static void TimesAreRead()
    {
        foreach (string text in new[] { "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "1970-01-01T00:00:00.500Z", "2024-02-29T12:30:45.000001Z" })
        {
            Assert.Equal(text, One.Text(One.Instant, One.Value(One.Instant, text)));
        }
        foreach ((string text, string same) in new[]
        {
            ("2024-01-01T00:00:00", "2024-01-01T00:00:00Z"), ("2024-01-01T14:00:00+14:00", "2024-01-01T00:00:00Z"), ("2023-12-31T24:00:00", "2024-01-01T00:00:00Z"),
            ("2024-01-01T00:00:00.1234567890000Z", "2024-01-01T00:00:00.123456789Z"), (" 2023-12-31T23:30:00-00:30 ", "2024-01-01T00:00:00Z"),
        })
        {
            Assert.Equal(same, One.Text(One.Instant, One.Value(One.Instant, text)));
        }
        foreach (string text in new[]
        {
            "", "2024-01-01", "2024-13-01T00:00:00Z", "2023-02-29T00:00:00Z", "2024-01-01T24:00:01Z", "2024-01-01T25:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:60Z", "0000-01-01T00:00:00Z",
            "-001-01-01T00:00:00Z", "12024-01-01T00:00:00Z", "2024-01-01T00:00:00+14:01", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00.1234567891Z", "2024-01-01 00:00:00Z", "2024-01-01T00:00:00z",
            "9999-12-31T24:00:00-01:00", "9999-12-31T24:00:00Z",
        })
        {
            Assert.Fails(ErrorCode.Malformed, () => One.Value(One.Instant, text));
        }
    }

    [Test]
    public static void DecimalsKeepTheirScale()
    {
        foreach ((string text, string canonical) in new[] { ("+01.50", "1.50"), (".5", "0.5"), ("5.", "5"), ("-0.00", "0.00"), ("-000", "0"), (new string('9', 1000), new string('9', 1000)) })
        {
            Assert.Equal(canonical, One.Value(One.Decimal, text).ToString());
        }
        foreach (string text in new[] { "", ".", "1e5", "1.2.3", "- 1", new string('9', 1001), "0." + new string('1', 1000) })
        {
            Assert.Fails(ErrorCode.Malformed, () => One.Value(One.Decimal, text));
        }
    }

    [Test]
    public static void PlacesOfValuesThatCannotBeWritten()
    {
        Node bad = Node.Leaf("x") with { Children = [Node.Leaf("a"), Node.Leaf("\0")] };
        Assert.Equal("$.children[1].name", Assert.Fails(ErrorCode.InvalidValue, () => NodeText.Codec.ToXml(bad)).Place);
        Node none = Node.Leaf("x") with { Children = [null!] };
        Assert.Equal("$.children[0]", Assert.Fails(ErrorCode.InvalidValue, () => NodeText.Codec.ToXml(none)).Place);
        CreoException large = Assert.Fails(ErrorCode.TooLarge, () => NodeText.Codec.ToXml(Node.Leaf(new string('a', 5000)), new Limits { MaxMessageSize = 1000 }));
        Assert.Equal("maxMessageSize", large.Details["limit"]);
        Node deep = Node.Leaf("x");
        for (int i = 0; i < 100; i++)
        {
            deep = Node.Leaf("y") with { Children = [deep] };
        }
        Assert.Equal("maxDepth", Assert.Fails(ErrorCode.TooLarge, () => NodeText.Codec.ToXml(deep)).Details["limit"]);
        Assert.Equal("<v>a</v>", Encoding.UTF8.GetString(One.String.ToXml("a")));
    }

    [Test]
    public static void EveryDayIsItself()
    {
        var first = new DateTime(1, 1, 1, 0, 0, 0, DateTimeKind.Utc);
        for (int day = 0; day < 3_652_059; day += day is > 584_000 and < 585_000 or > 730_000 and < 731_000 ? 1 : 97)
        {
            DateTime time = first.AddDays(day).AddSeconds(day % 86_400);
            string text = One.Text(One.Instant, Instant.FromDateTime(time));
            Assert.Equal(time.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture), text);
            Assert.Equal(Instant.FromDateTime(time), One.Value(One.Instant, text), text);
        }
        Assert.Equal("9999-12-31T23:59:59.999999999Z", One.Text(One.Instant, Instant.MaxValue));
        Assert.Equal(Instant.MaxValue, One.Value(One.Instant, "9999-12-31T23:59:59.999999999Z"));
        foreach (string text in new[] { "0000-01-01T00:00:00Z", "2023-02-29T00:00:00Z", "2023-13-01T00:00:00Z", "2023-00-01T00:00:00Z", "2023-01-00T00:00:00Z", "20x3-01-01T00:00:00Z", "202x-01-01T00:00:00Z", "2023-01-01T00:00:6:Z" })
        {
            Assert.Fails(ErrorCode.Malformed, () => One.Value(One.Instant, text));
        }
    }

    [Test]
    public static void DecimalsAreWrittenInTheirCanonicalForm()
    {
        foreach (string text in new[]
        {
            "0", "0.0", "0.000000000000000001", "-0.001", "1.50", "-123456789.123456789", "9223372036854775807", "-9223372036854775807", "9223372036854775808", "0.0000000000000000001",
            "12345678901234567890.12345", "1", "-1", "10", "0.10", new string('9', 1000),
        })
        {
            Assert.Equal(text, One.Text(One.Decimal, One.Value(One.Decimal, text)));
        }
    }
}
