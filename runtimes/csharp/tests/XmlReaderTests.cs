using System;
using System.Linq;
using System.Text;

namespace Creo.Tests;

/// <summary>The reader of XML against what it must take and refuse (XML-40 to XML-44).</summary>
public static class XmlReaderTests
{
    private const string Sample =
        "<n1:Node xmlns:n1=\"urn:test\"><n1:name>a&amp;b\u00e9</n1:name><n1:samples>1.5</n1:samples><n1:samples>-2</n1:samples>"
        + "<n1:children><n1:name></n1:name><n1:flags></n1:flags></n1:children>"
        + "<n1:flags><n1:entry><n1:key>k</n1:key><n1:value>true</n1:value></n1:entry></n1:flags></n1:Node>";

    private static byte[] Utf8(string text) => Encoding.UTF8.GetBytes(text);

    private static CreoException Malformed(string text) => Assert.Fails(ErrorCode.Malformed, () => One.String.FromXml(Utf8(text)));

    [Test]
    public static void ReadsAndWritesASample()
    {
        Node node = NodeText.Codec.FromXml(Utf8(Sample));
        Assert.Equal("a&b\u00e9", node.Name);
        Assert.Equal([1.5, -2], node.Samples);
        Assert.Equal(Sample, Encoding.UTF8.GetString(NodeText.Codec.ToXml(node)));
    }

    [Test]
    public static void ATextThatIsCutIsMalformedWhereverItIsCut()
    {
        byte[] whole = Utf8(Sample);
        for (int size = 0; size < whole.Length; size++)
        {
            CreoException error = Assert.Fails(ErrorCode.Malformed, () => NodeText.Codec.FromXml(whole.AsSpan(0, size)));
            Assert.True(error.Offset >= 0 && error.Offset <= size, $"offset {error.Offset} of {size}");
        }
    }

    [Test]
    public static void ABrokenByteIsRefusedOrReadAndNeverFailsOtherwise()
    {
        byte[] whole = Utf8(Sample);
        foreach (byte broken in "<>&\"'/ x\0\u00ff]-:"u8)
        {
            for (int i = 0; i < whole.Length; i++)
            {
                byte[] copy = [.. whole];
                copy[i] = broken;
                try
                {
                    NodeText.Codec.FromXml(copy);
                }
                catch (CreoException e)
                {
                    Assert.Equal(ErrorCode.Malformed, e.Code, $"code at {i}");
                }
            }
        }
    }

    [Test]
    public static void WhatIsNoXmlIsRefused()
    {
        foreach (string text in new[]
        {
            "", " ", "v", "<v", "<v>", "<v/", "<v></w>", "<v></v", "<v></v >x", "<v/><v/>", "<v></v><!-- -- -->", "<!DOCTYPE v><v/>", "<!DOCTYPE v [<!ENTITY a 'b'>]><v>&a;</v>",
            "<?pi x?><v/>", "<v/><?pi x?>", "<v><?pi?></v>", "<v>&nbsp;</v>", "<v>&#0;</v>", "<v>&#xd800;</v>", "<v>&#x110000;</v>", "<v>&#xfffe;</v>", "<v>&#;</v>", "<v>&#x;</v>",
            "<v>&lt</v>", "<v>&</v>", "<v>]]></v>", "<v>\u0001</v>", "<v>\ufffe</v>", "<v>a<b/>c</v>", "<v><!-- -- --></v>", "<v><![CDATA[x]]</v>", "<v><![CDATA[\u0001]]></v>",
            "<1v/>", "<-/>", "<:v/>", "<v:/>", "<a:b:c/>", "<p:v/>", "<v p:a='1'/>", "<v a='1' a='2'/>", "<v a=1/>", "<v a/>", "<v a='<'/>", "<v a='1'b='2'/>",
            "<v xmlns:p='u' xmlns:q='u' p:a='1' q:a='2'/>", "<v xmlns:p=''/>", "<v xmlns:xml='u'/>", "<v xmlns:xmlns='u'/>", "<v xmlns:p='http://www.w3.org/XML/1998/namespace'/>",
            "<v xmlns='http://www.w3.org/2000/xmlns/'/>", "<v xmlns:p='u' xmlns:p='w'/>", " <?xml version='1.0'?><v/>", "<?xml version='1.1'?><v/>", "<?xml?><v/>",
            "<?xml version='1.0' encoding='koi8-r'?><v/>", "<?xml version='1.0' encoding='utf-16'?><v/>", "<?xml version='1.0' standalone='maybe'?><v/>", "<?xml version='1.0' x='y'?><v/>",
            "<v xmlns='urn:other'/>", "<w/>", "<v a='1'/>", "<v xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:nil='true'/>",
        })
        {
            try
            {
                Malformed(text);
            }
            catch (AssertionException)
            {
                throw new AssertionException($"<{text}> is read");
            }
        }
    }

    /// <summary>A namespace that was bound before is recognized by its bytes and the quotes around it.</summary>
    [Test]
    public static void ANamespaceThatWasSeenBeforeIsReadAsAnyOther()
    {
        string inside = Sample["<n1:Node xmlns:n1=\"urn:test\">".Length..];
        for (int round = 0; round < 3; round++)
        {
            foreach (string start in new[]
            {
                "xmlns:n1=\"urn:test\"", "xmlns:n1='urn:test'", "xmlns:n1 = 'urn:&#116;est'", "xmlns='urn:test' xmlns:n1='urn:test'",
                "xmlns:x=\"urn:test'\" xmlns:n1='urn:test'", "xmlns:x='urn:tes' xmlns:y='urn:test ' xmlns:n1='urn:test'",
            })
            {
                Assert.Equal("a&b\u00e9", NodeText.Codec.FromXml(Utf8($"<n1:Node {start}>{inside}")).Name);
            }
            foreach (string start in new[] { "xmlns:n1='urn:tests'", "xmlns:n1='urn:tes'", "xmlns:n1='urn:test", "xmlns:n1='urn:test\"", "xmlns:n1='urn:test' xmlns:n1='urn:test'" })
            {
                Assert.Fails(ErrorCode.Malformed, () => NodeText.Codec.FromXml(Utf8($"<n1:Node {start}>{inside}")));
            }
            Assert.Fails(ErrorCode.TooLarge, () => NodeText.Codec.FromXml(Utf8(Sample), new Limits { MaxXmlText = 7 }));
        }
    }

    [Test]
    public static void BytesThatAreNotUtf8AreRefused()
    {
        foreach (string hex in new[] { "c0af", "e080af", "f08080af", "eda080", "f4908080", "80", "c3", "e28228", "ff", "efbfbe", "efbfbf" })
        {
            byte[] text = [.. "<v>"u8, .. Convert.FromHexString(hex), .. "</v>"u8];
            CreoException error = Assert.Fails(ErrorCode.Malformed, () => One.String.FromXml(text));
            Assert.Equal(3L, error.Offset!.Value, "offset of " + hex);
            Assert.Fails(ErrorCode.Malformed, () => One.String.FromXml([.. "<v x='"u8, .. Convert.FromHexString(hex), .. "'/>"u8]));
            Assert.Fails(ErrorCode.Malformed, () => One.String.FromXml([.. "<v><!--"u8, .. Convert.FromHexString(hex), .. "--></v>"u8]));
        }
    }

    [Test]
    public static void AllFormsOfTextAreRead()
    {
        foreach ((string xml, string text) in new[]
        {
            ("<v>a</v>", "a"), ("<v/>", ""), ("<v />", ""), ("<v\n></v\t>", ""), ("<v>a<!-- x -->b</v>", "ab"), ("<v><![CDATA[<&>]]]]><![CDATA[>]]></v>", "<&>]]>"),
            ("<v>&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;</v>", "<>&\"'A\U0001f600"), ("<v>a\r\nb\rc\n</v>", "a\nb\nc\n"), ("<v>&#13;&#10;</v>", "\r\n"), ("<v>]]</v>", "]]"),
            ("<?xml version=\"1.0\" encoding='UTF-8' standalone=\"yes\" ?>\n<!-- x --><v>a</v>\n<!-- y -->\n", "a"), ("\ufeff<v>a</v>", "a"), ("<v>\u20ac\U0001f600</v>", "\u20ac\U0001f600"),
            ("<v>" + new string('x', 5000) + "\u00e9" + new string('y', 5000) + "</v>", new string('x', 5000) + "\u00e9" + new string('y', 5000)),
            ("<v xml:lang='en' xmlns:p='u' p:x='1'>a</v>", "a"), ("<v>a</v\n >", "a"),
        })
        {
            Assert.Equal(text, One.String.FromXml(Utf8(xml)), xml.Length > 100 ? "long" : xml);
        }
    }

    [Test]
    public static void Utf16IsReadWithItsMark()
    {
        foreach (Encoding encoding in new[] { Encoding.Unicode, Encoding.BigEndianUnicode })
        {
            byte[] text = [.. encoding.GetPreamble(), .. encoding.GetBytes("<?xml version='1.0' encoding='UTF-16'?><v>\u20ac\U0001f600</v>")];
            Assert.Equal("\u20ac\U0001f600", One.String.FromXml(text));
            Assert.Fails(ErrorCode.Malformed, () => One.String.FromXml(text.AsSpan(0, text.Length - 1)));
            Assert.Fails(ErrorCode.Malformed, () => One.String.FromXml([.. encoding.GetPreamble(), .. encoding.GetBytes("<?xml version='1.0' encoding='utf-8'?><v/>")]));
            byte[] lone = [.. encoding.GetPreamble(), .. encoding.GetBytes("<v>"), .. (encoding == Encoding.Unicode ? (byte[])[0, 0xd8] : [0xd8, 0]), .. encoding.GetBytes("</v>")];
            Assert.Fails(ErrorCode.Malformed, () => One.String.FromXml(lone));
        }
    }

    [Test]
    public static void LimitsHold()
    {
        void TooLarge(string limit, string text, Limits? limits = null)
        {
            CreoException error = Assert.Fails(ErrorCode.TooLarge, () => NodeText.Codec.FromXml(Utf8(text), limits));
            Assert.Equal(limit, error.Details["limit"], "limit");
        }
        const string head = "<Node xmlns='urn:test' ";
        TooLarge("maxXmlAttributes", head + string.Concat(Enumerable.Range(0, 300).Select(i => $"a{i}='' ")) + "/>");
        TooLarge("maxXmlName", head + new string('a', 2000) + "=''/>");
        TooLarge("maxXmlName", "<" + new string('a', 2000) + "/>");
        TooLarge("maxXmlNamespaces", head + "xmlns:a='u' xmlns:b='u'/>", new Limits { MaxXmlNamespaces = 2 });
        TooLarge("maxXmlText", head + "><name>12345678901</name></Node>", new Limits { MaxXmlText = 10 });
        TooLarge("maxXmlText", head + "><name>123456789&amp;01</name></Node>", new Limits { MaxXmlText = 10 });
        TooLarge("maxXmlText", head + "a='12345678901'/>", new Limits { MaxXmlText = 10 });
        TooLarge("maxMessageSize", head + "/>", new Limits { MaxMessageSize = 10 });
        TooLarge("maxXmlDepth", head + ">" + string.Concat(Enumerable.Repeat("<children>", 4)), new Limits { MaxXmlDepth = 4 });
        TooLarge("maxDepth", head + ">" + string.Concat(Enumerable.Repeat("<children>", 101)));
    }

    [Test]
    public static void ErrorsSayWhere()
    {
        void At(string place, string text)
        {
            CreoException error = Assert.Fails(ErrorCode.Malformed, () => NodeText.Codec.FromXml(Utf8("<Node xmlns='urn:test'>" + text + "</Node>")));
            Assert.Equal(place, error.Place, text);
        }
        At("$", "<other/>");
        At("$", "<name>a</name>");
        At("$", "<name>a</name><name>b</name>");
        At("$.name", "<name>a<b/></name>");
        At("$.samples[1]", "<samples>1</samples><samples>x</samples>");
        At("$.children[0].name", "<children><name a='1'/></children>");
        At("$.flags{0}.value", "<flags><entry><key>a</key><value>2</value></entry></flags>");
        At("$.flags", "<flags><entry><key>a</key><value>1</value></entry><entry><key>a</key><value>1</value></entry></flags>");
        At("$", "<samples>1</samples><name>a</name><samples>2</samples>");
        CreoException where = Malformed("<v a='1'/>");
        Assert.Equal(3L, where.Offset!.Value, "offset");
    }

    [Test]
    public static void AnyOrderAndAnyPrefixIsRead()
    {
        Node expected = NodeText.Codec.FromXml(Utf8(Sample));
        Node read = NodeText.Codec.FromXml(Utf8(
            "<x:Node xmlns:x='urn:test'> <flags xmlns='urn:test'><y:entry xmlns:y='urn:test'><value>1</value><key>k</key></y:entry></flags>\n"
            + "<x:children ><x:flags/><x:name/></x:children><x:samples> 1.50 </x:samples><!-- --><x:samples>-2e0</x:samples><x:name>a&#38;b\u00e9</x:name></x:Node>"));
        Assert.Equal(expected, read);
    }

    [Test]
    public static void AttributesAndTextAreRead()
    {
        Assert.Equal(new Price("E\"U R", " 1 "), PriceText.Codec.FromXml(Utf8("<Price currency='E&quot;U\nR'> 1 </Price>")));
        Assert.Equal("<Price currency=\"a&quot;&#10;&lt;b\">&lt;\"</Price>", Encoding.UTF8.GetString(PriceText.Codec.ToXml(new Price("a\"\n<b", "<\""))));
        Assert.Fails(ErrorCode.Malformed, () => PriceText.Codec.FromXml(Utf8("<Price>1</Price>")));
        Assert.Fails(ErrorCode.Malformed, () => PriceText.Codec.FromXml(Utf8("<Price currency='' other=''>1</Price>")));
        Assert.Equal("", PriceText.Codec.FromXml(Utf8("<Price currency='x'/>")).Text);
    }
}
