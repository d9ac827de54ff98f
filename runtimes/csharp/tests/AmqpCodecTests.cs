using System;
using System.Linq;
using Creo.Jms;

namespace Creo.Tests;

/// <summary>Values of AMQP 1.0 by the tables of its first part, written out by hand.</summary>
public static class AmqpCodecTests
{
    private static byte[] Hex(string hex) => Convert.FromHexString(hex.Replace(" ", ""));

    // One value of each encoding of the tables.
    private static readonly string[] Values =
    [
        "40", "41", "42", "56 00", "56 01", "50 ff", "60 ffff", "70 ffffffff", "52 ff", "43", "80 ffffffffffffffff", "53 ff", "44", "51 80", "61 8000",
        "71 80000000", "54 80", "81 8000000000000000", "55 80", "72 3f800000", "82 3ff0000000000000", "74 00000000", "84 0000000000000000",
        "94 00000000000000000000000000000000", "73 00000061", "83 0000000000000000", "98 000102030405060708090a0b0c0d0e0f", "a0 02 0102", "b0 00000002 0102",
        "a1 02 c3a9", "b1 00000002 c3a9", "a3 01 61", "b3 00000001 61", "45", "c0 03 02 41 42", "d0 00000006 00000002 41 42", "c1 03 02 41 42",
        "d1 00000006 00000002 41 42", "e0 04 02 50 01 02", "f0 00000007 00000002 50 01 02", "00 53 24 45", "00 a3 01 61 a1 01 62",
    ];

    // The example of section 1.1.2: a described string, whose description is a symbol.
    [Test]
    public static void DescribedValueOfTheSpecification()
    {
        byte[] bytes = [0x00, 0xa3, 0x03, .. "URL"u8, 0xa1, 0x1e, .. "http://example.org/hello-world"u8];
        var reader = new AmqpReader(bytes);
        Assert.Equal(Amqp.Unknown, reader.ReadDescriptor());
        Assert.Equal("http://example.org/hello-world", reader.ReadText(100));
        Assert.True(reader.IsAtEnd, "the end");
    }

    // The example of section 1.4: a book with a title, authors and no ISBN.
    [Test]
    public static void CompositeValueOfTheSpecification()
    {
        byte[] bytes =
        [
            0x00, 0xa3, 0x11, .. "example:book:list"u8, 0xc0, 0x40, 0x03, 0xa1, 0x15, .. "AMQP for & by Dummies"u8, 0xe0, 0x25, 0x02, 0xa1, 0x0e, .. "Rob J. Godfrey"u8, 0x13,
            .. "Rafael H. Schloming"u8, 0x40,
        ];
        var reader = new AmqpReader(bytes);
        Assert.Equal(Amqp.Unknown, reader.ReadDescriptor());
        AmqpReader.Scope book = reader.BeginList();
        Assert.Equal("AMQP for & by Dummies", reader.ReadText(100));
        reader.Skip();
        Assert.True(!reader.Has(), "no ISBN");
        Assert.Equal(null, reader.ReadText(100));
        reader.End(book);
        Assert.True(reader.IsAtEnd, "the end");
        var skipping = new AmqpReader(bytes);
        skipping.Skip();
        Assert.True(skipping.IsAtEnd, "the end of what was skipped");
    }

    [Test]
    public static void EveryEncodingIsSkipped()
    {
        foreach (string value in Values)
        {
            byte[] bytes = [.. Hex(value), 0x52, 0x2a];
            var reader = new AmqpReader(bytes);
            if (reader.Has())
            {
                reader.Skip();
            }
            Assert.Equal(42u, reader.ReadUInt(), value);
        }
    }

    [Test]
    public static void NumbersTextsAndTruth()
    {
        foreach ((string hex, uint value) in new[] { ("43", 0u), ("52 ff", 255u), ("70 80000000", 0x80000000u), ("60 0102", 0x102u), ("50 07", 7u) })
        {
            Assert.Equal(value, new AmqpReader(Hex(hex)).ReadUInt(), hex);
            Assert.Equal(value, new AmqpReader(Hex(hex)).ReadULong(), hex);
        }
        Assert.Equal(ulong.MaxValue, new AmqpReader(Hex("80 ffffffffffffffff")).ReadULong());
        Assert.Equal(0ul, new AmqpReader(Hex("44")).ReadULong());
        Assert.Equal(0x24ul, new AmqpReader(Hex("53 24")).ReadULong());
        foreach ((string hex, bool value) in new[] { ("41", true), ("42", false), ("56 01", true), ("56 00", false) })
        {
            Assert.Equal(value, new AmqpReader(Hex(hex)).ReadBoolean(), hex);
            Assert.Equal(value ? "true" : "false", new AmqpReader(Hex(hex)).ReadTextIfAny(10), hex);
        }
        foreach (string hex in new[] { "a1 02 c3a9", "b1 00000002 c3a9", "a3 02 c3a9", "b3 00000002 c3a9" })
        {
            Assert.Equal("é", new AmqpReader(Hex(hex)).ReadText(2), hex);
        }
        byte[] number = Hex("70 00000001 a1 01 61");
        var reader = new AmqpReader(number);
        Assert.Equal(null, reader.ReadTextIfAny(10));
        Assert.Equal("a", reader.ReadTextIfAny(10));
        Assert.Equal("a,bc", string.Join(",", new AmqpReader(Hex("e0 07 02 a3 01 61 02 62 63")).ReadSymbols(2)));
        Assert.Equal("PLAIN", string.Join(",", new AmqpReader(Hex("a3 05 504c41494e")).ReadSymbols(2)));
        Assert.Equal(2..4, new AmqpReader(Hex("a0 02 0102")).ReadBytes());
        Assert.Equal(5..7, new AmqpReader(Hex("b1 00000002 6162")).ReadBytes());
    }

    // A list that has fewer values than the protocol knows, or more.
    [Test]
    public static void ListsMayBeShorterAndLonger()
    {
        var shorter = new AmqpReader(Hex("c0 03 01 52 05 41"));
        AmqpReader.Scope list = shorter.BeginList();
        Assert.Equal(5u, shorter.ReadUInt());
        Assert.Equal(null, shorter.ReadUInt());
        Assert.Equal(null, shorter.ReadText(10));
        shorter.Skip();
        shorter.End(list);
        Assert.Equal(true, shorter.ReadBoolean());
        var longer = new AmqpReader(Hex("d0 0000000a 00000003 52 05 a1 01 61 41 42"));
        list = longer.BeginList();
        Assert.Equal(5u, longer.ReadUInt());
        longer.End(list);
        Assert.Equal(false, longer.ReadBoolean());
    }

    // Nested lists; the outer one continues where it was.
    [Test]
    public static void ListsNest()
    {
        var reader = new AmqpReader(Hex("c0 08 02 c0 03 02 41 42 52 05"));
        AmqpReader.Scope outer = reader.BeginList();
        AmqpReader.Scope inner = reader.BeginList();
        Assert.Equal(true, reader.ReadBoolean());
        reader.End(inner);
        Assert.Equal(5u, reader.ReadUInt());
        Assert.Equal(null, reader.ReadUInt());
        reader.End(outer);
        Assert.True(reader.IsAtEnd, "the end");
    }

    [Test]
    public static void BrokenBytesAreMalformed()
    {
        static void Skip(byte[] bytes) => new AmqpReader(bytes).Skip();
        static void List(byte[] bytes)
        {
            var reader = new AmqpReader(bytes);
            AmqpReader.Scope list = reader.BeginList();
            while (!reader.IsListAtEnd)
            {
                reader.Skip();
            }
            reader.End(list);
        }
        (string Hex, Action<byte[]> Read)[] all =
        [
            ("", Skip), ("10", Skip), ("3f", Skip), ("01", Skip), ("70 000000", Skip), ("a1 02 61", Skip), ("b1 ffffffff", Skip), ("f0 7fffffff", Skip), ("d0 80000000", Skip),
            (string.Concat(Enumerable.Repeat("00", 100_000)), Skip), ("c0 00", List), ("c0 01 01", List), ("d0 00000004 ffffffff", List), ("d0 00000004 00000001", List),
            ("c0 02 02 41", List), ("c0 04 01 41 42", List), ("c0 02 01 a1 01 61", List), ("41", List), ("d0 ffffffff 00000001", List),
            ("56 02", bytes => new AmqpReader(bytes).ReadBoolean()), ("50 01", bytes => new AmqpReader(bytes).ReadBoolean()), ("41", bytes => new AmqpReader(bytes).ReadUInt()),
            ("80 0000000000000001", bytes => new AmqpReader(bytes).ReadUInt()), ("a1 01 ff", bytes => new AmqpReader(bytes).ReadText(10)),
            ("a1 02 6161", bytes => new AmqpReader(bytes).ReadText(1)), ("a0 01 61", bytes => new AmqpReader(bytes).ReadText(10)),
            ("c1 02 01 41", bytes => new AmqpReader(bytes).BeginMap()), ("f0 00000009 ffffffff 40 00000000", bytes => new AmqpReader(bytes).ReadSymbols(9)),
            ("f0 0000000b 00000002 a3 01 61 02 6261 61", bytes => new AmqpReader(bytes).ReadSymbols(9)), ("e0 04 02 a3 00 00", bytes => new AmqpReader(bytes).ReadSymbols(1)),
            ("41", bytes => new AmqpReader(bytes).ReadDescriptor()), ("00 41", bytes => new AmqpReader(bytes).ReadDescriptor()), ("a3 00", bytes => new AmqpReader(bytes).ReadBytes()),
        ];
        foreach ((string hex, Action<byte[]> read) in all)
        {
            CreoException error = Assert.Fails(ErrorCode.Malformed, () => read(Hex(hex)));
            Assert.Contains("the broker broke the protocol", error.Message);
        }
    }

    // Whatever the bytes are: a value, or an error of the closed list.
    [Test]
    public static void AnyBytesEndInAValueOrAnError()
    {
        var random = new Random(20261121);
        byte[][] seeds = [.. Values.Select(Hex)];
        for (int i = 0; i < 20_000; i++)
        {
            byte[] bytes = [.. Enumerable.Range(0, random.Next(1, 6)).SelectMany(_ => seeds[random.Next(seeds.Length)])];
            for (int n = random.Next(4); n > 0; n--)
            {
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            }
            try
            {
                Read(new AmqpReader(bytes), random.Next(8));
            }
            catch (CreoException e)
            {
                Assert.Equal(ErrorCode.Malformed, e.Code, Convert.ToHexString(bytes));
            }
        }
    }

    private static void Read(AmqpReader reader, int way)
    {
        while (!reader.IsAtEnd)
        {
            switch (way)
            {
                case 0:
                    reader.End(reader.BeginList());
                    break;
                case 1:
                    reader.End(reader.BeginMap());
                    break;
                case 2:
                    reader.ReadDescriptor();
                    break;
                case 3:
                    reader.ReadSymbols(10);
                    break;
                case 4:
                    reader.ReadTextIfAny(100);
                    break;
                case 5:
                    reader.ReadBytes();
                    break;
                case 6:
                    reader.ReadULong();
                    break;
                default:
                    reader.Skip();
                    break;
            }
        }
    }

    // A frame by section 2.3.1, with an `open` of section 2.7.1.
    [Test]
    public static void FramesAreWritten()
    {
        var writer = new AmqpWriter();
        writer.BeginFrame();
        writer.Begin(Amqp.Open);
        writer.Text("me");
        writer.Null();
        writer.UInt(512);
        writer.UShort(0);
        writer.End();
        writer.EndFrame();
        Assert.Bytes("00000021 02 00 0000 005310 d0 00000011 00000004 a1026d65 40 7000000200 600000", writer.Written.Span);
        writer.Clear();
        writer.BeginFrame(sasl: true);
        writer.EndFrame();
        Assert.Bytes("00000008 02 01 0000", writer.Written.Span);
    }

    [Test]
    public static void ValuesAreWritten()
    {
        var writer = new AmqpWriter();
        writer.Describe(Amqp.Selector);
        writer.BeginMap();
        writer.Symbol("k");
        writer.BeginList();
        writer.Boolean(true);
        writer.Boolean(false);
        writer.End();
        writer.End();
        writer.UByte(1);
        writer.Byte(2);
        writer.Binary([3]);
        writer.BinaryBehind(4);
        Assert.Bytes("00 80 0000468c00000004 d1 00000012 00000002 a3016b d0 00000006 00000002 41 42 5001 5102 a00103 b000000004", writer.Written.Span);
        writer.Clear();
        writer.Text(new string('a', 256));
        Assert.Bytes("b1 00000100 61", writer.Written.Span[..6]);
    }
}
