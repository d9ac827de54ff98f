using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.Serialization;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Xml;
using Workload.Plain;
using Wire = Bench.Workloads;

namespace Workload;

/// <summary>One peer with one workload.</summary>
internal abstract class Peer
{
    /// <summary>The message in the peer's own objects; null if the peer only decodes.</summary>
    public abstract object? Build();

    public abstract byte[] Encode(object message);

    public abstract object Decode(byte[] bytes);

    /// <summary>Reads every field of what was decoded: its digest.</summary>
    public abstract ulong Read(object message);

    public static Peer Of(string wire, string name, object plain) => (wire, name) switch
    {
        ("binary", "creo") => plain switch
        {
            Telemetry => new CreoPeer<Wire.Telemetry>(plain, Wire.TelemetryCodec.ToBytes, bytes => Wire.TelemetryCodec.FromBytes(bytes)),
            Document => new CreoPeer<Wire.Document>(plain, Wire.DocumentCodec.ToBytes, bytes => Wire.DocumentCodec.FromBytes(bytes)),
            _ => new CreoPeer<Wire.Orders>(plain, Wire.OrdersCodec.ToBytes, bytes => Wire.OrdersCodec.FromBytes(bytes)),
        },
        ("json", "creo") => plain switch
        {
            Telemetry => new CreoPeer<Wire.Telemetry>(plain, Wire.TelemetryText.ToJson, bytes => Wire.TelemetryText.FromJson(bytes)),
            Document => new CreoPeer<Wire.Document>(plain, Wire.DocumentText.ToJson, bytes => Wire.DocumentText.FromJson(bytes)),
            _ => new CreoPeer<Wire.Orders>(plain, Wire.OrdersText.ToJson, bytes => Wire.OrdersText.FromJson(bytes)),
        },
        ("soap", "creo") => new CreoPeer<Wire.Orders>(null, _ => [], ReadSoap),
        ("binary", "data-contract-binary") => new ContractPeer(plain),
        ("json", "system-text-json") => new JsonPeer(plain),
        ("soap", "system-xml") => new XmlPeer(),
        _ => throw new ArgumentException($"no peer {name} on {wire}", nameof(name)),
    };

    /// <summary>As Creo's client does.</summary>
    private static Wire.Orders ReadSoap(byte[] bytes)
    {
        // The reader knows the names of a method that was used before, as a client's are, and looks ahead.
        Creo.TextMethod<int, Wire.Orders> method = Wire.WorkloadsTexts.Method0;
        byte[] padded = new byte[bytes.Length + 256];
        bytes.CopyTo(padded, 0);
        Creo.Xml.XmlReader reader = Creo.Xml.XmlReader.Rent(Creo.Limits.Default);
        try
        {
            reader.OpenOwn(padded, bytes.Length, "utf-8");
            if (reader.BeginEnvelope())
            {
                throw new InvalidDataException("a fault");
            }
            return reader.ReadBody(method.Response!);
        }
        finally
        {
            reader.GiveBack();
        }
    }
}

/// <summary>Creo's generated records and codecs.</summary>
internal sealed class CreoPeer<T>(object? plain, Func<T, byte[]> encode, Func<byte[], T> decode) : Peer
    where T : notnull
{
    public override object? Build() => plain switch
    {
        null => null,
        Orders orders => Build(orders),
        Telemetry telemetry => Build(telemetry),
        _ => Build((Document)plain),
    };

    public override byte[] Encode(object message) => encode((T)message);

    public override object Decode(byte[] bytes) => decode(bytes);

    public override ulong Read(object message)
    {
        var d = default(Digest);
        switch (message)
        {
            case Wire.Orders orders:
                foreach (Wire.Order o in orders.Orders_)
                {
                    d.Number(o.Id);
                    d.Text(o.Customer);
                    d.Instant(o.Placed.ToDateTimeOffset());
                    foreach (Wire.Item i in o.Items)
                    {
                        d.Text(i.Sku);
                        d.Number(i.Quantity);
                        d.Real(i.Price);
                        d.Text(i.Note);
                    }
                    Map(o.Tags, ref d);
                }
                break;
            case Wire.Telemetry telemetry:
                foreach (Wire.Reading r in telemetry.Readings)
                {
                    d.Instant(r.At.ToDateTimeOffset());
                    d.Real(r.Value);
                    d.Number(r.Flags);
                    d.Text(r.Unit);
                }
                break;
            default:
                var document = (Wire.Document)message;
                d.Text(document.Title);
                Read(document.Root, ref d);
                break;
        }
        return d.Sum;
    }

    private static void Read(Wire.Node node, ref Digest d)
    {
        d.Text(node.Kind);
        d.Text(node.Text);
        Map(node.Attributes, ref d);
        foreach (Wire.Node child in node.Children)
        {
            Read(child, ref d);
        }
    }

    private static void Map(Creo.ValueMap<string, string> map, ref Digest d)
    {
        long all = 0;
        foreach (KeyValuePair<string, string> entry in map)
        {
            all += Digest.Entry(entry.Key, entry.Value);
        }
        d.Number(all);
    }

    private static Wire.Orders Build(Orders from)
    {
        var orders = new Wire.Order[from.Items.Count];
        for (int i = 0; i < orders.Length; i++)
        {
            Order o = from.Items[i];
            var items = new Wire.Item[o.Items.Count];
            for (int k = 0; k < items.Length; k++)
            {
                Item item = o.Items[k];
                items[k] = new Wire.Item { Sku = item.Sku, Quantity = item.Quantity, Price = item.Price, Note = item.Note };
            }
            orders[i] = new Wire.Order { Id = o.Id, Customer = o.Customer, Placed = o.Placed, Items = items, Tags = o.Tags };
        }
        return new Wire.Orders { Orders_ = orders };
    }

    private static Wire.Telemetry Build(Telemetry from)
    {
        var readings = new Wire.Reading[from.Readings.Count];
        for (int i = 0; i < readings.Length; i++)
        {
            Reading r = from.Readings[i];
            readings[i] = new Wire.Reading { At = r.At, Value = r.Value, Flags = r.Flags, Unit = r.Unit };
        }
        return new Wire.Telemetry { Readings = readings };
    }

    private static Wire.Document Build(Document from) => new() { Title = from.Title, Root = Build(from.Root) };

    private static Wire.Node Build(Node from)
    {
        var children = new Wire.Node[from.Children.Count];
        for (int i = 0; i < children.Length; i++)
        {
            children[i] = Build(from.Children[i]);
        }
        return new Wire.Node { Kind = from.Kind, Text = from.Text, Attributes = from.Attributes, Children = children };
    }
}

/// <summary>The framework's serializers, which take any class.</summary>
internal abstract class PlainPeer(object plain) : Peer
{
    protected Type Type { get; } = plain.GetType();

    public override object? Build() => Values.Copy(plain);

    public override ulong Read(object message) => Values.Read(message);
}

/// <summary>DataContractSerializer in the framework's binary XML, its fastest form.</summary>
internal sealed class ContractPeer : PlainPeer
{
    private readonly MemoryStream stream = new();
    private readonly DataContractSerializer serializer;

    public ContractPeer(object plain)
        : base(plain) => serializer = new DataContractSerializer(Type);

    public override byte[] Encode(object message)
    {
        stream.SetLength(0);
        using (var writer = XmlDictionaryWriter.CreateBinaryWriter(stream, null, null, ownsStream: false))
        {
            serializer.WriteObject(writer, message);
        }
        return stream.ToArray();
    }

    public override object Decode(byte[] bytes)
    {
        using var reader = XmlDictionaryReader.CreateBinaryReader(bytes, XmlDictionaryReaderQuotas.Max);
        return serializer.ReadObject(reader)!;
    }
}

internal sealed class JsonPeer(object plain) : PlainPeer(plain)
{
    private static readonly JsonSerializerOptions Options = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    public override byte[] Encode(object message) => JsonSerializer.SerializeToUtf8Bytes(message, Type, Options);

    public override object Decode(byte[] bytes) => JsonSerializer.Deserialize(bytes, Type, Options)!;
}

/// <summary>System.Xml's reader with a mapping by hand that takes every element for what its name says.</summary>
internal sealed class XmlPeer : Peer
{
    private static readonly XmlReaderSettings Settings = new() { IgnoreWhitespace = true, IgnoreComments = true };

    public override object? Build() => null;

    public override byte[] Encode(object message) => throw new NotSupportedException("a client only reads a response");

    public override ulong Read(object message) => Values.Read(message);

    public override object Decode(byte[] bytes)
    {
        using var reader = XmlReader.Create(new MemoryStream(bytes), Settings);
        var orders = new Orders();
        while (reader.Read())
        {
            while (reader.NodeType == XmlNodeType.Element && reader.LocalName == "orders")
            {
                orders.Items.Add(ReadOrder(reader));
            }
        }
        return orders;
    }

    private static Order ReadOrder(XmlReader reader)
    {
        var order = new Order();
        reader.ReadStartElement();
        while (reader.NodeType == XmlNodeType.Element)
        {
            switch (reader.LocalName)
            {
                case "id":
                    order.Id = reader.ReadElementContentAsLong();
                    break;
                case "customer":
                    order.Customer = reader.ReadElementContentAsString();
                    break;
                case "placed":
                    order.Placed = XmlConvert.ToDateTimeOffset(reader.ReadElementContentAsString());
                    break;
                case "items":
                    order.Items.Add(ReadItem(reader));
                    break;
                case "tags":
                    reader.ReadStartElement();
                    while (reader.NodeType == XmlNodeType.Element)
                    {
                        reader.ReadStartElement();
                        string key = reader.ReadElementContentAsString();
                        order.Tags.Add(key, reader.ReadElementContentAsString());
                        reader.ReadEndElement();
                    }
                    reader.ReadEndElement();
                    break;
                default:
                    reader.Skip();
                    break;
            }
        }
        reader.ReadEndElement();
        return order;
    }

    private static Item ReadItem(XmlReader reader)
    {
        var item = new Item();
        reader.ReadStartElement();
        while (reader.NodeType == XmlNodeType.Element)
        {
            switch (reader.LocalName)
            {
                case "sku":
                    item.Sku = reader.ReadElementContentAsString();
                    break;
                case "quantity":
                    item.Quantity = reader.ReadElementContentAsInt();
                    break;
                case "price":
                    item.Price = reader.ReadElementContentAsDouble();
                    break;
                case "note":
                    item.Note = reader.ReadElementContentAsString();
                    break;
                default:
                    reader.Skip();
                    break;
            }
        }
        reader.ReadEndElement();
        return item;
    }
}
