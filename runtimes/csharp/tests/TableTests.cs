using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace Creo.Tests;

/// <summary>Values as tables against <c>spec/wires/tdxml.md</c>.</summary>
public static class TableTests
{
    private const string Record = "[0]|a\\|b\u00e9\n[0][1]|1.5|-2\n[0][2]0|\\~x\n[0][2]0[3]\n[0][3][0]0|k|true\n[0][3][0]1|l|false\n";

    private const string Cells =
        "[0][0]|a\\|b\u00e9\n[0][1]0|1.5\n[0][1]1|-2\n[0][2]0[0]|\\~x\n[0][2]0[3]\n[0][3][0]0[0]|k\n[0][3][0]0[1]|true\n[0][3][0]1[0]|l\n[0][3][0]1[1]|false\n";

    private static readonly Node Sample = new()
    {
        Name = "a|b\u00e9",
        Samples = [1.5, -2],
        Children = [Node.Leaf("~x") with { Samples = [] }],
        Flags = [new("k", true), new("l", false)],
    };

    private static readonly TableOptions Aggregated = new() { Scheme = TableScheme.Aggregated };
    private static readonly TableOptions WithSchema = new() { HasSchema = true };

    private static byte[] Utf8(string text) => Encoding.UTF8.GetBytes(text);

    private static string Document(string rows, string table = "RT", string type = "test.Node", string schema = "") =>
        $"<Env xmlns=\"urn:creo:tdxml\" of=\"{type}\">{schema}<{table}>\n{rows}</{table}></Env>";

    private static Node Value(string document) => NodeText.Codec.FromTdxml(Utf8(document));

    private static CreoException Refused(string document, ErrorCode code = ErrorCode.Malformed)
    {
        try
        {
            return Assert.Fails(code, () => Value(document));
        }
        catch (AssertionException e)
        {
            throw new AssertionException($"<{document}>: {e.Message}");
        }
    }

    private static CreoException RefusedRows(string rows, string table = "RT") => Refused(Document(rows, table));

    [Test]
    public static void BothSchemesAreWrittenAndRead()
    {
        Assert.Equal(Document(Record), Encoding.UTF8.GetString(NodeText.Codec.ToTdxml(Sample)));
        Assert.Equal(Document(Cells, "CT"), Encoding.UTF8.GetString(NodeText.Codec.ToTdxml(Sample, Aggregated)));
        Assert.Equal(Sample, Value(Document(Record)));
        Assert.Equal(Sample, Value(Document(Cells, "CT")));
        Assert.Equal("<Env xmlns=\"urn:creo:tdxml\" of=\"test.Price\"><RT>\n[0]|EUR|1\n</RT></Env>", Encoding.UTF8.GetString(PriceText.Codec.ToTdxml(new Price("EUR", "1"))));
        // The text has the index of the element: its row comes before those of the attributes.
        Assert.Equal(
            "<Env xmlns=\"urn:creo:tdxml\" of=\"test.Price\"><CT>\n[0]|1\n[0](0)|EUR\n</CT></Env>",
            Encoding.UTF8.GetString(PriceText.Codec.ToTdxml(new Price("EUR", "1"), Aggregated)));
        Assert.Equal(new Price("EUR", "1"), PriceText.Codec.FromTdxml(Utf8(Document("[0](0)|EUR\n[0]|1\n", "CT", "test.Price"))));
    }

    [Test]
    public static void RowsInAnyOrderAreTheSameValue()
    {
        var random = new Random(11);
        foreach ((string rows, string table) in new[] { (Record, "RT"), (Cells, "CT") })
        {
            string[] lines = rows.Split('\n', StringSplitOptions.RemoveEmptyEntries);
            for (int i = 0; i < 200; i++)
            {
                random.Shuffle(lines);
                Assert.Equal(Sample, Value(Document(string.Join('\n', lines) + (i % 2 == 0 ? "\n" : ""), table)));
            }
            // An error about a duplicate names both.
            for (int i = 0; i < lines.Length; i++)
            {
                string twice = string.Join('\n', lines.Append(lines[i]));
                string message = Refused(Document(twice, table)).Text;
                Assert.Contains($"row {lines.Length + 1}: {lines[i]}", message);
                Assert.Contains($"row {i + 1}: {lines[i]}", message);
            }
        }
    }

    [Test]
    public static void RowsAreSeparatedInAllWays()
    {
        foreach (string document in new[]
        {
            Document(Record).Replace("\n", "\r\n"), Document(Record).Replace("\n", "\n\n \t\n"), Document(Record).Replace("\n[", "\n \t["), Document(Record).Replace("\n</RT>", "</RT>"),
            Document(Record).Replace("<RT>\n", "<RT>"), Document(Record).Replace("<RT>\n", "<RT><![CDATA[").Replace("</RT>", "]]></RT>"), Document(Record).Replace("[0]|a", "<!-- x -->[0]|&#97;"),
            Document(Record).Replace("RT>", "RecordTable>").Replace("Env", "Envelope"), Document(Record).Replace(" of=\"test.Node\"", ""), "\ufeff<?xml version='1.0'?>\n" + Document(Record) + "\n<!-- -->",
            Document(Record).Replace("<Env xmlns=", "<p:Env xmlns:p=").Replace("</Env", "</p:Env").Replace("RT>", "p:RT>").Replace("<p:RT", "<p:RT").Replace("</RT", "</p:RT"),
            Document(Record).Replace("<Env xmlns=\"urn:creo:tdxml\"", "<TDXML:Env").Replace("</Env", "</TDXML:Env").Replace("<RT>", "<TDXML:RT>").Replace("</RT>", "</TDXML:RT>"),
        })
        {
            Assert.Equal(Sample, Value(document), document);
        }
    }

    [Test]
    public static void EnvelopesThatAreNoneAreRefused()
    {
        foreach (string document in new[]
        {
            "", "x", "<Env/>", Record, "<Env xmlns=\"urn:creo:tdxml\"/>", "<Env xmlns=\"urn:creo:tdxml\"><DS></DS></Env>", Document(Record, "UT"), Document(Record, "XT"),
            Document(Record).Replace("urn:creo", "urn:other"), Document(Record).Replace("of=\"test.Node\"", "of=\"test.Other\""), Document(Record).Replace(" of=", " x='' of="),
            Document(Record).Replace("<RT>", "<RT x=''>"), Document(Record).Replace("</RT>", "<x/></RT>"), Document(Record).Replace("</RT>", "</RT><RT></RT>"), Document(Record).Replace("</RT>", "</RT>x"),
            Document(Record) + "x", Document(Record).Replace("<RT>", "<RT></RT><DS></DS><RT>"), Document(Record).Replace("</Env>", ""), "<!DOCTYPE Env>" + Document(Record),
        })
        {
            Refused(document);
        }
    }

    [Test]
    public static void ATableThatIsCutIsMalformedOrLessWhereverItIsCut()
    {
        foreach (string whole in new[] { Document(Record), Document(Cells, "CT") })
        {
            byte[] bytes = Utf8(whole);
            for (int size = 0; size < bytes.Length; size++)
            {
                Assert.Fails(ErrorCode.Malformed, () => NodeText.Codec.FromTdxml(bytes.AsSpan(0, size)));
            }
            // The rows cut, the envelope not: never anything but a value or malformed.
            int start = whole.IndexOf('[');
            for (int size = start; size < whole.Length - 11; size++)
            {
                try
                {
                    Value(whole[..size] + whole[^11..]);
                }
                catch (CreoException e)
                {
                    Assert.Equal(ErrorCode.Malformed, e.Code, $"code at {size}");
                }
            }
        }
    }

    [Test]
    public static void ABrokenByteIsRefusedOrReadAndNeverFailsOtherwise()
    {
        foreach (string whole in new[] { Document(Record), Document(Cells, "CT") })
        {
            byte[] bytes = Utf8(whole);
            foreach (byte broken in "[]()|~\\\n\r0 9x<>&\0\u00ff"u8)
            {
                for (int i = 0; i < bytes.Length; i++)
                {
                    byte[] copy = [.. bytes];
                    copy[i] = broken;
                    try
                    {
                        NodeText.Codec.FromTdxml(copy);
                    }
                    catch (CreoException e)
                    {
                        Assert.Equal(ErrorCode.Malformed, e.Code, $"code at {i}");
                    }
                }
            }
        }
    }

    [Test]
    public static void RowsThatAreNoneAreNamed()
    {
        foreach (string bad in new[]
        {
            "x", "[", "[0", "[]", "[0][]", "[0]x|1", "[0][00]|1", "[0][-1]|1", "[0][2147483648]|1", "[0][0]0x", "[0][2]01|x", "[0](", "[0]()|", "[0](0", "[0](0)(1)|x", "[0](0)[1]|x", "(0)|x", "[1]|x",
            "[0]0|x", "[0][9]|x", "[0](0)|x", "[0][0]|x", "[0][2]|x", "[0][2]2|x", "[0][2]1~x", "[0][2]1|x\\", "[0][2]1|\\x", "[0][2]1|~x", "[0][2]1|x|y", "[0][3]|x", "[0][3][1]0|x|true", "[0][3]0|x",
            "[0][2]1~", "[0][1]0|1", "[0][2]0[1]|x", "[0][2]0[1]|1|~", "[0][3][0]2|m", "[0][3][0]2|k|true", "[0][3][0]2|m|true|x", "[0][2]0[2]|x", "[0][3][0]2[0]|x", "[0][2]1[0]|x",
        })
        {
            CreoException error = RefusedRows(Record + bad + "\n");
            Assert.Contains("row ", error.Text);
            if (!bad.StartsWith("[0][3][0]2|k", StringComparison.Ordinal))
            {
                Assert.Contains($"row 7: {bad}: ", error.Text);
            }
            Assert.True(error.Place is not null, "a place");
        }
        Assert.Equal("$.samples[1]", RefusedRows(Record.Replace("|-2", "|x")).Place);
        Assert.Contains("row 2: [0][1]|1.5|x: ", RefusedRows(Record.Replace("|-2", "|x")).Text);
        Assert.Equal("$.children[0].name", RefusedRows(Record.Replace("[2]0|\\~x", "[2]0|\\q")).Place);
        // In a table that is not in order, rows keep their numbers.
        Assert.Contains("row 1: [0][1]|1.5|x: ", RefusedRows("[0][1]|1.5|x\n[0]|a\n[0][3]\n").Text);
        string longest = RefusedRows("[0]|a\n[0][3]\n[0][1]|" + new string('1', 300) + "x\n").Text;
        Assert.Contains("row 3: [0][1]|" + new string('1', 93) + ": ", longest);
        byte[] document = Utf8(Document(Record.Replace("|-2", "|x")));
        Assert.Equal((long)document.AsSpan().IndexOf("|x\n"u8) + 1, Assert.Fails(ErrorCode.Malformed, () => NodeText.Codec.FromTdxml(document)).Offset!.Value);
    }

    [Test]
    public static void GapsAndCellsOfTheOtherSchemeAreRefused()
    {
        RefusedRows(Record.Replace("[2]0", "[2]1"));
        RefusedRows(Record.Replace("[0]1|l", "[0]2|l"));
        RefusedRows(Cells.Replace("[1]1|", "[1]2|"), "CT");
        RefusedRows(Cells, "RT");
        RefusedRows(Record, "CT");
        RefusedRows("[0]|a\n", "RT");
        RefusedRows("", "RT");
        RefusedRows(Cells.Replace("[0][0]|a\\|b\u00e9\n", ""), "CT");
        RefusedRows(Cells.Replace("[0][0]|a\\|b\u00e9\n", "[0][0]\n"), "CT");
        RefusedRows(Cells.Replace("[0][0]|a\\|b\u00e9\n", "[0][0]~\n"), "CT");
        RefusedRows(Cells + "[0][1]\n", "CT");
        // A presence row with rows beneath it says nothing.
        Assert.Equal(Sample, Value(Document("[0]\n[0][3]\n" + Cells, "CT")));
        RefusedRows("[0]\n" + Record);
    }

    [Test]
    public static void ASchemaIsCompared()
    {
        const string node =
            "Node [0] ::= SEQUENCE OF {name [0] UTF8String, samples [1] SET OF Real, children [2] SET OF Node, "
            + "flags [3] SEQUENCE OF {entry [0] SET OF SEQUENCE OF {key [0] UTF8String, value [1] Boolean}}}\n";
        string own = Document(Record, schema: $"<DS>\n{node}</DS>");
        Assert.Equal(own, Encoding.UTF8.GetString(NodeText.Codec.ToTdxml(Sample, WithSchema)));
        Assert.Equal(Sample, Value(own));
        foreach (string same in new[]
        {
            node.Replace(", ", ",\n ,"), node.Replace("UTF8String, samples", "UTF8String (\"x\"), samples"), node.Replace("UTF8String, samples", "UTF8String (\u201cx, y}\u201d) samples"),
            node.Replace(" [0] ::=", "::="), node.Replace("SEQUENCE OF", "SEQUENCE"), node.Replace(" ", "\t"), node.TrimEnd(),
        })
        {
            Assert.Equal(Sample, Value(Document(Record, schema: $"<DS>{same}</DS>")), same);
        }
        foreach (string other in new[]
        {
            "", "x", node.Replace("Real", "Integer"), node.Replace("name [0]", "name [1]"), node.Replace("name", "nam"), node.Replace("Node [0]", "Other [0]"), node + "More [1] ::= SEQUENCE OF {}\n",
            node.Replace("SET OF Real", "Real"), node.Replace("samples [1] SET OF Real, ", ""), node.Replace("UTF8String, samples", "UTF8String OPTIONAL, samples"), node.Replace("Node [0]", "Node [1]"),
        })
        {
            CreoException error = Refused(Document(Record, schema: $"<DS>{other}</DS>"), ErrorCode.ProtocolMismatch);
            Assert.Contains("another schema", error.Text);
        }
        Assert.Contains(
            "<DS>\nPrice [0] ::= SEQUENCE OF {currency (0) [ATTRIBUTE] UTF8String, text TEXT UTF8String}\n</DS>",
            Encoding.UTF8.GetString(PriceText.Codec.ToTdxml(new Price("", ""), WithSchema)));
    }

    [Test]
    public static void TextsAreEscaped()
    {
        foreach ((string value, string text) in new[]
        {
            ("", ""), ("\n\r|\\&<>", "\\n\\r\\|\\\\\\a\\l\\g"), ("~", "\\~"), ("~~", "\\~~"), ("a~", "a~"), ("\t\u007f\u0080\U0001f600", "\t\u007f\u0080\U0001f600"), ("]]>", "]]\\g"),
            (new string('x', 5000) + "|", new string('x', 5000) + "\\|"), ("]", "]"), ("\"'", "\"'"),
        })
        {
            string document = Encoding.UTF8.GetString(One.String.ToTdxml(value));
            Assert.Equal($"<Env xmlns=\"urn:creo:tdxml\" of=\"test.One\"><RT>\n[0]|{text}\n</RT></Env>", document);
            Assert.Equal(value, One.String.FromTdxml(Utf8(document)));
        }
        Assert.Equal("a>b~c", One.String.FromTdxml(Utf8(Document("[0]|a>b\\~c\n", type: "test.One"))));
        Assert.Equal("<&", One.String.FromTdxml(Utf8(Document("[0]|&lt;&amp;\n", type: "test.One"))));
        foreach (string bad in new[] { "\0", "\u0001", "\ufffe", "\ud800" })
        {
            Assert.Fails(ErrorCode.InvalidValue, () => One.String.ToTdxml(bad));
        }
        Assert.Equal("$.children[0].name", Assert.Fails(ErrorCode.InvalidValue, () => NodeText.Codec.ToTdxml(Sample with { Children = [Node.Leaf("\0")] })).Place);
    }

    [Test]
    public static void ColumnsBehindWhatIsBeneathThemComeFirst()
    {
        // A struct with scalars before, between and after its arrays.
        TextField first = new("first", "", "first") { IsOptional = true, Form = TextForm.Integer };
        TextField many = new("many", "", "many") { Item = new(null, "", "many") { Form = TextForm.Integer } };
        TextField second = new("second", "", "second") { IsOptional = true, Form = TextForm.Integer };
        TextField more = new("more", "", "more") { IsWrapped = true, IsOptional = true, Item = new(null, "", "item") { IsOptional = true } };
        TextField third = new("third", "", "third") { IsOptional = true };
        TextRecord record = new("test.Mixed", "", "Mixed", first, many, second, more, third);
        var codec = new TextCodec<(int? First, int[] Many, int? Second, string?[]? More, string? Third)>(
            "test.Mixed",
            new TextField(null, "", "Mixed") { Type = () => record },
            (w, f, v) =>
            {
                void Number(TextField field, int? number)
                {
                    if (number is { } value)
                    {
                        w.WriteInt32(field, value);
                    }
                    else
                    {
                        w.WriteAbsent(field);
                    }
                }
                void Text(TextField field, string? text)
                {
                    if (text is not null)
                    {
                        w.WriteString(field, text);
                    }
                    else
                    {
                        w.WriteAbsent(field);
                    }
                }
                w.BeginRecord(f, record);
                Number(first, v.First);
                w.WriteInt32s(many, v.Many);
                Number(second, v.Second);
                if (v.More is null)
                {
                    w.WriteAbsent(more);
                }
                else
                {
                    TextField item = w.BeginItems(more, v.More.Length);
                    for (int i = 0; i < v.More.Length; i++)
                    {
                        w.Item(i);
                        Text(item, v.More[i]);
                    }
                    w.EndItems(more);
                }
                Text(third, v.Third);
                w.EndRecord(f, record);
            },
            r =>
            {
                (int?, int[], int?, string?[]?, string?) v = (null, [], null, null, null);
                r.Begin(record);
                for (int i = r.Next(0); i >= 0; i = r.Next(i + 1))
                {
                    switch (i)
                    {
                        case 0:
                            v.Item1 = r.ReadNil() ? null : r.ReadInt32();
                            break;
                        case 1:
                            v.Item2 = r.ReadInt32s().ToArray();
                            break;
                        case 2:
                            v.Item3 = r.ReadNil() ? null : r.ReadInt32();
                            break;
                        case 3:
                            v.Item4 = r.ReadNil() ? null : r.ReadItems<string?>(static r => r.ReadNil() ? null : r.ReadString()).ToArray();
                            break;
                        default:
                            v.Item5 = r.ReadNil() ? null : r.ReadString();
                            break;
                    }
                }
                r.End(record);
                return v;
            },
            false);
        foreach (((int?, int[], int?, string?[]?, string?) value, string rows, string cells) in new ((int?, int[], int?, string?[]?, string?), string, string)[]
        {
            ((1, [2, 3], 4, ["x", null], "t"), "[0]|1|4|t\n[0][1]|2|3\n[0][3][0]|x|~\n", "[0][0]|1\n[0][1]0|2\n[0][1]1|3\n[0][2]|4\n[0][3][0]0|x\n[0][3][0]1~\n[0][4]|t\n"),
            ((null, [2], null, [], null), "[0][1]|2\n[0][3]\n", "[0][1]0|2\n[0][3]\n"),
            ((null, [], null, null, "~"), "[0]|~|~|\\~\n", "[0][4]|\\~\n"),
            ((1, [], null, null, null), "[0]|1\n", "[0][0]|1\n"),
            ((null, [], null, null, null), "[0]\n", "[0]\n"),
            ((null, [7], 5, [null], null), "[0]|~|5\n[0][1]|7\n[0][3][0]|~\n", "[0][1]0|7\n[0][2]|5\n[0][3][0]0~\n"),
        })
        {
            foreach ((TableOptions options, string expected, string table) in new[] { (TableOptions.Default, rows, "RT"), (Aggregated, cells, "CT") })
            {
                string document = Document(expected, table, "test.Mixed");
                Assert.Equal(document, Encoding.UTF8.GetString(codec.ToTdxml(value, options)));
                var back = codec.FromTdxml(Utf8(document));
                Assert.True(
                    back.First == value.Item1 && back.Many.SequenceEqual(value.Item2) && back.Second == value.Item3 && back.Third == value.Item5
                        && (back.More is null) == (value.Item4 is null) && (back.More ?? []).SequenceEqual(value.Item4 ?? []),
                    document);
            }
        }
        Assert.True(codec.FromTdxml(Utf8(Document("[0][3]~\n", "RT", "test.Mixed"))).More is null, "nothing");
    }

    [Test]
    public static void ManyItemsComeBack()
    {
        Node many = new() { Name = "", Samples = [.. Enumerable.Range(0, 5000).Select(i => i / 8.0)], Children = [.. Enumerable.Range(0, 1200).Select(i => Node.Leaf($"c{i}"))], Flags = [] };
        foreach (TableOptions options in new[] { TableOptions.Default, Aggregated })
        {
            string document = Encoding.UTF8.GetString(NodeText.Codec.ToTdxml(many, options));
            Assert.Equal(many, Value(document));
            string[] lines = document.Split('\n');
            lines.AsSpan(1, lines.Length - 2).Reverse();
            Assert.Equal(many, Value(string.Join('\n', lines)));
        }
    }

    [Test]
    public static void LimitsHold()
    {
        void TooLarge(string limit, string rows, Limits? limits = null, string table = "RT")
        {
            CreoException error = Assert.Fails(ErrorCode.TooLarge, () => NodeText.Codec.FromTdxml(Utf8(Document(rows, table)), limits));
            Assert.Equal(limit, error.Details["limit"], "limit");
        }
        TooLarge("maxMessageSize", Record, new Limits { MaxMessageSize = 10 });
        TooLarge("maxXmlText", "[0]|12345678901\n", new Limits { MaxXmlText = 10 });
        string deep = string.Concat(Enumerable.Range(0, 101).Select(i => $"[0]{string.Concat(Enumerable.Repeat("[2]0", i))}|n\n"));
        TooLarge("maxDepth", deep);
        TooLarge("maxXmlDepth", deep, new Limits { MaxXmlDepth = 50 });
        Assert.Fails(ErrorCode.TooLarge, () => NodeText.Codec.ToTdxml(Sample, limits: new Limits { MaxMessageSize = 50 }));
    }
}
