using System;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text;

namespace Creo.Tests;

/// <summary>The memory of a message is counted and limited (LIM-18).</summary>
public static class MemoryTests
{
    private const int Millions = 8_000_000;

    private delegate void ReadFunction(ref Reader reader);

    // Four nodes of a number each, of which three are items, and an entry.
    private static readonly Node Sample = Node.Leaf("r") with
    {
        Children = [Node.Leaf("a"), Node.Leaf("b") with { Children = [Node.Leaf("c")] }],
        Flags = [new("f", true)],
    };

    private const int SampleCharge = 3 * (8 + NodeCodec.Weight) + 64 + 32;

    // On text wires.
    private const int Numbers = 4 * 8;

    private static Limits Within(long memory) => new() { MaxMemory = memory };

    private static CreoException Exceeded(long allowed, Action action)
    {
        CreoException error = Assert.Fails(ErrorCode.TooLarge, action);
        Assert.Equal(("maxMemory", allowed.ToString()), (error.Details["limit"], error.Details["allowed"]));
        return error;
    }

    /// <summary>It takes so much memory, and not a byte less.</summary>
    private static CreoException Takes(long memory, Action<Limits> read)
    {
        read(Within(memory));
        return Exceeded(memory - 1, () => read(Within(memory - 1)));
    }

    private static CreoException Takes(long memory, string hex, ReadFunction read)
    {
        byte[] body = Convert.FromHexString(hex.Replace(" ", ""));
        return Takes(memory, limits =>
        {
            var reader = new Reader(body, limits);
            read(ref reader);
            reader.ReadEnd();
        });
    }

    [Test]
    public static void TheLimitFollowsThatOfMessages()
    {
        Assert.Equal(536_870_912, Limits.Default.MaxMemory);
        Assert.Equal(4_000, new Limits { MaxMessageSize = 1_000 }.MaxMemory);
        Assert.Equal(7, (Within(7) with { MaxMessageSize = 1_000 }).MaxMemory);
        Assert.Equal(8_589_934_588, new Limits { MaxMessageSize = int.MaxValue }.MaxMemory);
        Assert.Throws<ArgumentOutOfRangeException>(() => Within(0));
    }

    [Test]
    public static void ReadersOfTheBinaryWireCharge()
    {
        Takes(4, "03 616263", static (ref Reader r) => r.ReadString());
        Takes(5, "01 00000007", static (ref Reader r) => r.ReadInt32s());
        Takes(3, "02 0000", static (ref Reader r) => r.ReadBytes());
        CreoException items = Takes(7 + 5 * 16, "00 05 0000000000", static (ref Reader r) =>
        {
            r.ReadByte();
            r.Block(r.ReadCount(1, 16));
        });
        Assert.Equal(1, items.Offset);
        CreoException value = Takes(3 + 20, "00 01 05", static (ref Reader r) =>
        {
            Assert.True(!r.ReadPresence(1_000), "what is not there is charged nothing");
            Assert.True(r.ReadPresence(20), "it is there");
            r.ReadByte();
        });
        Assert.Equal(1, value.Offset);
        Assert.Equal(0, Takes(1 + 9, "01", static (ref Reader r) => r.ReadMember([7, 9], 0)).Offset);
        Takes(1 + 32, "02", static (ref Reader r) => r.ReadMember([7, 9], 32));
        Takes(2, "02 00", static (ref Reader r) => r.Block(r.ReadMember([7, 9], 0) - 1));
    }

    [Test]
    public static void LargeChargesDoNotWrapAround()
    {
        // 2^31 - 1 items of the largest weight, of which none takes a byte.
        byte[] body = Convert.FromHexString("ffffffff07");
        Limits limits = new() { MaxEmptyItems = int.MaxValue, MaxMemory = long.MaxValue / 4 };
        Exceeded(limits.MaxMemory, () => new Reader(body, limits).ReadCount(0, int.MaxValue));
    }

    [Test]
    public static void AValueTakesWhatTheTableSays()
    {
        byte[] binary = Binary.ToBytes(Sample, NodeCodec.Encode, NodeCodec.Layout);
        byte[] xml = NodeText.Codec.ToXml(Sample);
        byte[] json = NodeText.Codec.ToJson(Sample);
        byte[] rows = NodeText.Codec.ToTdxml(Sample);
        byte[] aggregated = NodeText.Codec.ToTdxml(Sample, new TableOptions { Scheme = TableScheme.Aggregated });
        byte[] wide = [0xff, 0xfe, .. Encoding.Unicode.GetBytes(Encoding.UTF8.GetString(xml))];
        Action<Limits> fromBinary = limits => Assert.Equal(Sample, Binary.FromBytes(binary, NodeCodec.Decode, NodeCodec.Layout, limits));
        Takes(binary.Length + SampleCharge, fromBinary);
        (byte[] Bytes, Func<Limits, Node> Read)[] texts =
        [
            (xml, limits => NodeText.Codec.FromXml(xml, limits)),
            (json, limits => NodeText.Codec.FromJson(json, limits)),
            (rows, limits => NodeText.Codec.FromTdxml(rows, limits)),
            (aggregated, limits => NodeText.Codec.FromTdxml(aggregated, limits)),
            (wide, limits => NodeText.Codec.FromXml(wide, limits)),
        ];
        foreach ((byte[] bytes, Func<Limits, Node> read) in texts)
        {
            CreoException last = Takes(bytes.Length + SampleCharge + Numbers, limits => Assert.Equal(Sample, read(limits)));
            Assert.True(last.Place is { } place && place.StartsWith('$'), last.Message);
            CreoException body = Exceeded(bytes.Length - 1, () => read(Within(bytes.Length - 1)));
            Assert.Equal(("$", 0L), (body.Place, body.Offset!.Value));
        }
        CreoException first = Exceeded(binary.Length + 8, () => fromBinary(Within(binary.Length + 8)));
        // Its name and number come first.
        Assert.Equal(("$.children", 11L), (first.Place, first.Offset!.Value));
        CreoException all = Exceeded(binary.Length - 1, () => fromBinary(Within(binary.Length - 1)));
        Assert.Equal(("$", 0L), (all.Place, all.Offset!.Value));
        // The next value has separate memory.
        fromBinary(Within(binary.Length + SampleCharge));
        Assert.Equal("$.samples[0]", Exceeded(json.Length + 7, () => NodeText.Codec.FromJson(json, Within(json.Length + 7))).Place);
    }

    [Test]
    public static void RowsInAnotherOrderAreChargedOnce()
    {
        string[] lines = Encoding.UTF8.GetString(NodeText.Codec.ToTdxml(Sample, new TableOptions { Scheme = TableScheme.Aggregated })).Split('\n');
        string mixed = string.Join('\n', [lines[0], .. lines[1..^1].Reverse(), lines[^1]]);
        byte[] bytes = Encoding.UTF8.GetBytes(mixed);
        Takes(bytes.Length + SampleCharge + Numbers, limits => Assert.Equal(Sample, NodeText.Codec.FromTdxml(bytes, limits)));
    }

    [Test]
    public static void WhatIsWrittenIsNotCharged()
    {
        Limits limits = Within(1);
        Assert.True(NodeText.Codec.ToXml(Sample, limits).Length > 1, "XML");
        Assert.True(NodeText.Codec.ToJson(Sample, limits).Length > 1, "JSON");
        Assert.True(NodeText.Codec.ToTdxml(Sample, null, limits).Length > 1, "a table");
        Assert.True(Binary.ToBytes(Sample, NodeCodec.Encode, NodeCodec.Layout, limits).Length > 1, "bytes");
        TextField any = new("any", place: TextPlace.Any);
        TextRecord record = new("test.Raw", "", "raw", any);
        TextCodec<string> raw = new("test.Raw", new TextField(null, "", "raw") { Type = () => record }, Write, static r => "", false);
        void Write(TextWireWriter writer, TextField field, string value)
        {
            writer.BeginRecord(field, record);
            writer.WriteRaw(any, value);
            writer.EndRecord(field, record);
        }
        Assert.Equal("<raw><a>text</a></raw>", Encoding.UTF8.GetString(raw.ToXml("<a>text</a>", limits)));
    }

    [Test]
    public static void AnswersOverHttpAreChargedAsAWhole()
    {
        byte[] envelope = Encoding.UTF8.GetBytes(SoapTests.Right());
        byte[] alone = FakeHttp.Answer(200, "text/xml", envelope);
        Takes(envelope.Length, limits => Assert.Equal([0, 1], SoapTests.Call(alone, new ClientOptions { Limits = limits })));
        // What it is uncompressed.
        using var zipped = new MemoryStream();
        using (var stream = new GZipStream(zipped, CompressionLevel.Optimal, leaveOpen: true))
        {
            stream.Write(envelope);
            stream.Write(Encoding.ASCII.GetBytes(new string(' ', 100_000)));
        }
        byte[] compressed = FakeHttp.Answer(200, "text/xml", zipped.ToArray(), "Content-Encoding: gzip\r\n");
        Takes(envelope.Length + 100_000, limits => SoapTests.Call(compressed, new ClientOptions { Limits = limits }));
        // All parts of a package, and what separates them.
        string include = "<xop:Include xmlns:xop='http://www.w3.org/2004/08/xop/include' href='cid:a'/>";
        string package = $"--b\r\nContent-ID: <r>\r\n\r\n{SoapTests.Right(include)}\r\n--b\r\nContent-ID: <a>\r\n\r\n{new string('x', 5_000)}\r\n--b--";
        byte[] packaged = FakeHttp.Answer(200, "multipart/related; type=\"application/xop+xml\"; boundary=b", Encoding.ASCII.GetBytes(package));
        Takes(package.Length, limits => Assert.Equal(5_000, SoapTests.Call(packaged, new ClientOptions { Limits = limits }).Count));
    }

    /// <summary>Eight million small items are refused when their count was read, and nothing is taken for them.</summary>
    [Test]
    public static void MillionsOfSmallItemsAreRefused()
    {
        Refused(1, static (ref Reader r) => Items(ref r, 1, 8 + 96));
        Refused(1, static (ref Reader r) => Items(ref r, 1, 8 + 40 + 8 + 32));
        Refused(3, static (ref Reader r) => Items(ref r, 3, 8 + 40 + 3 * 8));
    }

    private static void Items(ref Reader reader, int least, int charge) => _ = new object?[reader.ReadCount(least, charge)];

    private static void Refused(int size, ReadFunction read)
    {
        byte[] body = [0x80, 0xa4, 0xe8, 0x03, .. new byte[size * Millions]];
        long before = GC.GetAllocatedBytesForCurrentThread();
        CreoException error = Exceeded(536_870_912, () =>
        {
            var reader = new Reader(body);
            read(ref reader);
        });
        Assert.True(GC.GetAllocatedBytesForCurrentThread() - before < 1_000_000, "nothing is taken");
        Assert.Equal(0, error.Offset);
    }
}
