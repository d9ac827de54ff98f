using System;
using Creo;
using Org.Example.Partner.Meters;

namespace Interop;

/// <summary>Our C# client calls the service by gSOAP: MetersCaller ADDRESS 1.1|1.2|mtom.</summary>
internal static class MetersCaller
{
    private static readonly Reading Full = new()
    {
        Quality = Quality.Checked,
        At = Instant.Parse("2026-11-21T10:31:56.123456789Z"),
        Amount = new Amount { Value = BigDecimal.Parse("-12345678901234567890.50"), Unit = "kWh" },
        Choice = new ReadingChoice.Point(new Point { X = 1.5, Y = -2.5 }),
        Maybe = 0,
        Remark = "a <remark> & more",
        Samples = new[] { 0.1, -0.0, 5e-324, 1.7976931348623157e308 },
        Path = new[] { new Point { X = 0.0, Y = 1.0 }, new Point { X = 2.0, Y = 3.0 } },
        Valid = true,
        Ticks = long.MinValue,
        Level = 255,
        Meter = 17,
        Site = "here & there",
    };

    private static readonly Reading Least = new()
    {
        Quality = Quality.Raw,
        At = Instant.Parse("0001-01-01T00:00:00Z"),
        Amount = new Amount { Value = 0, Unit = "" },
        Choice = new ReadingChoice.Number(-0.5),
        Samples = Array.Empty<double>(),
        Path = Array.Empty<Point>(),
        Valid = false,
        Ticks = 0,
        Level = 0,
        Meter = -1,
    };

    private static int Main(string[] args)
    {
        using SoapBinding binding = Cases.Binding(args[0], args[1]);
        using var client = new MetersPortClient(binding);
        Reading chain = Least with { Previous = Full with { Previous = Least } };
        Reading text = Full with { Choice = new ReadingChoice.Text("") };
        return new Cases()
            .Add("echo", () => Cases.Equal(Full, client.Echo(Full)))
            .Add("echo-least", () => Cases.Equal(Least, client.Echo(Least)))
            .Add("echo-chain", () => Cases.Equal(chain, client.Echo(chain)))
            .Add("choice-text", () => Cases.Equal(text, client.Echo(text)))
            .Add("describe", () =>
            {
                Cases.Equal(
                    "17|here & there|CHECKED|2026-11-21T10:31:56.123456789Z|-12345678901234567890.50kWh|1.5,-2.5|0|a <remark> & more|0.1,1.5|0/1,2/3|1|-9223372036854775808|255|-1",
                    client.Describe(Full with { Samples = new[] { 0.1, 1.5 } }));
                Cases.Equal("-1|-|RAW|0001-01-01T00:00:00Z|0|-0.5|-|-|0|0|0|17", client.Describe(Least with { Previous = Full }));
            })
            .Add("attach", () =>
            {
                foreach (int count in new[] { 1, 1023, 1024, 300_000 })
                {
                    Cases.Equal(Cases.Pattern(count), client.Attach(Cases.Pattern(count)));
                }
            })
            .Add("add", () => Cases.Equal(-1, client.Add(2147483646, -2147483647)))
            .Add("find", () => Cases.Equal("somebody", client.Find("somebody")))
            .Add("fault-not-found", () =>
            {
                NotFoundException e = Cases.Throws<NotFoundException>(() => client.Find("nobody"));
                Cases.Equal(("nobody", 404), (e.What, e.Code));
            })
            .Add("fault-refused", () => Cases.Equal("not you", Cases.Throws<RefusedException>(() => client.Find("refused")).Reason))
            .Add("fault-undeclared", () =>
            {
                CreoException e = Cases.Throws<CreoException>(() => client.Find("broken"));
                Cases.Equal(ErrorCode.Internal, e.Code);
                Cases.Equal(true, e.Message.Contains("it broke", StringComparison.Ordinal));
            })
            .Run();
    }
}
