using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using Conformance.Values;
using Creo;

namespace Conformance.Peer;

/// <summary>Writes the values of <c>malformed/writer</c> that the types of the language can hold, and says how that fails.</summary>
public static class WriterMode
{
    private const string High = "\ud800";

    private static readonly Dictionary<string, Func<object>> Values = new()
    {
        ["text-high"] = () => new Label { Text = High },
        ["text-low"] = () => new Label { Text = "\udc00" },
        ["text-swapped"] = () => new Label { Text = "a\udc00\ud800b" },
        ["text-high-then-letter"] = () => new Label { Text = High + "a" },
        ["text-optional"] = () => new Optionals { Text = "\udfff" },
        ["text-item"] = () => Small([], ["a", "\udbff"]),
        ["text-in-struct"] = () => Small([new Label { Text = "" }, new Label { Text = High }], []),
        ["key"] = () => Tree("", Named(High, Tree("", Named()))),
        ["entry"] = () => Tree("", Named("a", Tree(High, Named()))),
        ["member"] = () => new Shape.Label(High),
        ["region"] = () => new Growing { Name = High },
        ["null-text"] = () => new Label { Text = null! },
        ["null-map"] = () => Tree("", null!),
        ["null-struct"] = () => new Sum { Left = new Expression.Number(1), Right = null! },
        ["null-item"] = () => Small([], ["", null!]),
        ["constant"] = () => new Optionals { Colour = (Colour)1 },
        ["constant-negative"] = () => (Level)(-1),
        ["depth"] = Deep,
    };

    public static void Run(TextReader input, TextWriter output)
    {
        while (input.ReadLine() is { } line)
        {
            output.WriteLine(Answer(line));
            output.Flush();
        }
    }

    private static string Answer(string line)
    {
        using JsonDocument request = JsonDocument.Parse(line);
        string id = request.RootElement.GetProperty("id").GetString()!;
        var answer = new StringBuilder("{\"id\":").Append(CodecMode.Quote(id));
        try
        {
            if (Values.TryGetValue(id, out Func<object>? make))
            {
                byte[] bytes = AnyCodec.Of(request.RootElement.GetProperty("type").GetString()!).Write("codec", make());
                answer.Append(",\"bytes\":").Append(CodecMode.Quote(Convert.ToHexString(bytes).ToLowerInvariant()));
            }
            else
            {
                answer.Append(",\"cannot\":true");
            }
        }
        catch (CreoException e)
        {
            answer.Append(",\"error\":").Append(CodecMode.Quote(CodecMode.Word(e))).Append(",\"message\":").Append(CodecMode.Quote(e.Message));
            if (e.Place is not null)
            {
                answer.Append(",\"place\":").Append(CodecMode.Quote(e.Place));
            }
        }
        catch (Exception e)
        {
            // A defect of this language: it is the harness that says so.
            answer.Append(",\"error\":\"crash\",\"message\":").Append(CodecMode.Quote(e.ToString()));
        }
        return answer.Append('}').ToString();
    }

    private static Small Small(Label[] labels, string[] texts) =>
        new() { Maps = default, Labels = labels.ToValueArray(), Sparse = default, Texts = texts.ToValueArray(), Rows = default };

    private static ValueMap<string, Tree> Named(string key, Tree value) => ValueMap.Create<string, Tree>([new(key, value)]);

    private static ValueMap<string, Tree> Named() => ValueMap.Create<string, Tree>([]);

    private static Tree Tree(string name, ValueMap<string, Tree> named) => new() { Name = name, Children = default, Named = named };

    private static Tree Deep()
    {
        Tree tree = Tree("", Named());
        for (int level = 1; level <= 100; level++)
        {
            tree = new Tree { Name = "", Children = default, Next = tree, Named = Named() };
        }
        return tree;
    }
}
