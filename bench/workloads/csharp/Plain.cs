using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json.Serialization;
using Bench.Workloads;

namespace Workload.Plain;

/// <summary>The values as a program holds them, and what the framework's serializers take.</summary>
public sealed class Item
{
    public string Sku { get; set; } = "";

    public int Quantity { get; set; }

    public double Price { get; set; }

    public string? Note { get; set; }
}

public sealed class Order
{
    public long Id { get; set; }

    public string Customer { get; set; } = "";

    public DateTimeOffset Placed { get; set; }

    public List<Item> Items { get; set; } = [];

    public Dictionary<string, string> Tags { get; set; } = [];
}

public sealed class Orders
{
    [JsonPropertyName("orders")]
    public List<Order> Items { get; set; } = [];
}

public sealed class Reading
{
    public DateTimeOffset At { get; set; }

    public double Value { get; set; }

    public int Flags { get; set; }

    public string? Unit { get; set; }
}

public sealed class Telemetry
{
    public List<Reading> Readings { get; set; } = [];
}

public sealed class Node
{
    public string Kind { get; set; } = "";

    public string? Text { get; set; }

    public Dictionary<string, string> Attributes { get; set; } = [];

    public List<Node> Children { get; set; } = [];
}

public sealed class Document
{
    public string Title { get; set; } = "";

    public Node Root { get; set; } = new();
}

/// <summary>What is done with the values.</summary>
internal static class Values
{
    /// <summary>Those in Creo's bytes of a workload.</summary>
    public static object Of(string workload, byte[] bytes) => workload switch
    {
        "telemetry" => new Telemetry
        {
            Readings = TelemetryCodec.FromBytes(bytes).Readings
                .Select(r => new Reading { At = r.At.ToDateTimeOffset(), Value = r.Value, Flags = r.Flags, Unit = r.Unit }).ToList(),
        },
        "document" => Of(DocumentCodec.FromBytes(bytes)),
        _ => new Orders { Items = OrdersCodec.FromBytes(bytes).Orders_.Select(Of).ToList() },
    };

    /// <summary>The same values in new objects; maps are taken as they are.</summary>
    public static object Copy(object value)
    {
        switch (value)
        {
            case Orders orders:
                var made = new Orders { Items = new List<Order>(orders.Items.Count) };
                foreach (Order o in orders.Items)
                {
                    var items = new List<Item>(o.Items.Count);
                    foreach (Item i in o.Items)
                    {
                        items.Add(new Item { Sku = i.Sku, Quantity = i.Quantity, Price = i.Price, Note = i.Note });
                    }
                    made.Items.Add(new Order { Id = o.Id, Customer = o.Customer, Placed = o.Placed, Items = items, Tags = o.Tags });
                }
                return made;
            case Telemetry telemetry:
                var readings = new List<Reading>(telemetry.Readings.Count);
                foreach (Reading r in telemetry.Readings)
                {
                    readings.Add(new Reading { At = r.At, Value = r.Value, Flags = r.Flags, Unit = r.Unit });
                }
                return new Telemetry { Readings = readings };
            default:
                var document = (Document)value;
                return new Document { Title = document.Title, Root = Copy(document.Root) };
        }
    }

    /// <summary>Reads every field.</summary>
    public static ulong Read(object value)
    {
        var d = default(Digest);
        switch (value)
        {
            case Orders orders:
                foreach (Order o in orders.Items)
                {
                    d.Number(o.Id);
                    d.Text(o.Customer);
                    d.Instant(o.Placed);
                    foreach (Item i in o.Items)
                    {
                        d.Text(i.Sku);
                        d.Number(i.Quantity);
                        d.Real(i.Price);
                        d.Text(i.Note);
                    }
                    d.Map(o.Tags);
                }
                break;
            case Telemetry telemetry:
                foreach (Reading r in telemetry.Readings)
                {
                    d.Instant(r.At);
                    d.Real(r.Value);
                    d.Number(r.Flags);
                    d.Text(r.Unit);
                }
                break;
            default:
                var document = (Document)value;
                d.Text(document.Title);
                Read(document.Root, ref d);
                break;
        }
        return d.Sum;
    }

    private static void Read(Node node, ref Digest d)
    {
        d.Text(node.Kind);
        d.Text(node.Text);
        d.Map(node.Attributes);
        foreach (Node child in node.Children)
        {
            Read(child, ref d);
        }
    }

    private static Order Of(Bench.Workloads.Order o) => new()
    {
        Id = o.Id,
        Customer = o.Customer,
        Placed = o.Placed.ToDateTimeOffset(),
        Items = o.Items.Select(i => new Item { Sku = i.Sku, Quantity = i.Quantity, Price = i.Price, Note = i.Note }).ToList(),
        Tags = o.Tags.ToDictionary(e => e.Key, e => e.Value),
    };

    private static Document Of(Bench.Workloads.Document d) => new() { Title = d.Title, Root = Of(d.Root) };

    private static Node Of(Bench.Workloads.Node n) =>
        new() { Kind = n.Kind, Text = n.Text, Attributes = n.Attributes.ToDictionary(e => e.Key, e => e.Value), Children = n.Children.Select(Of).ToList() };

    private static Node Copy(Node from)
    {
        var children = new List<Node>(from.Children.Count);
        foreach (Node child in from.Children)
        {
            children.Add(Copy(child));
        }
        return new Node { Kind = from.Kind, Text = from.Text, Attributes = from.Attributes, Children = children };
    }
}

/// <summary>A sum of every field, in order, by which what peers give back is compared; cheap, since it is part of what is measured.</summary>
internal struct Digest
{
    public ulong Sum { get; private set; }

    public void Number(long value) => Sum = Sum * 31 + (ulong)value;

    public void Real(double value) => Number(BitConverter.DoubleToInt64Bits(value));

    public void Instant(DateTimeOffset value) => Number(value.UtcTicks);

    public void Text(string? value) => Number(Of(value));

    /// <summary>Entries in any order.</summary>
    public void Map(IEnumerable<KeyValuePair<string, string>> value)
    {
        long all = 0;
        foreach (KeyValuePair<string, string> entry in value)
        {
            all += Entry(entry.Key, entry.Value);
        }
        Number(all);
    }

    public static long Entry(string key, string value) => Of(key) * 31 + Of(value);

    private static long Of(string? value) => value is null ? -1 : value.Length == 0 ? 0 : (value.Length * 31L + value[0]) * 31 + value[^1];
}
