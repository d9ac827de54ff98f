using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Runtime.Serialization;
using System.Text;
using System.Text.Json;
using System.Xml;
using System.Xml.Serialization;

namespace WireBenchmark;

// The serializers of the framework work on plain public classes.

public sealed class Block
{
    public double D { get; set; }

    public short S { get; set; }
}

public sealed class Numbers
{
    public Block[] Blocks { get; set; } = [];
}

public sealed class Strings
{
    public string[] Items { get; set; } = [];
}

public sealed class Bytes
{
    public byte[] Data { get; set; } = [];
}

public sealed class Reals
{
    public double[] Items { get; set; } = [];
}

/// <summary>A peer that writes plain classes to a stream.</summary>
public abstract class PlainCase : Case
{
    protected PlainCase(Workload workload, int count)
    {
        Value = workload switch
        {
            Workload.Numbers => new Numbers { Blocks = Values.Of(count, i => new Block { D = Values.D(i), S = Values.S(i) }) },
            Workload.Strings or Workload.Texts => new Strings { Items = Values.Strings(workload, count) },
            Workload.Bytes => new Bytes { Data = Values.Bytes(count) },
            Workload.Reals => new Reals { Items = Values.Of(count, Values.D) },
            _ => throw new ArgumentOutOfRangeException(nameof(workload)),
        };
    }

    protected object Value { get; }

    public override IEnumerable<object> Plain(object decoded) => decoded switch
    {
        Numbers numbers => numbers.Blocks.SelectMany(b => new object[] { b.D, b.S }),
        Strings strings => strings.Items,
        Bytes bytes => bytes.Data.Cast<object>(),
        Reals reals => reals.Items.Cast<object>(),
        _ => throw new ArgumentException("not of this peer", nameof(decoded)),
    };
}

/// <summary>System.Text.Json, into a writer and a buffer that are kept. Its metadata comes from reflection, once.</summary>
public sealed class JsonCase : PlainCase
{
    private readonly ArrayBufferWriter<byte> buffer = new();
    private readonly Utf8JsonWriter writer;
    private readonly Type type;
    private readonly byte[] bytes;

    public JsonCase(Workload workload, int count)
        : base(workload, count)
    {
        writer = new Utf8JsonWriter(buffer, new JsonWriterOptions { SkipValidation = true });
        type = Value.GetType();
        Serialize();
        bytes = Written.ToArray();
    }

    public override ReadOnlySpan<byte> Written => buffer.WrittenSpan;

    public override int Serialize()
    {
        buffer.ResetWrittenCount();
        writer.Reset();
        JsonSerializer.Serialize(writer, Value, type);
        return buffer.WrittenCount;
    }

    public override object Deserialize() => JsonSerializer.Deserialize(bytes, type)!;
}

/// <summary>XmlSerializer, into a stream that is kept.</summary>
public sealed class XmlCase : PlainCase
{
    private static readonly XmlWriterSettings Settings = new() { Encoding = new UTF8Encoding(false), CheckCharacters = false };

    private readonly MemoryStream stream = new();
    private readonly XmlSerializer serializer;
    private readonly byte[] bytes;

    public XmlCase(Workload workload, int count)
        : base(workload, count)
    {
        serializer = new XmlSerializer(Value.GetType());
        Serialize();
        bytes = Written.ToArray();
    }

    public override ReadOnlySpan<byte> Written => stream.GetBuffer().AsSpan(0, (int)stream.Length);

    public override int Serialize()
    {
        stream.SetLength(0);
        using (XmlWriter writer = XmlWriter.Create(stream, Settings))
        {
            serializer.Serialize(writer, Value);
        }
        return (int)stream.Length;
    }

    public override object Deserialize() => serializer.Deserialize(new MemoryStream(bytes))!;
}

/// <summary>DataContractSerializer, as text or in the framework's binary XML, which is its fastest form.</summary>
public sealed class ContractCase : PlainCase
{
    private readonly MemoryStream stream = new();
    private readonly DataContractSerializer serializer;
    private readonly bool binary;
    private readonly byte[] bytes;

    public ContractCase(Workload workload, int count, bool binary)
        : base(workload, count)
    {
        this.binary = binary;
        serializer = new DataContractSerializer(Value.GetType());
        Serialize();
        bytes = Written.ToArray();
    }

    public override ReadOnlySpan<byte> Written => stream.GetBuffer().AsSpan(0, (int)stream.Length);

    public override int Serialize()
    {
        stream.SetLength(0);
        using (XmlDictionaryWriter writer = binary
            ? XmlDictionaryWriter.CreateBinaryWriter(stream, null, null, ownsStream: false)
            : XmlDictionaryWriter.CreateTextWriter(stream, Encoding.UTF8, ownsStream: false))
        {
            serializer.WriteObject(writer, Value);
        }
        return (int)stream.Length;
    }

    public override object Deserialize()
    {
        using XmlDictionaryReader reader = binary
            ? XmlDictionaryReader.CreateBinaryReader(bytes, XmlDictionaryReaderQuotas.Max)
            : XmlDictionaryReader.CreateTextReader(bytes, XmlDictionaryReaderQuotas.Max);
        return serializer.ReadObject(reader)!;
    }
}

/// <summary>
/// What a careful programmer writes by hand for this one layout with <see cref="BinaryPrimitives"/>, from and to structs, counts as u32: a floor for
/// generated code, not a product.
/// </summary>
public sealed class HandCase : Case
{
    private readonly struct Pair(double d, short s)
    {
        public readonly double D = d;
        public readonly short S = s;
    }

    private readonly Workload workload;
    private readonly Pair[] pairs = [];
    private readonly string[] texts = [];
    private readonly byte[] data = [];
    private readonly double[] reals = [];
    private readonly byte[] buffer;
    private readonly byte[] bytes;
    private int size;

    public HandCase(Workload workload, int count)
    {
        this.workload = workload;
        switch (workload)
        {
            case Workload.Numbers:
                pairs = Values.Of(count, i => new Pair(Values.D(i), Values.S(i)));
                break;
            case Workload.Strings:
            case Workload.Texts:
                texts = Values.Strings(workload, count);
                break;
            case Workload.Bytes:
                data = Values.Bytes(count);
                break;
            case Workload.Reals:
                reals = Values.Of(count, Values.D);
                break;
        }
        buffer = new byte[64 + 16 * Math.Max(count, 1)];
        Serialize();
        bytes = Written.ToArray();
    }

    public override ReadOnlySpan<byte> Written => buffer.AsSpan(0, size);

    public override int Serialize()
    {
        Span<byte> at = buffer.AsSpan(4);
        switch (workload)
        {
            case Workload.Numbers:
                BinaryPrimitives.WriteInt32BigEndian(buffer, pairs.Length);
                at = at[..(10 * pairs.Length)];
                foreach (ref readonly Pair pair in pairs.AsSpan())
                {
                    BinaryPrimitives.WriteDoubleBigEndian(at, pair.D);
                    BinaryPrimitives.WriteInt16BigEndian(at[8..], pair.S);
                    at = at[10..];
                }
                return size = 4 + 10 * pairs.Length;
            case Workload.Strings:
            case Workload.Texts:
                BinaryPrimitives.WriteInt32BigEndian(buffer, texts.Length);
                size = 4;
                foreach (string text in texts)
                {
                    int length = Encoding.UTF8.GetBytes(text, buffer.AsSpan(size + 4));
                    BinaryPrimitives.WriteInt32BigEndian(buffer.AsSpan(size), length);
                    size += 4 + length;
                }
                return size;
            case Workload.Bytes:
                BinaryPrimitives.WriteInt32BigEndian(buffer, data.Length);
                data.CopyTo(at);
                return size = 4 + data.Length;
            default:
                BinaryPrimitives.WriteInt32BigEndian(buffer, reals.Length);
                BinaryPrimitives.ReverseEndianness(MemoryMarshal.Cast<double, long>(reals), MemoryMarshal.Cast<byte, long>(at)[..reals.Length]);
                return size = 4 + 8 * reals.Length;
        }
    }

    public override object Deserialize()
    {
        int count = BinaryPrimitives.ReadInt32BigEndian(bytes);
        ReadOnlySpan<byte> at = bytes.AsSpan(4);
        switch (workload)
        {
            case Workload.Numbers:
                var blocks = new Pair[count];
                for (int i = 0; i < blocks.Length; i++)
                {
                    blocks[i] = new Pair(BinaryPrimitives.ReadDoubleBigEndian(at), BinaryPrimitives.ReadInt16BigEndian(at[8..]));
                    at = at[10..];
                }
                return blocks;
            case Workload.Strings:
            case Workload.Texts:
                var strings = new string[count];
                for (int i = 0; i < strings.Length; i++)
                {
                    int length = BinaryPrimitives.ReadInt32BigEndian(at);
                    strings[i] = Encoding.UTF8.GetString(at.Slice(4, length));
                    at = at[(4 + length)..];
                }
                return strings;
            case Workload.Bytes:
                return at[..count].ToArray();
            default:
                double[] values = GC.AllocateUninitializedArray<double>(count);
                BinaryPrimitives.ReverseEndianness(MemoryMarshal.Cast<byte, long>(at), MemoryMarshal.Cast<double, long>(values));
                return values;
        }
    }

    public override IEnumerable<object> Plain(object decoded) => decoded switch
    {
        Pair[] blocks => blocks.SelectMany(b => new object[] { b.D, b.S }),
        string[] strings => strings,
        byte[] some => some.Cast<object>(),
        double[] values => values.Cast<object>(),
        _ => throw new ArgumentException("not of this peer", nameof(decoded)),
    };
}

/// <summary>
/// <see cref="BinaryPrimitives.ReverseEndianness(ReadOnlySpan{long}, Span{long})"/> over as many bytes as the payload has, from one array to another
/// that is kept: the limit of the machine. It makes no objects.
/// </summary>
public sealed class ReverseCase : Case
{
    private readonly long[] from;
    private readonly long[] to;

    public ReverseCase(Workload workload, int count)
    {
        from = new long[Math.Max(1, (workload == Workload.Numbers ? 10 : 8) * count / 8)];
        to = new long[from.Length];
    }

    public override ReadOnlySpan<byte> Written => MemoryMarshal.AsBytes(to.AsSpan());

    public override int Serialize()
    {
        BinaryPrimitives.ReverseEndianness(from, to);
        return 8 * to.Length;
    }

    public override object Deserialize()
    {
        BinaryPrimitives.ReverseEndianness(to, from);
        return from;
    }

    public override IEnumerable<object> Plain(object decoded) => [];
}
