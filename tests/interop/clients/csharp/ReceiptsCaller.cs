using Creo;
using Example.Receipts;

namespace Interop;

/// <summary>Our C# client calls a service whose answers have several elements in the body: ReceiptsCaller ADDRESS imported.</summary>
internal static class ReceiptsCaller
{
    private static int Main(string[] args)
    {
        using SoapBinding binding = Cases.Binding(args[0], args[1]);
        using var client = new ReceiptsClient(binding);
        return new Cases()
            .Add("put", () => Cases.Equal(
                new PutAnswer { Number = (1L << 40) + 20, Left = new Item { Sku = "a<b", Count = 120 }, Warning = "many & <more>" },
                client.Put(new Item { Sku = "a<b", Count = 20 })))
            .Add("put-nil", () => Cases.Equal(
                new PutAnswer { Number = (1L << 40) + 1, Left = new Item { Sku = "a<b", Count = 101 } }, client.Put(new Item { Sku = "a<b", Count = 1 })))
            .Add("settle", () => Cases.Equal(
                new SettleAnswer { Left = new Item { Sku = "all", Count = 0 }, Number = 10, Session = "of 2026-11-29" }, client.Settle("2026-11-29")))
            .Run();
    }
}
