using System;
using System.Linq;

namespace Creo.Tests;

public static class WriterReaderTests
{
    private delegate T Read<T>(ref Reader reader);

    private static string Hex(Action<Writer> write)
    {
        using var writer = new Writer();
        write(writer);
        return Convert.ToHexString(writer.Written).ToLowerInvariant();
    }

    private static T Of<T>(string hex, Read<T> read)
    {
        var reader = new Reader(Convert.FromHexString(hex.Replace(" ", "")));
        T value = read(ref reader);
        reader.ReadEnd();
        return value;
    }

    private static void Malformed<T>(string hex, Read<T> read) => Assert.Fails(ErrorCode.Malformed, () => Of(hex, read));

    // BIN-1
    [Test]
    public static void NumbersAreBigEndian()
    {
        Assert.Equal("010203", Hex(w => { w.WriteBoolean(true); w.WriteInt16(0x0203); }));
        Assert.Equal("fe" + "fffffffd" + "fffffffffffffffc", Hex(w => { w.WriteSByte(-2); w.WriteInt32(-3); w.WriteInt64(-4); }));
        Assert.Equal("3fc00000" + "c004000000000000" + "007a", Hex(w => { w.WriteSingle(1.5F); w.WriteDouble(-2.5); w.WriteChar('z'); }));
        Assert.Equal(-2.5, Of("c004000000000000", (ref Reader r) => r.ReadDouble()));
        Assert.Equal((sbyte)-2, Of("fe", (ref Reader r) => r.ReadSByte()));
        Assert.Equal(-4L, Of("fffffffffffffffc", (ref Reader r) => r.ReadInt64()));
    }

    // BIN-1
    [Test]
    public static void PayloadsOfNaNTravel()
    {
        double quiet = BitConverter.Int64BitsToDouble(0x7ff8_0000_0000_1234);
        Assert.Equal("7ff8000000001234", Hex(w => w.WriteDouble(quiet)));
        Assert.Equal(BitConverter.DoubleToInt64Bits(quiet), BitConverter.DoubleToInt64Bits(Of("7ff8000000001234", (ref Reader r) => r.ReadDouble())));
    }

    // BIN-2
    [Test]
    public static void CountsAreShort()
    {
        foreach ((int count, string hex) in new[] { (0, "00"), (127, "7f"), (128, "8001"), (300, "ac02"), (16384, "808001"), (int.MaxValue, "ffffffff07") })
        {
            Assert.Equal(hex, Hex(w => w.WriteCount(count)));
            Assert.Equal(count, Of(hex, (ref Reader r) => r.ReadNumber()));
        }
        foreach (string hex in new[] { "8000", "ffffffff08", "ffffffff0f", "8080808000", "ffffffffff01", "80", "ff", "" })
        {
            Malformed(hex, (ref Reader r) => r.ReadNumber());
        }
    }

    // BIN-3
    [Test]
    public static void BooleansAreZeroOrOne()
    {
        Malformed("02", (ref Reader r) => r.ReadBoolean());
        Malformed("ff", (ref Reader r) => r.ReadPresence(0));
        Malformed("03000102", (ref Reader r) => r.ReadBooleans());
        Assert.Equal([false, true], Of("020001", (ref Reader r) => r.ReadBooleans()));
    }

    // BIN-4
    [Test]
    public static void TextsOfAllSizesComeBack()
    {
        string[] parts = ["a", "é", "€", "😀", "\0"];
        foreach (int size in new[] { 0, 1, 2, 10, 31, 32, 41, 42, 43, 63, 64, 65, 100, 126, 127, 128, 129, 4095, 4096, 4097, 5461, 5462, 16383, 16384, 100_000 })
        {
            foreach (string part in parts)
            {
                string text = string.Concat(Enumerable.Repeat(part, size));
                Assert.Equal(text, Of(Hex(w => w.WriteString(text)), (ref Reader r) => r.ReadString()), $"{size} x {part}");
            }
        }
        Assert.Equal("02c3a9", Hex(w => w.WriteString("é")));
    }

    // BIN-4
    [Test]
    public static void OnlyRightTextIsTaken()
    {
        foreach (string wrong in new[] { "01ff", "02c080", "03eda080", "04f4908080", "01c3", "03e282", "02e282" })
        {
            Malformed(wrong, (ref Reader r) => r.ReadString());
        }
        foreach (string text in new[] { "\ud800", "\udc00x", "a" + new string('b', 200) + "\ud800", new string('c', 5000) + "\udfff" })
        {
            CreoException error = Assert.Fails(ErrorCode.InvalidValue, () => Hex(w => w.WriteString(text)));
            Assert.Contains("surrogate", error.Message);
        }
        Assert.Fails(ErrorCode.InvalidValue, () => Hex(w => w.WriteString(null!)));
    }

    // BIN-5
    [Test]
    public static void CountsBeyondTheBytesAreRefusedBeforeMemoryIsTaken()
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        foreach (string hex in new[] { "ffffffff0700", "8080808004" })
        {
            Malformed(hex, (ref Reader r) => r.ReadDoubles());
            Malformed(hex, (ref Reader r) => r.ReadBytes());
            Malformed(hex, (ref Reader r) => r.ReadString());
        }
        Assert.True(GC.GetAllocatedBytesForCurrentThread() - before < 1_000_000, "memory was taken");
        Malformed("020000", (ref Reader r) => r.ReadInt16s());
    }

    // BIN-6
    [Test]
    public static void EmptyItemsHaveABudget()
    {
        Assert.Equal(65_536, Of("808004", (ref Reader r) => r.ReadCount(0, 0)));
        CreoException error = Assert.Fails(ErrorCode.TooLarge, () => Of("808004" + "01", (ref Reader r) => r.ReadCount(0, 0) + r.ReadCount(0, 0)));
        Assert.Equal("maxEmptyItems", error.Details["limit"]);
    }

    // BIN-7
    [Test]
    public static void ArraysComeBackInBulk()
    {
        Assert.Equal("02" + "3ff0000000000000" + "c004000000000000", Hex(w => w.WriteDoubles(new[] { 1.0, -2.5 })));
        foreach (int size in new[] { 0, 1, 3, 7, 8, 15, 31, 64, 1000 })
        {
            short[] shorts = [.. Enumerable.Range(0, size).Select(i => (short)(i * 7919))];
            int[] ints = [.. Enumerable.Range(0, size).Select(i => i * 104_729)];
            long[] longs = [.. Enumerable.Range(0, size).Select(i => i * 15_485_863L << 20)];
            Assert.Equal(shorts, Of(Hex(w => w.WriteInt16s(shorts)), (ref Reader r) => r.ReadInt16s()));
            Assert.Equal(ints, Of(Hex(w => w.WriteInt32s(ints)), (ref Reader r) => r.ReadInt32s()));
            Assert.Equal(longs, Of(Hex(w => w.WriteInt64s(longs)), (ref Reader r) => r.ReadInt64s()));
            char[] chars = [.. shorts.Select(s => (char)s)];
            float[] floats = [.. ints.Select(i => (float)i)];
            double[] doubles = [.. longs.Select(l => (double)l)];
            byte[] bytes = [.. shorts.Select(s => (byte)s)];
            bool[] flags = [.. shorts.Select(s => s % 2 == 0)];
            Assert.Equal(chars, Of(Hex(w => w.WriteChars(chars)), (ref Reader r) => r.ReadChars()));
            Assert.Equal(floats, Of(Hex(w => w.WriteSingles(floats)), (ref Reader r) => r.ReadSingles()));
            Assert.Equal(doubles, Of(Hex(w => w.WriteDoubles(doubles)), (ref Reader r) => r.ReadDoubles()));
            Assert.Equal(bytes, Of(Hex(w => w.WriteBytes(bytes)), (ref Reader r) => r.ReadBytes()));
            Assert.Equal(flags, Of(Hex(w => w.WriteBooleans(flags)), (ref Reader r) => r.ReadBooleans()));
        }
    }

    // BIN-8
    [Test]
    public static void RegionsAreBounds()
    {
        Assert.Equal("00000005" + "0000000702", Hex(w => { int r = w.OpenRegion(); w.WriteInt32(7); w.WriteSByte(2); w.CloseRegion(r); }));
        // The rest of a region is skipped; what follows it is not read.
        Assert.Equal(7 + 9, Of("00000006" + "00000007" + "0102" + "00000009", (ref Reader r) =>
        {
            int outer = r.OpenRegion();
            int value = r.ReadInt32();
            r.CloseRegion(outer);
            return value + r.ReadInt32();
        }));
        Malformed("00000003" + "00000007", (ref Reader r) => { r.OpenRegion(); return r.ReadInt32(); });
        Malformed("00000005" + "00000007", (ref Reader r) => r.OpenRegion());
        Malformed("00000001" + "01", (ref Reader r) => { int outer = r.OpenRegion(); r.CloseFullRegion(outer); return 0; });
    }

    // BIN-11
    [Test]
    public static void InstantsHaveARange()
    {
        Assert.Equal("ffffffffffffffff1dcd6500", Hex(w => w.WriteInstant(new Instant(-1, 500_000_000))));
        Assert.Equal(Instant.MaxValue, Of(Hex(w => w.WriteInstant(Instant.MaxValue)), (ref Reader r) => r.ReadInstant()));
        Malformed("0000003afff44180" + "00000000", (ref Reader r) => r.ReadInstant());
        Malformed("fffffff1886e08ff" + "00000000", (ref Reader r) => r.ReadInstant());
        Malformed("0000000000000000" + "3b9aca00", (ref Reader r) => r.ReadInstant());
    }

    // BIN-12
    [Test]
    public static void DecimalsAreCanonical()
    {
        Assert.Equal("052d312e3530", Hex(w => w.WriteDecimal(-1.50m)));
        Assert.Equal((BigDecimal)(-1.50m), Of("052d312e3530", (ref Reader r) => r.ReadDecimal()));
        foreach (string text in new[]
        {
            "0", "0.0", "-0.001", "7", "999999999999999999", "-1000000000000000000", "9223372036854775807", "-9223372036854775807", "-9223372036854775808", "9223372036854775808",
            "0.000000000000000001", "0.0000000000000000001", "1.2345678901234567", "12345678901.2345678901", new string('9', 1000),
        })
        {
            Assert.Equal(Hex(w => w.WriteString(text)), Hex(w => w.WriteDecimal(BigDecimal.Parse(text))), text);
            Assert.Equal(BigDecimal.Parse(text), Of(Hex(w => w.WriteString(text)), (ref Reader r) => r.ReadDecimal()), text);
        }
        foreach (string wrong in new[] { "", "-", ".5", "1.", "01", "-0", "-0.00", "+1", "1e3", " 1", "1 ", "--1", "1.2.3", new string('9', 1001), "0." + new string('0', 1000) })
        {
            Malformed(Hex(w => w.WriteString(wrong)), (ref Reader r) => r.ReadDecimal());
        }
        string longest = new('9', 1000);
        Assert.Equal(longest, Of(Hex(w => w.WriteString(longest)), (ref Reader r) => r.ReadDecimal()).ToString());
    }

    // BIN-13
    [Test]
    public static void DepthIsCounted()
    {
        using var writer = new Writer(new Limits { MaxDepth = 2 });
        writer.Descend("a.Tree");
        writer.Descend("a.Tree");
        CreoException error = Assert.Fails(ErrorCode.TooLarge, () => writer.Descend("a.Tree"));
        Assert.Equal("2", error.Details["allowed"]);
        Assert.Fails(ErrorCode.TooLarge, () =>
        {
            var reader = new Reader([], new Limits { MaxDepth = 1 });
            reader.Descend("a.Tree");
            reader.Ascend();
            reader.Descend("a.Tree");
            reader.Descend("a.Tree");
        });
    }

    // LIM-1
    [Test]
    public static void MessagesHaveASize()
    {
        using var writer = new Writer(new Limits { MaxMessageSize = 100 });
        writer.WriteBytes(new byte[99]);
        Assert.Equal(100, writer.WrittenCount);
        CreoException error = Assert.Fails(ErrorCode.TooLarge, () => { writer.WriteBytes(new byte[10_000]); writer.WriteBytes(new byte[10_000]); });
        Assert.Equal("maxMessageSize", error.Details["limit"]);
    }

    [Test]
    public static void WritingTakesNoMemoryOnceWarm()
    {
        using var writer = new Writer();
        double[] numbers = new double[1000];
        string text = "0123456789é";
        ValueMap<string, int> map = [new("a", 1)];
        void Write()
        {
            writer.Clear();
            writer.WriteDoubles(numbers);
            writer.WriteString(text);
            writer.WriteInstant(Instant.MaxValue);
            foreach (var entry in writer.WriteEntries(map))
            {
                writer.WriteString(entry.Key);
                writer.WriteInt32(entry.Value);
            }
        }
        Write();
        Write();
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 100; i++)
        {
            Write();
        }
        Assert.Equal(0L, GC.GetAllocatedBytesForCurrentThread() - before, "bytes");
    }
}
