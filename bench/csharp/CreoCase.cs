using System;
using System.Collections.Generic;
using System.Linq;
using Creo;
using Wire = Bench.Wire;

namespace WireBenchmark;

/// <summary>Creo's generated records and codecs, with one writer that is kept.</summary>
public sealed class CreoCase : Case
{
    private readonly Writer writer = new();
    private readonly Action write;
    private readonly Func<object> read;
    private byte[] bytes = [];

    public CreoCase(Workload workload, int count)
    {
        switch (workload)
        {
            case Workload.Numbers:
                var numbers = new Wire.Numbers { Blocks = Values.Of(count, i => new Wire.Block { D = Values.D(i), S = Values.S(i) }) };
                write = () => Wire.NumbersCodec.Encode(writer, numbers);
                read = () => Wire.NumbersCodec.FromBytes(bytes);
                break;
            case Workload.Strings:
            case Workload.Texts:
                var strings = new Wire.Strings { Items = Values.Strings(workload, count) };
                write = () => Wire.StringsCodec.Encode(writer, strings);
                read = () => Wire.StringsCodec.FromBytes(bytes);
                break;
            case Workload.Bytes:
                var data = new Wire.Bytes { Data = Values.Bytes(count) };
                write = () => Wire.BytesCodec.Encode(writer, data);
                read = () => Wire.BytesCodec.FromBytes(bytes);
                break;
            case Workload.Reals:
                var reals = new Wire.Reals { Values = Values.Of(count, Values.D) };
                write = () => Wire.RealsCodec.Encode(writer, reals);
                read = () => Wire.RealsCodec.FromBytes(bytes);
                break;
            default:
                throw new ArgumentOutOfRangeException(nameof(workload));
        }
        Serialize();
        bytes = Written.ToArray();
    }

    public override ReadOnlySpan<byte> Written => writer.Written;

    public override int Serialize()
    {
        writer.Clear();
        write();
        return writer.WrittenCount;
    }

    public override object Deserialize() => read();

    public override IEnumerable<object> Plain(object decoded) => decoded switch
    {
        Wire.Numbers numbers => numbers.Blocks.SelectMany(b => new object[] { b.D, b.S }),
        Wire.Strings strings => strings.Items,
        Wire.Bytes data => data.Data.Cast<object>(),
        Wire.Reals reals => reals.Values.Cast<object>(),
        _ => throw new ArgumentException("not of this peer", nameof(decoded)),
    };
}
