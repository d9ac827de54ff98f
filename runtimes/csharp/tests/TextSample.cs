using System;
using System.Text;

namespace Creo.Tests;

/// <summary>What text wires know of <see cref="Node"/>, as the generator writes it, by hand.</summary>
public static class NodeText
{
    private const string N0 = "urn:test";

    private static readonly TextField F0 = new("name", N0, "name");
    private static readonly TextField F1 = new("samples", N0, "samples") { Item = new(null, N0, "samples") { Form = TextForm.Real }, EachCharge = 8 };
    private static readonly TextField F2 = new("children", N0, "children") { Item = new(null, N0, "children") { Type = Type }, EachCharge = 8 + NodeCodec.Weight };
    private static readonly TextField F3 =
        new("flags", N0, "flags") { Key = new(null, N0, "key"), Value = new(null, N0, "value") { Form = TextForm.Boolean }, EachCharge = 64 + 32 };
    private static readonly TextRecord Record = new("test.Node", N0, "Node", F0, F1, F2, F3) { IsRecursive = true };

    public static TextCodec<Node> Codec { get; } = new("test.Node", new TextField(null, N0, "Node") { Type = Type }, Write, Read, false, N0);

    public static TextType Type() => Record;

    public static void Write(TextWireWriter writer, TextField field, Node value)
    {
        if (value is null)
        {
            throw writer.Missing(field);
        }
        writer.BeginRecord(field, Record);
        writer.WriteString(F0, value.Name);
        writer.WriteDoubles(F1, value.Samples);
        TextField item = writer.BeginItems(F2, value.Children.Count);
        for (int i = 0; i < value.Children.Count; i++)
        {
            writer.Item(i);
            Write(writer, item, value.Children[i]);
        }
        writer.EndItems(F2);
        writer.BeginEntries(F3, value.Flags.Count);
        for (int i = 0; i < value.Flags.Count; i++)
        {
            writer.WriteString(writer.Key(F3, i), value.Flags.Entries[i].Key);
            writer.WriteBoolean(writer.Value(F3), value.Flags.Entries[i].Value);
            writer.EndEntry(F3);
        }
        writer.EndEntries(F3);
        writer.EndRecord(field, Record);
    }

    public static Node Read(TextWireReader reader)
    {
        reader.Begin(Record);
        string f0 = null!;
        ValueArray<double> f1 = default;
        ValueArray<Node> f2 = default;
        ValueMap<string, bool> f3 = [];
        for (int i = reader.Next(0); i >= 0; i = reader.Next(i + 1))
        {
            switch (i)
            {
                case 0:
                    f0 = reader.ReadString();
                    break;
                case 1:
                    f1 = reader.ReadDoubles();
                    break;
                case 2:
                    f2 = reader.ReadItems<Node>(Read);
                    break;
                case 3:
                    f3 = reader.ReadEntries<string, bool>(static reader => reader.ReadString(), static reader => reader.ReadBoolean());
                    break;
            }
        }
        reader.End(Record);
        return new Node { Name = f0, Samples = f1, Children = f2, Flags = f3 };
    }
}

/// <summary>A type with a text and an attribute: <c>&lt;Price currency="EUR"&gt;1.50&lt;/Price&gt;</c>.</summary>
public sealed record Price(string Currency, string Text);

public static class PriceText
{
    private static readonly TextField F0 = new("currency", "", "currency", TextPlace.Attribute);
    private static readonly TextField F1 = new("text", place: TextPlace.Text);
    private static readonly TextRecord Record = new("test.Price", "", "Price", F0, F1);

    public static TextCodec<Price> Codec { get; } = new("test.Price", new TextField(null, "", "Price") { Type = Type }, Write, Read, false);

    private static TextType Type() => Record;

    private static void Write(TextWireWriter writer, TextField field, Price value)
    {
        writer.BeginRecord(field, Record);
        writer.WriteString(F0, value.Currency);
        writer.Content(field, Record);
        writer.WriteString(F1, value.Text);
        writer.EndRecord(field, Record);
    }

    private static Price Read(TextWireReader reader)
    {
        reader.Begin(Record);
        string f0 = null!;
        string f1 = null!;
        for (int i = reader.Next(0); i >= 0; i = reader.Next(i + 1))
        {
            if (i == 0)
            {
                f0 = reader.ReadString();
            }
            else
            {
                f1 = reader.ReadString();
            }
        }
        reader.End(Record);
        return new Price(f0, f1);
    }
}

/// <summary>One value of a kind, for tests of texts: <c>&lt;v&gt;..&lt;/v&gt;</c>.</summary>
public static class One
{
    public static TextCodec<T> Of<T>(TextWrite<T> write, TextRead<T> read, bool hex = false) => new("test.One", new TextField(null, "", "v") { IsHex = hex }, write, read, false);

    public static TextCodec<string> String { get; } = Of<string>(static (w, f, v) => w.WriteString(f, v), static r => r.ReadString());

    public static TextCodec<double> Double { get; } = Of<double>(static (w, f, v) => w.WriteDouble(f, v), static r => r.ReadDouble());

    public static TextCodec<float> Single { get; } = Of<float>(static (w, f, v) => w.WriteSingle(f, v), static r => r.ReadSingle());

    public static TextCodec<long> Int64 { get; } = Of<long>(static (w, f, v) => w.WriteInt64(f, v), static r => r.ReadInt64());

    public static TextCodec<ValueArray<byte>> Bytes { get; } = Of<ValueArray<byte>>(static (w, f, v) => w.WriteBytes(f, v), static r => r.ReadBytes());

    public static TextCodec<Instant> Instant { get; } = Of<Instant>(static (w, f, v) => w.WriteInstant(f, v), static r => r.ReadInstant());

    public static TextCodec<BigDecimal> Decimal { get; } = Of<BigDecimal>(static (w, f, v) => w.WriteDecimal(f, v), static r => r.ReadDecimal());

    /// <summary>The text that a value is written as.</summary>
    public static string Text<T>(TextCodec<T> codec, T value) => Encoding.UTF8.GetString(codec.ToXml(value))[3..^4];

    /// <summary>The value of a text.</summary>
    public static T Value<T>(TextCodec<T> codec, string text) => codec.FromXml(Encoding.UTF8.GetBytes($"<v>{text}</v>"));
}
