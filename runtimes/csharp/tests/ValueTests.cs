using System;
using System.Collections.Generic;
using System.Linq;
using System.Numerics;

namespace Creo.Tests;

public static class ValueTests
{
    private sealed record Holder(ValueArray<ValueArray<int>> Items, ValueMap<string, double> Weights);

    [Test]
    public static void ArraysAreComparedByTheirItems()
    {
        ValueArray<int> a = new[] { 1, 2, 3 };
        ValueArray<int> b = [1, 2, 3];
        Assert.True(a == b && a.Equals((object)b) && a.GetHashCode() == b.GetHashCode(), "equal items");
        Assert.True(a != (ValueArray<int>)[1, 2] && a != (ValueArray<int>)[1, 2, 4], "other items");
        Assert.Equal([double.NaN], (ValueArray<double>)[double.NaN]);
        Assert.Equal(default, (ValueArray<int>)[]);
        var left = new Holder([[1], [2, 3]], [new("x", 1.5), new("y", 2)]);
        var right = new Holder([[1], [2, 3]], [new("y", 2), new("x", 1.5)]);
        Assert.Equal(left, right);
        Assert.Equal(left.GetHashCode(), right.GetHashCode());
    }

    [Test]
    public static void ListsAreCopied()
    {
        List<int> mine = [1, 2, 3];
        ValueArray<int> array = mine;
        var holder = new Holder(new List<ValueArray<int>> { mine, new[] { 4 } }, []);
        mine[0] = 7;
        Assert.Equal([1, 2, 3], array);
        Assert.Equal([[1, 2, 3], [4]], holder.Items);
        Assert.Equal(default, (ValueArray<int>)new List<int>());
        Assert.Throws<ArgumentNullException>(() => _ = (ValueArray<int>)(List<int>)null!);
    }

    [Test]
    public static void ArraysAreHandedOver()
    {
        int[] mine = [1, 2, 3];
        ValueArray<int> array = mine;
        mine[0] = 7;
        Assert.Equal(7, array[0]);
        Assert.True(array.Span == mine.AsSpan(), "the same memory");
        Assert.Throws<ArgumentNullException>(() => _ = (ValueArray<int>)(int[])null!);
        Assert.Throws<IndexOutOfRangeException>(() => _ = array[3]);
        Assert.Throws<IndexOutOfRangeException>(() => _ = ValueArray<int>.Empty[0]);
    }

    [Test]
    public static void ArraysAreLists()
    {
        ValueArray<int> array = [1, 2, 3];
        int sum = 0;
        foreach (int item in array)
        {
            sum += item;
        }
        Assert.Equal(6, sum);
        Assert.Equal(6, array.Sum());
        Assert.Equal(3, ((IReadOnlyList<int>)array).Count);
        Assert.Equal("[1, 2, 3]", array.ToString());
        Assert.Contains("84 more", Enumerable.Range(0, 100).ToValueArray().ToString());
        foreach (int item in default(ValueArray<int>))
        {
            throw new AssertionException($"an item {item} of nothing");
        }
    }

    [Test]
    public static void MapsKeepTheirOrder()
    {
        foreach (int size in new[] { 0, 1, 8, 9, 100, 10_000 })
        {
            var entries = Enumerable.Range(0, size).Select(i => new KeyValuePair<long, int>(i * 7919L % 100_003, i)).ToArray();
            ValueMap<long, int> map = entries.ToValueMap();
            Assert.Equal(size, map.Count);
            Assert.True(map.SequenceEqual(entries), "the order");
            Assert.True(entries.All(e => map[e.Key] == e.Value && map.ContainsKey(e.Key)), "each key is found");
            Assert.True(!map.ContainsKey(-1) && !map.TryGetValue(100_004, out _), "no other key is found");
        }
        Assert.Throws<KeyNotFoundException>(() => _ = ValueMap<string, int>.Empty["x"]);
    }

    [Test]
    public static void MapsHaveDistinctKeys()
    {
        Assert.Throws<ArgumentException>(() => _ = (ValueMap<string, int>)[new("a", 1), new("a", 2)]);
        Assert.Throws<ArgumentException>(() => Enumerable.Range(0, 100).Select(i => new KeyValuePair<int, int>(i % 99, i)).ToValueMap());
        ValueMap<string, int> map = new Dictionary<string, int> { ["a"] = 1, ["b"] = 2 };
        Assert.Equal("{a: 1, b: 2}", map.ToString());
        Assert.True(!map.Equals((ValueMap<string, int>)[new("a", 1), new("b", 3)]), "another value");
        Assert.True(!map.Equals((ValueMap<string, int>)[new("a", 1)]), "another count");
    }

    [Test]
    public static void KeysCannotBeMadeToCollide()
    {
        // Equal in their lower bits, and in the sum of their halves: such keys nearly halt a table that does not mix the bits.
        ValueMap<long, int> map = Enumerable.Range(0, 50_000).Select(i => new KeyValuePair<long, int>(((long)i << 32) | (uint)i, i)).ToValueMap();
        Assert.Equal(49_999, map[(49_999L << 32) | 49_999]);
    }

    [Test]
    public static void InstantsConvert()
    {
        foreach (string text in new[]
        {
            "1970-01-01T00:00:00Z", "1969-12-31T23:59:59.500Z", "2026-11-21T10:31:56.250Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z",
            "2026-11-21T10:31:56.000001Z",
        })
        {
            Assert.Equal(text, Instant.Parse(text).ToString());
        }
        Assert.Equal(Instant.Parse("2026-11-21T09:31:56.25Z"), Instant.Parse("2026-11-21t10:31:56.250+01:00"));
        Assert.Equal(Instant.MinValue, Instant.Parse("0001-01-01T00:00:00.5+01:00"));
        Assert.Equal(Instant.MaxValue, Instant.Parse("9999-12-31T23:59:59-01:00"));
        var time = new DateTimeOffset(2026, 11, 21, 10, 31, 56, 250, TimeSpan.FromHours(2)).AddTicks(1);
        Instant instant = time;
        Assert.Equal("2026-11-21T08:31:56.250000100Z", instant.ToString());
        Assert.Equal(time, instant.ToDateTimeOffset());
        Assert.Equal(instant, Instant.FromDateTime(time.UtcDateTime));
        Assert.Equal(instant, Instant.FromDateTime(time.LocalDateTime));
        Assert.True(Instant.MinValue < Instant.MaxValue && new Instant(1, 2) > new Instant(1, 1), "the order");
        Assert.Throws<ArgumentOutOfRangeException>(() => _ = new Instant(253_402_300_800));
        Assert.Throws<ArgumentOutOfRangeException>(() => _ = new Instant(0, 1_000_000_000));
        foreach (string wrong in new[] { "", "2026-11-21", "2026-11-21T10:31:56", "2026-13-21T10:31:56Z", "2026-11-21T10:31:56.Z", "2026-11-21T10:31:56.0000000001Z", "2026-11-21T10:31:56+1:00", "0000-12-31T23:00:00-02:00" })
        {
            Assert.Throws<FormatException>(() => Instant.Parse(wrong));
        }
    }

    [Test]
    public static void DecimalsConvert()
    {
        foreach (string text in new[] { "0", "0.00", "1.5", "1.50", "-12.5", "0.001", "-0.1", "79228162514264337593543950335", new string('7', 999) + ".1" })
        {
            Assert.Equal(text, BigDecimal.Parse(text).ToString());
        }
        Assert.Equal("0", BigDecimal.Parse("-0").ToString());
        Assert.Equal("1200", BigDecimal.Parse("1.2e3").ToString());
        Assert.Equal("0.0012", BigDecimal.Parse("+1.2E-3").ToString());
        foreach (decimal value in new[] { 0m, 1.50m, -79228162514264337593543950335m, 0.0000000000000000000000000001m, decimal.MaxValue })
        {
            Assert.Equal(decimal.GetBits(value), (ValueArray<int>)decimal.GetBits((decimal)(BigDecimal)value));
        }
        Assert.Throws<OverflowException>(() => _ = (decimal)BigDecimal.Parse("79228162514264337593543950336"));
        Assert.Throws<OverflowException>(() => _ = BigDecimal.Parse("0." + new string('0', 28) + "1").ToDecimal());
        Assert.True(BigDecimal.Parse("1.5") != BigDecimal.Parse("1.50") && BigDecimal.Parse("1.5") < BigDecimal.Parse("1.50"), "the scale counts");
        Assert.True(BigDecimal.Parse("-2") < BigDecimal.Parse("1.50"), "the order");
        Assert.Throws<FormatException>(() => BigDecimal.Parse(new string('9', 1001)));
        Assert.Throws<FormatException>(() => BigDecimal.Parse("1e1000"));
        Assert.Throws<ArgumentOutOfRangeException>(() => _ = new BigDecimal(BigInteger.Pow(10, 1000)));
        Assert.Throws<ArgumentOutOfRangeException>(() => _ = new BigDecimal(1, 1000));
        Assert.Equal(1.5, BigDecimal.Parse("1.50").ToDouble());
    }

    // ERR-7, ERR-8
    [Test]
    public static void ErrorsAreOnePrintableLine()
    {
        var error = new CreoException(ErrorCode.DeadlineExceeded, "a\nb\u001b[31m\u202e");
        Assert.Equal("deadline-exceeded: a\\u000ab\\u001b[31m\\u202e", error.Message);
        Assert.True(new CreoException(ErrorCode.Internal, new string('x', 5000)).Message.Length < 1100, "it is cut");
    }

    [Test]
    public static void LimitsHaveBounds()
    {
        Assert.Equal(134_217_728, Limits.Default.MaxMessageSize);
        Assert.Throws<ArgumentOutOfRangeException>(() => _ = new Limits { MaxDepth = 0 });
        Assert.Throws<ArgumentOutOfRangeException>(() => _ = new Limits { ConnectTimeout = TimeSpan.Zero });
        Assert.Throws<ArgumentOutOfRangeException>(() => _ = CallOptions.Within(TimeSpan.FromDays(1000)));
    }
}
