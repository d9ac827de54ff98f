using System;
using System.Diagnostics;
using Creo;
using Org.Example.Partner.Orders;

namespace Interop;

/// <summary>Our C# client calls the service by CXF: OrdersCaller ADDRESS 1.1|1.2|mtom.</summary>
internal static class OrdersCaller
{
    private static readonly Order Full = new()
    {
        Customer = new AnyParty.Person(new Person { Name = "Ada & Bob", Family = "Lovelace", Id = "AT-9" }),
        State = State.SoldOut,
        Created = Instant.Parse("2026-11-21T10:31:56.25Z"),
        Due = "2026-12-24",
        Total = new Price { Value = BigDecimal.Parse("1234567890123456789.10"), Currency = "EUR" },
        Quantity = 42,
        Remark = "a <remark>",
        Weight = 0.5,
        Codes = new[] { 3, -1, 4 },
        Tags = new OrderTags { Tag = new[] { "new", " <hot> " } },
        Choices = new OrderChoice[]
        {
            new OrderChoice.Goods(new Goods { Article = "bolt", Count = 100 }),
            new OrderChoice.Labour(new Labour { Work = "assembly", Hours = 1.5 }),
            new OrderChoice.Goods(new Goods { Article = "nut", Count = 200 }),
        },
        Checksum = new byte[] { 0xca, 0xfe },
        Number = 17,
        Language = "de-AT",
    };

    private static readonly Order Least = new()
    {
        Customer = new AnyParty.Party(new Party { Name = "plain" }),
        State = State.V1,
        Created = Instant.Parse("2026-01-01T00:00:00Z"),
        Total = new Price { Value = 0, Currency = "" },
        Choices = Array.Empty<OrderChoice>(),
        Number = -1,
    };

    private static int Main(string[] args)
    {
        using SoapBinding binding = Cases.Binding(args[0], args[1]);
        using var client = new OrdersClient(binding);
        Order sample = Full with
        {
            Customer = new AnyParty.Company(new Company { Name = "Creo & Co", TaxNumber = "U123", Id = "AT-1" }),
            State = State.InStock,
            Created = Instant.Parse("2026-11-21T09:31:56.25Z"),
            Remark = null,
            Tags = new OrderTags { Tag = new[] { "new", "<hot>" } },
        };
        ValueArray<AnyParty> parties = new AnyParty[]
        {
            new AnyParty.Person(new Person { Name = "Ada", Family = "Lovelace", Id = "AT-2" }),
            new AnyParty.Party(new Party { Name = "plain", Id = "AT-4" }),
            new AnyParty.Company(new Company { Name = "Creo", TaxNumber = "U456", Id = "AT-3" }),
        };
        return new Cases()
            .Add("sample", () => Cases.Equal(sample, client.Sample()))
            .Add("echo", () => Cases.Equal(Full, client.Echo(Full)))
            // JAXB makes empty lists of those that are absent.
            .Add("echo-least", () => Cases.Equal(Least, client.Echo(Least)! with { Codes = null, Tags = null }))
            .Add("echo-nothing", () => Cases.Equal(null, client.Echo(null)))
            .Add("describe", () =>
            {
                Cases.Equal(
                    "17|de-AT|Person Ada & Bob AT-9 Lovelace|SOLD_OUT|2026-11-21T10:31:56.250Z|2026-12-24|1234567890123456789.10EUR|42|a <remark>|0.5|[3, -1, 4]|[new,  <hot> ]"
                        + "|[100 bolt, 1.5 h assembly, 200 nut]|cafe",
                    client.Describe(Full));
                Cases.Equal("-1|null|Party plain null|FIRST|2026-01-01T00:00:00Z|null|0|null|null|null|[]|[]|[]|null", client.Describe(Least));
            })
            .Add("parties", () => Cases.Equal(parties, client.Parties(new[] { "person", "plain", "company" })))
            .Add("attach", () =>
            {
                foreach (int count in new[] { 0, 1, 1023, 1024, 300_000 })
                {
                    Cases.Equal(Cases.Pattern(count), client.Attach(Cases.Pattern(count)));
                }
                Cases.Equal(null, client.Attach(null));
            })
            .Add("find", () => Cases.Equal("somebody", client.Find("somebody")))
            .Add("fault-not-found", () =>
            {
                NotFoundException e = Cases.Throws<NotFoundException>(() => client.Find("nobody"));
                Cases.Equal(("nobody", 404), (e.What, e.Code));
            })
            .Add("fault-busy", () =>
            {
                BusyException e = Cases.Throws<BusyException>(() => client.Find("busy"));
                Cases.Equal(30, e.Seconds);
                Cases.Equal(new AnyParty.Person(new Person { Name = "Bob", Family = "Busy", Id = "AT-5" }), e.By);
            })
            .Add("fault-undeclared", () =>
            {
                CreoException e = Cases.Throws<CreoException>(() => client.Find("broken"));
                Cases.Equal(ErrorCode.Internal, e.Code);
                Cases.Equal(true, e.Message.Contains("it broke", StringComparison.Ordinal));
            })
            .Add("header", () => Cases.Equal("Ada in s-1", client.Greet("Ada", "s-1")))
            .Add("ping", () => client.Ping())
            .Add("oneway", () =>
            {
                string prefix = $"csharp {Stopwatch.GetTimestamp()} ";
                client.Note(prefix + "one");
                ValueArray<string> wanted = new[] { prefix + "one" };
                Cases.Until(() => client.Noted(prefix).Equals(wanted));
            })
            .Run();
    }
}
