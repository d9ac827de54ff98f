using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using Creo.Xml;

namespace Creo.Tests;

/// <summary>Prefixes of namespaces: what they are bound to, that many of them cost no more than few, and what elements that are kept as XML get of them (XML-36, XML-45).</summary>
public static class XmlPrefixTests
{
    private static readonly TextField F0 = new("x", place: TextPlace.Any) { Item = new TextField(null, place: TextPlace.Any) };
    private static readonly TextRecord Record = new("test.Kept", "", "e", F0);

    private static TextCodec<ValueArray<string>> Kept { get; } = new(
        "test.Kept",
        new TextField(null, "", "e") { Type = static () => Record },
        static (_, _, _) => throw new NotSupportedException(),
        static reader =>
        {
            reader.Begin(Record);
            ValueArray<string> items = default;
            while (reader.Next(0) >= 0)
            {
                items = reader.ReadItems<string>(static r => r.ReadRaw());
            }
            reader.End(Record);
            return items;
        },
        false);

    private static string Read(string around, string element) => Kept.FromXml(Encoding.UTF8.GetBytes($"<e {around}>{element}</e>"))[0];

    [Test]
    public static void AnElementGetsWhatItNames()
    {
        foreach ((string around, string element, string added) in new[]
        {
            ("xmlns:a=\"urn:a\" xmlns:b=\"urn:b\"", "<a:x/>", " xmlns:a=\"urn:a\""),
            ("xmlns:b=\"urn:b\" xmlns:a=\"urn:a\"", "<a:x>b:y</a:x>", " xmlns:a=\"urn:a\" xmlns:b=\"urn:b\""),
            ("xmlns:b=\"urn:b\" xmlns:a=\"urn:a\"", "<a:x>b::y</a:x>", " xmlns:a=\"urn:a\" xmlns:b=\"urn:b\""),
            ("xmlns:b=\"urn:b\" xmlns:a=\"urn:a\"", "<a:x>ab:y -b:y .b: \u00e9b: :b: b</a:x>", " xmlns:a=\"urn:a\""),
            ("xmlns:b=\"urn:b\" xmlns:a=\"urn:a\"", "<x xmlns:a=\"urn:c\">a:y</x>", ""),
            ("xmlns:xml=\"http://www.w3.org/XML/1998/namespace\"", "<x xml:lang=\"en\"/>", ""),
            ("xmlns:a=\"&amp;&lt;&quot;\"", "<x>(a:b)</x>", " xmlns:a=\"&amp;&lt;&quot;\""),
        })
        {
            int name = element.IndexOfAny([' ', '/', '>']);
            Assert.Equal(element[..name] + added + element[name..], Read(around, element), around);
        }
    }

    [Test]
    public static void DeclarationsOfElementsThatAreKeptAreLimited()
    {
        string uri = new('u', 1_000);
        string Text(int elements) => $"<e xmlns:a=\"{uri}\">{string.Concat(Enumerable.Repeat("<a:b/>", elements))}</e>";
        foreach (int allowed in new[] { 20_000, 200_000 })
        {
            var limits = new Limits { MaxXmlText = allowed };
            int fit = allowed / (uri.Length + " xmlns:a=\"\"".Length);
            Assert.Equal(fit, Kept.FromXml(Encoding.UTF8.GetBytes(Text(fit)), limits).Count);
            CreoException error = Assert.Fails(ErrorCode.TooLarge, () => Kept.FromXml(Encoding.UTF8.GetBytes(Text(fit + 1)), limits));
            Assert.Equal("maxXmlText", error.Details["limit"], "limit");
        }
    }

    [Test]
    public static void ManyPrefixesCostNoMoreThanFew()
    {
        foreach (int count in new[] { 8, 9, 100, 1_000 })
        {
            (byte[] text, string[] names) = Names(count);
            var prefixes = new XmlPrefixes();
            Bind(prefixes, text, names);
            long before = prefixes.Compared;
            for (int i = 0; i < 4_000; i++)
            {
                Assert.Equal(i % count, prefixes.Find(text, Encoding.ASCII.GetBytes(names[i % count])), "found");
            }
            Assert.True(prefixes.Compared - before <= 8 * 4_000, $"{count} prefixes: {prefixes.Compared - before} comparisons");
        }
    }

    [Test]
    public static void TheInnermostBindingIsFound()
    {
        var random = new Random(1);
        (byte[] text, string[] names) = Names(300);
        string all = Encoding.ASCII.GetString(text);
        var prefixes = new XmlPrefixes();
        var bound = new List<string>();
        for (int turn = 0; turn < 20_000; turn++)
        {
            if (random.Next(20) == 0)
            {
                int to = random.Next(bound.Count + 1);
                prefixes.Reset(text, to);
                if (random.Next(2) == 0)
                {
                    // A text that is read once more: what was bound there is still known.
                    prefixes.Reset(text, bound.Count);
                }
                else
                {
                    bound.RemoveRange(to, bound.Count - to);
                }
            }
            else if (bound.Count < 500)
            {
                string name = names[random.Next(names.Length)];
                prefixes.Bind(text, all.IndexOf(name + " ", StringComparison.Ordinal), name.Length, "urn:");
                bound.Add(name);
            }
            string looked = names[random.Next(names.Length)];
            Assert.Equal(bound.LastIndexOf(looked), prefixes.Find(text, Encoding.ASCII.GetBytes(looked)), looked);
        }
    }

    private static (byte[] Text, string[] Names) Names(int count)
    {
        string[] names = [.. Enumerable.Range(0, count).Select(i => i < 40 ? $"p{i}" : $"prefix{i}")];
        return (Encoding.ASCII.GetBytes(string.Join(" ", names) + " "), names);
    }

    private static void Bind(XmlPrefixes prefixes, byte[] text, string[] names)
    {
        string all = Encoding.ASCII.GetString(text);
        foreach (string name in names)
        {
            prefixes.Bind(text, all.IndexOf(name + " ", StringComparison.Ordinal), name.Length, "urn:" + name);
        }
    }
}
