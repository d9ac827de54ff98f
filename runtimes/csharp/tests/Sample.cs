using System;

namespace Creo.Tests;

/// <summary>A type and its codec as the generator writes them, by hand: the runtime is tested without the generator.</summary>
public sealed record Node
{
    public required string Name { get; init; }

    public required ValueArray<double> Samples { get; init; }

    public required ValueArray<Node> Children { get; init; }

    public required ValueMap<string, bool> Flags { get; init; }

    public static Node Leaf(string name) => new() { Name = name, Samples = [1.5], Children = [], Flags = [] };
}

public static class NodeCodec
{
    /// <summary>The memory of a node besides its slot (LIM-18): itself, four fields, a text, an array of numbers, an array, a map.</summary>
    public const int Weight = 40 + 4 * 8 + 32 + 128 + 64 + 96;

    public static Layout Layout { get; } = Layout.Struct("test.Node", Members, recursive: true);

    public static void Encode(Writer writer, Node value)
    {
        if (value is null)
        {
            Writer.ThrowNull("test.Node");
        }
        writer.Descend("test.Node");
        writer.WriteString(value.Name);
        writer.WriteDoubles(value.Samples);
        foreach (Node item in writer.WriteItems(value.Children))
        {
            Encode(writer, item);
        }
        foreach (var entry in writer.WriteEntries(value.Flags))
        {
            writer.WriteString(entry.Key);
            writer.WriteBoolean(entry.Value);
        }
        writer.Ascend();
    }

    public static Node Decode(ref Reader reader)
    {
        reader.Descend("test.Node");
        string name = reader.ReadString();
        ValueArray<double> samples = reader.ReadDoubles();
        var children = new Node[reader.ReadCount(4, 8 + Weight)];
        for (int i = 0; i < children.Length; i++)
        {
            children[i] = Decode(ref reader);
        }
        var flags = new System.Collections.Generic.KeyValuePair<string, bool>[reader.ReadCount(2, 64 + 32)];
        for (int i = 0; i < flags.Length; i++)
        {
            string key = reader.ReadString();
            flags[i] = new(key, reader.ReadBoolean());
        }
        reader.Ascend();
        return new Node { Name = name, Samples = samples, Children = children, Flags = Reader.ToMap(flags) };
    }

    private static LayoutMember[] Members() =>
    [
        new("name", Layout.String, 0, true),
        new("samples", Layout.Array(Layout.Double), 1, true),
        new("children", Layout.Array(Layout), 2, true),
        new("flags", Layout.Map(Layout.String, Layout.Boolean), 3, true),
    ];
}

public sealed class NotFoundException : DeclaredException
{
    public required string Description { get; init; }

    public static Layout Layout { get; } = Layout.Struct("test.NotFound", static () => [new("description", Layout.String, 0, true)]);

    public static NotFoundException Decode(ref Reader reader) => new() { Description = reader.ReadString() };

    protected override string Describe() => $"test.NotFound {{ description = {Description} }}";
}

/// <summary>The methods of a service, as the generator describes them.</summary>
public static class SampleMethods
{
    public static ServiceInfo Service { get; } = new("test.Sample", 0x1122334455667788UL);

    public static Method<string, Node> Find { get; } = new()
    {
        Service = Service,
        Name = "find",
        Id = 0xa1a2a3a4a5a6a7a8UL,
        Parameters = Layout.Struct("test.Sample.find", static () => [new("name", Layout.String, 0, true)]),
        Result = NodeCodec.Layout,
        Throws = [new(NotFoundException.Layout, NotFoundException.Decode)],
        EncodeArguments = static (writer, arguments) => writer.WriteString(arguments),
        DecodeResult = static (ref Reader reader) => NodeCodec.Decode(ref reader),
    };

    public static Method<ValueArray<byte>, ValueArray<byte>> Echo { get; } = new()
    {
        Service = Service,
        Name = "echo",
        Id = 2,
        Parameters = Layout.Struct("test.Sample.echo", static () => [new("data", Layout.Bytes, 0, true)]),
        Result = Layout.Bytes,
        EncodeArguments = static (writer, arguments) => writer.WriteBytes(arguments),
        DecodeResult = static (ref Reader reader) => reader.ReadBytes(),
    };

    public static Method<(int, long), Unit> Note { get; } = new()
    {
        Service = Service,
        Name = "note",
        Id = 3,
        IsOneway = true,
        Parameters = Layout.Struct("test.Sample.note", static () => [new("a", Layout.Int, 0, true), new("b", Layout.Long, 1, true)]),
        EncodeArguments = static (writer, arguments) =>
        {
            writer.WriteInt32(arguments.Item1);
            writer.WriteInt64(arguments.Item2);
        },
        DecodeResult = static (ref Reader reader) => default,
    };
}
