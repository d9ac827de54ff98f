using System;
using System.Linq;
using Creo;
using Example.Stock;

namespace Interop;

/// <summary>Our C# client calls services of SOAP encoding: StockCaller ADDRESS encoded.</summary>
internal static class StockCaller
{
    private const string Anything =
        "<value xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" xsi:type=\"xsd:int\">42</value>";

    private static readonly Item Full = new()
    {
        Sku = "x & y",
        Kind = Kind.Loose,
        Price = BigDecimal.Parse("1.50"),
        Since = "2026-11-27",
        Checked = Instant.Parse("2026-11-27T10:00:00Z"),
        Picture = new byte[] { 0, 0xff },
        Note = "a note",
        Sizes = new[] { new Size { Width = 1, Height = 2 }, new Size { Width = 3.5, Height = -0.5 } },
        Tags = new[] { "a", "<b>" },
    };

    private static readonly Item Least = new()
    {
        Sku = "least",
        Kind = Kind.PackedUp,
        Price = 0,
        Since = "0001-01-01",
        Checked = Instant.Parse("0001-01-01T00:00:00Z"),
        Picture = Array.Empty<byte>(),
    };

    private static Item Item(string sku) => new()
    {
        Sku = sku,
        Kind = Kind.PackedUp,
        Price = BigDecimal.Parse("12.50"),
        Since = "2020-02-29",
        Checked = Instant.Parse("2026-01-02T03:04:05Z"),
        Picture = new byte[] { 0, 1, 2 },
        Size = new Size { Width = 1.5, Height = 2 },
        Sizes = new[] { new Size { Width = 1, Height = 2 }, new Size { Width = 3, Height = 4 } },
        Tags = new[] { "a<b", "" },
    };

    private static int Main(string[] args)
    {
        using SoapBinding binding = Cases.Binding(args[0], args[1]);
        using var client = new StockClient(binding);
        return new Cases()
            .Add("count", () =>
            {
                Cases.Equal(new[] { 1, 3 }, client.Count(new[] { "a", "bcd" }) ?? default);
                Cases.Equal(Array.Empty<int>(), client.Count(Array.Empty<string>()) ?? default);
            })
            .Add("find", () => Cases.Equal(new[] { Item("packed-up-1"), Item("packed-up-2") }, client.Find(Kind.PackedUp, 2) ?? default))
            .Add("find-none", () => Cases.Equal(Array.Empty<Item>(), client.Find(Kind.PackedUp, 0) ?? default))
            .Add("describe", () => Cases.Equal(Item("q"), client.Describe("q")))
            .Add("store", () => client.Store(Full))
            .Add("store-least", () => client.Store(Least))
            .Add("move", () => Cases.Equal(new MoveResponse { Moved = 3, Left = 2026 }, client.Move("abc", "2026-11-27")))
            .Add("sum", () => Cases.Equal(6.0, client.Sum(new ValueArray<int>[] { new[] { 1, 2 }, new[] { 3 } })))
            .Add("properties", () =>
            {
                MapItem[] found = client.Properties("q").Item.ToArray();
                Cases.Equal(2, found.Length);
                Cases.Equal(true, found[1].Key.Contains(">weight</key>") && found[1].Value.Contains(":int") && found[1].Value.Contains(">3</value>"));
            })
            .Add("anything", () =>
            {
                string found = client.Anything(Anything);
                Cases.Equal(true, found.StartsWith("<value ") && found.EndsWith(">42</value>"));
            })
            .Add("ping", () => client.Ping())
            .Add("forget", () => client.Forget("q"))
            .Add("fault-unknown", () => Cases.Equal("unknown", Cases.Throws<UnknownSkuException>(() => client.Describe("unknown")).Sku))
            .Add("fault-undeclared", () =>
            {
                CreoException e = Cases.Throws<CreoException>(() => client.Describe("broken"));
                Cases.Equal(ErrorCode.Internal, e.Code);
                Cases.Equal(true, e.Message.Contains("it broke", StringComparison.Ordinal));
            })
            .Run();
    }
}
