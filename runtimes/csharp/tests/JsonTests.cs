using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace Creo.Tests;

/// <summary>Values as JSON against <c>spec/wires/json.md</c>.</summary>
public static class JsonTests
{
    private const string Sample = "{\"name\":\"a\\\"b\u00e9\",\"samples\":[1.5,-2],\"children\":[{\"name\":\"\",\"samples\":[],\"children\":[],\"flags\":{}}],\"flags\":{\"k\":true}}";

    private static readonly TextEnum Colour = new("Colour", ["the red", "B"], [0, 7]) { Names = ["RED", "BLUE"] };
    private static readonly TextEnum Open = new("Open", ["RED"], [0]) { IsExtensible = true };
    private static readonly TextField Known = new("known", "", "known") { Form = TextForm.Integer };
    private static readonly TextField Filled = new("filled", "", "filled") { Form = TextForm.Integer, MayBeMissing = true };
    private static readonly TextRecord Growing = new("test.Growing", "", "Growing", Known, Filled) { IsExtensible = true };
    private static readonly TextField Circle = new("circle", "", "circle") { Form = TextForm.Real };
    private static readonly TextField Nothing = new("nothing", "", "nothing") { IsOptional = true };
    private static readonly TextUnion Shape = new("test.Shape", Circle, Nothing);

    private static readonly TextCodec<(int Known, int Filled)> Grown = One.Of<(int, int)>(
        static (w, f, v) =>
        {
            w.BeginRecord(f, Growing);
            w.WriteInt32(Known, v.Item1);
            w.WriteInt32(Filled, v.Item2);
            w.EndRecord(f, Growing);
        },
        static r =>
        {
            (int known, int filled) = (0, 100);
            r.Begin(Growing);
            for (int i = r.Next(0); i >= 0; i = r.Next(i + 1))
            {
                if (i == 0)
                {
                    known = r.ReadInt32();
                }
                else
                {
                    filled = r.ReadInt32();
                }
            }
            r.End(Growing);
            return (known, filled);
        });

    private static readonly TextCodec<double?> Union = One.Of<double?>(
        static (w, f, v) =>
        {
            TextField member = w.BeginUnion(f, Shape, v is null ? 1 : 0);
            if (v is { } radius)
            {
                w.WriteDouble(member, radius);
            }
            else
            {
                w.WriteAbsent(member);
            }
            w.EndUnion(f, Shape);
        },
        static r =>
        {
            double? value = r.Member(Shape) == 0 ? r.ReadDouble() : r.ReadNil() ? null : double.Parse(r.ReadString(), null);
            r.EndUnion(Shape);
            return value;
        });

    private static byte[] Utf8(string text) => Encoding.UTF8.GetBytes(text);

    private static string Text<T>(TextCodec<T> codec, T value) => Encoding.UTF8.GetString(codec.ToJson(value));

    private static T Value<T>(TextCodec<T> codec, string text) => codec.FromJson(Utf8(text));

    private static CreoException Refused<T>(TextCodec<T> codec, string text)
    {
        try
        {
            return Assert.Fails(ErrorCode.Malformed, () => Value(codec, text));
        }
        catch (AssertionException e)
        {
            throw new AssertionException($"<{text}>: {e.Message}");
        }
    }

    private static void Moves<T>(TextCodec<T> codec, params (T Value, string Text)[] cases)
    {
        foreach ((T value, string text) in cases)
        {
            Assert.Equal(text, Text(codec, value));
            Assert.True(EqualityComparer<T>.Default.Equals(value, Value(codec, text)), text);
        }
    }

    [Test]
    public static void ReadsAndWritesASample()
    {
        Node node = Value(NodeText.Codec, Sample);
        Assert.Equal("a\"b\u00e9", node.Name);
        Assert.Equal([1.5, -2], node.Samples);
        Assert.Equal(true, node.Flags["k"]);
        Assert.Equal(Sample, Text(NodeText.Codec, node));
        Assert.Equal(node, Value(NodeText.Codec, "\ufeff\r\n\t " + Sample.Replace(",", " ,\n").Replace(":", "\t: ").Replace("[", "[ ").Replace("}", " }") + " \n"));
        // Members in any order, with their names escaped.
        const string turned = "{\"flags\":{},\"\\u0063hildren\":[],\"samples\":[],\"n\\u0061me\":\"x\"}";
        Assert.Equal("x", Value(NodeText.Codec, turned).Name);
    }

    [Test]
    public static void AttributesComeFirstAndNoFieldIsTheText() =>
        Moves(PriceText.Codec, (new Price("EUR", "1.50"), "{\"currency\":\"EUR\",\"text\":\"1.50\"}"));

    [Test]
    public static void AttributesBehindElementsAreFoundInAnyOrder()
    {
        TextField attribute(string name) => new(name, "", name, TextPlace.Attribute) { IsOptional = true };
        TextField element(string name) => new(name, "", name) { IsOptional = true };
        TextField[] fields = [element("a"), attribute("b"), element("c"), attribute("d"), element("e")];
        TextRecord record = new("test.Turned", "", "Turned", fields);
        TextCodec<string> codec = One.Of(
            static (_, _, _) => throw new NotSupportedException(),
            reader =>
            {
                char[] value = [.. "     "];
                reader.Begin(record);
                for (int i = reader.Next(0); i >= 0; i = reader.Next(i + 1))
                {
                    value[i] = reader.ReadString()[0];
                }
                reader.End(record);
                return new string(value);
            });
        IEnumerable<string> orders(string rest) => rest.Length == 0 ? [""] : rest.SelectMany(first => orders(rest.Replace($"{first}", "")).Select(others => first + others));
        for (int set = 0; set < 32; set++)
        {
            string there = string.Concat("12345".Where((_, i) => (set >> i & 1) != 0));
            string due = string.Concat("12345".Select(digit => there.Contains(digit) ? digit : ' '));
            foreach (string order in orders(there))
            {
                Assert.Equal(due, Value(codec, $"{{{string.Join(",", order.Select(digit => $"\"{"abcde"[digit - '1']}\":\"{digit}\""))}}}"));
            }
        }
    }

    [Test]
    public static void ATextThatIsCutIsMalformedWhereverItIsCut()
    {
        byte[] whole = Utf8(Sample);
        for (int size = 0; size < whole.Length; size++)
        {
            CreoException error = Assert.Fails(ErrorCode.Malformed, () => NodeText.Codec.FromJson(whole.AsSpan(0, size)));
            Assert.True(error.Offset >= 0 && error.Offset <= size, $"offset {error.Offset} of {size}");
            Assert.True(error.Place is not null, "a place");
        }
    }

    [Test]
    public static void ABrokenByteIsRefusedOrReadAndNeverFailsOtherwise()
    {
        byte[] whole = Utf8(Sample);
        foreach (byte broken in "{}[]\",:\\u0-+.eEtn x\0\t\u00ff"u8)
        {
            for (int i = 0; i < whole.Length; i++)
            {
                byte[] copy = [.. whole];
                copy[i] = broken;
                try
                {
                    NodeText.Codec.FromJson(copy);
                }
                catch (CreoException e)
                {
                    Assert.Equal(ErrorCode.Malformed, e.Code, $"code at {i}");
                }
            }
        }
    }

    [Test]
    public static void WhatIsNoJsonIsRefused()
    {
        foreach (string text in new[]
        {
            "", " ", "x", "//", "/**/\"a\"", "\"a\" x", "\"a\"\"b\"", "\"a\",", "'a'", "a", "\"a", "\"", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\U0041\"", "\"a\nb\"", "\"\u0001\"", "\"\0\"",
            "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\ud800\"", "\"\\ud800x\"", "\"\\udc00\\ud800\"", "null", "true", "1", "[\"a\"]", "{\"a\":\"b\"}", "\"\\", "\"\\u", "\ufeff\ufeff\"a\"",
        })
        {
            Refused(One.String, text);
        }
        foreach (string name in new[] { "{\"name\":\"\",}", "{,\"name\":\"\"}", "{\"name\" \"\"}", "{\"name\":}", "{name:\"\"}", "{\"name\":\"\"", "{1:\"\"}", "{\"name\":\"\";}", "[]", "{}", "{\"name\":null}" })
        {
            Refused(NodeText.Codec, name);
        }
        foreach (string samples in new[] { "[1,]", "[,1]", "[1 2]", "[1", "1", "{}", "null", "[null]", "[[1]]", "\"1\"" })
        {
            Refused(NodeText.Codec, Sample.Replace("[1.5,-2]", samples));
        }
    }

    [Test]
    public static void BytesThatAreNotUtf8AreRefused()
    {
        foreach (string hex in new[] { "c0af", "e080af", "f08080af", "eda080", "f4908080", "80", "c3", "e28228", "ff" })
        {
            byte[] text = [.. "\""u8, .. Convert.FromHexString(hex), .. "\""u8];
            CreoException error = Assert.Fails(ErrorCode.Malformed, () => One.String.FromJson(text));
            Assert.Equal(1L, error.Offset!.Value, "offset of " + hex);
            Assert.Fails(ErrorCode.Malformed, () => One.String.FromJson([.. "\"\\n"u8, .. Convert.FromHexString(hex), .. "\""u8]));
            Assert.Fails(ErrorCode.Malformed, () => Grown.FromJson([.. "{\"known\":1,\"x\":\""u8, .. Convert.FromHexString(hex), .. "\"}"u8]));
        }
        Assert.Equal("\ufffe\uffff", Value(One.String, "\"\ufffe\uffff\""));
    }

    [Test]
    public static void OtherEncodingsAreRefused()
    {
        foreach (Encoding encoding in new[] { Encoding.Unicode, Encoding.BigEndianUnicode, Encoding.UTF32 })
        {
            Assert.Fails(ErrorCode.Malformed, () => One.String.FromJson([.. encoding.GetPreamble(), .. encoding.GetBytes("\"a\"")]));
        }
    }

    [Test]
    public static void EveryCharacterIsWrittenAtEveryPlace()
    {
        (string Text, string Json)[] odd =
        [
            ("a", "a"), ("\"", "\\\""), ("\\", "\\\\"), ("\n", "\\n"), ("\u0001", "\\u0001"), ("\u007f", "\u007f"), ("\u00e9", "\u00e9"), ("\u20ac", "\u20ac"),
            ("\ud83d\ude00", "\ud83d\ude00"), ("\u0141", "\u0141"),
        ];
        foreach (int length in Enumerable.Range(0, 36).Append(64).Append(65))
        {
            string others = string.Concat(Enumerable.Range(0, length).Select(static i => (char)('A' + (i % 26))));
            for (int i = 0; i <= length; i++)
            {
                foreach ((string text, string json) in odd)
                {
                    Assert.Equal("\"" + others[..i] + json + others[i..] + "\"", Text(One.String, others[..i] + text + others[i..]));
                }
            }
        }
    }

    [Test]
    public static void StringsHaveTheEscapesOfTheLawAndNoOthers()
    {
        Moves(
            One.String,
            ("", "\"\""),
            ("\"\\/\b\f\n\r\t\0\u001f", "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\""),
            ("\u007f\u0080\u2028<&>'", "\"\u007f\u0080\u2028<&>'\""),
            ("\U0001f600\ud7ff\ue000\uffff", "\"\U0001f600\ud7ff\ue000\uffff\""),
            (new string('x', 5000) + "\"\u00e9", "\"" + new string('x', 5000) + "\\\"\u00e9\""));
        Assert.Equal("/\U0001f600\u20acA", Value(One.String, "\"\\/\\ud83d\\uDE00\\u20AC\\u0041\""));
        Assert.Fails(ErrorCode.InvalidValue, () => One.String.ToJson("a\ud800"));
        Assert.Fails(ErrorCode.InvalidValue, () => One.String.ToJson(new string('x', 100) + "\udc00"));
    }

    [Test]
    public static void IntegersAreWholeAndInRange()
    {
        Moves(
            One.Int64,
            (0, "0"),
            (-1, "-1"),
            (9007199254740991, "9007199254740991"),
            (9007199254740992, "\"9007199254740992\""),
            (long.MaxValue, "\"9223372036854775807\""),
            (long.MinValue, "\"-9223372036854775808\""));
        Assert.Equal(long.MinValue, Value(One.Int64, "-9223372036854775808"));
        Assert.Equal(5, Value(One.Int64, "\"5\""));
        Assert.Equal(0, Value(One.Int64, "-0"));
        foreach (string text in new[]
        {
            "01", "-01", "+1", "1.0", "1e3", "1E3", "1.", ".1", "-", "--1", "0x1", "1_0", "9223372036854775808", "-9223372036854775809", "\"\"", "\"01\"", "\" 1\"", "\"1.0\"", "\"+1\"",
            new string('9', 400), "true", "null", "NaN", "1 1",
        })
        {
            Refused(One.Int64, text);
        }
        TextCodec<int> small = One.Of<int>(static (w, f, v) => w.WriteInt32(f, v), static r => r.ReadInt32());
        Assert.Equal(int.MinValue, Value(small, "-2147483648"));
        Refused(small, "2147483648");
        Refused(small, "\"1\"");
        TextCodec<sbyte> tiny = One.Of<sbyte>(static (w, f, v) => w.WriteSByte(f, v), static r => r.ReadSByte());
        Moves(tiny, ((sbyte)-128, "-128"), ((sbyte)127, "127"));
        Refused(tiny, "128");
    }

    [Test]
    public static void NumbersAreReadToTheNearestAndNoneIsInfinite()
    {
        Moves(One.Double, (1.5, "1.5"), (0, "0"), (1e21, "1e+21"), (1.5e-7, "1.5e-7"), (double.NaN, "\"NaN\""), (double.PositiveInfinity, "\"Infinity\""), (double.NegativeInfinity, "\"-Infinity\""));
        Assert.Equal("-0", Text(One.Double, -0.0));
        Assert.True(double.IsNegative(Value(One.Double, "-0")) && double.IsNegative(Value(One.Double, "-0.0")), "the sign of zero");
        foreach ((string text, double value) in new[]
        {
            ("1E5", 1e5), ("1e+5", 1e5), ("1.0e-5", 1e-5), ("1e-400", 0), ("9007199254740993", 9007199254740992), ("0.1000000000000000055511151231257827", 0.1),
            ("1" + new string('0', 300), 1e300), ("0." + new string('0', 400) + "1", 0), ("\"\\u004eaN\"", double.NaN), ("1e0", 1),
        })
        {
            Assert.Equal(value, Value(One.Double, text), text);
        }
        foreach (string text in new[] { "1e400", "-1e400", "1" + new string('0', 400), "01", ".5", "5.", "+1", "1e", "1e+", "-", "NaN", "Infinity", "\"INF\"", "\"1\"", "\"nan\"", "1.e5", "- 1", "1.5.5" })
        {
            Refused(One.Double, text);
        }
        Moves(One.Single, (0.1f, "0.1"), (float.MaxValue, "3.4028235e+38"), (float.NaN, "\"NaN\""));
        Refused(One.Single, "3.5e38");
        Assert.Equal(0f, Value(One.Single, "1e-60"));
    }

    [Test]
    public static void ACharIsAStringOrItsNumber()
    {
        TextCodec<char> codec = One.Of<char>(static (w, f, v) => w.WriteChar(f, v), static r => r.ReadChar());
        Moves(codec, ('a', "\"a\""), ('"', "\"\\\"\""), ('\0', "\"\\u0000\""), ('\u00e9', "\"\u00e9\""), ('\u20ac', "\"\u20ac\""), ('\ud800', "55296"), ('\uffff', "\"\uffff\""));
        Assert.Equal('\udc00', Value(codec, "\"\\udc00\""));
        Assert.Equal('A', Value(codec, "65"));
        foreach (string text in new[] { "\"\"", "\"ab\"", "\"\U0001f600\"", "\"\\ud83d\\ude00\"", "65536", "-1", "1.0", "null" })
        {
            Refused(codec, text);
        }
        TextCodec<ValueArray<char>> many = new("test.Many", new TextField(null, "", "v") { Item = new(null, "", "v") }, static (w, f, v) => w.WriteChars(f, v), static r => r.ReadChars(), false);
        Moves(many, (new[] { 'a', '"', '\ud800' }, "[\"a\",\"\\\"\",55296]"), (Array.Empty<char>(), "[]"));
    }

    [Test]
    public static void TimesDecimalsAndBytesAreStrings()
    {
        Moves(One.Instant, (new Instant(0, 250_000_000), "\"1970-01-01T00:00:00.250Z\""), (Instant.MinValue, "\"0001-01-01T00:00:00Z\""));
        Assert.Equal(new Instant(-3600), Value(One.Instant, "\"1970-01-01T00:00:00+01:00\""));
        foreach (string text in new[] { "\"1970-01-01T00:00:00\"", "\"1970-01-01\"", "\"1970-01-01T24:00:00Z\"", "\"1970-02-30T00:00:00Z\"", "\"1970-01-01T00:00:00.1234567890Z\"", "\" 1970-01-01T00:00:00Z\"", "0", "\"\"" })
        {
            Refused(One.Instant, text);
        }
        Moves(One.Decimal, (1.50m, "\"1.50\""), (-3L, "\"-3\""));
        foreach ((string text, string value) in new[] { ("1.50", "1.50"), ("-0.0", "0.0"), ("12", "12"), ("0.00", "0.00") })
        {
            Assert.Equal(value, Value(One.Decimal, text).ToString(), text);
        }
        foreach (string text in new[] { "\"+1\"", "\"01\"", "\"1.\"", "\"-0\"", "\"1e3\"", "01", "1e3", "1E-2", "1.5e0", "1.", "\"\"", "null", new string('1', 1001) })
        {
            Refused(One.Decimal, text);
        }
        Moves(One.Bytes, ([], "\"\""), ([0, 1], "\"AAE=\""));
        foreach (string text in new[] { "\"AAE\"", "\"AAF=\"", "\"A A E=\"", "\"AA\\nE=\"", "\"-_8=\"", "0", "[0,1]" })
        {
            Refused(One.Bytes, text);
        }
    }

    [Test]
    public static void EnumsHaveTheirNamesAndNotTheirTexts()
    {
        TextCodec<int> closed = One.Of<int>(static (w, f, v) => w.WriteEnum(f, Colour, v), static r => r.ReadEnum(Colour));
        TextCodec<int> open = One.Of<int>(static (w, f, v) => w.WriteEnum(f, Open, v), static r => r.ReadEnum(Open));
        Moves(closed, (0, "\"RED\""), (7, "\"BLUE\""));
        Moves(open, (0, "\"RED\""), (5, "5"));
        Assert.Equal(7, Value(closed, "7"));
        foreach (string text in new[] { "\"the red\"", "\"red\"", "1", "\"7\"", "-1", "null" })
        {
            Refused(closed, text);
        }
        Refused(open, "-1");
        Refused(open, "\"#5\"");
        Assert.Fails(ErrorCode.InvalidValue, () => closed.ToJson(1));
    }

    [Test]
    public static void MembersThatAreNotKnownAreSkippedOrRefused()
    {
        Moves(Grown, ((1, 2), "{\"known\":1,\"filled\":2}"));
        foreach (string text in new[]
        {
            "{\"known\":1}", "{\"x\":{\"a\":[1,-2.5e3,\"\\n\",{},[],true,false,null,{\"b\":{\"c\":[[]]}}]},\"known\":1}", "{\"known\":1,\"x\":\"\",\"y\":0}", "{ \"x\" : [ ] , \"known\" : 1 }", "{\"x\":1,\"x\":2,\"known\":1}",
        })
        {
            Assert.Equal((1, 100), Value(Grown, text), text);
        }
        foreach (string unknown in new[] { "[1,]", "{\"a\"}", "{\"a\":1,}", "01", "tru", "1.", "[}", "{]", "[1 2]", "\"\\q\"", "\"\\ud800\"", "", "nul", "+1", "{1:2}", "'a'", "[1" })
        {
            Refused(Grown, $"{{\"known\":1,\"x\":{unknown}}}");
        }
        foreach (string twice in new[] { "{\"known\":1,\"known\":1}", "{\"known\":1,\"kn\\u006fwn\":1}" })
        {
            Assert.Contains("before", Refused(Grown, twice).Text);
        }
        Assert.Contains("known", Refused(Grown, "{\"filled\":1}").Text);
        Assert.Contains("\"x\"", Refused(NodeText.Codec, "{\"x\":1}").Text);
        Assert.Contains("before", Refused(NodeText.Codec, Sample.Replace("\"k\":true", "\"k\":true,\"\\u006b\":true")).Text);
    }

    [Test]
    public static void AUnionIsAnObjectOfOneMember()
    {
        Moves(Union, (1.5, "{\"circle\":1.5}"), (null, "{\"nothing\":null}"));
        Assert.Equal(1.5, Value(Union, " { \"c\\u0069rcle\" : 1.5 } "));
        foreach (string text in new[] { "{}", "{\"square\":1}", "{\"#7\":\"AA==\"}", "{\"circle\":1,\"nothing\":null}", "{\"circle\":1,\"circle\":1}", "{\"circle\":null}", "\"circle\"", "null", "{\"circle\":1,}", "[1]" })
        {
            Refused(Union, text);
        }
    }

    [Test]
    public static void KeysOfMapsAreTheTextsOfTheirValues()
    {
        TextCodec<ValueMap<TKey, string?>> Map<TKey>(TextWrite<TKey> write, TextRead<TKey> read)
            where TKey : notnull => new(
                "test.Map",
                new TextField(null, "", "v") { Key = new(null, "", "key"), Value = new(null, "", "value") { IsOptional = true } },
                (w, f, v) =>
                {
                    w.BeginEntries(f, v.Count);
                    for (int i = 0; i < v.Count; i++)
                    {
                        write(w, w.Key(f, i), v.Entries[i].Key);
                        TextField field = w.Value(f);
                        if (v.Entries[i].Value is { } text)
                        {
                            w.WriteString(field, text);
                        }
                        else
                        {
                            w.WriteAbsent(field);
                        }
                        w.EndEntry(f);
                    }
                    w.EndEntries(f);
                },
                r => r.ReadEntries<TKey, string?>(read, static r => r.ReadNil() ? null : r.ReadString()),
                false);
        ValueMap<TKey, string?> Of<TKey>(params TKey[] keys)
            where TKey : notnull => keys.Select((key, i) => new KeyValuePair<TKey, string?>(key, i == 0 ? null : "x")).ToValueMap();
        Moves(Map<string>(static (w, f, v) => w.WriteString(f, v), static r => r.ReadString()), (Of("", "a\"b"), "{\"\":null,\"a\\\"b\":\"x\"}"), (Of<string>(), "{}"));
        var longs = Map<long>(static (w, f, v) => w.WriteInt64(f, v), static r => r.ReadInt64());
        Moves(longs, (Of(1, -5, long.MaxValue), "{\"1\":null,\"-5\":\"x\",\"9223372036854775807\":\"x\"}"));
        var booleans = Map<bool>(static (w, f, v) => w.WriteBoolean(f, v), static r => r.ReadBoolean());
        Moves(booleans, (Of(true, false), "{\"true\":null,\"false\":\"x\"}"));
        var chars = Map<char>(static (w, f, v) => w.WriteChar(f, v), static r => r.ReadChar());
        Moves(chars, (Of('a', '"', '5', '\ud800'), "{\"a\":null,\"\\\"\":\"x\",\"5\":\"x\",\"55296\":\"x\"}"));
        var enums = Map<int>(static (w, f, v) => w.WriteEnum(f, Open, v), static r => r.ReadEnum(Open));
        Moves(enums, (Of(0, 5), "{\"RED\":null,\"5\":\"x\"}"));
        foreach (string text in new[] { "{\"\":null}", "{\"01\":null}", "{\" 1\":null}", "{\"1.0\":null}", "{\"a\":null}", "{1:null}", "{\"1\":null,\"1\":null}", "{\"0\":null,\"-0\":null}", "{\"\\ud800\":null}" })
        {
            Refused(longs, text);
        }
        Refused(booleans, "{\"1\":null}");
        Refused(chars, "{\"aa\":null}");
        Refused(enums, "{\"BLUE\":null}");
    }

    [Test]
    public static void ErrorsSayPlaceAndByte()
    {
        CreoException error = Refused(NodeText.Codec, "{\"name\":\"\",\"children\":[{\"name\":5}]}");
        Assert.Equal("$.children[0].name", error.Place);
        Assert.Equal(31L, error.Offset!.Value);
        Assert.Equal("$.flags{0}.value", Refused(NodeText.Codec, Sample.Replace("{\"k\":true}", "{\"k\":1}")).Place);
        Assert.Equal("$.samples[1]", Refused(NodeText.Codec, Sample.Replace("-2]", "x]")).Place);
        Assert.Equal("$", Refused(NodeText.Codec, "{\"x\":1}").Place);
        CreoException wrong = Assert.Fails(ErrorCode.InvalidValue, () => NodeText.Codec.ToJson(Node.Leaf("") with { Children = [Node.Leaf("\ud800")] }));
        Assert.Equal("$.children[0].name", wrong.Place);
    }

    [Test]
    public static void LimitsHold()
    {
        void TooLarge<T>(TextCodec<T> codec, string limit, string text, Limits? limits = null)
        {
            CreoException error = Assert.Fails(ErrorCode.TooLarge, () => codec.FromJson(Utf8(text), limits));
            Assert.Equal(limit, error.Details["limit"], "limit");
        }
        TooLarge(One.String, "maxMessageSize", "\"12345678901\"", new Limits { MaxMessageSize = 10 });
        TooLarge(One.String, "maxXmlText", "\"12345678901\"", new Limits { MaxXmlText = 10 });
        TooLarge(One.String, "maxXmlText", "\"1234567890\\n\"", new Limits { MaxXmlText = 10 });
        TooLarge(Grown, "maxXmlName", $"{{\"{new string('x', 1025)}\":1}}");
        TooLarge(Grown, "maxXmlDepth", "{\"x\":" + new string('[', 500));
        TooLarge(Grown, "maxXmlDepth", "{\"x\":" + string.Concat(Enumerable.Repeat("{\"x\":", 500)));
        TooLarge(NodeText.Codec, "maxDepth", string.Concat(Enumerable.Repeat("{\"children\":[", 101)));
        TooLarge(NodeText.Codec, "maxXmlDepth", string.Concat(Enumerable.Repeat("{\"children\":[", 5)), new Limits { MaxXmlDepth = 9 });
        Assert.Equal((1, 100), Grown.FromJson(Utf8("{\"known\":1,\"x\":" + new string('[', 499) + new string(']', 499) + "}")));
        Assert.Fails(ErrorCode.TooLarge, () => One.String.ToJson(new string('x', 100), new Limits { MaxMessageSize = 50 }));
    }
}
